// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/lane/lane_tables.hpp>
#include <device/execute/lane/lanewise.hpp>

#include <limits>

// Sums, products, quotients.
namespace device::DEVICE_ISA {

namespace {

using s16 = std::int16_t;
using u16 = std::uint16_t;
using s32 = std::int32_t;
using u32 = std::uint32_t;
using s64 = std::int64_t;
using u64 = std::uint64_t;

//! The type in which values wrap: at least as wide as `unsigned`, lest u16 * u16 overflow an int.
template <class T>
using wrapping = std::conditional_t<(sizeof(T) < 4), u32, std::make_unsigned_t<T>>;
template <class T>
wrapping<T> wrap(T v) {
  return static_cast<wrapping<T>>(v);
}

template <class T>
struct twice_as_wide;
template <>
struct twice_as_wide<s16> {
  using type = s32;
};
template <>
struct twice_as_wide<u16> {
  using type = u32;
};
template <>
struct twice_as_wide<s32> {
  using type = s64;
};
template <>
struct twice_as_wide<u32> {
  using type = u64;
};
template <>
struct twice_as_wide<s64> {
  using type = int128;
};
template <>
struct twice_as_wide<u64> {
  using type = uint128;
};
template <class T>
using wide = typename twice_as_wide<T>::type;

template <class T>
T add(T a, T b) {
  return static_cast<T>(wrap(a) + wrap(b));
}
template <class T>
T sub(T a, T b) {
  return static_cast<T>(wrap(a) - wrap(b));
}
template <class T>
T mul_lo(T a, T b) {
  return static_cast<T>(wrap(a) * wrap(b));
}
template <class T>
wide<T> mul_wide(T a, T b) {
  return static_cast<wide<T>>(wide<T>{a} * wide<T>{b});
}
template <class T>
T mul_hi(T a, T b) {
  return static_cast<T>(mul_wide(a, b) >> (8 * sizeof(T)));
}
template <class T>
T mad_lo(T a, T b, T c) {
  return add(mul_lo(a, b), c);
}
template <class T>
T mad_hi(T a, T b, T c) {
  return add(mul_hi(a, b), c);
}
template <class T>
wide<T> mad_wide(T a, T b, wide<T> c) {
  return add(mul_wide(a, b), c);
}
template <class T>
T minimum(T a, T b) {
  return a < b ? a : b;
}
template <class T>
T maximum(T a, T b) {
  return a < b ? b : a;
}
template <class T>
T minimum_relu(T a, T b) {
  return maximum(minimum(a, b), T{0});
}
template <class T>
T maximum_relu(T a, T b) {
  return maximum(maximum(a, b), T{0});
}
template <class T>
T negated(T a) {
  return static_cast<T>(0 - wrap(a));
}
template <class T>
T absolute(T a) {
  return a < 0 ? negated(a) : a;
}
template <class T>
T sad(T a, T b, T c) {
  return static_cast<T>(wrap(c) + (a < b ? wrap(b) - wrap(a) : wrap(a) - wrap(b)));
}

s32 clamped(s64 v) {
  constexpr s64 least = std::numeric_limits<s32>::min();
  constexpr s64 greatest = std::numeric_limits<s32>::max();
  return static_cast<s32>(v < least ? least : v > greatest ? greatest : v);
}
s32 add_saturated(s32 a, s32 b) { return clamped(s64{a} + b); }
s32 sub_saturated(s32 a, s32 b) { return clamped(s64{a} - b); }
s32 mad_hi_saturated(s32 a, s32 b, s32 c) { return clamped(s64{mul_hi(a, b)} + c); }

// A quotient by zero is unspecified; all ones and the dividend are what devices give.

//! All ones if it is true. Results are chosen by masks, since g++ turns no loop with a division
//! behind a branch into vectors.
template <class T>
T mask_of(bool b) {
  return negated(static_cast<T>(b));
}
//! The mask of -1, by which the processor's division overflows; 0 for an unsigned number.
template <class T>
T mask_of_minus_one(T b) {
  return mask_of<T>(std::is_signed_v<T> && b == static_cast<T>(-1));
}
//! The divisor, or 1 for 0 and -1.
template <class T>
T usual_divisor(T b) {
  T const minus = mask_of_minus_one(b);
  return static_cast<T>((b & ~minus) | ((mask_of<T>(b == 0) | minus) & 1));
}
//! a / usual_divisor(b). Numbers of 32 bits are divided as double, many at once, which is exact: a
//! quotient that is no integer is at least 1 / b away from the next, and so 2^-33 of its value, far
//! more than the 2^-53 by which double rounds.
template <class T>
T divided(T a, T b) {
  if constexpr (sizeof(T) == 4)
    return static_cast<T>(static_cast<double>(a) / static_cast<double>(usual_divisor(b)));
  else
    return static_cast<T>(a / usual_divisor(b));
}

template <class T>
T quotient(T a, T b) {
  T const minus = mask_of_minus_one(b);
  T const usual = static_cast<T>(divided(a, b) ^ minus);
  return static_cast<T>(sub(usual, minus) | mask_of<T>(b == 0));
}
template <class T>
T remainder(T a, T b) {
  T const rest = sub(a, mul_lo(divided(a, b), usual_divisor(b)));
  return static_cast<T>(rest | (a & mask_of<T>(b == 0)));
}

s64 low24(s32 v) { return static_cast<s32>(static_cast<u32>(v) << 8) >> 8; }
u64 low24(u32 v) { return v & 0xffffffU; }
template <class T>
T mul24_lo(T a, T b) {
  return static_cast<T>(low24(a) * low24(b));
}
template <class T>
T mul24_hi(T a, T b) {
  return static_cast<T>((low24(a) * low24(b)) >> 16);
}
template <class T>
T mad24_lo(T a, T b, T c) {
  return add(mul24_lo(a, b), c);
}
template <class T>
T mad24_hi(T a, T b, T c) {
  return add(mul24_hi(a, b), c);
}
s32 mad24_hi_saturated(s32 a, s32 b, s32 c) { return clamped(s64{mul24_hi(a, b)} + c); }

template <class A, class B>
u32 dp4a(u32 a, u32 b, u32 c) {
  for (int i = 0; i < 32; i += 8)
    c += static_cast<u32>(static_cast<A>(a >> i) * static_cast<B>(b >> i));
  return c;
}
template <class A, class B, int FirstBit>
u32 dp2a(u32 a, u32 b, u32 c) {
  for (int i = 0; i < 2; ++i)
    c += static_cast<u32>(static_cast<A>(a >> (16 * i)) * static_cast<B>(b >> (FirstBit + 8 * i)));
  return c;
}

constexpr instruction_kind kind = instruction_kind::integer;

// The types that an instruction has. Halves are 16-bit values, two a lane.
#define DEVICE_SIGNED(name, f)                                          \
  row_of<f<s16>>(name ".s16", kind), row_of<f<s32>>(name ".s32", kind), \
      row_of<f<s64>>(name ".s64", kind)
#define DEVICE_UNSIGNED(name, f)                                        \
  row_of<f<u16>>(name ".u16", kind), row_of<f<u32>>(name ".u32", kind), \
      row_of<f<u64>>(name ".u64", kind)
#define DEVICE_ALL(name, f) DEVICE_SIGNED(name, f), DEVICE_UNSIGNED(name, f)
#define DEVICE_HALVES(name, f) \
  row_of<f<s16>, 2>(name ".s16x2", kind), row_of<f<u16>, 2>(name ".u16x2", kind)
#define DEVICE_COSTLY(name, f)                                                            \
  costly_row_of<f<s16>>(name ".s16", kind), row_of<f<s32>>(name ".s32", kind),            \
      costly_row_of<f<s64>>(name ".s64", kind), costly_row_of<f<u16>>(name ".u16", kind), \
      row_of<f<u32>>(name ".u32", kind), costly_row_of<f<u64>>(name ".u64", kind)
#define DEVICE_24(name, f) row_of<f<s32>>(name ".s32", kind), row_of<f<u32>>(name ".u32", kind)
#define DEVICE_WIDE(name, f)                                            \
  row_of<f<s16>>(name ".s16", kind), row_of<f<s32>>(name ".s32", kind), \
      row_of<f<u16>>(name ".u16", kind), row_of<f<u32>>(name ".u32", kind)

constexpr row rows[] = {
    DEVICE_ALL("add", add),
    DEVICE_HALVES("add", add),
    DEVICE_ALL("sub", sub),
    DEVICE_ALL("mul.lo", mul_lo),
    DEVICE_ALL("mul.hi", mul_hi),
    DEVICE_WIDE("mul.wide", mul_wide),
    DEVICE_ALL("mad.lo", mad_lo),
    DEVICE_ALL("mad.hi", mad_hi),
    DEVICE_WIDE("mad.wide", mad_wide),
    DEVICE_COSTLY("div", quotient),
    DEVICE_COSTLY("rem", remainder),
    DEVICE_ALL("min", minimum),
    DEVICE_HALVES("min", minimum),
    DEVICE_ALL("max", maximum),
    DEVICE_HALVES("max", maximum),
    row_of<minimum_relu<s32>>("min.relu.s32", kind),
    row_of<minimum_relu<s16>, 2>("min.relu.s16x2", kind),
    row_of<maximum_relu<s32>>("max.relu.s32", kind),
    row_of<maximum_relu<s16>, 2>("max.relu.s16x2", kind),
    row_of<minimum_relu<s32>>("min.s32.relu", kind),
    row_of<minimum_relu<s16>, 2>("min.s16x2.relu", kind),
    row_of<maximum_relu<s32>>("max.s32.relu", kind),
    row_of<maximum_relu<s16>, 2>("max.s16x2.relu", kind),
    DEVICE_SIGNED("neg", negated),
    DEVICE_SIGNED("abs", absolute),
    DEVICE_ALL("sad", sad),
    DEVICE_24("mul24.lo", mul24_lo),
    DEVICE_24("mul24.hi", mul24_hi),
    DEVICE_24("mad24.lo", mad24_lo),
    DEVICE_24("mad24.hi", mad24_hi),
    row_of<mad24_hi_saturated>("mad24.hi.sat.s32", kind),
    row_of<add_saturated>("add.sat.s32", kind),
    row_of<sub_saturated>("sub.sat.s32", kind),
    row_of<mad_hi_saturated>("mad.hi.sat.s32", kind),
    row_of<dp4a<std::int8_t, std::int8_t>>("dp4a.s32.s32", kind),
    row_of<dp4a<std::int8_t, std::uint8_t>>("dp4a.s32.u32", kind),
    row_of<dp4a<std::uint8_t, std::int8_t>>("dp4a.u32.s32", kind),
    row_of<dp4a<std::uint8_t, std::uint8_t>>("dp4a.u32.u32", kind),
    row_of<dp2a<s16, std::int8_t, 0>>("dp2a.lo.s32.s32", kind),
    row_of<dp2a<s16, std::uint8_t, 0>>("dp2a.lo.s32.u32", kind),
    row_of<dp2a<u16, std::int8_t, 0>>("dp2a.lo.u32.s32", kind),
    row_of<dp2a<u16, std::uint8_t, 0>>("dp2a.lo.u32.u32", kind),
    row_of<dp2a<s16, std::int8_t, 16>>("dp2a.hi.s32.s32", kind),
    row_of<dp2a<s16, std::uint8_t, 16>>("dp2a.hi.s32.u32", kind),
    row_of<dp2a<u16, std::int8_t, 16>>("dp2a.hi.u32.s32", kind),
    row_of<dp2a<u16, std::uint8_t, 16>>("dp2a.hi.u32.u32", kind),
};

}  // namespace

row_list integer_rows() { return {rows, sizeof rows / sizeof rows[0]}; }

}  // namespace device::DEVICE_ISA
