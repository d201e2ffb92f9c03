// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Machines whose width is known at run time only. Their costs are compared with the naive model in
// cost/cost_on_*.property.cpp, their simulations in execution/simulate/pipeline.cpp; here, with
// machines of the same width that is fixed, and what is refused.
#include <mmm/algorithm/transpose/transpose.hpp>
#include <mmm/execution/simulate/simulate.hpp>
#include <mmm/index/expression.hpp>

#include "machine_checks.hpp"

#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using Catch::Matchers::Contains;
using mmm::dynamic;
using mmm::index;

using any_dmm = mmm::dmm<dynamic, dynamic>;
using any_umm = mmm::umm<dynamic, dynamic>;
using any_hmm = mmm::hmm<dynamic, dynamic, dynamic, dynamic>;

// Constant expressions, too.
static_assert(any_dmm(24, 1).width() == 24 && mmm::dmm<24, 1>().width() == 24);
static_assert(mmm::dmm<24, 1>::width() == 24 && mmm::hmm<2, 24, 1, 9>::width() == 24);
static_assert(any_hmm(2, 24, 1, 9).shared().width() == 24);
static_assert(any_hmm(2, 24, 1, 9).global().width() == 24);
static_assert(any_hmm(2, 24, 1, 9).global().latency() == 9);
static_assert(mmm::fixed_width<mmm::dmm<24, 1>> && !mmm::fixed_width<any_dmm>);
static_assert(sizeof(mmm::hmm<2, 32, 1, 9>) == 1);
static_assert(mmm::stages(any_dmm(24, 1), mmm::item * 6) == 6);
static_assert(mmm::stages(any_umm(24, 1), mmm::item * 6) == 6);
static_assert(mmm::cost_of(any_dmm(24, 5), mmm::item * 2, mmm::size(1000), mmm::threads(48)) ==
              mmm::cost_of<mmm::dmm<24, 5>>(mmm::item * 2, mmm::size(1000), mmm::threads(48)));

}  // namespace

TEST_CASE("a width at run time costs what a fixed one does", "[width]") {
  checks::same_as_fixed<3>();
  checks::same_as_fixed<32>();
}

TEST_CASE("transposes on a machine of any width", "[width]") {
  for (index const w : {1, 3, 24, 48, 64})
    for (index const side : {1, 23, 48, 64}) {
      CAPTURE(w, side);
      std::vector<int> a(static_cast<std::size_t>(side * side));
      std::iota(a.begin(), a.end(), 0);
      auto const run = mmm::simulate(any_umm(w, 5), mmm::threads(48), [&](auto on) {
        mmm::transpose_rotating(on, a.begin(), side);
      });
      for (index i = 0; i < side; ++i)
        for (index j = 0; j < side; ++j)
          REQUIRE(a[static_cast<std::size_t>(i * side + j)] == j * side + i);
      mmm::cost const expected =
          mmm::cost_of(any_umm(w, 5), mmm::transpose_rotating, mmm::size(side), mmm::threads(48));
      CHECK(run.cost.time == expected.time);
      CHECK(mmm::recomputed_time(any_umm(w, 5), run.trace) == expected.time);
    }
}

TEST_CASE("a width outside of 1 to 64 is refused", "[width]") {
  for (index const w : {index{0}, index{-1}, index{65}, INT64_MAX}) {
    CAPTURE(w);
    std::string const words = "the width of a machine is " + std::to_string(w);
    auto const refused = [&](auto make) {
      CHECK_THROWS_WITH(make(), Contains(words) && Contains("1 to 64"));
    };
    refused([&] { return mmm::bpram<dynamic>(w); });
    refused([&] { return any_dmm(w, 1); });
    refused([&] { return any_umm(w, 1); });
    refused([&] { return any_hmm(1, w, 1, 1); });
  }
  CHECK_THROWS_AS(mmm::stages(any_dmm(3, 1), {0, 1, 2, 3}), std::invalid_argument);
}
