// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Costs of accesses to up to 2^62 items, which no enumeration could reach.
#include <mmm/cost/access.hpp>
#include <mmm/cost/cost.hpp>
#include <mmm/machine/machine.hpp>

#include <initializer_list>

namespace {

using mmm::cost;
using mmm::cost_of;
using mmm::item;
using mmm::size;
using mmm::threads;

constexpr mmm::index two_to(int k) { return mmm::index{1} << k; }

// The cost of this expression repeats every twelve chunks, on banks and on address groups.
template <class M>
constexpr bool costs_are_periodic() {
  auto const e = item % 48 * 2 + item / 48;
  mmm::detail::access_domain one_period;
  one_period.items = 12 * 32;
  one_period.threads = 32;
  mmm::detail::access_cost const one = mmm::detail::enumerated_cost_of_access(M{}, one_period, e);
  for (int k : {1, 53}) {
    cost const all = cost_of<M>(e, size(12 * 32 * two_to(k)), threads(32));
    if (all != cost{one.rounds * two_to(k), one.stages * two_to(k), one.time * two_to(k), true})
      return false;
  }
  return true;
}
static_assert(costs_are_periodic<mmm::dmm<8, 1>>());
static_assert(costs_are_periodic<mmm::umm<8, 4>>());
static_assert(costs_are_periodic<mmm::umm<8, 4, 2>>());

static_assert(cost_of<mmm::umm<32, 400>>(item, size(two_to(62)), threads(two_to(16))) ==
              cost{two_to(46), two_to(57), two_to(46) * (2048 + 399), true});
static_assert(cost_of<mmm::dmm<32, 2>>(item * 6, size(two_to(58)), threads(two_to(16))) ==
              cost{two_to(42), two_to(54), two_to(54) + two_to(42), true});
static_assert(cost_of<mmm::umm<32, 400>>(item % 48 * 2 + item / 48, size(two_to(62) - 1),
                                         threads(two_to(16)))
                  .closed_form);
static_assert(
    cost_of<mmm::umm<32, 400>>(item / 48, size(two_to(62)), threads(two_to(16))).closed_form);
static_assert(cost_of<mmm::dmm<32, 1>>(item / 32 * 32 + (item % 32 ^ item / 32 % 32),
                                       size(two_to(62)), threads(1024)) ==
              cost{two_to(52), two_to(57), two_to(57), true});
static_assert(cost_of<mmm::dmm<32, 1>>((item & 1023) << 5, size(two_to(57)), threads(1024))
                  .stages == two_to(57));

}  // namespace
