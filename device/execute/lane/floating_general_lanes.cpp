// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/lane/half_math.hpp>
#include <device/execute/lane/lane_tables.hpp>
#include <device/execute/lane/rounding_scope.hpp>

// f32 and f64 with the modifiers in operation::immediate: any rounding, .ftz, .sat.
namespace device::DEVICE_ISA {

namespace {

using f32 = float;
using f64 = double;

template <class T>
T flushed(T a) {
  if constexpr (!std::is_floating_point_v<T>)
    return a;  // of instructions with mixed types, which have no .ftz
  else
    return math::abs(a) < std::numeric_limits<T>::min() ? math::copysign(a, T{0}) : a;
}
template <class T>
T saturated(T a) {
  return a > 0 ? (a < 1 ? a : T{1}) : T{0};
}

template <auto F, int PerLane, bool Cheap>
struct general;

template <class R, class... A, R (*F)(A...), int PerLane, bool Cheap>
struct general<F, PerLane, Cheap> {
  template <bool Flush, bool Saturate>
  static R one(A... a) {
    R r = Flush ? F(flushed(a)...) : F(a...);
    if constexpr (Saturate) r = saturated(r);
    if constexpr (Flush && !std::is_same_v<R, bool>) r = flushed(r);
    return r;
  }
  static void run(warp& w, operation const& o) {
    rounding_scope const scope(o.immediate);
    switch (o.immediate & (flush | saturate)) {
      case flush:
        return lanewise<&one<true, false>, PerLane, Cheap>::run(w, o);
      case saturate:
        return lanewise<&one<false, true>, PerLane, Cheap>::run(w, o);
      case flush | saturate:
        return lanewise<&one<true, true>, PerLane, Cheap>::run(w, o);
      default:
        return lanewise<&one<false, false>, PerLane, Cheap>::run(w, o);
    }
  }
};

template <auto F, int PerLane = 1, bool Cheap = true>
constexpr row general_row(char const* name, instruction_kind kind, int allowed) {
  row r = lanewise<F, PerLane, Cheap>::describe(name, kind);
  r.run = &general<F, PerLane, Cheap>::run;
  r.general = true;
  r.allowed = static_cast<std::uint16_t>(allowed);
  return r;
}
template <auto F>
constexpr row approximate(char const* name, int allowed) {
  return general_row<F, 1, false>(name, instruction_kind::float32, allowed);
}

using namespace math;

constexpr instruction_kind single = instruction_kind::float32;
constexpr instruction_kind fused_single = instruction_kind::fma32;
constexpr instruction_kind twice = instruction_kind::float64;

constexpr row rows[] = {
    general_row<add<f32>>("add.f32", single, may_round | may_direct | flush | saturate),
    general_row<sub<f32>>("sub.f32", single, may_round | may_direct | flush | saturate),
    general_row<mul<f32>>("mul.f32", single, may_round | may_direct | flush | saturate),
    general_row<fused<f32>>("fma.f32", fused_single, may_round | may_direct | flush | saturate),
    general_row<fused<f32>>("mad.f32", fused_single, may_round | may_direct | flush | saturate),
    general_row<div<f32>>("div.f32", single, may_round | may_direct | flush),
    general_row<rcp<f32>>("rcp.f32", single, may_round | may_direct | flush),
    general_row<sqrt<f32>>("sqrt.f32", single, may_round | may_direct | flush),
    general_row<add<f32>, 2>("add.f32x2", single, may_round | may_direct | flush),
    general_row<sub<f32>, 2>("sub.f32x2", single, may_round | may_direct | flush),
    general_row<mul<f32>, 2>("mul.f32x2", single, may_round | may_direct | flush),
    general_row<fused<f32>, 2>("fma.f32x2", fused_single, may_round | may_direct | flush),
    general_row<add<f64>>("add.f64", twice, may_round | may_direct),
    general_row<sub<f64>>("sub.f64", twice, may_round | may_direct),
    general_row<mul<f64>>("mul.f64", twice, may_round | may_direct),
    general_row<fused<f64>>("fma.f64", twice, may_round | may_direct),
    general_row<fused<f64>>("mad.f64", twice, may_round | may_direct),
    general_row<div<f64>>("div.f64", twice, may_round | may_direct),
    general_row<rcp<f64>>("rcp.f64", twice, may_round | may_direct),
    general_row<sqrt<f64>>("sqrt.f64", twice, may_round | may_direct),
    general_row<add_mixed<f16>>("add.f32.f16", single, may_round | may_direct | saturate),
    general_row<add_mixed<bf16>>("add.f32.bf16", single, may_round | may_direct | saturate),
    general_row<sub_mixed<f16>>("sub.f32.f16", single, may_round | may_direct | saturate),
    general_row<sub_mixed<bf16>>("sub.f32.bf16", single, may_round | may_direct | saturate),
    general_row<fused_mixed<f16>>("fma.f32.f16", fused_single, may_round | may_direct | saturate),
    general_row<fused_mixed<bf16>>("fma.f32.bf16", fused_single, may_round | may_direct | saturate),
    general_row<div<f32>>("div.approx.f32", single, flush),
    general_row<div<f32>>("div.full.f32", single, flush),
    general_row<rcp<f32>>("rcp.approx.f32", single, flush),
    general_row<sqrt<f32>>("sqrt.approx.f32", single, flush),
    general_row<reciprocal_root<f32>>("rsqrt.approx.f32", single, flush),
    approximate<sine>("sin.approx.f32", flush),
    approximate<cosine>("cos.approx.f32", flush),
    approximate<math::log2>("lg2.approx.f32", flush),
    approximate<math::exp2>("ex2.approx.f32", flush),
    general_row<neg<f32>>("neg.f32", single, flush),
    general_row<abs<f32>>("abs.f32", single, flush),
    general_row<minimum<f32>>("min.f32", single, flush),
    general_row<maximum<f32>>("max.f32", single, flush),
    general_row<minimum_nan<f32>>("min.NaN.f32", single, flush),
    general_row<maximum_nan<f32>>("max.NaN.f32", single, flush),
    general_row<xor_sign<minimum<f32>, f32>>("min.xorsign.abs.f32", single, flush),
    general_row<xor_sign<maximum<f32>, f32>>("max.xorsign.abs.f32", single, flush),
    general_row<xor_sign<minimum_nan<f32>, f32>>("min.NaN.xorsign.abs.f32", single, flush),
    general_row<xor_sign<maximum_nan<f32>, f32>>("max.NaN.xorsign.abs.f32", single, flush),
    general_row<minimum3<f32>>("min.f32/3", single, flush),
    general_row<maximum3<f32>>("max.f32/3", single, flush),
    general_row<minimum3_nan<f32>>("min.NaN.f32/3", single, flush),
    general_row<maximum3_nan<f32>>("max.NaN.f32/3", single, flush),
    general_row<minimum3_abs<f32>>("min.abs.f32/3", single, flush),
    general_row<maximum3_abs<f32>>("max.abs.f32/3", single, flush),
    general_row<minimum3_nan_abs<f32>>("min.NaN.abs.f32/3", single, flush),
    general_row<maximum3_nan_abs<f32>>("max.NaN.abs.f32/3", single, flush),
};

}  // namespace

row_list floating_general_rows() { return {rows, sizeof rows / sizeof rows[0]}; }

}  // namespace device::DEVICE_ISA
