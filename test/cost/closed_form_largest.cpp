// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A closed form over more accesses than 64 bits count, in fewer stages.
#include <mmm/cost/closed_form.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/execution/estimate/estimate.hpp>

#include "catch.hpp"

using mmm::index;

TEST_CASE("a closed form over 2^64 accesses does not enumerate them", "[closed_form]") {
  index const trips = index{1} << 20;
  index const n = index{1} << 44;
  auto const cost = mmm::estimate<mmm::dmm<32, 1>>(mmm::threads(index{1} << 40), [=](auto& on) {
    auto const program = [=](auto& all, auto a) {
      all.repeat(trips, [=, &all](auto k) { all.each(n, [=](auto i) { a[i / 3 + k] = 1; }); });
    };
    mmm::run(on, program, mmm::writes<int>(mmm::no_data{}, n));
  });
  CHECK(cost.time == trips * (n / 32));  // a warp's 11 or 12 neighbours are in different banks
}
