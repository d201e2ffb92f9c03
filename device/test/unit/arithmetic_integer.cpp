// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "arithmetic_checks.hpp"

#include <limits>

using namespace checks;

namespace {

using s16 = std::int16_t;
using u16 = std::uint16_t;
using s32 = std::int32_t;
using u32 = std::uint32_t;
using s64 = std::int64_t;
using u64 = std::uint64_t;

//! The exact value, in a type wider than any product here.
template <class T>
int128 exact(T v) {
  return v;
}
template <class T>
T low(int128 v) {
  return static_cast<T>(static_cast<uint128>(v));
}
template <class T>
T high(int128 product) {
  return low<T>(product >> (8 * sizeof(T)));
}

template <class T>
constexpr char const* suffix = nullptr;
template <>
constexpr char const* suffix<s16> = ".s16";
template <>
constexpr char const* suffix<u16> = ".u16";
template <>
constexpr char const* suffix<s32> = ".s32";
template <>
constexpr char const* suffix<u32> = ".u32";
template <>
constexpr char const* suffix<s64> = ".s64";
template <>
constexpr char const* suffix<u64> = ".u64";

template <class T>
int128 full_product(T a, T b) {
  if constexpr (std::is_same_v<T, u64>)
    return static_cast<int128>(uint128{a} * b);
  else
    return exact(a) * b;
}

template <class T>
void check_sums(lane_machine& m) {
  std::string const type = suffix<T>;
  auto const add = [](T a, T b) { return low<T>(exact(a) + b); };
  check<T, T, T>(m, "add" + type, add);
  check<T, T, T>(m, "sub" + type, [](T a, T b) { return low<T>(exact(a) - b); });
  check<T, T, T>(m, "min" + type, [](T a, T b) { return exact(a) < b ? a : b; });
  check<T, T, T>(m, "max" + type, [](T a, T b) { return exact(a) < b ? b : a; });
  check<T, T, T, T>(m, "sad" + type, [](T a, T b, T c) {
    int128 const d = exact(a) - b;
    return low<T>(c + (d < 0 ? -d : d));
  });
  if constexpr (std::is_signed_v<T>) {
    check<T, T>(m, "neg" + type, [](T a) { return low<T>(-exact(a)); });
    check<T, T>(m, "abs" + type, [](T a) { return low<T>(a < 0 ? -exact(a) : exact(a)); });
  }
}

template <class T>
void check_products(lane_machine& m) {
  std::string const type = suffix<T>;
  check<T, T, T>(m, "mul.lo" + type, [](T a, T b) { return low<T>(full_product(a, b)); });
  check<T, T, T>(m, "mul.hi" + type, [](T a, T b) {
    if constexpr (std::is_same_v<T, u64>)
      return static_cast<T>((uint128{a} * b) >> 64);
    else
      return high<T>(full_product(a, b));
  });
  check<T, T, T, T>(m, "mad.lo" + type,
                    [](T a, T b, T c) { return low<T>(full_product(a, b) + c); });
  check<T, T, T, T>(m, "mad.hi" + type, [](T a, T b, T c) {
    if constexpr (std::is_same_v<T, u64>)
      return static_cast<T>(((uint128{a} * b) >> 64) + c);
    else
      return low<T>(exact(high<T>(full_product(a, b))) + c);
  });
  check<T, T, T>(m, "div" + type,
                 [](T a, T b) { return b == 0 ? low<T>(-1) : low<T>(exact(a) / b); });
  check<T, T, T>(m, "rem" + type, [](T a, T b) { return b == 0 ? a : low<T>(exact(a) % b); });
}

template <class T, class W>
void check_wide(lane_machine& m) {
  std::string const type = suffix<T>;
  check<W, T, T>(m, "mul.wide" + type, [](T a, T b) { return low<W>(exact(a) * b); });
  check<W, T, T, W>(m, "mad.wide" + type, [](T a, T b, W c) { return low<W>(exact(a) * b + c); });
}

s32 clamped(int128 v) {
  return v < INT32_MIN ? INT32_MIN : v > INT32_MAX ? INT32_MAX : static_cast<s32>(v);
}
template <class T>
int128 part24(T v) {
  int128 const r = static_cast<u32>(v) & 0xffffff;
  return std::is_signed_v<T> && r >= 0x800000 ? r - 0x1000000 : r;
}
template <class T>
void check_24(lane_machine& m) {
  std::string const type = suffix<T>;
  check<T, T, T>(m, "mul24.lo" + type, [](T a, T b) { return low<T>(part24(a) * part24(b)); });
  check<T, T, T>(m, "mul24.hi" + type,
                 [](T a, T b) { return low<T>((part24(a) * part24(b)) >> 16); });
  check<T, T, T, T>(m, "mad24.lo" + type,
                    [](T a, T b, T c) { return low<T>(part24(a) * part24(b) + c); });
  check<T, T, T, T>(m, "mad24.hi" + type,
                    [](T a, T b, T c) { return low<T>(((part24(a) * part24(b)) >> 16) + c); });
}

u32 pair_of(int128 upper, int128 lower) {
  return (static_cast<u32>(low<u16>(upper)) << 16) | low<u16>(lower);
}
template <class T, class F>
auto halves(F const& f) {
  return [f](u32 a, u32 b) {
    return pair_of(f(exact(static_cast<T>(a >> 16)), exact(static_cast<T>(b >> 16))),
                   f(exact(static_cast<T>(a)), exact(static_cast<T>(b))));
  };
}

template <class A, class B>
int128 dot(u32 a, u32 b, int parts, int a_bits, int b_bits, int b_first) {
  int128 sum = 0;
  for (int i = 0; i < parts; ++i)
    sum += exact(static_cast<A>(a >> (i * a_bits))) *
           exact(static_cast<B>(b >> (b_first + i * b_bits)));
  return sum;
}
template <class A2, class A4, class B>
void check_dot(lane_machine& m, std::string const& types) {
  check<u32, u32, u32, u32>(m, "dp4a" + types, [](u32 a, u32 b, u32 c) {
    return low<u32>(dot<A4, B>(a, b, 4, 8, 8, 0) + c);
  });
  check<u32, u32, u32, u32>(m, "dp2a.lo" + types, [](u32 a, u32 b, u32 c) {
    return low<u32>(dot<A2, B>(a, b, 2, 16, 8, 0) + c);
  });
  check<u32, u32, u32, u32>(m, "dp2a.hi" + types, [](u32 a, u32 b, u32 c) {
    return low<u32>(dot<A2, B>(a, b, 2, 16, 8, 16) + c);
  });
}

//! Adds and subtracts numbers of several words with the carry flag, as compilers do, and compares
//! with exact results.
template <class T>
void check_carry(lane_machine& m) {
  std::string const type = suffix<T>;
  using U = std::make_unsigned_t<T>;
  constexpr int bits = 8 * sizeof(T);
  std::string const r = sizeof(T) == 4 ? "%r" : "%d";
  auto const three = [&](std::string const& op, int d, int a, int b) {
    return op + type + " " + r + std::to_string(d) + ", " + r + std::to_string(a) + ", " + r +
           std::to_string(b) + ";\n";
  };
  value_source random(bits);
  auto const sum = m.compile(three("add.cc", 0, 1, 3) + three("addc.cc", 5, 2, 4) + "addc" + type +
                             " " + r + "6, 0, 0;");
  auto const difference = m.compile(three("sub.cc", 0, 1, 3) + three("subc.cc", 5, 2, 4) + "subc" +
                                    type + " " + r + "6, 0, 0;");
  for (int round = 0; round < 100; ++round) {
    std::array<std::array<U, 32>, 5> in{};
    for (int k = 1; k < 5; ++k) {
      for (U& v : in[static_cast<std::size_t>(k)]) v = random.next<U>();
      m.set(r + std::to_string(k), in[static_cast<std::size_t>(k)]);
    }
    device::lane_mask const active =
        round % 2 == 0 ? device::all_lanes : static_cast<u32>(random.bits()) | 1U;
    for (bool const adds : {true, false}) {
      m.set_carry_flag(0x0f0f'0f0f);
      m.run(adds ? sum : difference, active);
      auto const d0 = m.get<U>(r + "0"), d1 = m.get<U>(r + "5"), d2 = m.get<U>(r + "6");
      bool all = (m.carry_flag() & ~active) == (0x0f0f'0f0fU & ~active);
      for (std::size_t t = 0; t < 32; ++t) {
        if (((active >> t) & 1) == 0) continue;
        // carry or borrow of the low words, from exact sums
        int128 const x = exact(in[1][t]) + (adds ? exact(in[3][t]) : -exact(in[3][t]));
        int128 const carry0 = adds ? x >> bits : (x < 0 ? 1 : 0);
        int128 const y =
            exact(in[2][t]) + (adds ? exact(in[4][t]) + carry0 : -exact(in[4][t]) - carry0);
        int128 const carry1 = adds ? y >> bits : (y < 0 ? 1 : 0);
        all = all && d0[t] == low<U>(x) && d1[t] == low<U>(y) &&
              d2[t] == low<U>(adds ? carry1 : -carry1);
      }
      INFO(type << (adds ? " sum" : " difference") << ", round " << round);
      CHECK(all);
    }
  }
}

//! The 128-bit product of two 64-bit numbers, computed from 32-bit words.
void check_long_product(lane_machine& m) {
  auto const product =
      m.compile("mul.lo.u32 %r5, %r1, %r3; mul.hi.u32 %r6, %r1, %r3;\n"  // a0 b0
                // + a0 b1 << 32
                "mad.lo.cc.u32 %r6, %r1, %r4, %r6; madc.hi.u32 %r7, %r1, %r4, 0;\n"
                // + a1 b0 << 32
                "mad.lo.cc.u32 %r6, %r2, %r3, %r6; madc.hi.cc.u32 %r7, %r2, %r3, %r7;\n"
                "addc.u32 %r0, 0, 0;\n"
                "mad.lo.cc.u32 %r7, %r2, %r4, %r7; madc.hi.u32 %r0, %r2, %r4, %r0;");
  value_source random(5);
  for (int round = 0; round < 100; ++round) {
    std::array<std::array<u32, 32>, 5> in{};
    for (std::size_t k = 1; k < 5; ++k) {
      for (u32& v : in[k]) v = random.next<u32>();
      m.set("%r" + std::to_string(k), in[k]);
    }
    m.run(product);
    auto const d0 = m.get<u32>("%r5"), d1 = m.get<u32>("%r6"), d2 = m.get<u32>("%r7"),
               d3 = m.get<u32>("%r0");
    bool all = true;
    for (std::size_t t = 0; t < 32; ++t) {
      uint128 const p =
          uint128{(u64{in[2][t]} << 32) | in[1][t]} * ((u64{in[4][t]} << 32) | in[3][t]);
      all =
          all && p == ((uint128{(u64{d3[t]} << 32) | d2[t]} << 64) | ((u64{d1[t]} << 32) | d0[t]));
    }
    CHECK(all);
  }
}

}  // namespace

TEST_CASE("arithmetic: integer sums and products") {
  lane_machine m;
  check_sums<s16>(m);
  check_sums<u16>(m);
  check_sums<s32>(m);
  check_sums<u32>(m);
  check_sums<s64>(m);
  check_sums<u64>(m);
  check_products<s16>(m);
  check_products<u16>(m);
  check_products<s32>(m);
  check_products<u32>(m);
  check_products<s64>(m);
  check_products<u64>(m);
  check_wide<s16, s32>(m);
  check_wide<u16, u32>(m);
  check_wide<s32, s64>(m);
  check_wide<u32, u64>(m);
  check_24<s32>(m);
  check_24<u32>(m);
}

TEST_CASE("arithmetic: quotients just below, at and just above an integer") {
  lane_machine m;
  value_source random(29);
  bool all = true;
  auto const check_type = [&]<class T>(T) {
    std::string const type = suffix<T>;
    auto const both = m.compile("div" + type + " %r0, %r1, %r2; rem" + type + " %r3, %r1, %r2;");
    for (int n = 0; n < 1000; ++n) {
      std::array<T, 32> a{}, b{};
      for (std::size_t t = 0; t < 32; ++t) {
        int const shift = static_cast<int>(random.bits() % 31);
        b[t] = static_cast<T>(static_cast<T>(random.bits()) >> shift);
        T const most = std::numeric_limits<T>::max();
        u32 const times = b[t] == 0 ? 0 : static_cast<u32>(most / b[t]) - (random.bits() & 1);
        a[t] = static_cast<T>(times * static_cast<u32>(b[t]) + static_cast<u32>(t % 3) - 1);
      }
      m.set<T>("%r1", a);
      m.set<T>("%r2", b);
      m.run(both);
      auto const quotients = m.get<T>("%r0");
      auto const rests = m.get<T>("%r3");
      for (std::size_t t = 0; t < 32; ++t) {
        if (b[t] == 0) continue;
        all = all && quotients[t] == low<T>(exact(a[t]) / b[t]);
        all = all && rests[t] == low<T>(exact(a[t]) % b[t]);
      }
    }
  };
  check_type(u32{});
  check_type(s32{});
  CHECK(all);
}

TEST_CASE("arithmetic: integers that saturate") {
  lane_machine m;
  check<s32, s32, s32>(m, "add.sat.s32", [](s32 a, s32 b) { return clamped(exact(a) + b); });
  check<s32, s32, s32>(m, "sub.sat.s32", [](s32 a, s32 b) { return clamped(exact(a) - b); });
  check<s32, s32, s32, s32>(
      m, "mad.hi.sat.s32", [](s32 a, s32 b, s32 c) { return clamped(((exact(a) * b) >> 32) + c); });
  check<s32, s32, s32, s32>(m, "mad24.hi.sat.s32", [](s32 a, s32 b, s32 c) {
    return clamped(((part24(a) * part24(b)) >> 16) + c);
  });
  auto const relu = [](int128 v) { return static_cast<s32>(v < 0 ? 0 : v); };
  check<s32, s32, s32>(m, "min.relu.s32", [&](s32 a, s32 b) { return relu(a < b ? a : b); });
  check<s32, s32, s32>(m, "max.s32.relu", [&](s32 a, s32 b) { return relu(a < b ? b : a); });
}

TEST_CASE("arithmetic: two 16-bit integers") {
  lane_machine m;
  auto const add = [](int128 a, int128 b) { return a + b; };
  auto const least = [](int128 a, int128 b) { return a < b ? a : b; };
  auto const most = [](int128 a, int128 b) { return a < b ? b : a; };
  auto const least_relu = [](int128 a, int128 b) { return a < 0 || b < 0 ? 0 : a < b ? a : b; };
  check<u32, u32, u32>(m, "add.s16x2", halves<s16>(add));
  check<u32, u32, u32>(m, "add.u16x2", halves<u16>(add));
  check<u32, u32, u32>(m, "min.s16x2", halves<s16>(least));
  check<u32, u32, u32>(m, "min.u16x2", halves<u16>(least));
  check<u32, u32, u32>(m, "max.s16x2", halves<s16>(most));
  check<u32, u32, u32>(m, "max.u16x2", halves<u16>(most));
  check<u32, u32, u32>(m, "min.relu.s16x2", halves<s16>(least_relu));
}

TEST_CASE("arithmetic: dot products") {
  lane_machine m;
  check_dot<s16, std::int8_t, std::int8_t>(m, ".s32.s32");
  check_dot<s16, std::int8_t, std::uint8_t>(m, ".s32.u32");
  check_dot<u16, std::uint8_t, std::int8_t>(m, ".u32.s32");
  check_dot<u16, std::uint8_t, std::uint8_t>(m, ".u32.u32");
}

TEST_CASE("arithmetic: the carry flag") {
  lane_machine m;
  check_carry<u32>(m);
  check_carry<s32>(m);
  check_carry<u64>(m);
  check_carry<s64>(m);
  check_long_product(m);
}

TEST_CASE("arithmetic: immediates and refusals") {
  lane_machine m;
  check_text<u32, u32>(m, "add.s32 %r0, %r1, -3;", [](u32 a) { return a - 3; });
  check_text<u64, u64>(m, "mul.lo.s64 %d0, %d1, 0x123456789;",
                       [](u64 a) { return a * 0x123456789U; });
  check_text<u16, u16>(m, "sub.s16 %h0, 5, %h1;", [](u16 a) { return static_cast<u16>(5 - a); });
  CHECK_THROWS_AS(m.compile("add.s8 %h0, %h1, %h2;"), device::unsupported);
  CHECK_THROWS_AS(m.compile("add.sat.u32 %r0, %r1, %r2;"), device::unsupported);
  CHECK_THROWS_AS(m.compile("mul.s32 %r0, %r1, %r2;"), device::unsupported);
  CHECK_THROWS_AS(m.compile("add.s32 %d0, %r1, %r2;"), device::unsupported);
  CHECK_THROWS_AS(m.compile("add.s32 %r0, %r1;"), device::unsupported);
  CHECK_THROWS_AS(m.compile("add.f32 %r0, %r1, 1;"), device::unsupported);
}
