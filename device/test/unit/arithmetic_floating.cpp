// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "arithmetic_exact.hpp"

using namespace checks;

namespace {

using f32 = float;
using f64 = double;

template <class T>
constexpr char const* suffix = std::is_same_v<T, f32> ? ".f32" : ".f64";

//! The square root as a quad, exact to the last one or two bits: the host's root, improved by
//! Newton's method.
quad root(f64 a) {
  if (!(a > 0) || std::isinf(a)) return std::sqrt(a);
  quad x = std::sqrt(a);
  for (int i = 0; i < 3; ++i) x = (x + quad{a} / x) / 2;
  return x;
}

template <class T>
void check_rounded(lane_machine& m, named_direction const& by) {
  std::string const name = by.name + std::string(suffix<T>);
  direction const d = by.d;
  int const rounds = 300;
  auto const product = [d](T a, T b) {
    quad const p = quad{a} * quad{b};
    return p == 0 ? static_cast<T>(a * b) : rounded<T>(p, d);
  };
  check<T, T, T>(
      m, "add" + name, [d](T a, T b) { return rounded_sum<T>(quad{a}, quad{b}, d); }, rounds);
  check<T, T, T>(
      m, "sub" + name, [d](T a, T b) { return rounded_sum<T>(quad{a}, -quad{b}, d); }, rounds);
  check<T, T, T>(m, "mul" + name, product, rounds);
  check<T, T, T, T>(
      m, "fma" + name, [d](T a, T b, T c) { return rounded_sum<T>(quad{a} * quad{b}, quad{c}, d); },
      rounds);
  check<T, T, T, T>(
      m, "mad" + name, [d](T a, T b, T c) { return rounded_sum<T>(quad{a} * quad{b}, quad{c}, d); },
      20);
  check<T, T, T>(
      m, "div" + name, [d](T a, T b) { return rounded<T>(quad{a} / quad{b}, d); }, rounds);
  check<T, T>(m, "rcp" + name, [d](T a) { return rounded<T>(1 / quad{a}, d); }, rounds);
  check<T, T>(
      m, "sqrt" + name, [d](T a) { return rounded<T>(root(static_cast<f64>(a)), d); }, rounds);
}

f32 flushed(f32 a) { return std::fpclassify(a) == FP_SUBNORMAL ? std::copysign(0.0F, a) : a; }
f32 saturated(f32 a) { return std::isnan(a) || a <= 0 ? 0.0F : a >= 1 ? 1.0F : a; }

template <class T>
T least_number(T a, T b) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
template <class T>
T greatest_number(T a, T b) {
  return -least_number<T>(-a, -b);
}
template <class F>
auto or_nan(F const& f) {
  return [f](f32 a, f32 b) { return std::isnan(a) || std::isnan(b) ? std::nanf("") : f(a, b); };
}
template <class F>
auto of_magnitudes(F const& f) {
  return [f](f32 a, f32 b) {
    f32 const r = f(std::fabs(a), std::fabs(b));
    return std::signbit(a) != std::signbit(b) ? -r : r;
  };
}

//! True if a value is within so many units in the last place of a value computed in long double.
bool near(f32 found, long double wanted, double units) {
  if (std::isnan(wanted)) return std::isnan(found);
  auto const w = static_cast<f32>(wanted);
  if (std::isinf(w) || std::isinf(found)) return found == w || std::fabs(wanted) > 3.4e38L;
  double const unit = std::ldexp(1.0, std::max(std::ilogb(w == 0 ? 1e-45F : w), -126) - 23);
  return std::fabs(static_cast<long double>(found) - wanted) <=
         static_cast<long double>(units * unit);
}
template <class F>
void check_near(lane_machine& m, std::string const& opcode, F const& f) {
  INFO(opcode);
  auto const program = m.compile(opcode + " %r0, %r1;");
  value_source random(11);
  for (int round = 0; round < 100; ++round) {
    std::array<f32, 32> in{};
    for (f32& v : in) v = random.next<f32>();
    m.set("%r1", in);
    m.fill("%r0", 42.0F);
    m.run(program, round % 2 == 0 ? device::all_lanes : 0x0ff1'1234U);
    auto const found = m.get<f32>("%r0");
    for (std::size_t t = 0; t < 32; ++t) {
      bool const active = round % 2 == 0 || ((0x0ff1'1234U >> t) & 1) != 0;
      bool const good =
          active ? near(found[t], f(static_cast<long double>(in[t])), 0.51) : found[t] == 42.0F;
      if (!good) FAIL_CHECK("of " << in[t] << ": " << found[t]);
    }
  }
}

}  // namespace

TEST_CASE("arithmetic: f32 in every rounding") {
  lane_machine m;
  for (named_direction const& by : directions) check_rounded<f32>(m, by);
}

TEST_CASE("arithmetic: f64 in every rounding") {
  lane_machine m;
  for (named_direction const& by : directions) check_rounded<f64>(m, by);
}

TEST_CASE("arithmetic: without a rounding") {
  lane_machine m;
  check<f32, f32, f32>(m, "add.f32", [](f32 a, f32 b) { return a + b; });
  check<f32, f32, f32>(m, "mul.f32", [](f32 a, f32 b) { return a * b; });
  check<f64, f64, f64>(m, "sub.f64", [](f64 a, f64 b) { return a - b; });
}

TEST_CASE("arithmetic: f32 flushed and saturated") {
  lane_machine m;
  for (named_direction const& by : directions) {
    direction const d = by.d;
    std::string const r = by.name;
    auto const sum = [d](f32 a, f32 b) { return rounded_sum<f32>(quad{a}, quad{b}, d); };
    auto const fused = [d](f32 a, f32 b, f32 c) {
      return rounded_sum<f32>(quad{a} * quad{b}, quad{c}, d);
    };
    check<f32, f32, f32>(
        m, "add" + r + ".ftz.f32",
        [&](f32 a, f32 b) { return flushed(sum(flushed(a), flushed(b))); }, 200);
    check<f32, f32, f32>(
        m, "add" + r + ".sat.f32", [&](f32 a, f32 b) { return saturated(sum(a, b)); }, 200);
    check<f32, f32, f32>(
        m, "add" + r + ".ftz.sat.f32",
        [&](f32 a, f32 b) { return flushed(saturated(sum(flushed(a), flushed(b)))); }, 200);
    check<f32, f32, f32, f32>(
        m, "fma" + r + ".ftz.f32",
        [&](f32 a, f32 b, f32 c) { return flushed(fused(flushed(a), flushed(b), flushed(c))); },
        200);
    check<f32, f32, f32, f32>(
        m, "fma" + r + ".sat.f32", [&](f32 a, f32 b, f32 c) { return saturated(fused(a, b, c)); },
        200);
    check<f32, f32>(
        m, "sqrt" + r + ".ftz.f32",
        [&](f32 a) { return rounded<f32>(root(static_cast<f64>(flushed(a))), d); }, 200);
    check<f32, f32, f32>(
        m, "div" + r + ".ftz.f32",
        [&](f32 a, f32 b) { return flushed(rounded<f32>(quad{flushed(a)} / quad{flushed(b)}, d)); },
        200);
  }
  check<f32, f32>(m, "neg.ftz.f32", [](f32 a) { return -flushed(a); });
  check<f32, f32>(m, "abs.ftz.f32", [](f32 a) { return std::fabs(flushed(a)); });
  check<f32, f32, f32>(m, "min.ftz.f32",
                       [](f32 a, f32 b) { return least_number(flushed(a), flushed(b)); });
}

TEST_CASE("arithmetic: f32x2") {
  lane_machine m;
  auto const both = [](auto const& f) {
    return [f](auto... v) {
      auto const part = [](std::uint64_t x, int n) {
        return std::bit_cast<f32>(static_cast<std::uint32_t>(x >> (32 * n)));
      };
      auto const bits = [](f32 r) {
        return std::uint64_t{r == r ? std::bit_cast<std::uint32_t>(r) : 0x7fff'ffffU};
      };
      return bits(f(part(v, 0)...)) | (bits(f(part(v, 1)...)) << 32);
    };
  };
  using u64 = std::uint64_t;
  check<u64, u64, u64>(m, "add.rn.f32x2", both([](f32 a, f32 b) { return a + b; }));
  check<u64, u64, u64>(m, "mul.f32x2", both([](f32 a, f32 b) { return a * b; }));
  check<u64, u64, u64>(
      m, "sub.rz.ftz.f32x2", both([](f32 a, f32 b) {
        return flushed(rounded_sum<f32>(quad{flushed(a)}, -quad{flushed(b)}, direction::zero));
      }));
  check<u64, u64, u64, u64>(m, "fma.rp.f32x2", both([](f32 a, f32 b, f32 c) {
                              return rounded_sum<f32>(quad{a} * quad{b}, quad{c}, direction::up);
                            }));
}

TEST_CASE("arithmetic: least and greatest numbers") {
  lane_machine m;
  check<f32, f32, f32>(m, "min.f32", least_number<f32>, 200);
  check<f32, f32, f32>(m, "max.f32", greatest_number<f32>, 200);
  check<f64, f64, f64>(m, "min.f64", least_number<f64>, 200);
  check<f64, f64, f64>(m, "max.f64", greatest_number<f64>, 200);
  check<f32, f32, f32>(m, "min.NaN.f32", or_nan(least_number<f32>), 200);
  check<f32, f32, f32>(m, "max.NaN.f32", or_nan(greatest_number<f32>), 200);
  check<f32, f32, f32>(m, "min.xorsign.abs.f32", of_magnitudes(least_number<f32>), 200);
  check<f32, f32, f32>(m, "max.NaN.xorsign.abs.f32", of_magnitudes(or_nan(greatest_number<f32>)),
                       200);
  check<f32, f32, f32, f32>(
      m, "min.f32", [](f32 a, f32 b, f32 c) { return least_number(least_number(a, b), c); }, 200);
  check<f32, f32, f32, f32>(
      m, "max.NaN.abs.f32",
      [](f32 a, f32 b, f32 c) {
        auto const f = or_nan(greatest_number<f32>);
        return f(f(std::fabs(a), std::fabs(b)), std::fabs(c));
      },
      200);
}

TEST_CASE("arithmetic: signs and kinds of numbers") {
  lane_machine m;
  check<f32, f32>(m, "neg.f32", [](f32 a) { return -a; });
  check<f64, f64>(m, "neg.f64", [](f64 a) { return -a; });
  check<f32, f32>(m, "abs.f32", [](f32 a) { return std::fabs(a); });
  check<f64, f64>(m, "abs.f64", [](f64 a) { return std::fabs(a); });
  check<f32, f32, f32>(m, "copysign.f32", [](f32 a, f32 b) { return std::copysign(b, a); });
  check<f64, f64, f64>(m, "copysign.f64", [](f64 a, f64 b) { return std::copysign(b, a); });
  check<bool, f32>(m, "testp.finite.f32", [](f32 a) { return std::isfinite(a); });
  check<bool, f32>(m, "testp.infinite.f32", [](f32 a) { return std::isinf(a); });
  check<bool, f32>(m, "testp.number.f32", [](f32 a) { return !std::isnan(a); });
  check<bool, f64>(m, "testp.notanumber.f64", [](f64 a) { return std::isnan(a); });
  check<bool, f64>(m, "testp.normal.f64", [](f64 a) { return std::fpclassify(a) == FP_NORMAL; });
  check<bool, f32>(m, "testp.subnormal.f32",
                   [](f32 a) { return std::fpclassify(a) == FP_SUBNORMAL; });
}

TEST_CASE("arithmetic: approximations are near the function's value") {
  lane_machine m;
  check_near(m, "sin.approx.f32",
             [](long double a) { return std::isinf(a) ? std::nanl("") : std::sin(a); });
  check_near(m, "cos.approx.f32",
             [](long double a) { return std::isinf(a) ? std::nanl("") : std::cos(a); });
  check_near(m, "lg2.approx.f32",
             [](long double a) { return a < 0 ? std::nanl("") : std::log2(a); });
  check_near(m, "ex2.approx.f32", [](long double a) { return std::exp2(a); });
  check_near(m, "tanh.approx.f32", [](long double a) { return std::tanh(a); });
  check_near(m, "rsqrt.approx.f32", [](long double a) { return 1 / std::sqrt(a); });
  check_near(m, "rcp.approx.f32", [](long double a) { return 1 / a; });
  check_near(m, "sqrt.approx.f32", [](long double a) { return std::sqrt(a); });
  auto const flush = [](long double a) {
    return std::fabs(a) < 0x1p-126L ? std::copysign(0.0L, a) : a;
  };
  check_near(m, "ex2.approx.ftz.f32", [&](long double a) { return flush(std::exp2(flush(a))); });
  check_near(m, "lg2.approx.ftz.f32",
             [&](long double a) { return flush(a) < 0 ? std::nanl("") : std::log2(flush(a)); });
  check<f32, f32, f32>(m, "div.approx.f32", [](f32 a, f32 b) { return a / b; });
  check<f32, f32, f32>(m, "div.full.f32", [](f32 a, f32 b) { return a / b; });
  auto const upper = [](f64 a) {
    f64 const r = std::bit_cast<f64>(std::bit_cast<std::uint64_t>(a) & 0xffff'ffff'0000'0000U);
    return std::fpclassify(r) == FP_SUBNORMAL ? std::copysign(0.0, a) : r;
  };
  check<f64, f64>(m, "rcp.approx.ftz.f64", [&](f64 a) { return upper(1 / upper(a)); });
  check<f64, f64>(m, "rsqrt.approx.ftz.f64", [&](f64 a) { return upper(1 / std::sqrt(upper(a))); });
}

TEST_CASE("arithmetic: floating-point literals") {
  lane_machine m;
  check_text<f32, f32>(m, "add.f32 %r0, %r1, 0f3F800000;", [](f32 a) { return a + 1; });
  check_text<f32, f32>(m, "add.f32 %r0, %r1, 0.1;", [](f32 a) { return a + 0.1F; });
  check_text<f32, f32>(m, "mul.f32 %r0, %r1, 0d4000000000000000;", [](f32 a) { return a * 2; });
  check_text<f64, f64>(m, "add.f64 %d0, %d1, 0.1;", [](f64 a) { return a + 0.1; });
  check_text<f64, f64>(m, "add.f64 %d0, %d1, 0f3E000000;", [](f64 a) { return a + 0.125; });
  check_text<std::uint32_t, std::uint32_t>(m, "mov.b32 %r0, 0f3F800000;",
                                           [](std::uint32_t) { return 0x3f80'0000U; });
  CHECK_THROWS_AS(m.compile("sqrt.rn.sat.f32 %r0, %r1;"), device::unsupported);
  CHECK_THROWS_AS(m.compile("add.ftz.f64 %d0, %d1, %d2;"), device::unsupported);
}
