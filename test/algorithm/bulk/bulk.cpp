// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/bulk/bulk.hpp>
#include <mmm/algorithm/bulk/oblivious_programs.hpp>

#include "bulk_checks.hpp"

#include <stdexcept>

namespace {

using checks::words;
using mmm::index;

//! Reads the word after the last one of its input.
struct one_too_far {
  template <class Thread, class Words>
  MMM_HOST_DEVICE constexpr void operator()(Thread const&, Words a, index n) const {
    a[0] = mmm::load(a[n]);
  }
};

}  // namespace

TEST_CASE("bulk execution runs on every machine") {
  checks::matrix const inputs = checks::sequences(9, 21);
  checks::matrix sorted = inputs;
  for (words& a : sorted) std::sort(a.begin(), a.end());
  auto const bulk = mmm::bulk(mmm::oblivious_sort{}, mmm::by_columns);
  auto const on_machine = [&](auto const& m, mmm::index p) {
    words a = checks::arranged(mmm::by_columns, inputs, 9);
    auto const run = mmm::simulate(
        m, mmm::threads(p), [&](auto on) { bulk(on, a.begin(), mmm::size(9), mmm::inputs(21)); });
    CHECK(a == checks::arranged(mmm::by_columns, sorted, 9));
    auto const estimated = mmm::cost_of(m, bulk, mmm::size(9), mmm::threads(p), mmm::inputs(21));
    CHECK(estimated.time == run.cost.time);
    CHECK(run.races.empty());
  };
  on_machine(mmm::pram{}, 8);
  on_machine(mmm::dmm<4, 5>{}, 8);
  on_machine(mmm::hmm<2, 4, 1, 9>{}, 8);
}

TEST_CASE("bulk execution refuses what it cannot run") {
  using Catch::Matchers::Contains;
  CHECK_THROWS_WITH(mmm::inputs(-1), Contains("the number of inputs is -1; accepted: 0 or more"));
  words a(100);
  auto const run = [&](auto const& bulk, mmm::size n) {
    static_cast<void>(mmm::simulate(mmm::umm<4, 1>{}, mmm::threads(4),
                                    [&](auto on) { bulk(on, a.begin(), n, mmm::inputs(4)); }));
  };
  CHECK_THROWS_WITH(run(mmm::bulk(one_too_far{}, mmm::by_columns), mmm::size(25)),
                    Contains("word 25 of an input of 25 words"));
  CHECK_THROWS_AS(run(mmm::bulk(one_too_far{}, mmm::by_rows), mmm::size(25)), std::out_of_range);
  CHECK_THROWS_WITH(run(mmm::bulk(mmm::oblivious_triangulation{}, mmm::by_rows), mmm::size(2)),
                    Contains("the number of vertices of a polygon is 2; accepted: 3 or more"));
  auto const of_many = [](auto const& bulk, mmm::index n, mmm::index k) {
    return mmm::cost_of<mmm::umm<4, 1>>(bulk, mmm::size(n), mmm::threads(4), mmm::inputs(k));
  };
  auto const sums = mmm::bulk(mmm::oblivious_prefix_sums{}, mmm::by_columns);
  CHECK_THROWS_AS(of_many(sums, mmm::index{1} << 32, mmm::index{1} << 31), std::overflow_error);
  auto const polygons = mmm::bulk(mmm::oblivious_triangulation{}, mmm::by_columns);
  CHECK_THROWS_AS(of_many(polygons, mmm::index{1} << 32, 1), std::overflow_error);
}
