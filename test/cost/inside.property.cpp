// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mmm::inside says of every pattern what a look at each item's row and column says.
#include <mmm/access.hpp>
#include <mmm/gpu.hpp>

#include "rapidcheck.hpp"
#include "support/random_expression.hpp"

#include <algorithm>

using mmm::index;
using random_expression::between;
using random_expression::one_in;
using random_expression::tree;

namespace {

//! An expression of few operators, whose values are small.
random_expression::branch small_expression(int depth) {
  using random_expression::number, random_expression::operation;
  if (depth == 0) return one_in(2) ? random_expression::variable(0) : number(between(-3, 8));
  operation const ops[] = {operation::add,    operation::subtract, operation::multiply,
                           operation::modulo, operation::bit_and,  operation::divide};
  operation const op = ops[between(0, 5)];
  bool const divides = op == operation::modulo || op == operation::divide;
  return random_expression::operate(
      op, small_expression(depth - 1),
      divides ? number(one_in(4) ? between(-5, -1) : between(1, 9)) : small_expression(depth - 1));
}

//! An expression whose values are often 0 … below - 1.
tree any_coordinate(index below) {
  auto const depth = static_cast<int>(between(0, 3));
  if (one_in(2)) return tree(small_expression(depth));
  tree const any(random_expression::any_expression({32}, depth));
  if (below == 0 || one_in(6)) return any;
  return tree(random_expression::operate(
      random_expression::operation::modulo,
      random_expression::operate(random_expression::operation::maximum, any.root,
                                 random_expression::number(one_in(4) ? -1 : 0)),
      random_expression::number(std::max<index>(1, below + between(-1, 1)))));
}

int inside_count = 0;
int outside_count = 0;

//! Compares mmm::inside of `e` with `item_inside(i)` for all items in several warps.
template <class E, class ItemInside>
void compare(E const& e, ItemInside item_inside) {
  auto const all = [&](index first, index count) {
    for (index i = first; i < first + count; ++i)
      if (!item_inside(i)) return false;
    return true;
  };
  index const items = between(0, 70);
  RC_ASSERT(mmm::inside(e, mmm::size(items)) == all(0, items));
  index const warp = between(0, 3);
  RC_ASSERT((mmm::inside<mmm::dmm<1, 1>>(e, warp)) == all(warp, 1));
  RC_ASSERT((mmm::inside<mmm::umm<7, 1>>(e, warp)) == all(warp * 7, 7));
  RC_ASSERT((mmm::inside<mmm::dmm<32, 1>>(e, warp)) == all(warp * 32, 32));
  RC_ASSERT(mmm::inside<mmm::gpu::load<16>>(e, warp) == all(warp * 32, 32));
  RC_ASSERT(mmm::inside<mmm::gpu::ldmatrix<2>>(e, warp) == all(warp * 32, 16));
  ++(all(0, items) ? inside_count : outside_count);
}

template <mmm::layout Layout>
void agrees(Layout const& tile) {
  tree const row = any_coordinate(tile.rows());
  tree const column = any_coordinate(tile.columns());
  auto const has = [&](index i) {
    return row(i) >= 0 && row(i) < tile.rows() && column(i) >= 0 && column(i) < tile.columns();
  };
  auto const word = tile(row, column);
  compare(word, has);
  compare(word * 4 + 8, has);
  compare(tile(row, mmm::item),
          [&](index i) { return row(i) >= 0 && row(i) < tile.rows() && i < tile.columns(); });
  index const number = between(0, tile.columns());
  compare(tile(mmm::item, number),
          [&](index i) { return i < tile.rows() && number < tile.columns(); });

  // lanes that do not ask the tile
  random_expression::condition const where(random_expression::any_condition({32}, 1));
  auto const active = [&](index i) {
    mmm::detail::assignment at;
    at.slot[mmm::detail::item_slot] = i;
    return where.template holds<mmm::detail::checked_arithmetic>(at);
  };
  compare(mmm::select(where, word, 0), [&](index i) { return !active(i) || has(i); });
  compare(mmm::select(mmm::item < 3 || !(mmm::item < 20), word * 0 - 7, tile(0, row)),
          [&](index i) {
            return i < 3 || i >= 20 ? has(i)
                                    : tile.rows() > 0 && row(i) >= 0 && row(i) < tile.columns();
          });
  // a table asked for what stands in the tile's first rows
  mmm::row_major const table(5, 7);
  compare(table(mmm::select(where, mmm::constant(3), 4), (word % 8 + 8) % 8),
          [&](index i) { return has(i) && (tile(row(i), column(i)) % 8 + 8) % 8 < 7; });
}

}  // namespace

TEST_CASE("inside agrees with a look at every item") {
  holds("row_major", [] { agrees(mmm::row_major(between(0, 40), between(1, 40))); });
  holds("column_major", [] { agrees(mmm::column_major(between(0, 40), between(1, 40))); });
  holds("padded", [] { agrees(mmm::padded(between(0, 40), between(1, 40), between(0, 3))); });
  holds("xor_swizzled", [] { agrees(mmm::xor_swizzled(between(0, 40), 32)); });
  holds("rotated", [] { agrees(mmm::rotated(between(0, 40), between(1, 40))); });
  holds("strided", [] { agrees(mmm::strided(between(0, 40), 8, 20, 2)); });
  holds("blocked", [] { agrees(mmm::blocked(between(1, 5) * 4, between(1, 5) * 8, 4, 8)); });
  holds("swizzled", [] {
    agrees(mmm::swizzled(mmm::row_major(between(1, 5) * 4, 16), mmm::swizzle<2, 1, 3>{}));
  });
  holds("tile_layout", [] { agrees(mmm::tile_layout(32, 32, 0, {2, 1, 3})); });
  holds("record_layout", [] { agrees(mmm::record_layout(between(1, 40), between(1, 9), 4)); });
  CHECK(inside_count > 100);
  CHECK(outside_count > 100);
}
