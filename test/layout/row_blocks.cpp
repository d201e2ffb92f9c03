// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/layout/row_blocks.hpp>

#include "catch.hpp"

#include <stdexcept>

TEST_CASE("blocks of rows are consecutive and have all words of a matrix") {
  for (mmm::index rows = 0; rows < 12; ++rows)
    for (mmm::index columns = 0; columns < 4; ++columns)
      for (mmm::index blocks = 1; blocks < 9; ++blocks) {
        CAPTURE(rows, columns, blocks);
        mmm::row_blocks const m{{rows, blocks}, columns};
        mmm::index next = 0;
        for (mmm::index b = 0; b < blocks; ++b) {
          CHECK(m.first(b) == next);
          CHECK(m.place(b, 2) == next + 2);
          CHECK(m.words(b) == m.rows.words(b) * columns);
          next += m.words(b);
        }
        CHECK(next == m.total());
        CHECK(m.total() == rows * columns);
      }
}

TEST_CASE("a matrix of more than 2^63 - 1 words is refused") {
  mmm::index const large = mmm::index{1} << 32;
  mmm::row_blocks const m{{large, 1}, large};
  CHECK_THROWS_AS(m.total(), std::overflow_error);
  CHECK_THROWS_AS(m.words(0), std::overflow_error);
}
