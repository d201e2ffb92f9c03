// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/layout/block_grid.hpp>

#include "catch.hpp"

#include <cstddef>
#include <stdexcept>
#include <vector>

namespace {

using mmm::index;

//! True if the ranks' elements are those of the matrix, each once, each row of a node's block in
//! one row of the matrix, and in the same columns.
bool covers_once(mmm::block_grid const& blocks) {
  std::vector<int> count(static_cast<std::size_t>(blocks.total()), 0);
  index const width = blocks.across.total();
  for (index r = 0; r < blocks.grid.nodes(); ++r) {
    if (blocks.words(r) != blocks.rows(r) * blocks.columns(r)) return false;
    for (index i = 0; i < blocks.words(r); ++i) {
      index const place = blocks.place(r, i);
      if (place < 0 || place >= blocks.total()) return false;
      if (i % blocks.columns(r) > 0) {
        index const left = blocks.place(r, i - 1);
        if (place / width != left / width || place <= left) return false;
      }
      if (i >= blocks.columns(r) && place <= blocks.place(r, i - blocks.columns(r))) return false;
      if (i >= blocks.columns(r) && place % width != blocks.place(r, i % blocks.columns(r)) % width)
        return false;
      ++count[static_cast<std::size_t>(place)];
    }
  }
  for (int const times : count)
    if (times != 1) return false;
  return true;
}

}  // namespace

TEST_CASE("the ranks of a grid are in row-major order, layer after layer") {
  for (index rows = 1; rows <= 4; ++rows)
    for (index columns = 1; columns <= 4; ++columns)
      for (index layers = 1; layers <= 3; ++layers) {
        mmm::node_grid const grid(rows, columns, layers);
        REQUIRE(grid.nodes() == rows * columns * layers);
        index rank = 0;
        for (index layer = 0; layer < layers; ++layer)
          for (index row = 0; row < rows; ++row)
            for (index column = 0; column < columns; ++column, ++rank) {
              CHECK(grid.layer(rank) == layer);
              CHECK(grid.row(rank) == row);
              CHECK(grid.column(rank) == column);
            }
      }
}

TEST_CASE("a panel distribution without panels and layers is a block distribution") {
  for (index n = 0; n <= 20; ++n)
    for (index blocks = 1; blocks <= 7; ++blocks) {
      mmm::block_distribution const plain(n, blocks);
      mmm::panel_distribution const panels(n, blocks);
      REQUIRE(panels.total() == n);
      for (index b = 0; b < blocks; ++b) {
        REQUIRE(panels.words(0, b) == plain.words(b));
        for (index i = 0; i < plain.words(b); ++i)
          REQUIRE(panels.place(0, b, i) == plain.place(b, i));
      }
    }
}

TEST_CASE("each item of a panel distribution has one place, panel by panel") {
  for (index n = 0; n <= 40; ++n)
    for (index blocks = 1; blocks <= 4; ++blocks)
      for (index panels = 1; panels <= 5; ++panels)
        for (index layers = 1; layers <= 3; ++layers) {
          mmm::panel_distribution const d(n, blocks, panels, layers);
          CAPTURE(n, blocks, panels, layers);
          std::vector<int> count(static_cast<std::size_t>(n), 0);
          index smallest = n, largest = 0;
          for (index layer = 0; layer < layers; ++layer)
            for (index b = 0; b < blocks; ++b) {
              index in_panels = 0;
              for (index panel = 0; panel < panels; ++panel) {
                REQUIRE(d.before(panel, layer, b) == in_panels);
                index const size = d.section(panel, layer).words(b);
                smallest = size < smallest ? size : smallest;
                largest = size > largest ? size : largest;
                for (index i = 0; i < size; ++i) {
                  index const place = d.place(layer, b, in_panels + i);
                  REQUIRE(d.panels.block_of(place) == panel);
                  ++count[static_cast<std::size_t>(place)];
                }
                in_panels += size;
              }
              REQUIRE(d.words(layer, b) == in_panels);
            }
          for (int const times : count) REQUIRE(times == 1);
          REQUIRE(largest - smallest <= 2);  // of panels, sections and blocks that differ by one
        }
}

TEST_CASE("each element of a matrix is on one node of a grid") {
  for (index layers = 1; layers <= 3; ++layers)
    for (index grid_rows = 1; grid_rows <= 3; ++grid_rows)
      for (index grid_columns = 1; grid_columns <= 4; ++grid_columns) {
        mmm::node_grid const grid(grid_rows, grid_columns, layers);
        for (index rows = 0; rows <= 9; rows += 3)
          for (index columns = 0; columns <= 10; columns += 2) {
            CAPTURE(grid_rows, grid_columns, layers, rows, columns);
            mmm::block_grid const plain(grid, rows, columns);
            CHECK(covers_once(plain));
            for (index r = grid.layer_nodes(); r < grid.nodes(); ++r) CHECK(plain.words(r) == 0);
            for (index panels = 1; panels <= 4; ++panels) {
              CHECK(covers_once({grid, rows, columns, mmm::matrix_side::rows, panels}));
              CHECK(covers_once({grid, rows, columns, mmm::matrix_side::columns, panels}));
            }
          }
      }
}

TEST_CASE("64-bit matrices on a grid") {
  index const n = index{1} << 31;
  constexpr mmm::block_grid large({3, 5}, index{1} << 31, index{1} << 31);
  STATIC_REQUIRE(large.total() == index{1} << 62);
  index sum = 0;
  for (index r = 0; r < 15; ++r) sum += large.words(r);
  CHECK(sum == large.total());
  CHECK(large.place(14, large.words(14) - 1) == large.total() - 1);
  CHECK_THROWS_AS(mmm::block_grid({1, 1}, 2 * n, 2 * n).total(), std::overflow_error);
}

TEST_CASE("grids of nodes without nodes are refused") {
  CHECK_THROWS_WITH(mmm::node_grid(0, 1),
                    Catch::Matchers::Contains("rows of a grid") && Catch::Matchers::Contains("0"));
  CHECK_THROWS_AS(mmm::node_grid(1, -1), std::invalid_argument);
  CHECK_THROWS_AS(mmm::node_grid(1, 1, 0), std::invalid_argument);
  CHECK_THROWS_AS(mmm::panel_distribution(1, 0), std::invalid_argument);
  CHECK_THROWS_AS(mmm::panel_distribution(1, 1, 0), std::invalid_argument);
  CHECK_THROWS_AS(mmm::panel_distribution(1, 1, 1, 0), std::invalid_argument);
  CHECK_THROWS_AS(mmm::panel_distribution(-1, 1), std::invalid_argument);
}
