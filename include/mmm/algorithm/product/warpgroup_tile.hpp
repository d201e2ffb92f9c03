// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/parameters.hpp>
#include <mmm/algorithm/product/tensor_core_tile.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/gpu/data_type.hpp>
#include <mmm/gpu/tensor_map.hpp>
#include <mmm/gpu/wgmma.hpp>
#include <mmm/index/element.hpp>

#include <cstdint>

//! One tile of a matrix product by warpgroups of compute capability 9.0a: where the factors are in
//! the shared memory, as tensor maps copy them and as wgmma reads them.
namespace mmm {

//! The tiles of a product by warpgroups, one for each 64 rows, which read both factors from the
//! shared memory; 128 threads more, of which one begins the copies. Back ends without wgmma compute
//! the same tiles by warps of 64 rows and a quarter of the columns.
template <index Rows, index Columns, index Stages>
struct warpgroup_tiles : tensor_core_tiles<Rows, Columns, 64, Columns / 4, Stages, 8> {
  static_assert(Rows == 128 || Rows == 192, "mmm: two or three warpgroups have the registers");
  static_assert(Columns == 128 || Columns == 256, "mmm: a thread has 64 or 128 sums");
  static constexpr index launched_threads = 2 * Rows + 128;
};

namespace detail {

template <class Tiles>
inline constexpr bool by_warpgroups = false;
template <index Rows, index Columns, index Stages>
inline constexpr bool by_warpgroups<warpgroup_tiles<Rows, Columns, Stages>> = true;

//! One factor of a tile for wgmma: `Side` rows of a or columns of b, of which an instruction takes
//! `Together`, by 128 bytes of the inner side. `Along` states that the elements of the inner side
//! are neighbours: then the tile is one box of a tensor map, otherwise one for each 128 bytes of
//! `Side`. It begins at a multiple of 1024 bytes.
//!
//! warpgroup_tile.static.cpp asserts that the driver accepts the map, and that wgmma reads the
//! elements where the copy puts them.
template <gpu::data_type Type, index Side, index Together, bool Along>
struct warpgroup_factor {
  static constexpr index element_bytes = gpu::bits_of(Type) / 8;
  static constexpr index depth = 128 / element_bytes;  //!< elements of the inner side
  static constexpr index boxes = Along ? 1 : Side / depth;
  static constexpr index box_bytes = 128 * (Along ? Side : depth);
  static constexpr index bytes = boxes * box_bytes;
  static constexpr index parts = 4;  //!< of 32 bytes of the inner side, each a wgmma's
  static constexpr auto swizzle = gpu::tensor_swizzle::bytes_128;
  using operand = gpu::wgmma_operand<Type, Together, Along ? gpu::major::k : gpu::major::mn>;

  //! The map of a factor with so many rows of a or columns of b in each of `count` matrices, whose
  //! rows in memory are `pitch` elements apart, and which are `apart` elements apart.
  [[nodiscard]] static constexpr gpu::tensor_map map_of(std::uint64_t address, index sides,
                                                        index inner, index pitch, bool batched,
                                                        index count, index apart) {
    gpu::tensor_map map;
    // Tensor maps know bytes, not their signs, and floats as they are in memory.
    map.type = element_bytes == 1             ? gpu::data_type::u8
               : Type == gpu::data_type::tf32 ? gpu::data_type::f32
                                              : Type;
    map.rank = batched ? 3 : 2;
    map.address = address;
    index const sizes[3] = {Along ? inner : sides, Along ? sides : inner, count};
    index const strides[2] = {pitch * element_bytes, apart * element_bytes};
    index const box[3] = {depth, Along ? Side : depth, 1};
    for (int d = 0; d < map.rank; ++d) {
      map.sizes[d] = sizes[d];
      map.box[d] = box[d];
      if (d > 0) map.strides[d - 1] = strides[d - 1];
    }
    map.swizzle = swizzle;
    return map;
  }
  //! The map of a factor of one tile.
  static constexpr gpu::tensor_map smallest =
      map_of(0, Side, depth, larger(Side, depth), false, 1, 0);

  //! The tile in the shared memory, in elements: a row for each row of a or column of b.
  struct layout_type {
    [[nodiscard]] static constexpr index rows() { return Side; }
    [[nodiscard]] static constexpr index columns() { return depth; }
    [[nodiscard]] static constexpr index words() { return bytes / element_bytes; }
    [[nodiscard]] constexpr index operator()(index row, index column) const {
      constexpr auto box = gpu::box_of<smallest>();
      if constexpr (Along)
        return place_of(box(row, column));
      else
        return place_of(box(column, row % depth)) + row / depth * (box_bytes / element_bytes);
    }
    friend constexpr bool operator==(layout_type const&, layout_type const&) = default;
  };
  static constexpr layout_type layout{};

  //! Bytes from the tile's first element to the operand that begins at row or column `first`, a
  //! multiple of `Together`, and at a part of the inner side.
  [[nodiscard]] MMM_HOST_DEVICE static constexpr index offset(index first, index part) {
    if constexpr (Along)
      return first * 128 + part * 32;
    else
      return first / depth * box_bytes + part * (operand::columns * 128);
  }
  //! The descriptor of the operand at the tile's first element; others differ by their offset.
  [[nodiscard]] static constexpr gpu::wgmma_descriptor descriptor() {
    gpu::wgmma_descriptor d;
    d.swizzle = swizzle;
    d.leading_byte_offset = Along ? 16 : Together > depth ? box_bytes : 0;
    d.stride_byte_offset = 1024;
    return d;
  }
  //! True if wgmma needs this descriptor, moved by `offset`, for the operand there.
  [[nodiscard]] static constexpr bool is_described_right(index first, index part) {
    auto d = gpu::describe<operand, swizzle>(layout, first, part * operand::columns);
    if (d.broken || d.start_address != offset(first, part)) return false;
    d.start_address = 0;
    return d.bits() == descriptor().bits();
  }
};

//! Both factors of a tile by warpgroups, one stage of which has a's before b's.
template <class Tiles, gpu::data_type A, gpu::data_type B, class Layout>
struct warpgroup_stage {
  using left = warpgroup_factor<A, Tiles::rows, 64, !Layout::left_transposed>;
  using right = warpgroup_factor<B, Tiles::columns, Tiles::columns, Layout::right_transposed>;
  static_assert(left::depth == right::depth);
  static constexpr bool is_batched = Layout::is_batched;
  static constexpr index depth = left::depth;
  static constexpr index bytes = left::bytes + right::bytes;
  static_assert(left::bytes % 1024 == 0 && right::bytes % 1024 == 0,
                "mmm: a factor begins with its swizzle's pattern");
  static_assert(Tiles::stages * bytes == 4 * Tiles::shared_words);
  //! The tensor map of a factor whose first element has this address, 0 where it does not matter.
  [[nodiscard]] static constexpr gpu::tensor_map left_map(Layout const& layout,
                                                          product_shape const& sides,
                                                          std::uint64_t address = 0) {
    return left::map_of(address, sides.rows, sides.inner, layout.left_pitch(sides), is_batched,
                        layout.count(), layout.left_apart());
  }
  [[nodiscard]] static constexpr gpu::tensor_map right_map(Layout const& layout,
                                                           product_shape const& sides,
                                                           std::uint64_t address = 0) {
    return right::map_of(address, sides.columns, sides.inner, layout.right_pitch(sides), is_batched,
                         layout.count(), layout.right_apart());
  }
  static constexpr std::uint64_t left_descriptor = left::descriptor().bits();
  static constexpr std::uint64_t right_descriptor = right::descriptor().bits();
  //! The rows and columns of a warp in a warpgroup's registers: fragments of mma.sync.
  using in_registers =
      tensor_core_tiles<Tiles::rows, Tiles::columns, 16, Tiles::columns, Tiles::stages, 8>;
};

}  // namespace detail
}  // namespace mmm
