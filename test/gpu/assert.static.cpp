// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assertions that hold. Assertions that fail are in test/reject.
#include <mmm/gpu/assert.hpp>
#include <mmm/layout/row_major.hpp>
#include <mmm/layout/swizzle.hpp>

namespace {

using namespace mmm::gpu;
using mmm::item;

static_assert(assert_conflict_free<load<16>, item * 16>);
static_assert(assert_conflict_free<load<4>, mmm::padded(32, 32, 1)(item, 3) * 4>);
static_assert(assert_conflict_free<load<4>, item * 0>);
static_assert(assert_conflict_free<
              ldmatrix<4>, mmm::swizzled(mmm::row_major(16, 64),
                                         mmm::tma_swizzle<128, 2>{})(item % 16, item / 16 * 8) *
                               2>);
static_assert(assert_wavefronts_at_most<load<16>, item * 32, 8>);
static_assert(assert_wavefronts_at_most<served_by<nvidia_merging, load<16>>, item * 0, 2>);
static_assert(assert_wavefronts_at_most<served_by<amd_cdna3, load<16>>, item * 16, 8>);
// of warp 1 only: warp 0 is out of bounds
static_assert(assert_conflict_free<load<4>, item * 4 - 128, 1>);
static_assert(assert_sectors_at_most<load<4>, item * 4, 4>);
static_assert(assert_sectors_at_most<load<4>, item * 4 + 4, 5>);

}  // namespace
