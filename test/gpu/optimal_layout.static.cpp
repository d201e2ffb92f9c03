// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layouts and their proofs as constants. test/gpu/optimal_layout.cpp compares them with all others.
#include <mmm/gpu/optimal_layout.hpp>

namespace {

using namespace mmm::gpu;
using mmm::index;
using mmm::item;

// A transpose in a tile of 64 x 64 floats.
constexpr tile_shape floats{64, 64, 4};
constexpr auto write_row = tile_access<store<4>>(5, item);
constexpr auto read_column = tile_access<load<4>>(item, 5);
constexpr auto transpose = optimal_layout<floats>(write_row, read_column);
static_assert(transpose.plain == 33 && transpose.wavefronts == 2 && transpose.price == 0);
static_assert(transpose.proof == layout_proof::capacity && transpose.bound == 2);

// Blocks, diagonals and strides besides: five accesses without a conflict, which no swizzle has.
constexpr auto blocks = tile_access<load<4>>(item % 8, item / 8);
constexpr auto diagonal = tile_access<load<4>>(item, item);
constexpr auto strides = tile_access<load<4>>(item % 16 * 4, item / 16 * 32);
constexpr auto five = optimal_layout<floats>(write_row, read_column, blocks, diagonal, strides);
static_assert(five.wavefronts == 5 && five.optimal() && five.cost[4] == 1);
static_assert(choose_layout(floats, {}, write_row, read_column, blocks, diagonal, strides)
                  .wavefronts > five.wavefronts);

// Operands of the tensor cores: the TMA's swizzle cannot be bettered.
constexpr tile_shape halves{64, 64, 2};
constexpr auto operand =
    optimal_layout<halves>(tile_access<store<16>>(item / 8, item % 8 * 8),
                           tile_access<ldmatrix<4>>(item % 16, item / 16 * 8, 4));
static_assert(operand.wavefronts == 4 + 4 * 4 && operand.proof == layout_proof::capacity);

// Two banks for a tile of 2 x 2 words: a row, a column and a diagonal are all lines of a plane, and
// every map puts the words of one of them into one bank. That is a wavefront more than the bound,
// as the search proves and the check confirms.
struct two_banks {
  static constexpr int lanes = 2;
  static constexpr int banks = 2;
  [[nodiscard]] static constexpr phase_table phases(warp_access const&) {
    return consecutive_phases(1, 2);
  }
  [[nodiscard]] static constexpr bool merges_pairs(warp_access const&) { return false; }
};
constexpr tile_shape tiny{2, 2, 4};
constexpr mmm::size two(2);
constexpr auto first_row = tile_access<load<4>>(0, item, 1, two);
constexpr auto first_column = tile_access<load<4>>(item, 0, 1, two);
constexpr auto across = tile_access<load<4>>(item, item, 1, two);
constexpr auto crowded =
    optimal_layout<tiny, tile_limits{.max_padding = 3}, two_banks>(first_row, first_column, across);
static_assert(crowded.bound == 3 && crowded.wavefronts == 4);
static_assert(crowded.proof == layout_proof::search);
static_assert(crowded.verify(first_row, first_column, across));
// a limit of one step: nothing is proved
constexpr auto open = optimal_layout<tiny, tile_limits{.max_padding = 3}, two_banks, 1>(
    first_row, first_column, across);
static_assert(!open.optimal() && open.wavefronts == 4);

// Two rows of 64 floats written by words or by vectors of 16 bytes, and a column read. Vectors stay
// whole, so that a column's words are in 8 banks only: words are better by 3 wavefronts.
constexpr auto by_words = optimal_layout<floats>(
    tile_access<store<4>>(item / 64, item % 64, 1, mmm::size(128)), read_column);
constexpr auto by_vectors =
    optimal_layout<floats>(tile_access<store<16>>(item / 16, item % 16 * 4), read_column);
static_assert(by_words.wavefronts == 4 + 1 && by_vectors.wavefronts == 4 + 4);
static_assert(by_words.optimal() && by_vectors.proof == layout_proof::capacity);
constexpr auto width = best_of(by_vectors, by_words);
static_assert(width.wavefronts == 5 && width.optimal() && width.layout == by_words.layout);
static_assert(!best_of(open, crowded).optimal() && best_of(crowded, crowded).optimal());

// The walk that checks the proof: two vectors and two banks have three kernels. It accepts all of
// the tree, and notices a leaf that is left out, repeated, or out of order.
struct leaf {
  int bank[2];
  int count;
};
template <int N>
constexpr bool covers(leaf const (&leaves)[N]) {
  detail::choice_walk walk(2, 1);
  for (leaf const& l : leaves)
    if (!walk.accept(l.bank, l.count)) return false;
  return walk.ended();
}
static_assert(covers<3>({{{1, 0}, 2}, {{1, 1}, 2}, {{0, 1}, 2}}));
static_assert(covers<2>({{{1}, 1}, {{0}, 1}}) && covers<2>({{{1}, 1}, {{0, 1}, 2}}));
static_assert(!covers<2>({{{1, 0}, 2}, {{1, 1}, 2}}) && !covers<1>({{{1}, 1}}));
static_assert(!covers<2>({{{1, 0}, 2}, {{0, 1}, 2}}) && !covers<2>({{{0, 1}, 2}, {{1}, 1}}));
static_assert(!covers<3>({{{1}, 1}, {{1}, 1}, {{0}, 1}}));
static_assert(!covers<3>({{{1}, 1}, {{0}, 1}, {{0, 1}, 2}}));

// A pattern that is not linear over F2.
constexpr tile_shape narrow{32, 4, 4};
constexpr auto stride_three = tile_access<load<4>>(item * 3 % 32, item % 4);
constexpr auto certified = optimal_layout<narrow>(stride_three);
static_assert(certified.optimal() && certified.wavefronts == 1);

}  // namespace
