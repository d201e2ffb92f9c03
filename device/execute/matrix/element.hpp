// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/gpu/data_type.hpp>
#include <mmm/gpu/fragment.hpp>

#include <device/execute/lane/small_format.hpp>
#include <device/execute/memory/atomic_half.hpp>
#include <device/execute/warp.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

//! Elements of matrices: their values, and their places in a warp's registers.
namespace device::matrix_detail {

using mmm::gpu::data_type;

[[nodiscard]] inline std::optional<data_type> type_of(std::string_view name) {
  for (int k = 0; k < mmm::gpu::data_types; ++k)
    if (name == mmm::gpu::text_of(static_cast<data_type>(k))) return static_cast<data_type>(k);
  return std::nullopt;
}

//! The value of an element's bits, in the low ones of `bits`.
[[nodiscard]] inline double value_of(data_type t, std::uint64_t bits) {
  namespace small = DEVICE_ISA::math;
  auto const word = static_cast<std::uint32_t>(bits);
  auto const half = static_cast<std::uint16_t>(bits);
  using enum data_type;
  switch (t) {
    case f16:
      return static_cast<double>(memory_access_detail::half_format::widen(half));
    case bf16:
      return static_cast<double>(memory_access_detail::bfloat_format::widen(half));
    case tf32:  // the 13 low bits are not looked at
      return static_cast<double>(std::bit_cast<float>(word & 0xffffe000U));
    case f32:
      return static_cast<double>(std::bit_cast<float>(word));
    case f64:
      return std::bit_cast<double>(bits);
    case e4m3:
      return static_cast<double>(small::e4m3::decode(word & 0xffU));
    case e5m2:
      return static_cast<double>(small::e5m2::decode(word & 0xffU));
    case e2m3:
      return static_cast<double>(small::e2m3::decode(word & 0x3fU));
    case e3m2:
      return static_cast<double>(small::e3m2::decode(word & 0x3fU));
    case e2m1:  // in a byte, its 4 bits are in the middle
      return static_cast<double>(small::e2m1::decode(word >> 2 & 0xfU));
    case s8:
      return static_cast<double>(static_cast<std::int8_t>(word));
    case u8:
      return static_cast<double>(static_cast<std::uint8_t>(word));
    case s4:
      return static_cast<double>(static_cast<std::int8_t>(word << 4) / 16);
    case u4:
      return static_cast<double>(word & 0xfU);
    case s32:
      return static_cast<double>(static_cast<std::int32_t>(word));
    default:
      return 0;
  }
}

//! A number as a float that rounds to a half as the number does: one that is no float has its last
//! bit set.
[[nodiscard]] inline float to_odd(double v) {
  auto const f = static_cast<float>(v);
  if (!std::isfinite(f) || static_cast<double>(f) == v) return f;
  auto bits = std::bit_cast<std::uint32_t>(f);
  if (std::fabs(static_cast<double>(f)) > std::fabs(v)) --bits;
  return std::bit_cast<float>(bits | 1U);
}

//! The bits of an element of a sum.
[[nodiscard]] inline std::uint64_t bits_from(data_type t, double v, bool saturate) {
  using enum data_type;
  switch (t) {
    case f16:
      return memory_access_detail::half_format::narrow(to_odd(v));
    case f32:
      return std::bit_cast<std::uint32_t>(static_cast<float>(v));
    case s32: {
      constexpr double least = std::numeric_limits<std::int32_t>::min();
      constexpr double greatest = std::numeric_limits<std::int32_t>::max();
      if (saturate) v = std::clamp(v, least, greatest);
      return static_cast<std::uint32_t>(static_cast<std::int64_t>(v));
    }
    default:
      return std::bit_cast<std::uint64_t>(v);
  }
}

//! A fragment's shape in a warp's registers: that of mmm::gpu::fragment, known when a kernel is
//! decoded.
struct fragment_form {
  int rows = 8;  //!< 8, 16 or 32
  int columns = 0;
  int bits = 0;    //!< of an element
  int packed = 1;  //!< neighbours in a row that a lane holds

  [[nodiscard]] int elements() const { return rows * columns / lanes; }
  [[nodiscard]] int register_bytes() const { return bits == 64 ? 8 : 4; }
  [[nodiscard]] int in_register() const { return register_bytes() * 8 / bits; }
  [[nodiscard]] int registers() const { return elements() / in_register(); }
};

//! `f(lane, element, row, column)` for all elements of a fragment.
template <class F>
void each_element(fragment_form const& s, F const& f) {
  auto const with = [&]<class Fragment>(Fragment) {
    for (int t = 0; t < lanes; ++t)
      for (int e = 0; e < s.elements(); ++e) f(t, e, Fragment::row(t, e), Fragment::column(t, e));
  };
  auto const packed_by = [&]<int Packed>(std::integral_constant<int, Packed>) {
    // The library's formulas do not depend on the number of columns.
    if (s.rows == 8)
      with(mmm::gpu::fragment<8, 4 * Packed, 32, Packed>{});
    else if (s.rows == 32)
      with(mmm::gpu::fragment<32, 4 * Packed, 32, Packed>{});
    else
      with(mmm::gpu::fragment<16, 4 * Packed, 32, Packed>{});
  };
  switch (s.packed) {
    case 1:
      return packed_by(std::integral_constant<int, 1>{});
    case 2:
      return packed_by(std::integral_constant<int, 2>{});
    case 4:
      return packed_by(std::integral_constant<int, 4>{});
    default:
      return packed_by(std::integral_constant<int, 8>{});
  }
}

//! Calls `f(row, column, value)` for all elements of a fragment in registers.
template <class F>
void each_value(warp const& w, fragment_form const& s, data_type t, slot const* registers,
                F const& f) {
  int const p = s.in_register();
  each_element(s, [&](int lane, int e, int row, int column) {
    slot const r = registers[e / p];
    std::uint64_t const held = s.register_bytes() == 8 ? w.source<std::uint64_t>(r)[lane]
                                                       : w.source<std::uint32_t>(r)[lane];
    f(row, column, value_of(t, held >> s.bits * (e % p)));
  });
}

//! Writes `value(row, column)` to all elements of a fragment in registers.
template <class Value>
void write_values(warp const& w, fragment_form const& s, data_type t, bool saturate,
                  slot const* registers, Value const& value) {
  int const p = s.in_register();
  each_element(s, [&](int lane, int e, int row, int column) {
    std::uint64_t const bits = bits_from(t, value(row, column), saturate);
    slot const r = registers[e / p];
    if (s.register_bytes() == 8) {
      w.destination<std::uint64_t>(r)[lane] = bits;
      return;
    }
    std::uint32_t& to = w.destination<std::uint32_t>(r)[lane];
    std::uint32_t const shifted = static_cast<std::uint32_t>(bits) << s.bits * (e % p) % 32;
    to = e % p == 0 ? shifted : to | shifted;
  });
}

}  // namespace device::matrix_detail
