// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "arithmetic_checks.hpp"

using namespace checks;

namespace {

using s16 = std::int16_t;
using u16 = std::uint16_t;
using s32 = std::int32_t;
using u32 = std::uint32_t;
using s64 = std::int64_t;
using u64 = std::uint64_t;

template <class T>
constexpr u32 width = 8 * sizeof(T);
template <class T>
bool bit(T v, u32 n) {
  return ((static_cast<u64>(v) >> n) & 1) != 0;
}
//! A number whose bit at each position is f(position).
template <class T, class F>
T from_bits(F const& f) {
  u64 r = 0;
  for (u32 n = 0; n < width<T>; ++n) r |= f(n) ? u64{1} << n : 0;
  return static_cast<T>(r);
}

template <class T>
void check_logic(lane_machine& m, std::string const& type) {
  check<T, T, T>(m, "and" + type, [](T a, T b) {
    return from_bits<T>([&](u32 n) { return bit(a, n) && bit(b, n); });
  });
  check<T, T, T>(m, "or" + type, [](T a, T b) {
    return from_bits<T>([&](u32 n) { return bit(a, n) || bit(b, n); });
  });
  check<T, T, T>(m, "xor" + type, [](T a, T b) {
    return from_bits<T>([&](u32 n) { return bit(a, n) != bit(b, n); });
  });
  check<T, T>(m, "not" + type, [](T a) { return from_bits<T>([&](u32 n) { return !bit(a, n); }); });
  check<T, T>(m, "cnot" + type, [](T a) { return static_cast<T>(a == 0); });
}

template <class U>
void check_shifts(lane_machine& m) {
  using S = std::make_signed_t<U>;
  std::string const bits = std::to_string(width<U>);
  check<U, U, u32>(m, "shl.b" + bits, [](U a, u32 n) {
    return from_bits<U>([&](u32 k) { return k >= n && bit(a, k - n); });
  });
  auto const right = [](U a, u32 n) {
    return from_bits<U>([&](u32 k) { return u64{k} + n < width<U> && bit(a, k + n); });
  };
  check<U, U, u32>(m, "shr.b" + bits, right);
  check<U, U, u32>(m, "shr.u" + bits, right);
  check<S, S, u32>(m, "shr.s" + bits, [](S a, u32 n) {
    return from_bits<S>(
        [&](u32 k) { return bit(a, u64{k} + n < width<U> ? k + n : width<U> - 1); });
  });
}

template <class U>
void check_fields(lane_machine& m) {
  using S = std::make_signed_t<U>;
  std::string const bits = std::to_string(width<U>);
  // The definitions in the PTX ISA.
  auto const extract = [](auto a, u32 b, u32 c) {
    constexpr bool is_signed = std::is_signed_v<decltype(a)>;
    u32 const position = b & 0xff, length = c & 0xff, last = width<U> - 1;
    bool const sign = is_signed && length != 0 && bit(a, std::min(position + length - 1, last));
    return from_bits<decltype(a)>(
        [&](u32 i) { return i < length && position + i <= last ? bit(a, position + i) : sign; });
  };
  check<U, U, u32, u32>(m, "bfe.u" + bits, extract, 200);
  check<S, S, u32, u32>(m, "bfe.s" + bits, extract, 200);
  check<U, U, U, u32, u32>(
      m, "bfi.b" + bits,
      [](U a, U b, u32 c, u32 d) {
        u32 const position = c & 0xff, length = d & 0xff;
        return from_bits<U>([&](u32 i) {
          return i >= position && i < position + length ? bit(a, i - position) : bit(b, i);
        });
      },
      200);
  check<U, U>(m, "brev.b" + bits,
              [](U a) { return from_bits<U>([&](u32 i) { return bit(a, width<U> - 1 - i); }); });
  check<u32, U>(m, "popc.b" + bits, [](U a) {
    u32 n = 0;
    for (u32 i = 0; i < width<U>; ++i) n += bit(a, i);
    return n;
  });
  auto const highest = [](U a) {
    u32 found = ~0U;
    for (u32 i = 0; i < width<U>; ++i)
      if (bit(a, i)) found = i;
    return found;
  };
  check<u32, U>(m, "clz.b" + bits, [&](U a) { return width<U> - 1 - highest(a); });
  check<u32, U>(m, "bfind.u" + bits, highest);
  auto const as_shift = [](u32 found) { return found == ~0U ? found : width<U> - 1 - found; };
  check<u32, U>(m, "bfind.shiftamt.u" + bits, [&](U a) { return as_shift(highest(a)); });
  auto const unlike_sign = [&](S a) {
    bool const sign = a < 0;
    return highest(from_bits<U>([&](u32 i) { return bit(a, i) != sign; }));
  };
  check<u32, S>(m, "bfind.s" + bits, unlike_sign);
  check<u32, S>(m, "bfind.shiftamt.s" + bits, [&](S a) { return as_shift(unlike_sign(a)); });
}

u32 byte_of(u64 v, u32 n) { return static_cast<u32>(v >> (8 * n)) & 0xff; }
//! A word of four bytes, the lowest byte first.
u32 bytes(u32 b0, u32 b1, u32 b2, u32 b3) { return b0 | (b1 << 8) | (b2 << 16) | (b3 << 24); }
u64 joined(u32 a, u32 b) { return (u64{b} << 32) | a; }

}  // namespace

TEST_CASE("arithmetic: logic and shifts") {
  lane_machine m;
  check_logic<u16>(m, ".b16");
  check_logic<u32>(m, ".b32");
  check_logic<u64>(m, ".b64");
  check_shifts<u16>(m);
  check_shifts<u32>(m);
  check_shifts<u64>(m);
  check<bool, bool, bool>(m, "and.pred", [](bool a, bool b) { return a && b; });
  check<bool, bool, bool>(m, "or.pred", [](bool a, bool b) { return a || b; });
  check<bool, bool, bool>(m, "xor.pred", [](bool a, bool b) { return a != b; });
  check<bool, bool>(m, "not.pred", [](bool a) { return !a; });
  check_text<bool, bool, bool>(m, "and.pred %p0, %p1, !%p2;",
                               [](bool a, bool b) { return a && !b; });
}

TEST_CASE("arithmetic: lop3 with every table") {
  lane_machine m;
  for (int table = 0; table < 256; ++table)
    check_text<u32, u32, u32, u32>(
        m, "lop3.b32 %r0, %r1, %r2, %r3, " + std::to_string(table) + ";",
        [&](u32 a, u32 b, u32 c) {
          return from_bits<u32>([&](u32 i) {
            return bit(table,
                       (bit(a, i) ? 4U : 0U) + (bit(b, i) ? 2U : 0U) + (bit(c, i) ? 1U : 0U));
          });
        },
        4);
  auto const is_set = [](u32 a, u32 b, bool q) { return (a & b) != 0 || q; };
  check_text<bool, u32, u32, bool>(m, "lop3.or.b32 %r5|%p0, %r1, %r2, 0, 0xc0, %p3;", is_set);
  check_text<u32, u32, u32, bool>(m, "lop3.and.b32 %r0|%p5, %r1, %r2, 0, 0xc0, %p3;",
                                  [](u32 a, u32 b, bool) { return a & b; });
  check_text<bool, u32, u32, bool>(m, "lop3.and.b32 _|%p0, %r1, %r2, 0, 0xc0, %p3;",
                                   [](u32 a, u32 b, bool q) { return (a & b) != 0 && q; });
}

TEST_CASE("arithmetic: funnel shifts") {
  lane_machine m;
  auto const left = [](u32 a, u32 b, u32 n) {
    return static_cast<u32>((uint128{joined(a, b)} << n) >> 32);
  };
  auto const right = [](u32 a, u32 b, u32 n) {
    return static_cast<u32>(uint128{joined(a, b)} >> n);
  };
  check<u32, u32, u32, u32>(m, "shf.l.clamp.b32",
                            [&](u32 a, u32 b, u32 n) { return left(a, b, std::min(n, 32U)); });
  check<u32, u32, u32, u32>(m, "shf.l.wrap.b32",
                            [&](u32 a, u32 b, u32 n) { return left(a, b, n % 32); });
  check<u32, u32, u32, u32>(m, "shf.r.clamp.b32",
                            [&](u32 a, u32 b, u32 n) { return right(a, b, std::min(n, 32U)); });
  check<u32, u32, u32, u32>(m, "shf.r.wrap.b32",
                            [&](u32 a, u32 b, u32 n) { return right(a, b, n % 32); });
}

TEST_CASE("arithmetic: fields of bits") {
  lane_machine m;
  check_fields<u32>(m);
  check_fields<u64>(m);
  auto const mask = [](u32 a, u32 b) {
    return from_bits<u32>([&](u32 i) { return i >= a && u64{i} < u64{a} + b; });
  };
  check<u32, u32, u32>(m, "bmsk.clamp.b32", mask);
  check<u32, u32, u32>(m, "bmsk.wrap.b32", [&](u32 a, u32 b) { return mask(a % 32, b % 32); });
  auto const extended = [](u32 a, u32 n, bool is_signed) {
    return from_bits<u32>([&](u32 i) {
      return i < n ? bit(a, i) : n != 0 && is_signed && bit(a, std::min(n, 32U) - 1);
    });
  };
  check<u32, u32, u32>(m, "szext.clamp.u32", [&](u32 a, u32 n) { return extended(a, n, false); });
  check<u32, u32, u32>(m, "szext.clamp.s32", [&](u32 a, u32 n) { return extended(a, n, true); });
  check<u32, u32, u32>(m, "szext.wrap.u32",
                       [&](u32 a, u32 n) { return extended(a, n % 32, false); });
  check<u32, u32, u32>(m, "szext.wrap.s32",
                       [&](u32 a, u32 n) { return extended(a, n % 32, true); });
}

TEST_CASE("arithmetic: the nth set bit") {
  lane_machine m;
  auto const nth = [](u32 mask, u32 base, s32 offset) -> u32 {
    if (offset == 0) return bit(mask, base) ? base : ~0U;
    int left = offset > 0 ? offset : -offset;
    for (int i = static_cast<int>(base); i >= 0 && i < 32; i += offset > 0 ? 1 : -1)
      if (bit(mask, static_cast<u32>(i)) && --left == 0) return static_cast<u32>(i);
    return ~0U;
  };
  value_source random(3);
  auto const program = m.compile("fns.b32 %r0, %r1, %r2, %r3;");
  for (int round = 0; round < 200; ++round) {
    std::array<u32, 32> mask{}, base{};
    std::array<s32, 32> offset{};
    for (std::size_t t = 0; t < 32; ++t) {
      mask[t] = random.next<u32>();
      base[t] = static_cast<u32>(random.bits() % 32);
      offset[t] = static_cast<s32>(random.bits() % 41) - 20;
    }
    m.set("%r1", mask);
    m.set("%r2", base);
    m.set("%r3", offset);
    m.run(program);
    bool all = true;
    auto const found = m.get<u32>("%r0");
    for (std::size_t t = 0; t < 32; ++t) all = all && found[t] == nth(mask[t], base[t], offset[t]);
    CHECK(all);
  }
}

TEST_CASE("arithmetic: prmt in all modes") {
  lane_machine m;
  check<u32, u32, u32, u32>(
      m, "prmt.b32",
      [](u32 a, u32 b, u32 c) {
        u32 d[4];
        for (u32 i = 0; i < 4; ++i) {
          u32 const v = byte_of(joined(a, b), (c >> (4 * i)) & 7);
          d[i] = ((c >> (4 * i)) & 8) == 0 ? v : v >= 0x80 ? 0xff : 0;
        }
        return bytes(d[0], d[1], d[2], d[3]);
      },
      200);
  auto const chosen = [](u32 a, u32 b, u32 i0, u32 i1, u32 i2, u32 i3) {
    u64 const v = joined(a, b);
    return bytes(byte_of(v, i0 % 8), byte_of(v, i1 % 8), byte_of(v, i2 % 8), byte_of(v, i3 % 8));
  };
  check<u32, u32, u32, u32>(m, "prmt.b32.f4e", [&](u32 a, u32 b, u32 c) {
    u32 const n = c % 4;
    return chosen(a, b, n, n + 1, n + 2, n + 3);
  });
  check<u32, u32, u32, u32>(m, "prmt.b32.b4e", [&](u32 a, u32 b, u32 c) {
    u32 const n = c % 4;
    return chosen(a, b, n, n + 7, n + 6, n + 5);
  });
  check<u32, u32, u32, u32>(m, "prmt.b32.rc8", [&](u32 a, u32 b, u32 c) {
    u32 const n = c % 4;
    return chosen(a, b, n, n, n, n);
  });
  check<u32, u32, u32, u32>(m, "prmt.b32.ecl", [&](u32 a, u32 b, u32 c) {
    u32 const n = c % 4;
    return chosen(a, b, std::max(n, 0U), std::max(n, 1U), std::max(n, 2U), 3);
  });
  check<u32, u32, u32, u32>(m, "prmt.b32.ecr", [&](u32 a, u32 b, u32 c) {
    u32 const n = c % 4;
    return chosen(a, b, 0, std::min(n, 1U), std::min(n, 2U), std::min(n, 3U));
  });
  check<u32, u32, u32, u32>(m, "prmt.b32.rc16", [&](u32 a, u32 b, u32 c) {
    u32 const n = 2 * (c % 2);
    return chosen(a, b, n, n + 1, n, n + 1);
  });
}

TEST_CASE("arithmetic: video instructions") {
  lane_machine m;
  auto const clamped = [](s64 v, s64 low, s64 high) { return v < low ? low : v > high ? high : v; };
  check<u32, u32, s32>(m, "vadd.u32.u32.s32.sat", [&](u32 a, s32 b) {
    return static_cast<u32>(clamped(s64{a} + b, 0, UINT32_MAX));
  });
  check<s32, s32, s32, s32>(m, "vabsdiff.s32.s32.s32.sat.max", [&](s32 a, s32 b, s32 c) {
    return std::max(static_cast<s32>(clamped(std::abs(s64{a} - b), INT32_MIN, INT32_MAX)), c);
  });
  check<u32, u32, u32, u32>(m, "vmax.u32.u32.u32.add",
                            [](u32 a, u32 b, u32 c) { return std::max(a, b) + c; });
  check<s32, s32, u32>(m, "vshr.s32.s32.u32.clamp",
                       [](s32 a, u32 n) { return static_cast<s32>(s64{a} >> std::min(n, 32U)); });
  check<u32, u32, u32>(m, "vshl.u32.u32.u32.wrap", [](u32 a, u32 n) { return a << (n % 32); });
  check<u32, u32, u32>(m, "vshl.u32.u32.u32.sat.clamp", [&](u32 a, u32 n) {
    return static_cast<u32>(std::min<uint128>(uint128{a} << std::min(n, 32U), UINT32_MAX));
  });
  check<u32, s32, u32>(m, "vset.s32.u32.lt",
                       [](s32 a, u32 b) { return s64{a} < s64{b} ? 1U : 0U; });
  check<s32, s32, s32, s32>(m, "vmad.s32.s32.s32.shr7", [](s32 a, s32 b, s32 c) {
    return static_cast<s32>((int128{a} * b + c) >> 7);
  });

  auto const parts = [](u32 bits, bool a_signed, bool b_signed, auto const& f) {
    return [=](u32 a, u32 b, u32) {
      auto const part = [&](u32 v, u32 at, bool is_signed) {
        s64 const r = (v >> at) & ((1U << bits) - 1);
        return is_signed && r >= (s64{1} << (bits - 1)) ? r - (s64{1} << bits) : r;
      };
      u32 d = 0;
      for (u32 at = 0; at < 32; at += bits)
        d |=
            (static_cast<u32>(f(part(a, at, a_signed), part(b, at, b_signed))) & ((1U << bits) - 1))
            << at;
      return d;
    };
  };
  auto const add = [](s64 a, s64 b) { return a + b; };
  auto const difference = [](s64 a, s64 b) { return std::abs(a - b); };
  check<u32, u32, u32, u32>(m, "vadd4.u32.u32.u32", parts(8, false, false, add));
  check<u32, u32, u32, u32>(m, "vadd4.s32.s32.s32.sat", parts(8, true, true, [&](s64 a, s64 b) {
                              return clamped(a + b, -128, 127);
                            }));
  check<u32, u32, u32, u32>(m, "vsub2.u32.u32.u32.sat", parts(16, false, false, [&](s64 a, s64 b) {
                              return clamped(a - b, 0, 65535);
                            }));
  check<u32, u32, u32, u32>(m, "vabsdiff4.u32.u32.u32", parts(8, false, false, difference));
  check<u32, u32, u32, u32>(m, "vabsdiff2.s32.s32.s32", parts(16, true, true, difference));
  check<u32, u32, u32, u32>(m, "vavrg4.u32.u32.u32",
                            parts(8, false, false, [](s64 a, s64 b) { return (a + b + 1) / 2; }));
  check<u32, u32, u32, u32>(m, "vset2.s32.s32.ge",
                            parts(16, true, true, [](s64 a, s64 b) { return a >= b; }));
  check<u32, u32, u32, u32>(m, "vabsdiff4.u32.u32.u32.add", [&](u32 a, u32 b, u32 c) {
    for (u32 at = 0; at < 32; at += 8)
      c += static_cast<u32>(std::abs(s64{(a >> at) & 0xff} - s64{(b >> at) & 0xff}));
    return c;
  });
  CHECK_THROWS_AS(m.compile("vadd4.u32.u32.u32.min %r0, %r1, %r2, %r3;"), device::unsupported);
  CHECK_THROWS_AS(m.compile("vadd.u32.u32 %r0, %r1, %r2;"), device::unsupported);
}
