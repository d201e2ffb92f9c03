// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads of fragments: which instruction brings the right elements from which layout, and its cost.
#include <mmm/tensor_cores.hpp>

namespace {

using namespace mmm::gpu;
using enum data_type;
using mmm::item;

using halves = mma<16, 8, 16, f16>;
using a = halves::a;
using b = halves::b;

// [fragments]
constexpr auto plain = mmm::row_major(64, 64);  // of halves, 128 bytes a row
constexpr auto tile = mmm::swizzled(mmm::row_major(64, 64), mmm::tma_swizzle<128, 2>{});
static_assert(loads<a, ldmatrix<4>>(tile));  // every lane gets its elements
static_assert(assert_conflict_free<ldmatrix<4>, fragment_addresses<a, ldmatrix<4>>(tile)>);
static_assert(wavefronts<ldmatrix<4>>(fragment_addresses<a, ldmatrix<4>>(plain)) == 8 * 4);
// [/fragments]

// Any fragment of the tile; two fragments of B at once; the second half of A.
static_assert(loads<a, ldmatrix<4>>(tile, 48, 32));
static_assert(loads<b, ldmatrix<4>>(tile, 16, 32) && loads<b, ldmatrix<2>>(tile, 8, 16));
static_assert(loads<a, ldmatrix<2>>(tile, 0, 0, 2) && loads<a, ldmatrix<1>>(tile, 0, 0, 3));
static_assert(loads<a, load<4>>(tile, 16, 16, 3) && loads<b, load<4>>(plain, 0, 0, 1));

// A tile whose neighbours are along the other direction needs .trans, and refuses the other.
static_assert(loads<a, ldmatrix_trans<4>>(mmm::column_major(64, 64), 16, 32));
static_assert(loads<b, ldmatrix_trans<4>>(mmm::column_major(64, 64), 16, 32));
static_assert(!loads<a, ldmatrix<4>>(mmm::column_major(64, 64)));
static_assert(!loads<a, ldmatrix_trans<4>>(tile) && !loads<a, load<4>>(mmm::column_major(64, 64)));
static_assert(loads<mma<16, 8, 16, f16, f16, f16>::c, stmatrix<2>>(mmm::row_major(16, 8)));
static_assert(loads<mma<16, 8, 16, f16, f16, f16>::c, stmatrix_trans<2>>(mmm::column_major(16, 8)));

// Elements of 8, 32 and 4 bits: ldmatrix moves rows of 16 bytes whatever they are.
static_assert(loads<mma<16, 8, 32, s8>::a, ldmatrix<4>>(mmm::row_major(32, 64), 16, 32));
static_assert(loads<mma<16, 8, 8, tf32>::a, ldmatrix<4>>(mmm::row_major(32, 32), 16, 8));
static_assert(loads<mma<16, 8, 64, s4>::b, ldmatrix<2>>(mmm::row_major(32, 64), 8, 0));
static_assert(wavefronts<ldmatrix<4>>(fragment_addresses<mma<16, 8, 64, s4>::a, ldmatrix<4>>(
                  mmm::row_major(64, 64))) == 4 * 2);  // rows of 32 bytes
static_assert(loads<mma<8, 8, 4, f64>::a, load<8>>(mmm::row_major(8, 4)));

// Addresses equal those that are written out by hand.
constexpr auto by_hand = (item % 16 * 64 + item / 16 * 8) * 2;
constexpr bool same_as_by_hand() {
  for (int t = 0; t < 32; ++t)
    if (fragment_addresses<a, ldmatrix<4>>(plain)(t) != by_hand(t)) return false;
  return true;
}
static_assert(same_as_by_hand());

// The search for a layout takes fragments: 16 bytes per lane are written, fragments read.
constexpr auto chosen =
    choose_layout({64, 64, 2}, {.alignment = 16}, tile_access<store<16>>(item / 8, item % 8 * 8),
                  fragment_access<a, ldmatrix<4>>(4));
static_assert(chosen.optimal() && mmm::same_places(chosen.layout, tile));

// The forms of 8 bits cost as two matrices each; 32 bytes a lane touch a sector each.
static_assert(wavefronts<ldmatrix_b8<2>>(item * 16) == 4 &&
              wavefronts<ldmatrix_b8<1>>(item * 16) == 2);
static_assert(wavefronts<ldmatrix_b8<1>>(item * 128) == 16);
static_assert(sectors<load<32>>(item * 32) == 32 && lines<load<32>>(item * 32) == 8);
static_assert(sectors<store<32>>(item % 4 * 32) == 4);

}  // namespace
