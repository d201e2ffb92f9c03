// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Costs and bounds of algorithms on clusters: which of their calls mean which cluster.
#include <mmm/algorithm/cluster.hpp>
#include <mmm/cluster.hpp>

#include "catch.hpp"

#include <stdexcept>

namespace {

using mmm::gap;
using mmm::index;
using mmm::size;
using mmm::threads;
using node_machine = mmm::hmm<2, 4, 2, 9>;
using fixed = mmm::cluster<3, gap(3, 2), 20, node_machine, 5>;
using any = mmm::cluster<mmm::dynamic, mmm::dynamic, mmm::dynamic,
                         mmm::hmm<mmm::dynamic, mmm::dynamic, mmm::dynamic, mmm::dynamic>, 5>;
constexpr any same(mmm::hmm<mmm::dynamic, mmm::dynamic, mmm::dynamic, mmm::dynamic>(2, 4, 2, 9), 3,
                   gap(3, 2), 20);

static_assert(mmm::cluster_algorithm<mmm::detail::sum_algorithm<false>>);
static_assert(!mmm::cluster_algorithm<mmm::detail::sum_algorithm<true>>);
static_assert(!mmm::cluster_algorithm<node_machine>);

// Parameters in the type and in the value give the same figures.
static_assert(mmm::lower_bound<fixed>(mmm::sum, size(100), threads(24)) ==
              mmm::lower_bound(same, mmm::sum, size(100), threads(24)));
static_assert(mmm::upper_bound<fixed>(mmm::sum, size(100), threads(24)) ==
              mmm::upper_bound(same, mmm::sum, size(100), threads(24)));
static_assert(mmm::constant_of(fixed{}, mmm::sum) == mmm::constant_of(node_machine{}, mmm::sum));

// The terms of a node are those of its machine with its share of the threads.
constexpr mmm::cluster_terms<fixed> terms(fixed{}, threads(24));
static_assert(terms.k == 3 && terms.node.p == 8 && terms.node.d == 2 && terms.node.t == 4);
static_assert(terms.exchange(0) == 0 && terms.exchange(7) == 11 + 5 + 20);

}  // namespace

TEST_CASE("costs on clusters at run time equal the constants", "[cluster_algorithm]") {
  mmm::cluster_cost const c = mmm::cost_of<fixed>(mmm::sum, size(100), threads(24));
  CHECK(c == mmm::cost_of(fixed{}, mmm::sum, size(100), threads(24)));
  mmm::cluster_cost const run_time = mmm::cost_of(same, mmm::sum, size(100), threads(24));
  CHECK(run_time.time == c.time);
  CHECK(run_time.network == c.network);
  CHECK(run_time.work.time == c.work.time);
}

TEST_CASE("a bound's time is its largest limitation", "[cluster_algorithm]") {
  for (index const n : {0, 1, 2, 3, 100, 100000}) {
    mmm::bound const b = mmm::lower_bound<fixed>(mmm::sum, size(n), threads(24));
    index most = 0;
    b.for_each([&](char const*, index value) { most = mmm::detail::larger(most, value); });
    CHECK(b.time == most);
    CHECK((n < 2 || b.time > 0));
  }
}

TEST_CASE("a cluster of one node has its node's bounds", "[cluster_algorithm]") {
  using one = mmm::cluster<1, gap(3, 2), 20, node_machine, 5>;
  for (index const n : {0, 1, 7, 8, 1000}) {
    CHECK(mmm::lower_bound<one>(mmm::sum, size(n), threads(8)) ==
          mmm::lower_bound<node_machine>(mmm::sum, size(n), threads(8)));
    CHECK(mmm::upper_bound<one>(mmm::sum, size(n), threads(8)) ==
          mmm::upper_bound<node_machine>(mmm::sum, size(n), threads(8)));
  }
}

TEST_CASE("threads that the nodes cannot share have no cost", "[cluster_algorithm]") {
  using Catch::Matchers::Contains;
  CHECK_THROWS_WITH(mmm::cost_of<fixed>(mmm::sum, size(100), threads(25)),
                    Contains("threads is 25; accepted: a multiple of 3, the number of nodes"));
  CHECK_THROWS_AS(mmm::lower_bound<fixed>(mmm::sum, size(100), threads(25)), std::invalid_argument);
  CHECK_THROWS_AS(mmm::upper_bound<fixed>(mmm::sum, size(100), threads(25)), std::invalid_argument);
}
