// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assertions that hold. Assertions that fail are in test/reject.
#include <mmm/cost/assert.hpp>
#include <mmm/layout/row_major.hpp>
#include <mmm/layout/swizzled.hpp>

namespace {

using shared = mmm::dmm<32, 1>;
using global = mmm::umm<32, 400>;
using mmm::item;

static_assert(mmm::assert_conflict_free<shared, mmm::padded(32, 32, 1)(item, 0)>);
static_assert(mmm::assert_conflict_free<shared, mmm::xor_swizzled(128, 32)(item, 5), 3>);
// one word for all lanes is a broadcast
static_assert(mmm::assert_conflict_free<shared, item * 0>);
static_assert(mmm::assert_coalesced<global, mmm::row_major(64, 32)(7, item)>);
static_assert(mmm::assert_coalesced<global, item * 2 / 64, 1>);
static_assert(mmm::assert_stages_at_most<shared, item * 6, 2>);
static_assert(mmm::assert_stages_at_most<global, item * 4 + 3, 4>);
static_assert(mmm::assert_stages_at_most<
              shared, select(!(item < 3) && item < 9, item, item* mmm::literal<2>), 3>);
static_assert(mmm::assert_stages_at_most<mmm::umm<4, mmm::dynamic>, item * 4, 4>);
static_assert(mmm::assert_time_at_most<global, item, 1024, 64, 6416>);
static_assert(mmm::assert_time_at_most<shared, item * 2, 64, 64, 4>);

}  // namespace
