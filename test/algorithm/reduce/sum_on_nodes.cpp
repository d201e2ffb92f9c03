// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sum on clusters: results, costs and bounds.
#include <mmm/algorithm/reduce/sum_on_nodes.hpp>
#include <mmm/cluster.hpp>

#include "support/node_checks.hpp"

#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using mmm::gap;
using mmm::index;
using mmm::threads;

index const sizes[] = {0, 1, 2, 3, 4, 5, 6, 7, 12, 16, 47, 64, 250, 1024};

template <class M>
void sums_on(M const& m, index per_node) {
  for (index const n : sizes) {
    CAPTURE(n);
    std::vector<std::int64_t> const a = checks::numbers_on_nodes(n);
    auto const run = checks::figures_on_nodes(
        m, mmm::sum, mmm::size(n), threads(per_node * m.nodes()), n % (4 * m.nodes()) == 0,
        [&](auto on) { return mmm::sum(on, a.begin(), a.end()); });
    CHECK(run.result == std::accumulate(a.begin(), a.end(), std::int64_t{0}));
    CHECK(run.sent == std::vector<mmm::node_traffic>(static_cast<std::size_t>(m.nodes()),
                                                     mmm::node_traffic{0, 0, 1}));
    CHECK(run.cost.network == mmm::detail::tree_traffic(m, m.nodes(), 1));
  }
}

}  // namespace

TEST_CASE("sums on clusters", "[sum_on_nodes]") {
  for (index k = 1; k <= 6; ++k) {
    sums_on(checks::hmm_nodes(k), 8);
    sums_on(checks::dmm_nodes(k), 4);
    sums_on(checks::umm_nodes(k), 16);
    sums_on(mmm::cluster<mmm::dynamic, 2, 30, mmm::pram>(k), 3);
    sums_on(mmm::cluster<mmm::dynamic, 2, 1, mmm::bpram<4>>(k), 4);
  }
}

TEST_CASE("a sum on one node costs what its machine's does", "[sum_on_nodes]") {
  using node_machine = mmm::hmm<2, 4, 2, 9>;
  for (index const n : sizes) {
    mmm::cluster_cost const c =
        mmm::cost_of<mmm::cluster<1, 2, 30, node_machine>>(mmm::sum, mmm::size(n), threads(16));
    mmm::cost const one = mmm::cost_of<node_machine>(mmm::sum, mmm::size(n), threads(16));
    CHECK(c.work == one);
    CHECK(c.time == one.time);
    CHECK(c.network == mmm::network_traffic{});
  }
}

TEST_CASE("folds on clusters keep the call forms of mmm::sum", "[sum_on_nodes]") {
  for (index k = 1; k <= 5; ++k)
    for (index const n : {0, 1, 3, 4, 10}) {
      CAPTURE(k, n);
      checks::hmm_nodes const m(k);
      std::vector<int> a(static_cast<std::size_t>(n));
      std::iota(a.begin(), a.end(), 2);
      auto const fold = [&](auto const& call) {
        return mmm::simulate(m, threads(8 * k), call).result;
      };
      auto const larger = [](int x, int y) { return x < y ? y : x; };
      CHECK(fold([&](auto on) {
              return mmm::sum(on, a.begin(), a.end(), mmm::plus{}, mmm::init(0.5));
            }) == std::accumulate(a.begin(), a.end(), 0.5));
      CHECK(fold([&](auto on) {
              return mmm::sum(on, a.begin(), a.end(), larger, mmm::init(-3));
            }) == (n == 0 ? -3 : 1 + n));
      auto const without_initial = [&] {
        return fold([&](auto on) { return mmm::sum(on, a.begin(), a.end(), larger); });
      };
      if (n == 0)
        CHECK_THROWS_WITH(without_initial(),
                          Catch::Matchers::Contains("number of values to fold is 0; accepted: 1"));
      else
        CHECK(without_initial() == 1 + n);
    }
}

TEST_CASE("the bounds of a sum's network", "[sum_on_nodes]") {
  // Few values on many nodes: the time of merging is what is left, within a factor of 2.
  for (index const k : {2, 3, 5, 8, 9, 17, 100, 1000, 1025})
    for (index const time : {1, 30})
      for (index const latency : {1, 50, 3000}) {
        CAPTURE(k, time, latency);
        mmm::cluster<mmm::dynamic, mmm::dynamic, mmm::dynamic, mmm::pram> const m(k, time, latency);
        mmm::bound const b = mmm::lower_bound(m, mmm::sum, mmm::size(k), threads(k));
        index const network = mmm::cost_of(m, mmm::sum, mmm::size(k), threads(k)).time;
        CHECK(b.network_latency == b.time);
        CHECK(b.network_bandwidth == time * mmm::detail::ceil_log2(k));
        CHECK(b.time <= network);
        CHECK(network <= 2 * b.time);
        // By enumeration of the factors by which exchanges multiply the values that are known.
        if (k <= 100) {
          std::vector<index> least(static_cast<std::size_t>(k + 1), 0);  // to merge q values
          for (index q = 2; q <= k; ++q) {
            index& best = least[static_cast<std::size_t>(q)];
            best = time * (q - 1) + latency;
            for (index f = 2; f < q; ++f)
              best = std::min(best, time * (f - 1) + latency +
                                        least[static_cast<std::size_t>((q + f - 1) / f)]);
          }
          CHECK(b.network_latency == least[static_cast<std::size_t>(k)]);
        }
      }
  CHECK(mmm::lower_bound<mmm::cluster<4, 2, 30, mmm::pram>>(mmm::sum, mmm::size(1), threads(4)) ==
        mmm::bound{});
}
