// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/gpu/broken_rule.hpp>
#include <mmm/gpu/data_type.hpp>
#include <mmm/gpu/fragment.hpp>
#include <mmm/gpu/tensor_map.hpp>
#include <mmm/layout/layout.hpp>

#include <cstdint>

//! Operands of wgmma in shared memory (compute capability 9.0a): which layouts it can read, and
//! their matrix descriptors.
//!
//!     using a = mmm::gpu::wgmma_operand<mmm::gpu::data_type::f16, 64>;
//!     constexpr auto tile = mmm::swizzled(mmm::row_major(64, 64), mmm::tma_swizzle<128, 2>{});
//!     static_assert(mmm::gpu::assert_operand<a, mmm::gpu::tensor_swizzle::bytes_128, tile>);
//!     constexpr auto second_step =
//!         mmm::gpu::describe<a, mmm::gpu::tensor_swizzle::bytes_128>(tile, 0, 16);
namespace mmm::gpu {

//! The direction in which elements of an operand are neighbours in memory.
enum class major : std::uint8_t {
  k,  //!< along the rows of A and of the transposed B: every type
  mn  //!< along the columns: types of 16 bits
};

//! An operand of one wgmma: `Rows` rows of A (64) or of the transposed B (n, 8 to 256 in eights),
//! by 32 bytes of elements along k.
template <data_type Type, int Rows, major Major = major::k>
struct wgmma_operand {
  static_assert(Type == data_type::f16 || Type == data_type::bf16 || Type == data_type::tf32 ||
                    Type == data_type::e4m3 || Type == data_type::e5m2 || Type == data_type::s8 ||
                    Type == data_type::u8,
                "mmm: wgmma multiplies f16, bf16, tf32, e4m3, e5m2, s8 and u8");
  static_assert(Rows >= 8 && Rows <= 256 && Rows % 8 == 0,
                "mmm: wgmma takes 64 rows of A, and of the transposed B 8 to 256 in eights");
  static_assert(Major == major::k || bits_of(Type) == 16,
                "mmm: wgmma reads elements of 8 and 32 bits along k only");
  static constexpr int element_bytes = bits_of(Type) / 8;
  static constexpr int rows = Rows;
  static constexpr int columns = 32 / element_bytes;  //!< elements along k
  static constexpr major direction = Major;
};

//! The fields of a matrix descriptor, in bytes, and the first rule that the layout breaks.
struct wgmma_descriptor {
  tensor_swizzle swizzle = tensor_swizzle::none;
  index start_address = 0;
  index leading_byte_offset = 0;
  index stride_byte_offset = 0;
  index base_offset = 0;  //!< of the swizzle's pattern, in rows of 128 bytes; 0 for aligned tiles
  broken_rule broken;

  //! The 64 bits that the instruction takes (PTX ISA, "Matrix-descriptor format" of wgmma).
  //! std::invalid_argument if a rule is broken.
  [[nodiscard]] constexpr std::uint64_t bits() const {
    detail::require(broken);
    auto const field = [](index bytes) { return static_cast<std::uint64_t>(bytes >> 4 & 0x3FFF); };
    std::uint64_t const mode = swizzle == tensor_swizzle::bytes_128  ? 1
                               : swizzle == tensor_swizzle::bytes_64 ? 2
                               : swizzle == tensor_swizzle::bytes_32 ? 3
                                                                     : 0;
    return field(start_address) | field(leading_byte_offset) << 16 |
           field(stride_byte_offset) << 32 | static_cast<std::uint64_t>(base_offset) << 49 |
           mode << 62;
  }
};

//! The descriptor whose 64 bits an instruction takes: the inverse of bits(). Bits that the format
//! leaves open are not looked at.
[[nodiscard]] constexpr wgmma_descriptor descriptor_of(std::uint64_t bits) {
  auto const field = [=](int place) { return static_cast<index>(bits >> place & 0x3FFF) << 4; };
  constexpr tensor_swizzle modes[] = {tensor_swizzle::none, tensor_swizzle::bytes_128,
                                      tensor_swizzle::bytes_64, tensor_swizzle::bytes_32};
  wgmma_descriptor d;
  d.swizzle = modes[bits >> 62];
  d.start_address = field(0);
  d.leading_byte_offset = field(16);
  d.stride_byte_offset = field(32);
  d.base_offset = static_cast<index>(bits >> 49 & 7);
  return d;
}

namespace detail {

//! The canonical layout of an operand (PTX ISA, "Canonical layouts"; CUTLASS, make_gmma_desc), as
//! bytes from its first element before the swizzle.
template <class Operand>
struct canonical_operand {
  index chunks;  //!< of 16 bytes, within the swizzle's span; 1 without one
  index leading;
  index stride;
  static constexpr index in_chunk = 16 / Operand::element_bytes;

  [[nodiscard]] constexpr index operator()(index row, index column) const {
    if constexpr (Operand::direction == major::k) {
      index const byte = column * Operand::element_bytes;
      index const along_k = chunks == 1 ? byte / 16 * leading + byte % 16 : byte;
      return row % 8 * 16 * chunks + row / 8 * stride + along_k;
    } else {
      index const chunk = row / in_chunk;
      index const along_rows = row % in_chunk * Operand::element_bytes;
      if (chunks == 1) return along_rows + chunk * stride + column % 8 * 16 + column / 8 * leading;
      return along_rows + chunk % chunks * 16 + chunk / chunks * leading +
             column % 8 * 16 * chunks + column / 8 * stride;
    }
  }
};

}  // namespace detail

//! The descriptor of the operand that begins at (row, column) of a tile, or the first rule that the
//! tile breaks (`broken`).
//!
//! \tparam Operand wgmma_operand<…>. \tparam Swizzle none, bytes_32, bytes_64 or bytes_128.
//! \param tile its layout, in elements from a multiple of 1024 bytes on: A with a row for each row
//! of the product, B with one for each of its columns. Time: O(elements of the operand).
template <class Operand, tensor_swizzle Swizzle, layout Tile>
[[nodiscard]] constexpr wgmma_descriptor describe(Tile const& tile, index row = 0,
                                                  index column = 0) {
  static_assert(Swizzle <= tensor_swizzle::bytes_128,
                "mmm: wgmma knows no swizzle, or swizzles of 32, 64 and 128 bytes in chunks of 16");
  using enum descriptor_field;
  using enum accepted_values;
  wgmma_descriptor d;
  d.swizzle = Swizzle;
  if (row < 0 || row + Operand::rows > tile.rows()) {
    d.broken = {rows, 0, row + Operand::rows, inside_of_the_tile};
    return d;
  }
  if (column < 0 || column + Operand::columns > tile.columns()) {
    d.broken = {columns, 0, column + Operand::columns, inside_of_the_tile};
    return d;
  }
  auto const byte = [&](index r, index c) {
    return swizzled_byte<Swizzle>(tile(row + r, column + c) * Operand::element_bytes);
  };
  d.start_address = byte(0, 0);
  constexpr index span = span_of(Swizzle);
  constexpr index chunks = span == 0 ? 1 : span / 16;
  constexpr index rows_of_a_span = detail::canonical_operand<Operand>::in_chunk * chunks;
  if (Operand::direction == major::mn && Operand::rows % rows_of_a_span != 0) {
    d.broken = {rows, 0, Operand::rows, at_most_the_span_of_the_swizzle};
    return d;
  }
  // The swizzle takes the bits above 128 bytes from the address: the first element is in the first
  // row of its pattern.
  if (span != 0 && (d.start_address >> 7 & (chunks - 1)) != 0) {
    d.broken = {start_address, 0, d.start_address, multiples_of_the_swizzle_pattern};
    return d;
  }
  index const first = d.start_address;
  auto const distance = [&](index r, index c) {
    return r < Operand::rows && c < Operand::columns ? byte(r, c) - first : 0;
  };
  constexpr index half = Operand::columns / 2;
  if constexpr (Operand::direction == major::k) {
    d.stride_byte_offset = distance(8, 0);
    d.leading_byte_offset = span == 0 ? distance(0, half) : 16;
  } else {
    index const next_span = distance(rows_of_a_span, 0);
    index const next_eight = distance(0, 8);
    d.stride_byte_offset = span == 0 ? next_span : next_eight;
    d.leading_byte_offset = span == 0 ? next_eight : next_span;
  }
  detail::canonical_operand<Operand> const canonical{chunks, d.leading_byte_offset,
                                                     d.stride_byte_offset};
  for (index r = 0; r < Operand::rows; ++r)
    for (index c = 0; c < Operand::columns; ++c)
      if (byte(r, c) != first + canonical(r, c)) {
        d.broken = {place_of_element, static_cast<int>(r * Operand::columns + c),
                    byte(r, c) - first, canonical_layout};
        return d;
      }
  auto const fits = [](index bytes) { return bytes >= 0 && bytes % 16 == 0 && bytes < 1 << 18; };
  if (!fits(d.start_address))
    d.broken = {start_address, 0, d.start_address, multiples_of_16_below_2_to_the_18};
  else if (!fits(d.leading_byte_offset))
    d.broken = {leading_byte_offset, 0, d.leading_byte_offset, multiples_of_16_below_2_to_the_18};
  else if (!fits(d.stride_byte_offset))
    d.broken = {stride_byte_offset, 0, d.stride_byte_offset, multiples_of_16_below_2_to_the_18};
  return d;
}

//! True if wgmma can read the operand that begins at (row, column) of a tile; parameters and time
//! as describe.
template <class Operand, tensor_swizzle Swizzle, layout Tile>
[[nodiscard]] constexpr bool valid(Tile const& tile, index row = 0, index column = 0) {
  return !describe<Operand, Swizzle>(tile, row, column).broken;
}

//! wgmma can read the operand that begins at (Row, Column) of a tile; otherwise a compile error
//! with the field, its value and what is accepted. \tparam Tile a layout of structural type.
template <class Operand, tensor_swizzle Swizzle, auto Tile, index Row = 0, index Column = 0>
requires layout<mmm::detail::remove_const_t<decltype(Tile)>>
inline constexpr auto assert_operand =
    detail::assert_no_broken_rule<describe<Operand, Swizzle>(Tile, Row, Column).broken>();

}  // namespace mmm::gpu
