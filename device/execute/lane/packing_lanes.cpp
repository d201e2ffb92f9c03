// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/lane/conversion_math.hpp>
#include <device/execute/lane/lane_tables.hpp>
#include <device/execute/lane/small_format.hpp>

// cvt of two values at once, of tf32 and of formats of 8 bits and fewer; cvt.pack.
namespace device::DEVICE_ISA {

namespace {

using namespace math;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using s32 = std::int32_t;
using s64 = std::int64_t;

// --- pairs of halves -----------------------------------------------------------------------------
template <class H, unsigned Flags>
u32 narrowed_with(float a) {
  H h = narrowed<H>(a, Flags & rounding);
  if ((Flags & finite) != 0 && (h.bits & 0x7fff) == infinity_bits<H>) --h.bits;
  if ((Flags & rectify) != 0) h = rectified(h);
  return h.bits;
}
template <class H, unsigned Flags>
u32 two_halves(float upper, float lower) {
  return (narrowed_with<H, Flags>(upper) << 16) | narrowed_with<H, Flags>(lower);
}

// --- tf32: an f32 of which the lower 13 bits are 0 -----------------------------------------------
constexpr unsigned to_nearest_away = 3;  // in place of round_up, which tf32 does not have

template <unsigned Flags>
u32 tf32(float a) {
  u32 const all = std::bit_cast<u32>(a);
  u32 const magnitude = all & 0x7fff'ffffU;
  if (magnitude > 0x7f80'0000U) return 0x7fff'ffffU;
  if ((Flags & rectify) != 0 && (all >> 31) != 0) return 0;
  u32 r = magnitude;
  if ((Flags & rounding) == round_nearest) r += 0xfffU + ((magnitude >> 13) & 1);
  if ((Flags & rounding) == to_nearest_away) r += 0x1000U;
  r &= ~0x1fffU;
  if (r > 0x7f80'0000U) r = 0x7f80'0000U;
  if ((Flags & finite) != 0 && r == 0x7f80'0000U) r = 0x7f7f'e000U;
  return r | (all & 0x8000'0000U);
}

// --- formats of 8 bits and fewer -----------------------------------------------------------------
template <class Format, bool Relu>
u32 encoded(float a) {
  u32 const r = Format::encode(a);
  return Relu && a < 0 ? 0 : Relu && (r & Format::sign_bit) != 0 && a == 0 ? 0 : r;
}
//! The bit at which the upper of two values begins.
template <class Format>
inline constexpr int upper = Format::bits == 4 ? 4 : 8;

template <class Format, bool Relu>
u16 small_pair(float high, float low) {
  return static_cast<u16>((encoded<Format, Relu>(high) << upper<Format>) |
                          encoded<Format, Relu>(low));
}
template <class Format, bool Relu, class H>
u16 small_pair_of(u32 halves) {
  return small_pair<Format, Relu>(widened(H{static_cast<u16>(halves >> 16)}),
                                  widened(H{static_cast<u16>(halves)}));
}
template <class Format, bool Relu>
u32 halves_of_small(u16 v) {
  constexpr u32 mask = (1U << upper<Format>)-1;
  auto const one = [](u32 bits) {
    return narrowed_with<f16, Relu ? rectify : 0>(Format::decode(bits));
  };
  return (one((v >> upper<Format>)&mask) << 16) | one(v & mask);
}

//! Powers of two: the exponent of the magnitude, towards zero or upwards. 255 is NaN.
template <bool Up, bool Finite>
u32 scale_of(float a) {
  u32 const magnitude = std::bit_cast<u32>(a) & 0x7fff'ffffU;
  if (magnitude > 0x7f80'0000U) return 0xff;
  u32 const exponent = magnitude >> 23;
  u32 r = exponent;
  if (Up && (magnitude & 0x7f'ffffU) != 0) {
    // 2^-127 is 0 here; a subnormal float above it rounds up to 2^-126
    r = exponent == 0 && magnitude <= 0x40'0000U ? 0 : exponent + 1;
  }
  if (r >= 0xff) r = Finite ? 0xfe : 0xff;
  return r;
}
template <bool Up, bool Finite>
u16 scale_pair(float high, float low) {
  return static_cast<u16>((scale_of<Up, Finite>(high) << 8) | scale_of<Up, Finite>(low));
}
template <bool Up, bool Finite>
u16 scale_pair_of(u32 halves) {
  return scale_pair<Up, Finite>(widened(bf16{static_cast<u16>(halves >> 16)}),
                                widened(bf16{static_cast<u16>(halves)}));
}
u32 halves_of_scales(u16 v) {
  auto const one = [](u32 e) -> u32 { return e == 0xff ? 0x7fff : e == 0 ? 0x40 : e << 7; };
  return (one(v >> 8) << 16) | one(v & 0xff);
}

// --- cvt.pack ------------------------------------------------------------------------------------
template <int Bits, bool Signed>
u32 fitted(s32 v) {
  constexpr s64 low = Signed ? -(s64{1} << (Bits - 1)) : 0;
  constexpr s64 high = (s64{1} << (Signed ? Bits - 1 : Bits)) - 1;
  s64 const r = v < low ? low : v > high ? high : v;
  return static_cast<u32>(r) & ((1U << Bits) - 1);
}
template <int Bits, bool Signed>
u32 packed(s32 a, s32 b) {
  return (fitted<Bits, Signed>(a) << Bits) | fitted<Bits, Signed>(b);
}
template <int Bits, bool Signed>
u32 packed_before(s32 a, s32 b, u32 c) {
  return (c << (2 * Bits)) | packed<Bits, Signed>(a, b);
}

constexpr instruction_kind kind = instruction_kind::convert;

#define DEVICE_HALF_PAIRS(type, half)                                                             \
  row_of<two_halves<half, round_nearest>>("cvt.rn." type ".f32", kind),                           \
      row_of<two_halves<half, round_zero>>("cvt.rz." type ".f32", kind),                          \
      row_of<two_halves<half, round_nearest | unsigned{rectify}>>("cvt.rn.relu." type ".f32",     \
                                                                  kind),                          \
      row_of<two_halves<half, round_zero | unsigned{rectify}>>("cvt.rz.relu." type ".f32", kind), \
      row_of<two_halves<half, round_nearest | unsigned{finite}>>("cvt.rn.satfinite." type ".f32", \
                                                                 kind),                           \
      row_of<two_halves<half, round_zero | unsigned{finite}>>("cvt.rz.satfinite." type ".f32",    \
                                                              kind),                              \
      row_of<two_halves<half, round_nearest | unsigned{rectify} | unsigned{finite}>>(             \
          "cvt.rn.relu.satfinite." type ".f32", kind),                                            \
      row_of<two_halves<half, round_zero | unsigned{rectify} | unsigned{finite}>>(                \
          "cvt.rz.relu.satfinite." type ".f32", kind)
#define DEVICE_SMALL(format)                                                             \
  row_of<small_pair<format, false>>("cvt.rn.satfinite." #format "x2.f32", kind),         \
      row_of<small_pair<format, true>>("cvt.rn.relu.satfinite." #format "x2.f32", kind), \
      row_of<halves_of_small<format, false>>("cvt.rn.f16x2." #format "x2", kind),        \
      row_of<halves_of_small<format, true>>("cvt.rn.relu.f16x2." #format "x2", kind)
#define DEVICE_SMALL_OF_HALVES(format)                                                     \
  row_of<small_pair_of<format, false, f16>>("cvt.rn.satfinite." #format "x2.f16x2", kind), \
      row_of<small_pair_of<format, true, f16>>("cvt.rn.relu.satfinite." #format "x2.f16x2", kind)
#define DEVICE_SCALE(source, f)                                         \
  row_of<f<false, false>>("cvt.rz.ue8m0x2." source, kind),              \
      row_of<f<true, false>>("cvt.rp.ue8m0x2." source, kind),           \
      row_of<f<false, true>>("cvt.rz.satfinite.ue8m0x2." source, kind), \
      row_of<f<true, true>>("cvt.rp.satfinite.ue8m0x2." source, kind)
#define DEVICE_PACK(type, bits, is_signed) \
  row_of<packed_before<bits, is_signed>>("cvt.pack.sat." type ".s32.b32", kind)

constexpr row rows[] = {
    DEVICE_HALF_PAIRS("f16x2", f16),
    DEVICE_HALF_PAIRS("bf16x2", bf16),
    row_of<tf32<to_nearest_away>>("cvt.rna.tf32.f32", kind),
    row_of<tf32<to_nearest_away | unsigned{finite}>>("cvt.rna.satfinite.tf32.f32", kind),
    row_of<tf32<round_nearest>>("cvt.rn.tf32.f32", kind),
    row_of<tf32<round_nearest | unsigned{finite}>>("cvt.rn.satfinite.tf32.f32", kind),
    row_of<tf32<round_nearest | unsigned{rectify}>>("cvt.rn.relu.tf32.f32", kind),
    row_of<tf32<round_nearest | unsigned{rectify} | unsigned{finite}>>(
        "cvt.rn.relu.satfinite.tf32.f32", kind),
    row_of<tf32<round_zero>>("cvt.rz.tf32.f32", kind),
    row_of<tf32<round_zero | unsigned{finite}>>("cvt.rz.satfinite.tf32.f32", kind),
    row_of<tf32<round_zero | unsigned{rectify}>>("cvt.rz.relu.tf32.f32", kind),
    row_of<tf32<round_zero | unsigned{rectify} | unsigned{finite}>>(
        "cvt.rz.relu.satfinite.tf32.f32", kind),
    DEVICE_SMALL(e4m3),
    DEVICE_SMALL(e5m2),
    DEVICE_SMALL(e2m3),
    DEVICE_SMALL(e3m2),
    DEVICE_SMALL(e2m1),
    DEVICE_SMALL_OF_HALVES(e4m3),
    DEVICE_SMALL_OF_HALVES(e5m2),
    DEVICE_SMALL_OF_HALVES(e2m1),
    DEVICE_SCALE("f32", scale_pair),
    DEVICE_SCALE("bf16x2", scale_pair_of),
    row_of<halves_of_scales>("cvt.rn.bf16x2.ue8m0x2", kind),
    row_of<packed<16, true>>("cvt.pack.sat.s16.s32", kind),
    row_of<packed<16, false>>("cvt.pack.sat.u16.s32", kind),
    DEVICE_PACK("s8", 8, true),
    DEVICE_PACK("u8", 8, false),
    DEVICE_PACK("s4", 4, true),
    DEVICE_PACK("u4", 4, false),
    DEVICE_PACK("s2", 2, true),
    DEVICE_PACK("u2", 2, false),
};

}  // namespace

row_list pack_rows() { return {rows, sizeof rows / sizeof rows[0]}; }

}  // namespace device::DEVICE_ISA
