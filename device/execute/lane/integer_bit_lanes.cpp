// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/lane/lane_tables.hpp>
#include <device/execute/lane/lanewise.hpp>

// Logic, shifts, fields of bits and bytes.
namespace device::DEVICE_ISA {

namespace {

using u16 = std::uint16_t;
using s16 = std::int16_t;
using u32 = std::uint32_t;
using s32 = std::int32_t;
using u64 = std::uint64_t;
using s64 = std::int64_t;

template <class T>
inline constexpr u32 width = 8 * sizeof(T);

u32 least(u32 a, u32 b) { return a < b ? a : b; }

template <class T>
T both(T a, T b) {
  return static_cast<T>(a & b);
}
template <class T>
T either(T a, T b) {
  return static_cast<T>(a | b);
}
template <class T>
T differing(T a, T b) {
  return static_cast<T>(a ^ b);
}
template <class T>
T inverted(T a) {
  return static_cast<T>(~a);
}
template <class T>
T is_zero(T a) {
  return a == 0 ? T{1} : T{0};
}
// Shifts by the width or more give 0, or the sign everywhere.
template <class T>
T shift_left(T a, u32 n) {
  return n < width<T> ? static_cast<T>(a << (n & (width<T> - 1))) : T{0};
}
template <class T>
T shift_right(T a, u32 n) {
  return n < width<T> ? static_cast<T>(a >> (n & (width<T> - 1))) : T{0};
}
template <class T>
T shift_right_signed(T a, u32 n) {
  return static_cast<T>(a >> least(n, width<T> - 1));
}

u64 pair(u32 low, u32 high) { return (u64{high} << 32) | low; }
u32 funnel_left_clamp(u32 a, u32 b, u32 n) {
  return static_cast<u32>(((pair(a, b) << least(n, 32)) >> 32));
}
u32 funnel_left_wrap(u32 a, u32 b, u32 n) { return funnel_left_clamp(a, b, n & 31); }
u32 funnel_right_clamp(u32 a, u32 b, u32 n) { return static_cast<u32>(pair(a, b) >> least(n, 32)); }
u32 funnel_right_wrap(u32 a, u32 b, u32 n) { return funnel_right_clamp(a, b, n & 31); }

//! The low n bits set; all of them from the width on.
template <class T>
T low_bits(u32 n) {
  return n >= width<T> ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << n) - 1);
}

template <class T>
T extract(T a, u32 position, u32 length) {
  return static_cast<T>(shift_right(a, position & 0xff) & low_bits<T>(length & 0xff));
}
template <class T>
T extract_signed(T a, u32 position, u32 length) {
  position &= 0xff;
  length &= 0xff;
  u32 const end = least(position + length, width<T>);  // the bit before is the sign
  u32 const up = width<T> - end;
  T const top = static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) << (up & (width<T> - 1)));
  return length == 0 ? T{0} : static_cast<T>(top >> least(up + position, width<T> - 1));
}
template <class T>
T insert(T a, T b, u32 position, u32 length) {
  T const field = shift_left(low_bits<T>(length & 0xff), position & 0xff);
  return static_cast<T>((b & ~field) | (shift_left(a, position & 0xff) & field));
}

template <class T>
u32 ones(T a) {
  return static_cast<u32>(std::popcount(a));
}
template <class T>
u32 leading_zeros(T a) {
  return static_cast<u32>(std::countl_zero(a));
}
// 0: all ones
template <class T>
u32 highest(T a) {
  return width<T> - 1 - static_cast<u32>(std::countl_zero(a));
}
template <class T>
u32 unlike_sign(T a) {
  return highest(static_cast<std::make_unsigned_t<T>>(a < 0 ? ~a : a));
}
u32 as_shift(u32 found, u32 last) { return found == ~0U ? found : last - found; }
template <class T>
u32 highest_as_shift(T a) {
  return as_shift(highest(a), width<T> - 1);
}
template <class T>
u32 unlike_sign_as_shift(T a) {
  return as_shift(unlike_sign(a), width<T> - 1);
}

template <class T>
T reversed(T a) {
  constexpr T ones = static_cast<T>(~T{0});
  for (u32 n = width<T> / 2, m = n; n != 0; n /= 2, m = n) {
    T const low = static_cast<T>(ones / ((T{1} << m) + 1));
    a = static_cast<T>(((a >> m) & low) | ((a & low) << m));
  }
  return a;
}

u32 find_nth_set(u32 mask, u32 base, s32 offset) {
  if (base > 31) return ~0U;  // undefined; so that nothing is read outside
  if (offset == 0) return ((mask >> base) & 1) != 0 ? base : ~0U;
  int const step = offset > 0 ? 1 : -1;
  s64 left = offset > 0 ? s64{offset} : -s64{offset};
  for (int position = static_cast<int>(base); position >= 0 && position < 32; position += step)
    if (((mask >> position) & 1) != 0 && --left == 0) return static_cast<u32>(position);
  return ~0U;
}

u32 bit_mask_clamp(u32 position, u32 length) { return shift_left(low_bits<u32>(length), position); }
u32 bit_mask_wrap(u32 position, u32 length) { return bit_mask_clamp(position & 31, length & 31); }

template <class T>
T extend_clamp(T a, u32 n) {
  if constexpr (std::is_signed_v<T>) {
    u32 const up = 32 - least(n, 32);
    return n == 0 ? 0 : static_cast<T>(static_cast<u32>(a) << (up & 31)) >> (up & 31);
  } else {
    return a & low_bits<u32>(n);
  }
}
template <class T>
T extend_wrap(T a, u32 n) {
  return extend_clamp(a, n & 31);
}

u32 permute(u32 a, u32 b, u32 selector) {
  u32 d = 0;
  for (u32 i = 0; i < 4; ++i) {
    u32 const s = selector >> (4 * i);
    u32 const byte = static_cast<u32>(pair(a, b) >> (8 * (s & 7))) & 0xff;
    u32 const sign = (byte >> 7) * 0xff;
    d |= ((s & 8) != 0 ? sign : byte) << (8 * i);
  }
  return d;
}
//! The modes of prmt take two bits: these are what selectors they stand for.
template <u32 S0, u32 S1, u32 S2, u32 S3>
u32 permute_mode(u32 a, u32 b, u32 mode) {
  mode &= 3;
  return permute(a, b, mode == 0 ? S0 : mode == 1 ? S1 : mode == 2 ? S2 : S3);
}

//! d = f(a, b, c) for a function given by its table of 8 bits.
void run_table(warp& w, operation const& o) {
  u32 const *a = w.source<u32>(o.a), *b = w.source<u32>(o.b), *c = w.source<u32>(o.c);
  u32* const d = w.destination<u32>(o.d);
  u32 table[8];
  for (int i = 0; i < 8; ++i) table[i] = ((o.immediate >> i) & 1) != 0 ? ~0U : 0U;
  auto const choose = [](u32 zero, u32 one, u32 by) { return zero ^ ((zero ^ one) & by); };
#pragma GCC ivdep
  for (int t = 0; t < lanes; ++t) {
    u32 const low =
        choose(choose(table[0], table[1], c[t]), choose(table[2], table[3], c[t]), b[t]);
    u32 const high =
        choose(choose(table[4], table[5], c[t]), choose(table[6], table[7], c[t]), b[t]);
    d[t] = (w.active & lane_bit<1>.bit[t]) != 0 ? choose(low, high, a[t]) : d[t];
  }
}

//! The same, and a predicate: whether d is not 0, and or or the predicate list[1].
template <bool And>
void run_table_and_test(warp& w, operation const& o) {
  run_table(w, o);
  u32 const* const d = w.source<u32>(o.d);
  lane_mask m = 0;
  for (int t = 0; t < lanes; ++t) m |= d[t] != 0 ? lane_bit<1>.bit[t] : 0U;
  lane_mask const other = w.predicate(o.list[1]);
  w.set_predicate(o.list[0], And ? m & other : m | other);
}

// Predicates are bits of one word.
void run_and(warp& w, operation const& o) {
  w.set_predicate(o.d, w.predicate(o.a) & w.predicate(o.b));
}
void run_or(warp& w, operation const& o) {
  w.set_predicate(o.d, w.predicate(o.a) | w.predicate(o.b));
}
void run_xor(warp& w, operation const& o) {
  w.set_predicate(o.d, w.predicate(o.a) ^ w.predicate(o.b));
}
void run_not(warp& w, operation const& o) { w.set_predicate(o.d, ~w.predicate(o.a)); }

constexpr row predicate_row(char const* name, handler run, std::uint8_t sources) {
  row r{name, run, instruction_kind::predicate};
  r.sources = sources;
  return r;
}
constexpr row table_row(char const* name, handler run) {
  row r{name, run, instruction_kind::integer};
  r.immediate = true;
  r.sources = 3;
  for (operand_class* const c : {&r.d, &r.source[0], &r.source[1], &r.source[2]}) c->bytes = 4;
  return r;
}

constexpr instruction_kind kind = instruction_kind::integer;

#define DEVICE_BITS(name, f)                                            \
  row_of<f<u16>>(name ".b16", kind), row_of<f<u32>>(name ".b32", kind), \
      row_of<f<u64>>(name ".b64", kind)
#define DEVICE_32_64(name, type, f) \
  row_of<f<type##32>>(name "32", kind), row_of<f<type##64>>(name "64", kind)

constexpr row rows[] = {
    DEVICE_BITS("and", both),
    DEVICE_BITS("or", either),
    DEVICE_BITS("xor", differing),
    DEVICE_BITS("not", inverted),
    DEVICE_BITS("cnot", is_zero),
    predicate_row("and.pred", run_and, 2),
    predicate_row("or.pred", run_or, 2),
    predicate_row("xor.pred", run_xor, 2),
    predicate_row("not.pred", run_not, 1),
    DEVICE_BITS("shl", shift_left),
    DEVICE_BITS("shr", shift_right),
    row_of<shift_right<u16>>("shr.u16", kind),
    row_of<shift_right<u32>>("shr.u32", kind),
    row_of<shift_right<u64>>("shr.u64", kind),
    row_of<shift_right_signed<s16>>("shr.s16", kind),
    row_of<shift_right_signed<s32>>("shr.s32", kind),
    row_of<shift_right_signed<s64>>("shr.s64", kind),
    row_of<funnel_left_clamp>("shf.l.clamp.b32", kind),
    row_of<funnel_left_wrap>("shf.l.wrap.b32", kind),
    row_of<funnel_right_clamp>("shf.r.clamp.b32", kind),
    row_of<funnel_right_wrap>("shf.r.wrap.b32", kind),
    DEVICE_32_64("bfe.u", u, extract),
    DEVICE_32_64("bfe.s", s, extract_signed),
    DEVICE_32_64("bfi.b", u, insert),
    DEVICE_32_64("popc.b", u, ones),
    DEVICE_32_64("clz.b", u, leading_zeros),
    DEVICE_32_64("bfind.u", u, highest),
    DEVICE_32_64("bfind.s", s, unlike_sign),
    DEVICE_32_64("bfind.shiftamt.u", u, highest_as_shift),
    DEVICE_32_64("bfind.shiftamt.s", s, unlike_sign_as_shift),
    DEVICE_32_64("brev.b", u, reversed),
    costly_row_of<find_nth_set>("fns.b32", kind),
    row_of<bit_mask_clamp>("bmsk.clamp.b32", kind),
    row_of<bit_mask_wrap>("bmsk.wrap.b32", kind),
    row_of<extend_clamp<u32>>("szext.clamp.u32", kind),
    row_of<extend_clamp<s32>>("szext.clamp.s32", kind),
    row_of<extend_wrap<u32>>("szext.wrap.u32", kind),
    row_of<extend_wrap<s32>>("szext.wrap.s32", kind),
    row_of<permute>("prmt.b32", kind),
    row_of<permute_mode<0x3210, 0x4321, 0x5432, 0x6543>>("prmt.b32.f4e", kind),
    row_of<permute_mode<0x5670, 0x6701, 0x7012, 0x0123>>("prmt.b32.b4e", kind),
    row_of<permute_mode<0x0000, 0x1111, 0x2222, 0x3333>>("prmt.b32.rc8", kind),
    row_of<permute_mode<0x3210, 0x3211, 0x3222, 0x3333>>("prmt.b32.ecl", kind),
    row_of<permute_mode<0x0000, 0x1110, 0x2210, 0x3210>>("prmt.b32.ecr", kind),
    row_of<permute_mode<0x1010, 0x3232, 0x1010, 0x3232>>("prmt.b32.rc16", kind),
    table_row("lop3.b32", run_table),
    table_row("lop3.and.b32", run_table_and_test<true>),
    table_row("lop3.or.b32", run_table_and_test<false>),
};

}  // namespace

row_list integer_bit_rows() { return {rows, sizeof rows / sizeof rows[0]}; }

}  // namespace device::DEVICE_ISA
