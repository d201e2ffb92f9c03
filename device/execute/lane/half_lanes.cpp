// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/lane/half_math.hpp>
#include <device/execute/lane/lane_tables.hpp>

// f16, bf16 and pairs of them.
namespace device::DEVICE_ISA {

namespace {

using namespace math;

// clang-format off
template <class H> H add(H a, H b) { return binary<math::add<float>>(a, b); }
template <class H> H sub(H a, H b) { return binary<math::sub<float>>(a, b); }
template <class H> H mul(H a, H b) { return binary<math::mul<float>>(a, b); }
template <class H> H fused(H a, H b, H c) { return fused_half(a, b, c); }
template <class H> H least(H a, H b) { return extreme<H, false>(a, b); }
template <class H> H max_of(H a, H b) { return extreme<H, true>(a, b); }
template <class H> H least_nan(H a, H b) { return extreme_nan<H, false>(a, b); }
template <class H> H max_nan(H a, H b) { return extreme_nan<H, true>(a, b); }
template <class H> H least_xor(H a, H b) { return xor_sign_half<extreme<H, false>>(a, b); }
template <class H> H max_xor(H a, H b) { return xor_sign_half<extreme<H, true>>(a, b); }
template <class H> H least_nan_xor(H a, H b) { return xor_sign_half<extreme_nan<H, false>>(a, b); }
template <class H> H max_nan_xor(H a, H b) { return xor_sign_half<extreme_nan<H, true>>(a, b); }
template <class H> H exp2_half(H a) { return unary<math::exp2>(a); }
template <class H> H tanh_half(H a) { return unary<math::tanh>(a); }
// clang-format on

//! The modifiers in operation::immediate: .ftz, and .sat or .relu.
template <auto F, int PerLane>
struct general;

template <class H, class... A, H (*F)(A...), int PerLane>
struct general<F, PerLane> {
  template <int Flags>
  static H one(A... a) {
    H r = (Flags & flush) != 0 ? F(flushed_half(a)...) : F(a...);
    if constexpr ((Flags & saturate) != 0) r = saturated_half(r);
    if constexpr ((Flags & rectify) != 0) r = rectified(r);
    if constexpr ((Flags & flush) != 0) r = flushed_half(r);
    return r;
  }
  static void run(warp& w, operation const& o) {
    switch (o.immediate & (flush | saturate | rectify)) {
      case flush:
        return lanewise<&one<flush>, PerLane>::run(w, o);
      case saturate:
        return lanewise<&one<saturate>, PerLane>::run(w, o);
      case rectify:
        return lanewise<&one<rectify>, PerLane>::run(w, o);
      case flush | saturate:
        return lanewise<&one<flush | saturate>, PerLane>::run(w, o);
      case flush | rectify:
        return lanewise<&one<flush | rectify>, PerLane>::run(w, o);
      default:
        return lanewise<&one<0>, PerLane>::run(w, o);
    }
  }
};

constexpr instruction_kind kind = instruction_kind::half;

template <auto F, int PerLane = 1>
constexpr row general_row(char const* name, int allowed) {
  row r = lanewise<F, PerLane>::describe(name, kind);
  r.run = &general<F, PerLane>::run;
  r.general = true;
  r.allowed = static_cast<std::uint16_t>(allowed);
  return r;
}

#define DEVICE_HALVES(name, f, allowed)                                                        \
  row_of<f<f16>>(name ".f16", kind, allowed), row_of<f<f16>, 2>(name ".f16x2", kind, allowed), \
      row_of<f<bf16>>(name ".bf16", kind, allowed),                                            \
      row_of<f<bf16>, 2>(name ".bf16x2", kind, allowed)
#define DEVICE_COSTLY(name, f, type) \
  costly_row_of<f<type>>(name "." #type, kind), costly_row_of<f<type>, 2>(name "." #type "x2", kind)

constexpr row rows[] = {
    DEVICE_HALVES("add", add, may_round),
    DEVICE_HALVES("sub", sub, may_round),
    DEVICE_HALVES("mul", mul, may_round),
    DEVICE_HALVES("fma", fused, may_round),
    DEVICE_HALVES("neg", neg_half, 0),
    DEVICE_HALVES("abs", abs_half, 0),
    DEVICE_HALVES("min", least, 0),
    DEVICE_HALVES("max", max_of, 0),
    DEVICE_HALVES("min.NaN", least_nan, 0),
    DEVICE_HALVES("max.NaN", max_nan, 0),
    DEVICE_HALVES("min.xorsign.abs", least_xor, 0),
    DEVICE_HALVES("max.xorsign.abs", max_xor, 0),
    DEVICE_HALVES("min.NaN.xorsign.abs", least_nan_xor, 0),
    DEVICE_HALVES("max.NaN.xorsign.abs", max_nan_xor, 0),
    DEVICE_COSTLY("tanh.approx", tanh_half, f16),
    DEVICE_COSTLY("tanh.approx", tanh_half, bf16),
    DEVICE_COSTLY("ex2.approx", exp2_half, f16),
    DEVICE_COSTLY("ex2.approx.ftz", exp2_half, bf16),
    row_of<add_mixed<f16>>("add.f32.f16", instruction_kind::float32, may_round),
    row_of<add_mixed<bf16>>("add.f32.bf16", instruction_kind::float32, may_round),
    row_of<sub_mixed<f16>>("sub.f32.f16", instruction_kind::float32, may_round),
    row_of<sub_mixed<bf16>>("sub.f32.bf16", instruction_kind::float32, may_round),
    row_of<fused_mixed<f16>>("fma.f32.f16", instruction_kind::fma32, may_round),
    row_of<fused_mixed<bf16>>("fma.f32.bf16", instruction_kind::fma32, may_round),
};

#define DEVICE_GENERAL(name, f, type, allowed)   \
  general_row<f<type>>(name "." #type, allowed), \
      general_row<f<type>, 2>(name "." #type "x2", allowed)

constexpr row general_rows[] = {
    DEVICE_GENERAL("add", add, f16, may_round | flush | saturate),
    DEVICE_GENERAL("sub", sub, f16, may_round | flush | saturate),
    DEVICE_GENERAL("mul", mul, f16, may_round | flush | saturate),
    DEVICE_GENERAL("fma", fused, f16, may_round | flush | saturate | rectify),
    DEVICE_GENERAL("fma", fused, bf16, may_round | rectify),
    DEVICE_GENERAL("neg", neg_half, f16, flush),
    DEVICE_GENERAL("abs", abs_half, f16, flush),
    DEVICE_GENERAL("min", least, f16, flush),
    DEVICE_GENERAL("max", max_of, f16, flush),
    DEVICE_GENERAL("min.NaN", least_nan, f16, flush),
    DEVICE_GENERAL("max.NaN", max_nan, f16, flush),
    DEVICE_GENERAL("min.xorsign.abs", least_xor, f16, flush),
    DEVICE_GENERAL("max.xorsign.abs", max_xor, f16, flush),
    DEVICE_GENERAL("min.NaN.xorsign.abs", least_nan_xor, f16, flush),
    DEVICE_GENERAL("max.NaN.xorsign.abs", max_nan_xor, f16, flush),
};

}  // namespace

row_list half_rows() { return {rows, sizeof rows / sizeof rows[0]}; }
row_list half_general_rows() {
  return {general_rows, sizeof general_rows / sizeof general_rows[0]};
}

}  // namespace device::DEVICE_ISA
