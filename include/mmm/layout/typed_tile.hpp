// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/layout/layout.hpp>

#include <cstdint>

//! Tiles that know the type of their elements: byte addresses for the rules of GPUs, and elements
//! in kernels, by one layout.
namespace mmm {
namespace detail {

//! A coordinate that layouts compute with in 32 bits, as a GPU does in one instruction. Numbers of
//! the layout's own are taken modulo 2^32, so that results are right where they are 0 to 2^32 - 1.
struct short_index {
  std::uint32_t value;
};
template <class T>
concept short_operand = same_as<T, short_index> || integral<T>;
[[nodiscard]] MMM_HOST_DEVICE constexpr std::uint32_t short_value(short_index x) { return x.value; }
template <integral T>
[[nodiscard]] MMM_HOST_DEVICE constexpr std::uint32_t short_value(T x) {
  return static_cast<std::uint32_t>(x);
}
#define MMM_DETAIL_SHORT(symbol)                                                  \
  template <short_operand L, short_operand R>                                     \
  requires(same_as<L, short_index> || same_as<R, short_index>)                    \
  [[nodiscard]] MMM_HOST_DEVICE constexpr short_index operator symbol(L l, R r) { \
    return {short_value(l) symbol short_value(r)};                                \
  }
MMM_DETAIL_SHORT(+)
MMM_DETAIL_SHORT(-)
MMM_DETAIL_SHORT(*)
MMM_DETAIL_SHORT(/)
MMM_DETAIL_SHORT(%)
MMM_DETAIL_SHORT(&)
MMM_DETAIL_SHORT(|)
MMM_DETAIL_SHORT(^)
MMM_DETAIL_SHORT(<<)
MMM_DETAIL_SHORT(>>)
#undef MMM_DETAIL_SHORT

}  // namespace detail

namespace gpu {

//! The array that mmm::gpu::tile_of makes.
template <class T, layout Layout>
struct typed_tile {
  using value_type = T;
  static constexpr index element_bytes = sizeof(T);
  Layout places;

  [[nodiscard]] MMM_HOST_DEVICE constexpr index rows() const { return places.rows(); }
  [[nodiscard]] MMM_HOST_DEVICE constexpr index columns() const { return places.columns(); }
  //! Elements of the array that holds the tile: `T s[t.elements()]`.
  [[nodiscard]] MMM_HOST_DEVICE constexpr index elements() const { return places.words(); }
  //! Bytes of memory that the tile takes up.
  [[nodiscard]] MMM_HOST_DEVICE constexpr index bytes() const {
    return places.words() * element_bytes;
  }

  //! The **byte address** of an element from the tile's start on, an index expression for
  //! expressions: `wavefronts<load<16>>(t(item, 0))`.
  MMM_NO_SIDE_CHECK
  template <class Row, class Column>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto operator()(Row const& row,
                                                          Column const& column) const {
    return places(row, column) * element_bytes;
  }
  //! The place of an element among those of the tile's array, computed in 32 bits.
  template <mmm::detail::integral Row, mmm::detail::integral Column>
  [[nodiscard]] MMM_HOST_DEVICE constexpr std::uint32_t place(Row row, Column column) const {
    return places(mmm::detail::short_index{static_cast<std::uint32_t>(row)},
                  mmm::detail::short_index{static_cast<std::uint32_t>(column)})
        .value;
  }
  //! The element itself, of an array that begins at `first`.
  template <mmm::detail::integral Row, mmm::detail::integral Column>
  [[nodiscard]] MMM_HOST_DEVICE constexpr T& at(T* first, Row row, Column column) const {
    return first[place(row, column)];
  }
  friend constexpr bool operator==(typed_tile const&, typed_tile const&) = default;
};

//! A tile of elements of type `T` in shared memory, whose byte addresses need no `* sizeof(T)`:
//!
//!     constexpr auto t = mmm::gpu::tile_of<float>(mmm::padded(32, 32, 1));
//!     static_assert(mmm::gpu::assert_conflict_free<mmm::gpu::load<4>, t(mmm::item, 7)>);
//!     __shared__ float s[t.elements()];
//!     t.at(s, threadIdx.y, threadIdx.x) = x;  // in a kernel, in 32 bits
//!
//! Errors: std::length_error for more than 2^32 - 1 bytes.
template <class T, layout Layout>
[[nodiscard]] constexpr typed_tile<T, Layout> tile_of(Layout const& places) {
  constexpr index max_elements = index{UINT32_MAX} / static_cast<index>(sizeof(T));
  if (places.words() > max_elements)
    mmm::detail::reject_length("elements of a tile in shared memory", places.words(), max_elements);
  return {places};
}

}  // namespace gpu
}  // namespace mmm
