// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "arithmetic_exact.hpp"

using namespace checks;

namespace {

using u16 = std::uint16_t;
using s32 = std::int32_t;
using u32 = std::uint32_t;

template <class H>
u32 half_of(float a, direction d, bool relu, bool finite) {
  if (is_nan(a)) return 0x7fff;
  if (relu && !(a > 0)) return 0;
  H const r = a == 0 ? with_sign(H{0}, std::signbit(a)) : rounded<H>(quad{a}, d);
  if (!finite || (r.bits & 0x7fff) != infinity_of<H>().bits) return r.bits;
  return with_sign(next_below_infinity<H>(), (r.bits & 0x8000) != 0).bits;
}
template <class H>
void check_pairs(lane_machine& m, std::string const& type) {
  for (named_direction const& by : {directions[0], directions[1]})
    for (bool const relu : {false, true})
      for (bool const finite : {false, true})
        check<u32, float, float>(
            m,
            std::string("cvt") + by.name + (relu ? ".relu" : "") + (finite ? ".satfinite" : "") +
                "." + type + ".f32",
            [&](float a, float b) {
              return (half_of<H>(a, by.d, relu, finite) << 16) | half_of<H>(b, by.d, relu, finite);
            },
            100);
}

//! A format of few bits, given by the list of its values.
struct small_format {
  char const* name;
  int bits, fraction, bias;
  bool has_infinity, has_nan;

  [[nodiscard]] double value(unsigned code) const {
    unsigned const magnitude = code & ((1U << (bits - 1)) - 1);
    unsigned const exponent = magnitude >> fraction;
    double const digits = magnitude & ((1U << fraction) - 1);
    double const size = 1U << fraction;
    unsigned const top = (1U << (bits - 1 - fraction)) - 1;
    double r = exponent == 0 ? std::ldexp(digits / size, 1 - bias)
                             : std::ldexp(1 + digits / size, static_cast<int>(exponent) - bias);
    if (has_infinity && exponent == top) r = digits == 0 ? HUGE_VAL : std::nan("");
    if (has_nan && magnitude == (1U << (bits - 1)) - 1) r = std::nan("");
    return (code >> (bits - 1)) != 0 ? -r : r;
  }
  //! The code of the nearest finite value, or of the even one of two; for NaN 0x7f, or the greatest
  //! value.
  [[nodiscard]] unsigned nearest(double a) const {
    unsigned const half = 1U << (bits - 1);
    if (std::isnan(a)) return half - 1;
    double const magnitude =
        // above the values of all formats, and small enough for exact differences
        std::min(std::fabs(a), 1e6);
    unsigned best = 0;
    for (unsigned code = 0; code < half; ++code) {
      double const v = value(code);
      if (!std::isfinite(v)) continue;
      double const here = std::fabs(magnitude - v), there = std::fabs(magnitude - value(best));
      if (here < there || (here == there && code % 2 == 0)) best = code;
    }
    return std::signbit(a) ? best | half : best;
  }
};
constexpr small_format small_formats[] = {{"e4m3x2", 8, 3, 7, false, true},
                                          {"e5m2x2", 8, 2, 15, true, false},
                                          {"e2m3x2", 6, 3, 1, false, false},
                                          {"e3m2x2", 6, 2, 3, false, false}};

u32 half_bits_of(double v) {
  if (std::isnan(v)) return 0x7fff;
  if (v == 0) return std::signbit(v) ? 0x8000 : 0;
  return rounded<half_bits>(quad{v}, direction::nearest).bits;
}

}  // namespace

TEST_CASE("arithmetic: two halves from f32") {
  lane_machine m;
  check_pairs<half_bits>(m, "f16x2");
  check_pairs<brain_bits>(m, "bf16x2");
}

TEST_CASE("arithmetic: tf32") {
  lane_machine m;
  //! Rounds to a neighbouring tf32 value, whose lower 13 bits are 0.
  auto const nearest = [](float a, bool ties_away) {
    if (is_nan(a)) return 0x7fff'ffffU;
    u32 const bits = std::bit_cast<u32>(a);
    u32 const below = bits & 0xffff'e000U;
    u32 const rest = bits & 0x1fff;
    bool const up = rest > 0x1000 || (rest == 0x1000 && (ties_away || (below & 0x2000) != 0));
    return up ? below + 0x2000 : below;
  };
  check<u32, float>(m, "cvt.rna.tf32.f32", [&](float a) { return nearest(a, true); }, 200);
  check<u32, float>(m, "cvt.rn.tf32.f32", [&](float a) { return nearest(a, false); }, 200);
  check<u32, float>(m, "cvt.rz.tf32.f32", [](float a) {
    return is_nan(a) ? 0x7fff'ffffU : std::bit_cast<u32>(a) & 0xffff'e000U;
  });
  check<u32, float>(m, "cvt.rn.relu.tf32.f32", [&](float a) {
    return is_nan(a) ? 0x7fff'ffffU : a > 0 ? nearest(a, false) : 0;
  });
  check<u32, float>(m, "cvt.rna.satfinite.tf32.f32", [&](float a) {
    u32 const r = nearest(a, true);
    return (r & 0x7fff'ffff) == 0x7f80'0000 ? r - 0x2000 : r;
  });
}

TEST_CASE("arithmetic: formats of 8 bits and fewer") {
  lane_machine m;
  for (small_format const& f : small_formats) {
    std::string const name = f.name;
    auto const encode = [&](double a, bool relu) {
      return relu && std::signbit(a) && !std::isnan(a) ? 0 : f.nearest(a);
    };
    auto const pair = [&](double upper, double lower, bool relu) {
      return static_cast<u16>((encode(upper, relu) << 8) | encode(lower, relu));
    };
    check<u16, float, float>(
        m, "cvt.rn.satfinite." + name + ".f32",
        [&](float a, float b) { return pair(double{a}, double{b}, false); }, 40);
    check<u16, float, float>(
        m, "cvt.rn.satfinite.relu." + name + ".f32",
        [&](float a, float b) { return pair(double{a}, double{b}, true); }, 20);
    unsigned const mask = (1U << f.bits) - 1;
    check<u32, u16>(m, "cvt.rn.f16x2." + name, [&](u16 v) {
      return (half_bits_of(f.value((v >> 8U) & mask)) << 16) | half_bits_of(f.value(v & mask));
    });
    if (f.bits != 8) continue;
    check<u16, u32>(m, "cvt.rn.satfinite." + name + ".f16x2", [&](u32 v) {
      auto const part = [](u32 h) {
        return static_cast<double>(exact_value(half_bits{static_cast<u16>(h)}));
      };
      return pair(part(v >> 16), part(v), false);
    });
  }
  small_format const e2m1{"", 4, 1, 1, false, false};
  check_text<u16, float, float>(
      m, "cvt.rn.satfinite.e2m1x2.f32 %h0, %r1, %r2;",
      [&](float a, float b) {
        return static_cast<u16>((e2m1.nearest(double{a}) << 4) | e2m1.nearest(double{b}));
      },
      40);
  check<u16, u32>(m, "cvt.rn.relu.satfinite.e2m1x2.f16x2", [&](u32 v) {
    auto const part = [&](u32 h) {
      auto const a = static_cast<double>(exact_value(half_bits{static_cast<u16>(h)}));
      return std::signbit(a) && !std::isnan(a) ? 0 : e2m1.nearest(a);
    };
    return static_cast<u16>((part(v >> 16) << 4) | part(v));
  });
  check<u32, u16>(m, "cvt.rn.f16x2.e2m1x2", [&](u16 v) {
    return (half_bits_of(e2m1.value((v >> 4U) & 15)) << 16) | half_bits_of(e2m1.value(v & 15U));
  });
}

TEST_CASE("arithmetic: powers of two as scales") {
  lane_machine m;
  auto const scale = [](float a, bool up, bool finite) -> unsigned {
    if (is_nan(a)) return 0xff;
    if (std::isinf(a)) return finite ? 0xfe : 0xff;
    double const x = std::fabs(double{a});
    unsigned e = 0;  // the greatest value not above a, or else the least not below
    while (e < 254 && std::ldexp(1.0, static_cast<int>(e) - 127 + 1) <= x) ++e;
    if (up && std::ldexp(1.0, static_cast<int>(e) - 127) < x) ++e;
    return e == 0xff && finite ? 0xfe : e;
  };
  for (bool const up : {false, true})
    for (bool const finite : {false, true})
      check<u16, float, float>(
          m,
          std::string("cvt.") + (up ? "rp" : "rz") + (finite ? ".satfinite" : "") + ".ue8m0x2.f32",
          [&](float a, float b) {
            return static_cast<u16>((scale(a, up, finite) << 8) | scale(b, up, finite));
          });
  check<u32, u16>(m, "cvt.rn.bf16x2.ue8m0x2", [](u16 v) {
    auto const one = [](unsigned e) -> u32 {
      return e == 255 ? 0x7fff
                      : rounded<brain_bits>(quad{std::ldexp(1.0, static_cast<int>(e) - 127)},
                                            direction::nearest)
                            .bits;
    };
    return (one(v >> 8U) << 16) | one(v & 0xffU);
  });
}

TEST_CASE("arithmetic: cvt.pack") {
  lane_machine m;
  auto const fit = [](s32 v, int bits, bool is_signed) {
    std::int64_t const low = is_signed ? -(std::int64_t{1} << (bits - 1)) : 0;
    std::int64_t const high = (std::int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
    return static_cast<u32>(v < low ? low : v > high ? high : v) & ((1U << bits) - 1);
  };
  for (bool const is_signed : {false, true}) {
    std::string const sign = is_signed ? "s" : "u";
    check<u32, s32, s32>(m, "cvt.pack.sat." + sign + "16.s32", [&](s32 a, s32 b) {
      return (fit(a, 16, is_signed) << 16) | fit(b, 16, is_signed);
    });
    for (int const bits : {2, 4, 8})
      check<u32, s32, s32, u32>(
          m, "cvt.pack.sat." + sign + std::to_string(bits) + ".s32.b32", [&](s32 a, s32 b, u32 c) {
            return (c << (2 * bits)) | (fit(a, bits, is_signed) << bits) | fit(b, bits, is_signed);
          });
  }
}
