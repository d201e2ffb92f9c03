// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "arithmetic_exact.hpp"

using namespace checks;

namespace {

using s8 = std::int8_t;
using u8 = std::uint8_t;
using s16 = std::int16_t;
using u16 = std::uint16_t;
using s32 = std::int32_t;
using u32 = std::uint32_t;
using s64 = std::int64_t;
using u64 = std::uint64_t;

template <class T>
std::string name_of() {
  if constexpr (std::is_same_v<T, float>)
    return "f32";
  else if constexpr (std::is_same_v<T, double>)
    return "f64";
  else if constexpr (std::is_same_v<T, half_bits>)
    return "f16";
  else if constexpr (std::is_same_v<T, brain_bits>)
    return "bf16";
  else
    return (std::is_signed_v<T> ? "s" : "u") + std::to_string(8 * sizeof(T));
}
//! The type of the register that holds a T: 8-bit values are held in 16 bits.
template <class T>
using kept =
    std::conditional_t<sizeof(T) == 1, std::conditional_t<std::is_signed_v<T>, s16, u16>, T>;

template <class T>
int128 clamped(int128 v) {
  int128 const low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  return v < low ? low : v > high ? high : v;
}

template <class D, class S, class R>
void check_register(lane_machine& m) {
  auto const text = [](char const* sat) {
    return std::string("cvt") + sat + "." + name_of<D>() + "." + name_of<S>() + " " +
           register_of<R>(0) + ", " + register_of<kept<S>>(1) + ";";
  };
  check_text<R, kept<S>>(
      m, text(""), [](kept<S> a) { return static_cast<R>(static_cast<D>(static_cast<S>(a))); }, 9);
  check_text<R, kept<S>>(
      m, text(".sat"),
      [](kept<S> a) { return static_cast<R>(static_cast<D>(clamped<D>(static_cast<S>(a)))); }, 9);
}
template <class D, class S>
void check_integers(lane_machine& m) {
  if constexpr (sizeof(D) <= 2)
    check_register<D, S, std::conditional_t<std::is_signed_v<D>, s16, u16>>(m);
  if constexpr (sizeof(D) <= 4)
    check_register<D, S, std::conditional_t<std::is_signed_v<D>, s32, u32>>(m);
  check_register<D, S, std::conditional_t<std::is_signed_v<D>, s64, u64>>(m);
}
template <class S>
void check_from(lane_machine& m) {
  check_integers<s8, S>(m);
  check_integers<u8, S>(m);
  check_integers<s16, S>(m);
  check_integers<u16, S>(m);
  check_integers<s32, S>(m);
  check_integers<u32, S>(m);
  check_integers<s64, S>(m);
  check_integers<u64, S>(m);
}

//! Calls f with a value of each integer type.
template <class F>
void for_integers(F const& f) {
  f(s8{});
  f(u8{});
  f(s16{});
  f(u16{});
  f(s32{});
  f(u32{});
  f(s64{});
  f(u64{});
}
template <class F>
void for_floats(F const& f) {
  f(half_bits{});
  f(brain_bits{});
  f(float{});
  f(double{});
}

template <class D, class S>
void check_from_integer(lane_machine& m) {
  for (named_direction const& by : directions) {
    std::string const text = "cvt" + std::string(by.name) + "." + name_of<D>() + "." +
                             name_of<S>() + " " + register_of<D>(0) + ", " +
                             register_of<kept<S>>(1) + ";";
    check_text<D, kept<S>>(
        m, text, [&](kept<S> a) { return rounded<D>(static_cast<quad>(static_cast<S>(a)), by.d); },
        60);
  }
}

struct to_integer {
  char const* name;
  direction d;
};
constexpr to_integer to_integers[] = {{".rni", direction::nearest},
                                      {".rzi", direction::zero},
                                      {".rmi", direction::down},
                                      {".rpi", direction::up}};

//! Rounds to an integer, which must fit into 113 bits.
quad integral(quad x, direction d) {
  quad const most = 0x1p112;
  if (x != x || x >= most || x <= -most) return x;
  auto const towards_zero = static_cast<int128>(x);
  quad const rest = x - static_cast<quad>(towards_zero);
  int128 r = towards_zero;
  quad const magnitude = rest < 0 ? -rest : rest;
  int128 const away = x < 0 ? -1 : 1;
  if (d == direction::nearest && (magnitude > 0.5 || (magnitude == 0.5 && (r & 1) != 0))) r += away;
  if (d == direction::down && rest < 0) r -= 1;
  if (d == direction::up && rest > 0) r += 1;
  return static_cast<quad>(r);
}

template <class D, class S>
void check_to_integer(lane_machine& m) {
  for (to_integer const& by : to_integers) {
    std::string const text = "cvt" + std::string(by.name) + "." + name_of<D>() + "." +
                             name_of<S>() + " " + register_of<kept<D>>(0) + ", " +
                             register_of<S>(1) + ";";
    check_text<kept<D>, S>(
        m, text,
        [&](S a) {
          bool const is64 = sizeof(D) == 8 || sizeof(S) == 8;
          if (is_nan(a))
            return static_cast<kept<D>>(static_cast<D>(is64 ? u64{1} << (8 * sizeof(D) - 1) : 0));
          quad const v = integral(exact_value(a), by.d);
          if (v <= static_cast<quad>(std::numeric_limits<D>::min()))
            return static_cast<kept<D>>(std::numeric_limits<D>::min());
          if (v >= static_cast<quad>(std::numeric_limits<D>::max()))
            return static_cast<kept<D>>(std::numeric_limits<D>::max());
          return static_cast<kept<D>>(static_cast<int128>(v));
        },
        60);
  }
}

template <class D, class S>
D converted(S a, direction d) {
  if (is_nan(a)) return nan_of<D>();
  quad const v = exact_value(a);
  if (v == 0) return with_sign(D{}, std::bit_cast<bits_of<S>>(a) != 0);
  return rounded<D>(v, d);
}
template <class D, class S>
void check_narrowing(lane_machine& m) {
  for (named_direction const& by : directions)
    check<D, S>(
        m, "cvt" + std::string(by.name) + "." + name_of<D>() + "." + name_of<S>(),
        [&](S a) { return converted<D>(a, by.d); }, 200);
}
template <class D, class S>
void check_widening(lane_machine& m) {
  check<D, S>(
      m, "cvt." + name_of<D>() + "." + name_of<S>(),
      [](S a) { return converted<D>(a, direction::nearest); }, 100);
}
template <class T>
void check_integral(lane_machine& m) {
  for (to_integer const& by : to_integers)
    check<T, T>(
        m, "cvt" + std::string(by.name) + "." + name_of<T>() + "." + name_of<T>(),
        [&](T a) {
          quad const v = exact_value(a);
          if (is_nan(a) || v == 0 || v - v != 0) return a;
          quad const r = integral(v, by.d);
          return r == 0 ? with_sign(T{}, v < 0) : rounded<T>(r, direction::nearest);
        },
        200);
}

float flushed(float a) { return std::fpclassify(a) == FP_SUBNORMAL ? std::copysign(0.0F, a) : a; }

}  // namespace

TEST_CASE("arithmetic: conversions between integers") {
  lane_machine m;
  for_integers([&](auto s) { check_from<decltype(s)>(m); });
}

TEST_CASE("arithmetic: conversions from integers") {
  lane_machine m;
  for_integers([&](auto s) {
    for_floats([&](auto d) { check_from_integer<decltype(d), decltype(s)>(m); });
  });
}

TEST_CASE("arithmetic: conversions to integers") {
  lane_machine m;
  for_integers(
      [&](auto d) { for_floats([&](auto s) { check_to_integer<decltype(d), decltype(s)>(m); }); });
  check<s32, float>(m, "cvt.rmi.ftz.s32.f32", [](float a) {
    quad const v = is_nan(a) ? 0 : integral(quad{flushed(a)}, direction::down);
    return v <= INT32_MIN ? INT32_MIN : v >= INT32_MAX ? INT32_MAX : static_cast<s32>(v);
  });
  // the destination register is wider than the type
  check_text<s32, float>(m, "cvt.rzi.s8.f32 %r0, %r1;", [](float a) {
    quad const v = is_nan(a) ? 0 : integral(quad{a}, direction::zero);
    return v <= -128 ? -128 : v >= 127 ? 127 : static_cast<s32>(v);
  });
}

TEST_CASE("arithmetic: conversions between floating types") {
  lane_machine m;
  check_narrowing<float, double>(m);
  check_narrowing<half_bits, float>(m);
  check_narrowing<half_bits, double>(m);
  check_narrowing<brain_bits, float>(m);
  check_narrowing<brain_bits, double>(m);
  check_narrowing<half_bits, brain_bits>(m);
  check_narrowing<brain_bits, half_bits>(m);
  check_widening<double, float>(m);
  check_widening<float, half_bits>(m);
  check_widening<double, half_bits>(m);
  check_widening<float, brain_bits>(m);
  check_widening<double, brain_bits>(m);
  check_integral<float>(m);
  check_integral<double>(m);
  check_integral<half_bits>(m);
  check_integral<brain_bits>(m);
}

TEST_CASE("arithmetic: conversions that flush, saturate, rectify") {
  lane_machine m;
  auto const saturated = [](float a) { return is_nan(a) || a <= 0 ? 0.0F : a >= 1 ? 1.0F : a; };
  check<float, float>(m, "cvt.sat.f32.f32", saturated);
  check<float, float>(m, "cvt.ftz.f32.f32", flushed);
  check<float, double>(m, "cvt.rn.ftz.f32.f64",
                       [](double a) { return flushed(converted<float>(a, direction::nearest)); });
  check<float, double>(m, "cvt.rz.sat.f32.f64",
                       [&](double a) { return saturated(converted<float>(a, direction::zero)); });
  check<double, float>(m, "cvt.ftz.f64.f32", [](float a) { return double{flushed(a)}; });
  check<float, half_bits>(m, "cvt.ftz.f32.f16",
                          [](half_bits a) { return converted<float>(a, direction::nearest); });
  check<half_bits, float>(m, "cvt.rn.relu.f16.f32", [](float a) {
    return is_nan(a) ? half_bits{0x7fff}
           : a > 0   ? converted<half_bits>(a, direction::nearest)
                     : half_bits{0};
  });
  check<float, s32>(m, "cvt.rn.sat.f32.s32", [](s32 a) { return a <= 0 ? 0.0F : 1.0F; });
  CHECK_THROWS_AS(m.compile("cvt.f32.f64 %r0, %d1;"), device::unsupported);
  CHECK_THROWS_AS(m.compile("cvt.s32.f32 %r0, %r1;"), device::unsupported);
  CHECK_THROWS_AS(m.compile("cvt.rn.s32.f32 %r0, %r1;"), device::unsupported);
  CHECK_THROWS_AS(m.compile("cvt.rs.f16x2.f32 %r0, %r1, %r2, %r3;"), device::unsupported);
  CHECK_THROWS_AS(m.compile("cvt.u32.u64 %h0, %d1;"), device::unsupported);
}
