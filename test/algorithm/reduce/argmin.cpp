// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/reduce/argmin.hpp>
#include <mmm/algorithm/reduce/sum_in_one_block.hpp>

#include "sum_wide_checks.hpp"

#include <algorithm>
#include <random>
#include <type_traits>
#include <vector>

namespace {

using mmm::detail::greater_than;
using mmm::detail::less_than;
using mmm::detail::located_algorithm;

//! The first of the smallest and of the largest values, with few kinds of values: most comparisons
//! are of equal ones.
template <class Fold, class M>
void places(M const& m, mmm::index p, mmm::index n, Fold const&) {
  std::mt19937 random(static_cast<unsigned>(n));
  for (unsigned const kinds : {1U, 2U, 50U}) {
    std::vector<int> a(static_cast<std::size_t>(n));
    for (int& x : a) x = static_cast<int>(random() % kinds);
    auto const of = [&](auto algorithm) {
      return mmm::simulate(
                 m, mmm::threads(p), [&](auto on) { return algorithm(on, a.begin(), a.end()); },
                 mmm::observe_cost)
          .result.place;
    };
    CAPTURE(n, p, kinds);
    CHECK(of(located_algorithm<Fold, less_than>{}) ==
          std::min_element(a.begin(), a.end()) - a.begin());
    CHECK(of(located_algorithm<Fold, greater_than>{}) ==
          std::max_element(a.begin(), a.end()) - a.begin());
  }
}

}  // namespace

TEST_CASE("places of the smallest and the largest value by wide accesses") {
  checks::on_small_machines([](auto m) {
    for (mmm::index const p : {m.dmms(), 6 * m.dmms(), 16 * m.dmms()})
      checks::sizes(p, [&](mmm::index n) {
        if (n > 0) places(m, p, n, mmm::sum_wide);
      });
  });
}

TEST_CASE("places of the smallest and the largest value by one block") {
  checks::on_small_machines([](auto m) {
    for (mmm::index const n : {1, 2, 7, 64, 67, 300})
      places(m, 16 * m.dmms(), n, mmm::sum_in_one_block);
  });
}
