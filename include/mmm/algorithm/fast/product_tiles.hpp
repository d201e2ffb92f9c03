// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

namespace mmm {

//! The tiles of a product: tiles of c of `rows x columns` for a DMM, of
//! `thread_rows x thread_columns` for each of its threads, `depth` columns of a and rows of b at a
//! time, V words in an access.
template <index Rows, index Columns, index Depth, index ThreadRows, index ThreadColumns,
          index V = 4>
struct product_tiles {
  static_assert(ThreadRows % V == 0 && ThreadColumns % V == 0 && Depth % V == 0);
  static_assert(Rows % ThreadRows == 0 && Columns % ThreadColumns == 0);
  static constexpr index rows = Rows;
  static constexpr index columns = Columns;
  static constexpr index depth = Depth;
  static constexpr index thread_rows = ThreadRows;
  static constexpr index thread_columns = ThreadColumns;
  static constexpr index words = V;
  static constexpr index threads_down = Rows / ThreadRows;
  static constexpr index threads_across = Columns / ThreadColumns;
  //! of a DMM that have something to do
  static constexpr index threads = threads_down * threads_across;
  static constexpr index left_words = Rows * Depth;
  static constexpr index right_words = Depth * Columns;
  static constexpr index shared_words = 2 * (left_words + right_words);
  static_assert(left_words % threads == 0 && right_words % threads == 0);
  static_assert(left_words / V % threads == 0 && right_words / V % threads == 0,
                "mmm: every thread copies as many vecs as the others");
};

}  // namespace mmm
