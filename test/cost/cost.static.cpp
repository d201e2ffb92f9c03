// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Costs of single accesses: limiting cases of the model, misaligned base addresses, parameters
// known at compile time or at run time.
#include <mmm/cost/cost.hpp>
#include <mmm/machine/machine.hpp>

namespace {

using mmm::cost;
using mmm::cost_of;
using mmm::dynamic;
using mmm::item;
using mmm::size;
using mmm::threads;

// No items, fewer items than threads, partial warps and chunks.
static_assert(cost_of<mmm::dmm<32, 5>>(item * 32, size(0), threads(64)) == cost{0, 0, 0, true});
static_assert(cost_of<mmm::dmm<32, 5>>(item * 32, size(5), threads(64)) == cost{1, 5, 9, true});
static_assert(cost_of<mmm::umm<32, 5>>(item, size(33), threads(64)) == cost{1, 2, 6, true});
static_assert(cost_of<mmm::umm<32, 5>>(item, size(100), threads(40)) ==
              cost{3, 2 + 3 + 2, 19, true});
static_assert(cost_of<mmm::dmm<4, 1>>(item * 2, size(7), threads(5)) ==
              cost{2, 2 + 1 + 1, 4, true});

// A machine with one bank and latency 1.
static_assert(cost_of<mmm::dmm<1, 1>>(item * 7 + 3, size(10), threads(4)) == cost{3, 10, 10, true});
static_assert(cost_of<mmm::dmm<1, 4>>(item * 7 + 3, size(10), threads(4)) == cost{3, 10, 19, true});
static_assert(cost_of<mmm::umm<1, 1>>(item / 2, size(10), threads(4)) == cost{3, 10, 10, true});
static_assert(cost_of<mmm::dmm<32, 1>>(item, size(64), threads(32)) == cost{2, 2, 2, true});

// Misaligned base addresses add no bank conflicts, but they add address groups.
static_assert(cost_of<mmm::dmm<32, 1>>(item + 5, size(64), threads(32)) == cost{2, 2, 2, true});
static_assert(cost_of<mmm::umm<32, 1>>(item + 5, size(64), threads(32)) == cost{2, 4, 4, true});
static_assert(cost_of<mmm::umm<32, 1>>(item + 27, size(37), threads(32)) ==
              cost{2, 2 + 1, 3, true});
static_assert(cost_of<mmm::umm<32, 1>>(item + 27, size(38), threads(32)) ==
              cost{2, 2 + 2, 4, true});
static_assert(cost_of<mmm::umm<32, 1>>(item - 5, size(32), threads(32)) == cost{1, 2, 2, true});
static_assert(mmm::coalesced<mmm::umm<32, 1>>(item) && !mmm::coalesced<mmm::umm<32, 1>>(item + 1));
static_assert(mmm::conflict_free<mmm::dmm<32, 1>>(item + 1) &&
              !mmm::conflict_free<mmm::dmm<32, 1>>(item * 2));

// Warps other than the first one.
static_assert(mmm::stages<mmm::umm<32, 1>>(item / 48, 0) == 1);
static_assert(mmm::stages<mmm::dmm<32, 1>>(item / 48 * 32, 0) == 1);
static_assert(mmm::stages<mmm::dmm<32, 1>>(item / 48 * 32, 1) == 2);
static_assert(mmm::conflict_free<mmm::dmm<32, 1>>(item, size(1000), threads(100)));
static_assert(!mmm::conflict_free<mmm::dmm<32, 1>>(item / 48 * 64 + item % 48, size(1000),
                                                   threads(100)));
static_assert(mmm::coalesced<mmm::umm<32, 1>>(item, size(1024), threads(64)));
static_assert(!mmm::coalesced<mmm::umm<32, 1>>(item + 1, size(1024), threads(64)));

// Machines without warps: PRAM and BPRAM.
static_assert(cost_of<mmm::pram>(item * 64, size(100), threads(32)) == cost{4, 4, 4, true});
static_assert(cost_of<mmm::bpram<8>>(item * 64, size(100), threads(32)) == cost{4, 13, 13, true});

// A parameter in the machine's type and the same parameter in its value give the same cost.
static_assert(cost_of(mmm::dmm<32, dynamic>(7), item * 6, size(999), threads(96)) ==
              cost_of<mmm::dmm<32, 7>>(item * 6, size(999), threads(96)));
static_assert(cost_of(mmm::umm<32, dynamic>(7), item * 6, size(999), threads(96)) ==
              cost_of<mmm::umm<32, 7>>(item * 6, size(999), threads(96)));
static_assert(cost_of(mmm::umm<32, dynamic, dynamic>(7, 2), item * 6, size(999), threads(96)) ==
              cost_of<mmm::umm<32, 7, 2>>(item * 6, size(999), threads(96)));
static_assert(cost_of(mmm::umm<32, 7, dynamic>(2), item * 6, size(999), threads(96)) ==
              cost_of<mmm::umm<32, 7, 2>>(item * 6, size(999), threads(96)));
static_assert(mmm::dmm<32, dynamic>(7).latency() == 7 && mmm::dmm<32, 7>{}.latency() == 7);
static_assert(mmm::hmm<dynamic, 32, 2, dynamic, dynamic, dynamic>(3, 400, 4096, 19).dmms() == 3);
static_assert(mmm::hmm<dynamic, 32, 2, dynamic, dynamic, dynamic>(3, 400, 4096, 19).global() ==
              mmm::umm<32, dynamic, dynamic>(400, 19));
static_assert(mmm::hmm<dynamic, 32, 2, dynamic, dynamic, dynamic>(3, 400, 4096, 19).capacity() ==
              4096);
static_assert(sizeof(mmm::dmm<32, 7>) == 1 && sizeof(mmm::umm<32, dynamic>) == sizeof(mmm::index));

// Ports: 40 warps of one stage, 3 per time unit, in each of 2 rounds.
static_assert(cost_of<mmm::umm<4, 10, 3>>(item, size(320), threads(160)) ==
              cost{2, 80, 2 * (14 + 9), true});

static_assert(mmm::time_at_most<mmm::umm<32, 400>>(item, size(1024), threads(64), 16 * 401));
static_assert(!mmm::time_at_most<mmm::umm<32, 400>>(item, size(1024), threads(64), 16 * 401 - 1));

}  // namespace
