// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/reduce/argmin_on_nodes.hpp>
#include <mmm/algorithm/reduce/fold_bounds_on_nodes.hpp>

#include "support/node_checks.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using mmm::index;

//! Values of few kinds: most comparisons are of equal ones.
template <class T>
std::vector<T> values(index n, unsigned kinds) {
  std::mt19937 random(static_cast<unsigned>(n));
  std::vector<T> a(static_cast<std::size_t>(n));
  for (T& x : a) x = static_cast<T>(static_cast<int>(random() % kinds) - 1);
  return a;
}

template <class T, class M>
void places(M const& m, index n, index p) {
  for (unsigned const kinds : {1U, 2U, 50U}) {
    auto const a = values<T>(n, kinds);
    CAPTURE(m.nodes(), n, p, kinds);
    auto const smallest =
        checks::figures_on_nodes(m, mmm::argmin, mmm::size(n), mmm::threads(p), false,
                                 [&](auto on) { return mmm::argmin(on, a.begin(), a.end()); });
    auto const largest =
        checks::figures_on_nodes(m, mmm::argmax, mmm::size(n), mmm::threads(p), false,
                                 [&](auto on) { return mmm::argmax(on, a.begin(), a.end()); });
    auto const least = std::min_element(a.begin(), a.end());
    auto const greatest = std::max_element(a.begin(), a.end());
    CHECK(smallest.result == mmm::located<T>{*least, least - a.begin()});
    CHECK(largest.result == mmm::located<T>{*greatest, greatest - a.begin()});
  }
}

//! A cluster whose parameters are those of its value.
template <class Node>
using any_cluster = mmm::cluster<mmm::dynamic, mmm::dynamic, mmm::dynamic, Node>;

template <class T, class Node>
void places_on(Node const& node, index threads_of_node) {
  for (index const k : {1, 2, 3, 5})
    for (index const g : {1, 7})
      for (index const n : {1, 2, 3, 4, 5, 7, 30, 64, 301})
        places<T>(any_cluster<Node>(node, k, g, 20 * g), n, k * threads_of_node);
}

//! Numbers h of words received in exchanges, by trial: the least time in which the product of all 1
//! + h is q or more.
template <class M>
index merge_time_by_trial(M const& m, index q, index before = 0) {
  if (q <= 1) return 0;
  index least = std::numeric_limits<index>::max();
  for (index h = 1; h < q; ++h) {
    if (before > 0 && h > before) break;  // in falling order
    least = std::min(least, mmm::exchange_time(m, h, h) +
                                merge_time_by_trial(m, mmm::detail::ceil_divide(q, 1 + h), h));
  }
  return least;
}

}  // namespace

TEST_CASE("the smallest and the largest value of a cluster, and their places") {
  places_on<int>(mmm::pram(), 3);
  places_on<std::int64_t>(mmm::bpram<4>(), 8);
  places_on<float>(mmm::dmm<4, 5>(), 8);
  places_on<double>(mmm::umm<4, 5>(), 8);
  places_on<float>(mmm::hmm<2, 4, 1, 9>(), 8);
}

TEST_CASE("no values have no smallest one") {
  std::vector<int> const none;
  using machine = mmm::cluster<3, 1, 9, mmm::dmm<4, 5>>;
  mmm::simulate<machine>(mmm::threads(12), [&](auto on) {
    CHECK_THROWS_WITH(mmm::argmin(on, none.begin(), none.end()),
                      "mmm: the number of values to fold is 0; accepted: 1 or more, for this "
                      "operator");
    CHECK_THROWS_AS(mmm::argmax(on, none.begin(), none.end()), std::invalid_argument);
  });
}

TEST_CASE("one node's result and cost are its machine's") {
  auto const a = values<int>(1000, 50);
  using node = mmm::hmm<2, 4, 1, 9>;
  auto const find = [&](auto on) { return mmm::argmin(on, a.begin(), a.end()); };
  auto const alone = mmm::simulate<node>(mmm::threads(16), find);
  auto const cluster = mmm::simulate<mmm::cluster<1, 2, 100, node>>(mmm::threads(16), find);
  CHECK(alone.result == cluster.result);
  CHECK(alone.cost.time == cluster.cost.time);
  CHECK(mmm::lower_bound<node>(mmm::argmin, mmm::size(1000), mmm::threads(16)) ==
        mmm::lower_bound<mmm::cluster<1, 2, 100, node>>(mmm::argmin, mmm::size(1000),
                                                        mmm::threads(16)));
}

TEST_CASE("ten thousand nodes as a constant") {
  using machine = mmm::cluster<10'000, mmm::gap(1, 16), 5000, mmm::hmm<4, 32, 2, 100>>;
  constexpr mmm::threads p(10'000 * 4 * 64);
  auto const cost = mmm::cost_of<machine>(mmm::argmin, mmm::size(1'000'000'007), p);
  auto const bound = mmm::lower_bound<machine>(mmm::argmin, mmm::size(1'000'000'007), p);
  CHECK(bound.network_latency > 5000);
  CHECK(bound.time <= cost.time);
  CHECK(cost.time <= 3 * bound.time);
}

TEST_CASE("the least time to merge the values of nodes") {
  // 2^63 - 1 nodes: 63 exchanges of a word, without overflow
  constexpr mmm::cluster<2, mmm::gap(1, 64), 1, mmm::pram> quick;
  CHECK(mmm::detail::merge_time(quick, std::numeric_limits<index>::max()) <= 1 + 63);
  for (index const words : {1, 3})
    for (index const g : {1, 2, 9})
      for (index const latency : {1, 10, 100}) {
        any_cluster<mmm::pram> const m(2, mmm::gap(g, words), latency);
        mmm::cluster<mmm::dynamic, 2, 30, mmm::pram, 5> const with_overhead(2);
        for (index q = 1; q <= 70; ++q) {
          CAPTURE(words, g, latency, q);
          index const bound = mmm::detail::merge_time(m, q);
          CHECK(bound <= merge_time_by_trial(m, q));
          if (words == 1) CHECK(bound == merge_time_by_trial(m, q));
          CHECK(mmm::detail::tree_traffic(m, q, 1).time <= 2 * bound);
          CHECK(mmm::detail::merge_time(with_overhead, q) == merge_time_by_trial(with_overhead, q));
        }
      }
}
