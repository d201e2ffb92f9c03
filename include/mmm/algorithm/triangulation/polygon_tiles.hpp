// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>

namespace mmm {

//! The tiles of a triangulation's table: a DMM has tiles of `Side x Side` entries, each of its
//! threads `Rows x Columns` of them, in squares of V x V; `Depth` columns of a tile and rows of
//! another are read at a time, V words in an access.
template <index Side, index Depth, index Rows, index Columns, index V = 4>
struct polygon_tiles {
  static_assert(V >= 2);
  static_assert(Side % Rows == 0 && Side % Columns == 0 && Side % Depth == 0);
  static_assert(Rows % V == 0 && Columns % V == 0 && Depth % V == 0);
  static constexpr index side = Side;
  static constexpr index depth = Depth;
  static constexpr index thread_rows = Rows;
  static constexpr index thread_columns = Columns;
  static constexpr index words = V;
  static constexpr index squares = Side / V;  //!< squares in a row of a tile
  static constexpr index threads_down = Side / Rows;
  static constexpr index threads_across = Side / Columns;
  //! threads of a DMM that take part
  static constexpr index threads = threads_down * threads_across;
  static constexpr index area = Side * Side;
  static constexpr index copied_words = Side * Depth;  //!< words of either tile at a time
  //! words for products alone: two such parts of either tile
  static constexpr index product_words = 4 * copied_words;
  static constexpr index shared_words = detail::larger(3 * area, product_words);
  static_assert(copied_words / V % threads == 0 && area / V % threads == 0,
                "mmm: every thread copies as many vecs as the others");
};

}  // namespace mmm
