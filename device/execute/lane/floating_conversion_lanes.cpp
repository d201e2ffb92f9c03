// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/lane/conversion_math.hpp>
#include <device/execute/lane/lane_tables.hpp>
#include <device/execute/lane/rounding_scope.hpp>

// cvt from and to floating types. operation::immediate has row_flag and conversion_flag.
namespace device::DEVICE_ISA {

namespace {

using namespace math;

template <class T>
inline constexpr bool is_half = std::is_same_v<T, f16> || std::is_same_v<T, bf16>;
template <class T>
using register_type = std::conditional_t<sizeof(T) == 1 && std::is_integral_v<T>, std::int16_t, T>;

template <class T>
T limited(T a, std::uint64_t flags) {
  if constexpr (is_half<T>) {
    if ((flags & saturate) != 0) a = saturated_half(a);
    if ((flags & rectify) != 0) a = rectified(a);
    if ((flags & finite) != 0 && (a.bits & 0x7fff) == infinity_bits<T>) --a.bits;
    // .ftz of f16 is said of f32 values only
  } else {
    if ((flags & saturate) != 0) a = a > 0 ? (a < 1 ? a : T{1}) : T{0};
    if constexpr (std::is_same_v<T, float>)
      if ((flags & flush) != 0 && math::abs(a) < std::numeric_limits<T>::min())
        a = math::copysign(a, T{0});
  }
  return a;
}

//! D of a value that stands for the number to be rounded.
template <class D>
D rounded(double a, std::uint64_t flags) {
  if constexpr (is_half<D>)
    return narrowed<D>(to_odd(a), static_cast<unsigned>(flags & rounding));
  else
    return static_cast<D>(a);  // as the host rounds
}

// --- from integers -------------------------------------------------------------------------------
template <class S, class D>
D from_integer(register_type<S> v) {
  auto const a = static_cast<S>(v);
  if constexpr (!is_half<D>)
    return static_cast<D>(a);
  else if constexpr (std::is_signed_v<S>)
    return narrowed<D>(to_odd(odd_double(std::int64_t{a})));
  else
    return narrowed<D>(to_odd(odd_double(std::uint64_t{a})));
}

template <class S, class D>
void run_from_integer(warp& w, operation const& o) {
  if (o.immediate == 0) return lanewise<&from_integer<S, D>>::run(w, o);
  auto const* const a = w.source<raw<register_type<S>>>(o.a);
  auto* const d = w.destination<raw<D>>(o.d);
  auto const one = [&](int t) {
    auto const v = static_cast<S>(a[t]);
    D r{};
    if constexpr (!is_half<D>)
      r = static_cast<D>(v);
    else if constexpr (std::is_signed_v<S>)
      r = rounded<D>(odd_double(std::int64_t{v}), o.immediate);
    else
      r = rounded<D>(odd_double(std::uint64_t{v}), o.immediate);
    d[t] = bits_of_result(limited(r, o.immediate & ~std::uint64_t{flush}));
  };
  rounding_scope const scope(is_half<D> ? 0 : o.immediate);
  w.each_active(one);
}

// --- to integers ---------------------------------------------------------------------------------
template <class S, class D, unsigned Mode, bool Flush>
register_type<D> to_integer_of(S v) {
  auto a = as_double(v);
  if constexpr (Flush) a = math::abs(a) < std::numeric_limits<float>::min() ? 0.0 : a;
  constexpr bool is_64 = sizeof(S) == 8 || sizeof(D) == 8;
  return static_cast<register_type<D>>(to_integer_value<D, is_64>(integral_value<Mode>(a)));
}

template <class S, class D, bool Flush>
void run_mode(warp& w, operation const& o) {
  switch ((o.immediate & to_integer) >> 8) {
    case 0:
      return lanewise<&to_integer_of<S, D, 0, Flush>>::run(w, o);
    case 1:
      return lanewise<&to_integer_of<S, D, 1, Flush>>::run(w, o);
    case 2:
      return lanewise<&to_integer_of<S, D, 2, Flush>>::run(w, o);
    default:
      return lanewise<&to_integer_of<S, D, 3, Flush>>::run(w, o);
  }
}
template <class S, class D>
void run_to_integer(warp& w, operation const& o) {
  if constexpr (std::is_same_v<S, float>)
    if ((o.immediate & flush) != 0) return run_mode<S, D, true>(w, o);
  run_mode<S, D, false>(w, o);
}

// --- between floating types ----------------------------------------------------------------------
template <class S, class D>
D nearest(S a) {
  if constexpr (std::is_same_v<S, D>)
    return a;
  else if constexpr (is_half<S> && is_half<D>)
    return narrowed<D>(widened(a));
  else if constexpr (is_half<S>)
    return static_cast<D>(widened(a));
  else if constexpr (!is_half<D>)
    return static_cast<D>(a);
  else if constexpr (std::is_same_v<S, float>)
    return narrowed<D>(a);
  else
    return narrowed<D>(to_odd(a));
}
template <class T, unsigned Mode>
T integral_of(T a) {
  return integral_value<Mode>(a);
}
double integral_of(double a, std::uint64_t flags) {
  switch ((flags & to_integer) >> 8) {
    case 0:
      return integral_value<0>(a);
    case 1:
      return integral_value<1>(a);
    case 2:
      return integral_value<2>(a);
    default:
      return integral_value<3>(a);
  }
}

template <class S, class D>
void run_between(warp& w, operation const& o) {
  if (o.immediate == 0) return lanewise<&nearest<S, D>>::run(w, o);
  if constexpr (std::is_same_v<S, D> && !is_half<S>) {
    switch (o.immediate) {
      case integral | to_nearest_integer:
        return lanewise<&integral_of<S, 0>>::run(w, o);
      case integral | to_zero_integer:
        return lanewise<&integral_of<S, 1>>::run(w, o);
      case integral | to_lower_integer:
        return lanewise<&integral_of<S, 2>>::run(w, o);
      case integral | to_upper_integer:
        return lanewise<&integral_of<S, 3>>::run(w, o);
      default:
        break;
    }
  }
  auto const* const a = w.source<raw<S>>(o.a);
  auto* const d = w.destination<raw<D>>(o.d);
  auto const one = [&](int t) {
    auto const s = std::bit_cast<S>(a[t]);
    double v = as_double(s);
    if constexpr (std::is_same_v<S, float>)
      if ((o.immediate & flush) != 0 && math::abs(v) < std::numeric_limits<float>::min())
        v = math::copysign(v, 0.0);
    if ((o.immediate & integral) != 0) v = integral_of(v, o.immediate);
    d[t] = bits_of_result(limited(rounded<D>(v, o.immediate), o.immediate));
  };
  rounding_scope const scope(is_half<D> ? 0 : o.immediate);
  w.each_active(one);
}

using ptx::scalar;
using s8 = std::int8_t;
using u8 = std::uint8_t;
using s16 = std::int16_t;
using u16 = std::uint16_t;
using s32 = std::int32_t;
using u32 = std::uint32_t;
using s64 = std::int64_t;
using u64 = std::uint64_t;
using f32 = float;
using f64 = double;

#define DEVICE_INTEGER(type, other)                               \
  {scalar::other, scalar::type, run_from_integer<type, other>}, { \
    scalar::type, scalar::other, run_to_integer<other, type>      \
  }
#define DEVICE_WITH(other)                                                                \
  DEVICE_INTEGER(s8, other), DEVICE_INTEGER(u8, other), DEVICE_INTEGER(s16, other),       \
      DEVICE_INTEGER(u16, other), DEVICE_INTEGER(s32, other), DEVICE_INTEGER(u32, other), \
      DEVICE_INTEGER(s64, other), DEVICE_INTEGER(u64, other)
#define DEVICE_FLOATS(to, from) {scalar::to, scalar::from, run_between<from, to>}

constexpr conversion all[] = {
    DEVICE_WITH(f16),          DEVICE_WITH(bf16),        DEVICE_WITH(f32),
    DEVICE_WITH(f64),          DEVICE_FLOATS(f16, f16),  DEVICE_FLOATS(f16, bf16),
    DEVICE_FLOATS(f16, f32),   DEVICE_FLOATS(f16, f64),  DEVICE_FLOATS(bf16, f16),
    DEVICE_FLOATS(bf16, bf16), DEVICE_FLOATS(bf16, f32), DEVICE_FLOATS(bf16, f64),
    DEVICE_FLOATS(f32, f16),   DEVICE_FLOATS(f32, bf16), DEVICE_FLOATS(f32, f32),
    DEVICE_FLOATS(f32, f64),   DEVICE_FLOATS(f64, f16),  DEVICE_FLOATS(f64, bf16),
    DEVICE_FLOATS(f64, f32),   DEVICE_FLOATS(f64, f64),
};

}  // namespace

conversion_list floating_conversions() { return {all, sizeof all / sizeof all[0]}; }

}  // namespace device::DEVICE_ISA
