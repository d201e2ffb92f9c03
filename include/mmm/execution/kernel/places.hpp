// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

MMM_BODIES_BEGIN
namespace mmm::detail {

//! Calls the body for items `first, first + step, …` below `items`, by row and column, for rows of
//! `columns` items. Only the first items take a division.
template <class Body>
MMM_HOST_DEVICE constexpr void each_place(index first, index step, index rows, index columns,
                                          Body const& body) {
  if (columns == 0) return;
  index const down = step / columns;
  index const right = step % columns;
  index column = first % columns;
  for (index row = first / columns; row < rows; row += down) {
    body(row, column);
    column += right;
    if (column >= columns) {
      column -= columns;
      ++row;
    }
  }
}

}  // namespace mmm::detail
MMM_BODIES_END
