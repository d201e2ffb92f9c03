// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The laws of layouts, checked over whole shapes.
#include <mmm/index/warp_index.hpp>
#include <mmm/layout/layout.hpp>
#include <mmm/layout/row_major.hpp>
#include <mmm/layout/strided.hpp>
#include <mmm/layout/swizzle.hpp>
#include <mmm/layout/swizzled.hpp>

#include "rapidcheck.hpp"
#include "support/random_expression.hpp"

#include <algorithm>
#include <set>
#include <string>

using mmm::index;
using random_expression::between;

namespace {

template <mmm::layout Layout>
void keeps_the_laws(Layout const& tile) {
  std::set<index> words;
  for (index row = 0; row < tile.rows(); ++row)
    for (index column = 0; column < tile.columns(); ++column) {
      index const word = tile(row, column);
      RC_ASSERT(word >= 0 && word < tile.words());
      RC_ASSERT(words.insert(word).second);  // the layout is injective
    }
  // words() is one more than the largest word
  RC_ASSERT((words.empty() ? 0 : *words.rbegin() + 1) == tile.words());
  if (words.empty()) return;

  auto const& item = mmm::item;
  auto const by_item = tile(item / tile.columns(), item % tile.columns());
  index const some_row = between(0, tile.rows() - 1);
  index const some_column = between(0, tile.columns() - 1);
  for (index i = 0; i < tile.rows() * tile.columns(); ++i)
    RC_ASSERT(by_item(i) == tile(i / tile.columns(), i % tile.columns()));
  mmm::warp_index<4> const lanes(between(0, 20), 1);
  auto const warp = tile(lanes / tile.columns(), lanes % tile.columns());
  for (int t = 0; t < 4; ++t)
    RC_ASSERT(warp[t] == tile(lanes[t] / tile.columns(), lanes[t] % tile.columns()));
  for (index column = 0; column < tile.columns(); ++column)
    RC_ASSERT(tile(some_row, item)(column) == tile(some_row, column));
  for (index row = 0; row < tile.rows(); ++row)
    RC_ASSERT(tile(item, some_column)(row) == tile(row, some_column));
}

}  // namespace

TEST_CASE("layouts are injective, tight and mean the same for every index") {
  holds("row_major", [] { keeps_the_laws(mmm::row_major(between(0, 20), between(0, 20))); });
  holds("column_major", [] { keeps_the_laws(mmm::column_major(between(0, 20), between(0, 20))); });
  holds("padded",
        [] { keeps_the_laws(mmm::padded(between(0, 20), between(0, 20), between(0, 5))); });
  holds("xor_swizzled",
        [] { keeps_the_laws(mmm::xor_swizzled(between(0, 20), index{1} << between(0, 5))); });
  holds("rotated", [] { keeps_the_laws(mmm::rotated(between(0, 20), between(1, 20))); });
  holds("strided", [] {
    index const columns = between(0, 12);
    index const step = between(1, 4);
    keeps_the_laws(mmm::strided(between(0, 12), columns,
                                std::max<index>(1, columns * step + between(0, 5)), step));
  });
  holds("blocked", [] {
    index const rows = between(1, 4);
    index const columns = between(1, 4);
    keeps_the_laws(mmm::blocked(rows * between(0, 4), columns * between(0, 4), rows, columns));
  });
  holds("swizzled", [] {
    keeps_the_laws(mmm::swizzled(mmm::row_major(between(1, 4) * 4, 16), mmm::swizzle<2, 1, 3>{}));
    keeps_the_laws(mmm::swizzled(mmm::row_major(between(1, 4) * 4, 32), mmm::swizzle<3, 0, -3>{}));
    keeps_the_laws(mmm::swizzled(mmm::column_major(16, between(1, 4)), mmm::swizzle<1, 2, 2>{}));
  });
}
