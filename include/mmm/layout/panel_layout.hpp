// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/layout/layout.hpp>
#include <mmm/layout/tile_layout.hpp>

//! Tiles in panels of columns, as tensor maps write them and wgmma reads them; and the transposed
//! view of a layout.
namespace mmm {

//! Panels of `panel` columns, one after the other; row by row within a panel; the offsets through a
//! swizzle: `mmm::swizzled` of blocks that are as high as the tile, as values of one type.
//! \param rows, columns shape in elements. \param panel columns of a panel, a divisor of them.
//! \param through bits of a swizzle whose block, 2^(base + bits), divides the words; otherwise
//! std::invalid_argument.
struct panel_layout : layout_shape {
  index panel = 1;
  swizzle_bits through;

  MMM_NO_SIDE_CHECK
  MMM_HOST_DEVICE constexpr panel_layout(index rows, index columns, index panel_columns,
                                         swizzle_bits s = {})
      : layout_shape(rows, columns), panel(panel_columns), through(s) {
    if (panel < 1 || columns % panel != 0)
      detail::reject("the columns of a panel", panel, "a divisor of the tile's columns");
    static_cast<void>(tile_layout(rows, columns, 0, s));  // its rules for the swizzle
  }

  MMM_NO_SIDE_CHECK
  template <class Row, class Column>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto operator()(Row const& row,
                                                          Column const& column) const {
    auto const c = detail::coordinate(column);
    auto const x = (c / panel * row_count + detail::coordinate(row)) * panel + c % panel;
    return detail::element(*this, row, column, through(x));
  }
  friend constexpr bool operator==(panel_layout const&, panel_layout const&) = default;
};

//! A layout with rows and columns exchanged: the same places.
template <layout Base>
struct transposed_layout {
  Base base_layout;

  MMM_HOST_DEVICE constexpr explicit transposed_layout(Base base) : base_layout(base) {}
  [[nodiscard]] MMM_HOST_DEVICE constexpr index rows() const { return base_layout.columns(); }
  [[nodiscard]] MMM_HOST_DEVICE constexpr index columns() const { return base_layout.rows(); }
  [[nodiscard]] MMM_HOST_DEVICE constexpr index words() const { return base_layout.words(); }

  MMM_NO_SIDE_CHECK
  template <class Row, class Column>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto operator()(Row const& row,
                                                          Column const& column) const {
    return detail::element(*this, row, column, detail::place_of(base_layout(column, row)));
  }
  friend constexpr bool operator==(transposed_layout const&, transposed_layout const&) = default;
};

}  // namespace mmm
