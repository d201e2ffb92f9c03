// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/execute/lane/lanewise.hpp>

#include <cmath>
#include <limits>

//! Functions of f32 and f64 values, one lane's, for tables compiled once for each DEVICE_ISA.
namespace device::DEVICE_ISA {

//! No `.approx` instruction is imitated bit by bit: its result is the function's value, computed in
//! double and rounded, which lies within the bounds that the PTX ISA states. A device's last bits
//! may differ.
namespace math {

template <class T>
using bits = raw<T>;
template <class T>
inline constexpr bits<T> sign_bit = bits<T>{1} << (8 * sizeof(T) - 1);

template <class T>
T add(T a, T b) {
  return a + b;
}
template <class T>
T sub(T a, T b) {
  return a - b;
}
template <class T>
T mul(T a, T b) {
  return a * b;
}
template <class T>
T div(T a, T b) {
  return a / b;
}
template <class T>
T rcp(T a) {
  return T{1} / a;
}
template <class T>
T sqrt(T a) {
  return std::sqrt(a);
}
template <class T>
T neg(T a) {
  return std::bit_cast<T>(static_cast<bits<T>>(std::bit_cast<bits<T>>(a) ^ sign_bit<T>));
}
template <class T>
T abs(T a) {
  return std::bit_cast<T>(static_cast<bits<T>>(std::bit_cast<bits<T>>(a) & ~sign_bit<T>));
}

//! The double nearest to a + b or, if that is inexact, the neighbour on the sum's side whose last
//! bit is 1. Rounding that to fewer bits gives what rounding the sum itself would give.
inline double add_to_odd(double a, double b) {
  double const sum = a + b;
  double const b_part = sum - a;
  double const error = (a - (sum - b_part)) + (b - b_part);
  auto const s = std::bit_cast<std::uint64_t>(sum);
  auto const e = std::bit_cast<std::uint64_t>(error);
  // towards zero if the error has the other sign, which is a step of -1 in the bits
  std::uint64_t const step = ((s ^ e) >> 63) != 0 ? ~std::uint64_t{0} : 1;
  bool const inexact = error != 0 && error == error;  // an infinite sum's error is not a number
  return std::bit_cast<double>(inexact && (s & 1) == 0 ? s + step : s);
}

inline float fma(float a, float b, float c) {
#ifdef __FMA__
  return __builtin_fmaf(a, b, c);
#else
  return static_cast<float>(
      add_to_odd(static_cast<double>(a) * static_cast<double>(b), static_cast<double>(c)));
#endif
}
inline double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
template <class T>
T fused(T a, T b, T c) {
  return fma(a, b, c);
}

//! The number if one is none; -0 is below +0.
template <class T>
T minimum(T a, T b) {
  T const zeros =
      std::bit_cast<T>(static_cast<bits<T>>(std::bit_cast<bits<T>>(a) | std::bit_cast<bits<T>>(b)));
  return a == b ? zeros : (a < b || b != b) ? a : b;  // equal values but zeros have equal bits
}
template <class T>
T maximum(T a, T b) {
  T const zeros =
      std::bit_cast<T>(static_cast<bits<T>>(std::bit_cast<bits<T>>(a) & std::bit_cast<bits<T>>(b)));
  return a == b ? zeros : (a > b || b != b) ? a : b;
}
template <class T>
T not_a_number() {
  return std::numeric_limits<T>::quiet_NaN();
}
template <class T>
T minimum_nan(T a, T b) {
  return a != a || b != b ? not_a_number<T>() : minimum(a, b);
}
template <class T>
T maximum_nan(T a, T b) {
  return a != a || b != b ? not_a_number<T>() : maximum(a, b);
}
template <class T>
T minimum3(T a, T b, T c) {
  return minimum(minimum(a, b), c);
}
template <class T>
T maximum3(T a, T b, T c) {
  return maximum(maximum(a, b), c);
}
template <class T>
T minimum3_nan(T a, T b, T c) {
  return minimum_nan(minimum_nan(a, b), c);
}
template <class T>
T maximum3_nan(T a, T b, T c) {
  return maximum_nan(maximum_nan(a, b), c);
}
template <class T>
T minimum3_abs(T a, T b, T c) {
  return minimum3(abs(a), abs(b), abs(c));
}
template <class T>
T maximum3_abs(T a, T b, T c) {
  return maximum3(abs(a), abs(b), abs(c));
}
template <class T>
T minimum3_nan_abs(T a, T b, T c) {
  return minimum3_nan(abs(a), abs(b), abs(c));
}
template <class T>
T maximum3_nan_abs(T a, T b, T c) {
  return maximum3_nan(abs(a), abs(b), abs(c));
}

//! F of the magnitudes, with the sign of the product.
template <auto F, class T>
T xor_sign(T a, T b) {
  T const r = F(abs(a), abs(b));
  bits<T> const sign = (std::bit_cast<bits<T>>(a) ^ std::bit_cast<bits<T>>(b)) & sign_bit<T>;
  return std::bit_cast<T>(static_cast<bits<T>>(std::bit_cast<bits<T>>(r) | sign));
}

//! `copysign`: the sign of a with the magnitude of b.
template <class T>
T copysign(T a, T b) {
  bits<T> const sign = std::bit_cast<bits<T>>(a) & sign_bit<T>;
  return std::bit_cast<T>(static_cast<bits<T>>((std::bit_cast<bits<T>>(b) & ~sign_bit<T>) | sign));
}

inline float sine(float a) { return static_cast<float>(std::sin(static_cast<double>(a))); }
inline float cosine(float a) { return static_cast<float>(std::cos(static_cast<double>(a))); }
inline float log2(float a) { return static_cast<float>(std::log2(static_cast<double>(a))); }
inline float exp2(float a) { return static_cast<float>(std::exp2(static_cast<double>(a))); }
inline float tanh(float a) { return static_cast<float>(std::tanh(static_cast<double>(a))); }
inline float rsqrt(float a) { return static_cast<float>(1.0 / std::sqrt(static_cast<double>(a))); }
inline double rsqrt(double a) { return 1.0 / std::sqrt(a); }
template <class T>
T reciprocal_root(T a) {
  return rsqrt(a);
}

//! The approximations of f64 that are flushed have 20 bits after the point; the lower word is 0.
inline double upper_word(double a) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(a) & 0xffff'ffff'0000'0000U);
}
inline double flushed_upper_word(double a) {
  double const upper = upper_word(a);
  return abs(upper) < std::numeric_limits<double>::min() ? copysign(upper, 0.0) : upper;
}
inline double gross_rcp(double a) { return flushed_upper_word(1.0 / flushed_upper_word(a)); }
inline double gross_rsqrt(double a) { return flushed_upper_word(rsqrt(flushed_upper_word(a))); }

template <class T>
bool is_finite(T a) {
  return abs(a) < std::numeric_limits<T>::infinity();
}
template <class T>
bool is_infinite(T a) {
  return abs(a) == std::numeric_limits<T>::infinity();
}
template <class T>
bool is_number(T a) {
  return a == a;
}
template <class T>
bool is_no_number(T a) {
  return a != a;
}
template <class T>
bool is_normal(T a) {
  return is_finite(a) && abs(a) >= std::numeric_limits<T>::min();
}
template <class T>
bool is_subnormal(T a) {
  return abs(a) < std::numeric_limits<T>::min() && a != 0;
}

}  // namespace math

}  // namespace device::DEVICE_ISA
