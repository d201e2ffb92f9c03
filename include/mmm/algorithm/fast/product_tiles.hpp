// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/shapes.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>

//! The tiles of a matrix product, of their threads and of the whole product.
MMM_BODIES_BEGIN
namespace mmm {

//! The tiles of a product: tiles of c of `rows x columns` for a DMM, of
//! `thread_rows x thread_columns` for each of its threads, `depth` columns of a and rows of b at a
//! time, V words in an access.
template <index Rows, index Columns, index Depth, index ThreadRows, index ThreadColumns,
          index V = 4>
struct product_tiles {
  static_assert(ThreadRows % V == 0 && ThreadColumns % V == 0);
  static_assert(Rows % ThreadRows == 0 && Columns % ThreadColumns == 0);
  static_assert(Depth % 2 == 0, "mmm: factors are in one of two sets of registers by turns");
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
  //! from a row of the shared memory to the next one: threads that write a column of a factor into
  //! a row meet in few banks unless rows are apart by more than whole ones
  static constexpr index left_pitch = Rows + V;
  static constexpr index right_pitch = Columns + V;
  static constexpr index left_words = left_pitch * Depth;
  static constexpr index right_words = right_pitch * Depth;
  static constexpr index shared_words = 2 * (left_words + right_words);
  static_assert(Rows * Depth / V % threads == 0 && Columns * Depth / V % threads == 0,
                "mmm: every thread copies as many vecs as the others");
};

//! Threads of a tile in blocks of 4 x 8, of which a warp of 32 is one: it reads few words of either
//! factor, each for several threads. Where they make no such blocks, row by row.
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
  //! Its column.
  template <class Item>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr auto column(Item const& i) {
    if constexpr (in_blocks)
      return i / 32 % blocks_across * 8 + i % 16 / 2;
    else
      return i % Tiles::threads_across;
  }
};

namespace detail {

//! A tile of a product: its row and column among the tiles, and the number of its product in a
//! batch.
template <class Row, class Column, class Product>
struct product_place {
  Row row;
  Column column;
  Product product;
};
struct only_product {};

//! The numbers of the tiles of c: first those that are whole, row by row, of all products of a
//! batch; behind them of each product those at the right border, those at the bottom, the corner.
template <class Tiles, bool Batched>
struct product_grid {
  index down;        //!< whole tiles in a column
  index across;      //!< and in a row
  index right;       //!< at the right border, without the corner: `down` or none
  index at_borders;  //!< of a product
  index whole;       //!< in all products
  index count;       //!< of all tiles

  MMM_HOST_DEVICE constexpr product_grid(product_shape const& shape, index products)
      : down(shape.rows / Tiles::rows),
        across(shape.columns / Tiles::columns),
        right(shape.columns % Tiles::columns > 0 ? down : 0),
        at_borders(right +
                   (shape.rows % Tiles::rows > 0 ? ceil_divide(shape.columns, Tiles::columns) : 0)),
        whole(down * across * products),
        count(whole + at_borders * products) {}

  //! Where a whole tile is.
  template <class Tile>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto whole_place(Tile const& tile) const {
    index const in_row = larger(1, across);
    index const in_product = larger(1, down) * in_row;
    if constexpr (Batched)
      return placed(tile % in_product / in_row, tile % in_product % in_row, tile / in_product);
    else
      return placed(tile / in_row, tile % in_row, only_product{});
  }
  //! Where any tile is.
  template <class Tile>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto any_place(Tile const& tile) const {
    auto const within = whole_place(tile);
    auto const is_whole = tile < whole;
    auto const outer = tile - whole;
    if constexpr (Batched) {
      index const of_product = larger(1, at_borders);
      auto const number = outer % of_product;
      return placed(select(is_whole, within.row, row_at_border(number)),
                    select(is_whole, within.column, column_at_border(number)),
                    select(is_whole, within.product, outer / of_product));
    } else {
      return placed(select(is_whole, within.row, row_at_border(outer)),
                    select(is_whole, within.column, column_at_border(outer)), only_product{});
    }
  }

 private:
  template <class Row, class Column, class Product>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr auto placed(Row const& row, Column const& column,
                                                             Product const& product) {
    return product_place<Row, Column, Product>{row, column, product};
  }
  //! Of the k-th tile at a border.
  template <class Number>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto row_at_border(Number const& k) const {
    return select(k < right, k, index{down});
  }
  template <class Number>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto column_at_border(Number const& k) const {
    return select(k < right, index{across}, k - right);
  }
};

}  // namespace detail

}  // namespace mmm
MMM_BODIES_END
