// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

namespace mmm {

//! The tiles of a product: a DMM computes tiles of c of `rows x columns`, each of its threads
//! `thread_rows x thread_columns` of them, from `depth` columns of a and rows of b at a time, V
//! words in an access. The shared memory has room for those of `Stages` such steps.
template <index Rows, index Columns, index Depth, index ThreadRows, index ThreadColumns,
          index V = 4, index Stages = 2>
struct product_tiles {
  static_assert(ThreadRows % V == 0 && ThreadColumns % V == 0);
  static_assert(Rows % ThreadRows == 0 && Columns % ThreadColumns == 0);
  static_assert(Depth % 2 == 0, "mmm: factors are in one of two sets of registers by turns");
  static_assert(Stages >= 2, "mmm: a step is multiplied while another one is copied");
  static constexpr index rows = Rows;
  static constexpr index columns = Columns;
  static constexpr index depth = Depth;
  static constexpr index thread_rows = ThreadRows;
  static constexpr index thread_columns = ThreadColumns;
  static constexpr index words = V;
  static constexpr index stages = Stages;
  static constexpr index threads_down = Rows / ThreadRows;
  static constexpr index threads_across = Columns / ThreadColumns;
  //! threads of a DMM that take part
  static constexpr index threads = threads_down * threads_across;
  //! words from a row of the shared memory to the next one: threads that write a column of a factor
  //! into a row would meet in few banks if rows were a multiple of all banks apart
  static constexpr index left_pitch = Rows + V;
  static constexpr index right_pitch = Columns + V;
  static constexpr index left_words = left_pitch * Depth;
  static constexpr index right_words = right_pitch * Depth;
  static constexpr index shared_words = Stages * (left_words + right_words);
  static_assert(Rows * Depth / V % threads == 0 && Columns * Depth / V % threads == 0,
                "mmm: every thread copies as many vecs as the others");
};

//! The arrangement of a tile's threads in blocks of 4 x 8: a warp of 32 threads is one block and
//! reads few words of either factor, each for several threads. Row by row where the threads cannot
//! be arranged in such blocks.
template <class Tiles>
struct product_threads {
  static constexpr bool in_blocks = Tiles::threads_down % 4 == 0 && Tiles::threads_across % 8 == 0;
  static constexpr index blocks_across = in_blocks ? Tiles::threads_across / 8 : 1;

  //! The row of thread i among the tile's threads.
  template <class Item>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr auto row(Item const& i) {
    if constexpr (in_blocks)
      return i / 32 / blocks_across * 4 + i % 32 / 16 * 2 + i % 2;
    else
      return i / Tiles::threads_across;
  }
  //! The column of thread i among the tile's threads.
  template <class Item>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr auto column(Item const& i) {
    if constexpr (in_blocks)
      return i / 32 % blocks_across * 8 + i % 16 / 2;
    else
      return i % Tiles::threads_across;
  }
};

}  // namespace mmm
