// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "arithmetic_exact.hpp"

using namespace checks;

namespace {

template <class H>
constexpr char const* suffix = std::is_same_v<H, half_bits> ? ".f16" : ".bf16";

template <class H>
H sum(H a, H b) {
  return rounded_sum<H>(exact_value(a), exact_value(b), direction::nearest);
}
template <class H>
H negated(H a) {
  return H{static_cast<std::uint16_t>(a.bits ^ 0x8000)};
}
template <class H>
H product(H a, H b) {
  quad const p = exact_value(a) * exact_value(b);
  if (p != 0) return rounded<H>(p, direction::nearest);
  return with_sign(H{0}, ((a.bits ^ b.bits) & 0x8000) != 0);
}
template <class H>
H fused(H a, H b, H c) {
  return rounded_sum<H>(exact_value(a) * exact_value(b), exact_value(c), direction::nearest);
}
template <class H>
H flushed(H a) {
  int const least = std::is_same_v<H, half_bits> ? 0x400 : 0x80;
  return (a.bits & 0x7fff) < least ? H{static_cast<std::uint16_t>(a.bits & 0x8000)} : a;
}
template <class H>
H saturated(H a) {
  quad const v = exact_value(a);
  if (!(v > 0)) return H{0};
  return v > 1 ? H{static_cast<std::uint16_t>(std::is_same_v<H, half_bits> ? 0x3c00 : 0x3f80)} : a;
}
template <class H>
H rectified(H a) {
  return is_nan(a) ? nan_of<H>() : exact_value(a) > 0 ? a : H{0};
}
template <class H>
H least(H a, H b) {
  if (is_nan(a)) return b;
  if (is_nan(b)) return a;
  quad const x = exact_value(a), y = exact_value(b);
  if (x == y) return (a.bits & 0x8000) != 0 ? a : b;
  return x < y ? a : b;
}
template <class H>
H greatest(H a, H b) {
  return negated(least(negated(a), negated(b)));
}
template <class H, class F>
auto or_nan(F f) {
  return [f](H a, H b) { return is_nan(a) || is_nan(b) ? nan_of<H>() : f(a, b); };
}

template <class H>
half_pair pair_of(H upper, H lower) {
  auto const bits = [](H h) -> std::uint32_t { return is_nan(h) ? 0x7fff : h.bits; };
  return {(bits(upper) << 16) | bits(lower)};
}
//! Applies a function of halves to both halves of a register.
template <class H, class F>
auto both(F f) {
  return [f](auto... v) {
    return pair_of<H>(f(H{static_cast<std::uint16_t>(v.bits >> 16)}...),
                      f(H{static_cast<std::uint16_t>(v.bits)}...));
  };
}

//! Checks an instruction with two sources, on one half and on pairs of halves.
template <class H, class F>
void check2(lane_machine& m, std::string const& name, F const& f) {
  check<H, H, H>(m, name + suffix<H>, f, 200);
  check<half_pair, half_pair, half_pair>(m, name + suffix<H> + "x2", both<H>(f), 100);
}
template <class H, class F>
void check3(lane_machine& m, std::string const& name, F const& f) {
  check<H, H, H, H>(m, name + suffix<H>, f, 400);
  check<half_pair, half_pair, half_pair, half_pair>(m, name + suffix<H> + "x2", both<H>(f), 200);
}

template <class H>
void check_all(lane_machine& m) {
  check2<H>(m, "add", sum<H>);
  check2<H>(m, "add.rn", sum<H>);
  check2<H>(m, "sub", [](H a, H b) { return sum(a, negated(b)); });
  check2<H>(m, "mul", product<H>);
  check3<H>(m, "fma.rn", fused<H>);
  check3<H>(m, "fma.rn.relu", [](H a, H b, H c) { return rectified(fused(a, b, c)); });
  check2<H>(m, "min", least<H>);
  check2<H>(m, "max", greatest<H>);
  check2<H>(m, "min.NaN", or_nan<H>(least<H>));
  check2<H>(m, "max.NaN", or_nan<H>(greatest<H>));
  check2<H>(m, "max.xorsign.abs", [](H a, H b) {
    auto const magnitude = [](H h) { return H{static_cast<std::uint16_t>(h.bits & 0x7fff)}; };
    H const r = greatest(magnitude(a), magnitude(b));
    return H{static_cast<std::uint16_t>(
        is_nan(r) ? 0x7fff : (r.bits & 0x7fff) | ((a.bits ^ b.bits) & 0x8000))};
  });
  using raw = std::uint16_t;
  check<raw, raw>(m, std::string("neg") + suffix<H>,
                  [](raw a) { return static_cast<raw>(a ^ 0x8000); });
  check<raw, raw>(m, std::string("abs") + suffix<H>,
                  [](raw a) { return static_cast<raw>(a & 0x7fff); });
}

}  // namespace

TEST_CASE("arithmetic: f16") {
  lane_machine m;
  check_all<half_bits>(m);
  using H = half_bits;
  check2<H>(m, "add.sat", [](H a, H b) { return saturated(sum(a, b)); });
  check2<H>(m, "mul.rn.ftz", [](H a, H b) { return flushed(product(flushed(a), flushed(b))); });
  check2<H>(m, "sub.ftz.sat",
            [](H a, H b) { return flushed(saturated(sum(flushed(a), negated(flushed(b))))); });
  check3<H>(m, "fma.rn.ftz",
            [](H a, H b, H c) { return flushed(fused(flushed(a), flushed(b), flushed(c))); });
  check3<H>(m, "fma.rn.sat", [](H a, H b, H c) { return saturated(fused(a, b, c)); });
  check3<H>(m, "fma.rn.ftz.relu", [](H a, H b, H c) {
    return flushed(rectified(fused(flushed(a), flushed(b), flushed(c))));
  });
  CHECK_THROWS_AS(m.compile("add.rz.f16 %h0, %h1, %h2;"), device::unsupported);
}

TEST_CASE("arithmetic: bf16") {
  lane_machine m;
  check_all<brain_bits>(m);
  CHECK_THROWS_AS(m.compile("add.ftz.bf16 %h0, %h1, %h2;"), device::unsupported);
}

TEST_CASE("arithmetic: every f16 and bf16 widens exactly and comes back") {
  lane_machine m;
  auto const there = m.compile("cvt.f32.f16 %r0, %h1; cvt.rn.f16.f32 %h2, %r0; cvt.f32.bf16 %r3, "
                               "%h1; cvt.rn.bf16.f32 %h4, %r3;");
  bool all = true;
  for (unsigned first = 0; first < 0x10000; first += 32) {
    std::array<std::uint16_t, 32> in{};
    for (unsigned t = 0; t < 32; ++t) in[t] = static_cast<std::uint16_t>(first + t);
    m.set("%h1", in);
    m.run(there);
    auto const f16 = m.get<float>("%r0"), bf16 = m.get<float>("%r3");
    auto const f16_back = m.get<std::uint16_t>("%h2"), bf16_back = m.get<std::uint16_t>("%h4");
    for (std::size_t t = 0; t < 32; ++t) {
      half_bits const h{in[t]};
      brain_bits const b{in[t]};
      all = all && (is_nan(h) ? is_nan(f16[t]) && f16_back[t] == 0x7fff
                              : quad{f16[t]} == exact_value(h) && f16_back[t] == h.bits);
      all = all && (is_nan(b) ? is_nan(bf16[t]) && bf16_back[t] == 0x7fff
                              : quad{bf16[t]} == exact_value(b) && bf16_back[t] == b.bits);
    }
  }
  CHECK(all);
}

TEST_CASE("arithmetic: functions of every f16") {
  lane_machine m;
  auto const program =
      m.compile("ex2.approx.f16 %h0, %h1; tanh.approx.f16 %h2, %h1; tanh.approx.bf16 %h3, %h1;");
  bool all = true;
  auto const near = [](auto found, long double wanted) {
    using H = decltype(found);
    if (std::isnan(wanted)) return is_nan(found);
    // a value computed in long double is rounded as usual
    H const exact = rounded<H>(quad{wanted}, direction::nearest);
    return same(found, exact) ||
           std::abs(static_cast<int>(found.bits) - static_cast<int>(exact.bits)) <= 1;
  };
  for (unsigned first = 0; first < 0x10000; first += 32) {
    std::array<std::uint16_t, 32> in{};
    for (unsigned t = 0; t < 32; ++t) in[t] = static_cast<std::uint16_t>(first + t);
    m.set("%h1", in);
    m.run(program);
    auto const e = m.get<std::uint16_t>("%h0"), t16 = m.get<std::uint16_t>("%h2"),
               tb = m.get<std::uint16_t>("%h3");
    for (std::size_t t = 0; t < 32; ++t) {
      auto const h = static_cast<long double>(exact_value(half_bits{in[t]}));
      auto const b = static_cast<long double>(exact_value(brain_bits{in[t]}));
      all = all && near(half_bits{e[t]}, std::exp2(h)) && near(half_bits{t16[t]}, std::tanh(h)) &&
            near(brain_bits{tb[t]}, std::tanh(b));
    }
  }
  CHECK(all);
}

TEST_CASE("arithmetic: halves with f32") {
  lane_machine m;
  check<float, half_bits, float>(m, "add.f32.f16", [](half_bits a, float b) {
    return rounded_sum<float>(exact_value(a), quad{b}, direction::nearest);
  });
  check<float, half_bits, float>(m, "sub.rz.f32.f16", [](half_bits a, float b) {
    return rounded_sum<float>(exact_value(a), -quad{b}, direction::zero);
  });
  check<float, brain_bits, brain_bits, float>(
      m, "fma.rn.f32.bf16", [](brain_bits a, brain_bits b, float c) {
        return rounded_sum<float>(exact_value(a) * exact_value(b), quad{c}, direction::nearest);
      });
}
