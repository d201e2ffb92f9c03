// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/gpu/broken_rule.hpp>
#include <mmm/gpu/data_type.hpp>
#include <mmm/index/element.hpp>
#include <mmm/layout/layout.hpp>

#include <cstdint>

//! Tensor maps of the Tensor Memory Accelerator: the rules of cuTensorMapEncodeTiled, and the image
//! of a box in shared memory as a layout.
//!
//!     constexpr mmm::gpu::tensor_map map{.type = mmm::gpu::data_type::f16, .rank = 2,
//!                                        .sizes = {4096, 4096}, .strides = {8192},
//!                                        .box = {64, 128},
//!                                        .swizzle = mmm::gpu::tensor_swizzle::bytes_128};
//!     constexpr auto tile = mmm::gpu::box_of(map);  // 128 rows of 64 halves, swizzled
//!     static_assert(mmm::gpu::loads<a, mmm::gpu::ldmatrix<4>>(tile));
namespace mmm::gpu {

//! Order of the chunks of a box in shared memory (CUtensorMapSwizzle, in its order).
enum class tensor_swizzle : std::uint8_t {
  none,
  bytes_32,           //!< chunks of 16 bytes within 32
  bytes_64,           //!< chunks of 16 bytes within 64
  bytes_128,          //!< chunks of 16 bytes within 128
  bytes_128_atom_32,  //!< chunks of 32 bytes within 128
  //! chunks of 32 bytes within 128, and in every other row the halves of each 16 bytes exchanged
  bytes_128_atom_32_flip_8,
  bytes_128_atom_64  //!< chunks of 64 bytes within 128
};

//! Bytes within which a swizzle exchanges chunks: the distance of a box's rows; 0 without one.
[[nodiscard]] constexpr int span_of(tensor_swizzle s) {
  return s == tensor_swizzle::none       ? 0
         : s == tensor_swizzle::bytes_32 ? 32
         : s == tensor_swizzle::bytes_64 ? 64
                                         : 128;
}

//! The place of a byte of a box's unswizzled image, in bytes from an address that is a multiple of
//! 1024. \param x a number, an index expression or a warp-wide index.
MMM_NO_SIDE_CHECK
template <tensor_swizzle S, class Offset>
[[nodiscard]] MMM_HOST_DEVICE constexpr auto swizzled_byte(Offset const& x) {
  using enum tensor_swizzle;
  if constexpr (S == none)
    return x;
  else if constexpr (S == bytes_32)
    return x ^ (((x >> index{7}) & index{1}) << index{4});
  else if constexpr (S == bytes_64)
    return x ^ (((x >> index{7}) & index{3}) << index{4});
  else if constexpr (S == bytes_128)
    return x ^ (((x >> index{7}) & index{7}) << index{4});
  else if constexpr (S == bytes_128_atom_32)
    return x ^ (((x >> index{7}) & index{3}) << index{5});
  else if constexpr (S == bytes_128_atom_32_flip_8)
    return x ^ ((((x >> index{7}) & index{3}) << index{5}) +
                (((x >> index{7}) & index{1}) << index{3}));
  else
    return x ^ (((x >> index{7}) & index{1}) << index{6});
}

//! Distribution of channels over slices of 16 or 32 bytes (CUtensorMapInterleave).
enum class tensor_interleave : std::uint8_t { none, bytes_16, bytes_32 };

//! Arguments of cuTensorMapEncodeTiled. Dimension 0 is the one whose elements are neighbours.
struct tensor_map {
  data_type type = data_type::f32;
  int rank = 1;
  std::uint64_t address = 0;  //!< of the tensor in the global memory
  index sizes[5] = {};        //!< elements in each dimension
  index strides[4] = {};      //!< bytes from an element to the next one of dimensions 1, 2, …
  index box[5] = {};          //!< elements of a box in each dimension
  index element_strides[5] = {1, 1, 1, 1, 1};
  tensor_interleave interleave = tensor_interleave::none;
  tensor_swizzle swizzle = tensor_swizzle::none;
  bool fill_with_nan = false;  //!< outside of the tensor, instead of 0
};

namespace detail {
[[nodiscard]] constexpr bool of_tensor_maps(data_type t) {
  using enum data_type;
  return t == u8 || t == u16 || t == u32 || t == s32 || t == u64 || t == s64 || t == f16 ||
         t == f32 || t == f64 || t == bf16 || t == tf32;
}
}  // namespace detail

//! The first rule of cuTensorMapEncodeTiled (CUDA driver API, "Tensor Map Object Management") that
//! a map breaks. Types packed in 4 and 6 bits (CU_TENSOR_MAP_DATA_TYPE_16U4_... and 16U6_...) are
//! not supported.
[[nodiscard]] constexpr broken_rule broken_rule_of(tensor_map const& m) {
  using enum descriptor_field;
  using enum accepted_values;
  bool const interleaved = m.interleave != tensor_interleave::none;
  bool const by_32 = m.interleave == tensor_interleave::bytes_32;
  if (!detail::of_tensor_maps(m.type))
    return {type, 0, static_cast<index>(m.type), integers_of_8_to_64_bits_and_floats_of_16_to_64};
  if (m.rank < 1 || m.rank > 5) return {rank, 0, m.rank, from_1_to_5};
  if (interleaved && m.rank < 3) return {rank, 0, m.rank, from_3_to_5_with_interleave};
  auto const place = static_cast<index>(m.address);
  if (place % 16 != 0) return {address, 0, place, multiples_of_16};
  if (by_32 && place % 32 != 0) return {address, 0, place, multiples_of_32_with_interleave_of_32};
  for (int d = 0; d < m.rank; ++d)
    if (m.sizes[d] < 1 || m.sizes[d] > index{1} << 32)
      return {sizes, d, m.sizes[d], from_1_to_2_to_the_32};
  for (int d = 0; d + 1 < m.rank; ++d) {
    if (m.strides[d] < 0 || m.strides[d] % 16 != 0 || m.strides[d] >= index{1} << 40)
      return {strides, d, m.strides[d], multiples_of_16_below_2_to_the_40};
    if (by_32 && m.strides[d] % 32 != 0)
      return {strides, d, m.strides[d], multiples_of_32_with_interleave_of_32};
  }
  for (int d = 0; d < m.rank; ++d)
    if (m.box[d] < 1 || m.box[d] > 256) return {box, d, m.box[d], from_1_to_256};
  index const inner = m.box[0] * (bits_of(m.type) / 8);
  if (!interleaved && inner % 16 != 0) return {box, 0, m.box[0], multiples_of_16_bytes};
  for (int d = 0; d < m.rank; ++d)
    if (m.element_strides[d] < 1 || m.element_strides[d] > 8)
      return {element_strides, d, m.element_strides[d], from_1_to_8};
  if (by_32 && m.swizzle != tensor_swizzle::bytes_32)
    return {swizzle, 0, static_cast<index>(m.swizzle), bytes_32_with_interleave_of_32};
  if (!interleaved && m.swizzle != tensor_swizzle::none && inner > span_of(m.swizzle))
    return {box, 0, m.box[0], at_most_the_span_of_the_swizzle};
  if (m.fill_with_nan && !is_floating(m.type)) return {fill_with_nan, 0, 1, no_nan_for_integers};
  return {};
}

//! True if the driver accepts a map.
[[nodiscard]] constexpr bool is_valid(tensor_map const& m) { return !broken_rule_of(m); }

//! The driver accepts the map; otherwise a compile error with the field, its value and what is
//! accepted.
template <tensor_map Map>
inline constexpr auto assert_valid = detail::assert_no_broken_rule<broken_rule_of(Map)>();

//! The image of a box in shared memory, as a layout of rows (dimensions 1 and up, one after the
//! other) and columns (dimension 0), in elements, from a multiple of 1024 bytes on.
//!
//! A row takes the bytes of dimension 0, or with a swizzle its whole span. An element stride
//! greater than 1 leaves `ceil(box / stride)` elements of a dimension.
template <tensor_swizzle Swizzle>
struct tensor_box {
  index row_count;
  index column_count;
  index pitch;  //!< bytes of a row
  int element_bytes;

  [[nodiscard]] MMM_HOST_DEVICE constexpr index rows() const { return row_count; }
  [[nodiscard]] MMM_HOST_DEVICE constexpr index columns() const { return column_count; }
  //! Words from the first to the last element; with a swizzle, in whole rows.
  [[nodiscard]] MMM_HOST_DEVICE constexpr index words() const {
    return row_count * pitch / element_bytes;
  }
  //! Bytes of shared memory that a box takes up, of which the accelerator writes `bytes_written()`.
  [[nodiscard]] constexpr index bytes() const { return row_count * pitch; }
  //! Bytes that a copy of a box adds to a barrier's transaction count, also outside of the tensor.
  [[nodiscard]] constexpr index bytes_written() const {
    return row_count * column_count * element_bytes;
  }
  //! The multiple that the box's address in shared memory has to be, in bytes, so that the
  //! swizzle's pattern begins with the box.
  [[nodiscard]] static constexpr index alignment() {
    return Swizzle == tensor_swizzle::none ? 128 : index{8} * span_of(Swizzle);
  }

  MMM_NO_SIDE_CHECK
  template <class Row, class Column>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto operator()(Row const& row,
                                                          Column const& column) const {
    index const bytes = element_bytes;
    return mmm::detail::element(*this, row, column,
                                swizzled_byte<Swizzle>(mmm::detail::coordinate(row) * pitch +
                                                       mmm::detail::coordinate(column) * bytes) /
                                    bytes);
  }
  friend constexpr bool operator==(tensor_box const&, tensor_box const&) = default;
};

//! The image of a map's box, for maps that only a run knows. \tparam Swizzle the map's.
//! std::invalid_argument for a map that the driver refuses, with an interleave, or another swizzle.
template <tensor_swizzle Swizzle>
[[nodiscard]] constexpr tensor_box<Swizzle> box_of(tensor_map const& m) {
  detail::require(broken_rule_of(m));
  if (m.interleave != tensor_interleave::none)
    mmm::detail::reject("the interleave of a box's image", static_cast<index>(m.interleave),
                        "none");
  if (m.swizzle != Swizzle)
    mmm::detail::reject("the swizzle of a box", static_cast<index>(m.swizzle), "the template's");
  auto const count = [&](int d) {
    return d < m.rank ? mmm::detail::ceil_divide(m.box[d], m.element_strides[d]) : 1;
  };
  int const bytes = bits_of(m.type) / 8;
  index const pitch = Swizzle == tensor_swizzle::none ? m.box[0] * bytes : index{span_of(Swizzle)};
  return {count(1) * count(2) * count(3) * count(4), m.box[0], pitch, bytes};
}

//! The image of a map's box. \tparam Map a map that the driver accepts, without interleave; another
//! one does not compile.
template <tensor_map Map>
[[nodiscard]] constexpr auto box_of() {
  static_assert(assert_valid<Map>);
  static_assert(Map.interleave == tensor_interleave::none,
                "mmm: the image of a box has no interleave");
  return box_of<Map.swizzle>(Map);
}

//! Sectors of 32 bytes of the global memory that a copy of the box whose first element has the
//! coordinates `first` touches; elements outside of the tensor touch none. std::invalid_argument
//! for a map that the driver refuses. Time: O(rows of the box).
[[nodiscard]] constexpr index sectors_of_box(tensor_map const& m, index const (&first)[5]) {
  detail::require(broken_rule_of(m));
  index const bytes = bits_of(m.type) / 8;
  index const begin = mmm::detail::larger(first[0], 0);
  index const end = mmm::detail::smaller(first[0] + m.box[0], m.sizes[0]);
  if (begin >= end) return 0;
  index sum = 0;
  index step[5] = {};
  for (;;) {
    bool inside = true;
    index address = static_cast<index>(m.address % 32);
    for (int d = 1; d < m.rank; ++d) {
      index const x = first[d] + step[d];
      inside = inside && x >= 0 && x < m.sizes[d];
      address += x * m.strides[d - 1];
    }
    // Rows begin at multiples of 16 bytes: two rows share a sector only where a stride is 16, and
    // the accelerator reads row by row.
    if (inside) sum += (address + end * bytes - 1) / 32 - (address + begin * bytes) / 32 + 1;
    int d = 1;
    for (; d < m.rank; ++d) {
      step[d] += m.element_strides[d];
      if (step[d] < m.box[d]) break;
      step[d] = 0;
    }
    if (d >= m.rank) return sum;
  }
}

}  // namespace mmm::gpu
