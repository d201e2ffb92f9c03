// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/cluster.hpp>

#include "catch.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace {

using mmm::dynamic;
using mmm::index;
// one type of each kind, for the compiler's time
using hmm = mmm::hmm<dynamic, 4, dynamic, dynamic>;
using hmms = mmm::cluster<dynamic, dynamic, dynamic, hmm>;
using prams = mmm::cluster<dynamic, dynamic, dynamic, mmm::pram>;
using umms = mmm::cluster<dynamic, dynamic, dynamic, mmm::umm<4, dynamic>>;

constexpr index gap = 3, latency = 50;

[[nodiscard]] hmms hmms_of(index k) { return hmms(hmm(2, 2, 10), k, gap, latency); }

enum class order { random, few, equal, sorted, reversed, by_turns };
constexpr order orders[] = {order::random, order::few,      order::equal,
                            order::sorted, order::reversed, order::by_turns};

//! n keys; by_turns is the order in which every node has words of all nodes.
[[nodiscard]] std::vector<std::int32_t> keys_of(index n, order o) {
  std::vector<std::int32_t> keys;
  std::uint64_t state = static_cast<std::uint64_t>(n) + 1;
  for (index i = 0; i < n; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    auto const random = static_cast<std::int32_t>(state >> 32);
    auto const place = static_cast<std::int32_t>(i);
    switch (o) {
      case order::random:
        keys.push_back(random);
        break;
      case order::few:
        keys.push_back(random % 3);
        break;
      case order::equal:
        keys.push_back(7);
        break;
      case order::sorted:
        keys.push_back(place);
        break;
      case order::reversed:
        keys.push_back(-place);
        break;
      case order::by_turns:
        keys.push_back(place % 5 * 1000 + place);
        break;
    }
  }
  return keys;
}

//! The places of the words in a stably sorted sequence.
template <class Key, class Before>
[[nodiscard]] std::vector<int> sorted_places(std::vector<Key> const& keys, Before before) {
  std::vector<int> places(keys.size());
  std::iota(places.begin(), places.end(), 0);
  std::sort(places.begin(), places.end(), [&](int x, int y) {
    auto const &of_x = keys[static_cast<std::size_t>(x)], &of_y = keys[static_cast<std::size_t>(y)];
    return before(of_x, of_y) || (!before(of_y, of_x) && x < y);
  });
  return places;
}

//! The cost that a simulation found is between those that are known for all data, without a race,
//! and within the bounds.
template <class M, class Sort, class Run>
void check_cost(M const& m, Sort const& sort, index n, mmm::threads p, Run const& run) {
  mmm::size const words(n);
  auto const least = mmm::cost_of(m, sort, words, p, mmm::scatter::contiguous);
  auto const greatest = mmm::cost_of(m, sort, words, p, mmm::scatter::conflicting);
  CHECK((least.work.closed_form && greatest.work.closed_form));
  CHECK((least.work.time <= run.cost.work.time && run.cost.work.time <= greatest.work.time));
  CHECK((least.network.time <= run.cost.network.time &&
         run.cost.network.time <= greatest.network.time));
  CHECK(run.cost.network.words <= greatest.network.words);
  CHECK(run.cost.network.messages <= greatest.network.messages);
  CHECK((least.time <= run.cost.time && run.cost.time <= greatest.time));
  CHECK(least.work.rounds == greatest.work.rounds);
  CHECK((run.race_count == 0 && run.node_race_count == 0));
  CHECK(mmm::lower_bound(m, sort, words, p).time <= greatest.time);
  CHECK(mmm::lower_bound(m, sort, words, p, mmm::scatter::contiguous).time <= least.time);
  CHECK(greatest.time <= mmm::constant_of(m, sort) * mmm::upper_bound(m, sort, words, p));
}

//! Sorts keys with their places as values. `Stable` algorithms have one result.
template <bool Stable, class M, class Sort>
void check_pairs(M const& m, Sort const& sort, index threads_of_node, index n, order o) {
  CAPTURE(m.nodes(), n, static_cast<int>(o));
  auto const keys = keys_of(n, o);
  auto sorted = keys;
  std::vector<int> values(keys.size());
  std::iota(values.begin(), values.end(), 0);
  mmm::threads const p(m.nodes() * threads_of_node);
  auto const run =
      mmm::simulate(m, p, [&](auto on) { sort(on, sorted.begin(), sorted.end(), values.begin()); });
  auto const expected = sorted_places(keys, std::less<>());
  bool right = true;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    right = right && sorted[i] == keys[static_cast<std::size_t>(expected[i])] &&
            sorted[i] == keys[static_cast<std::size_t>(values[i])];
    if (Stable) right = right && values[i] == expected[i];
  }
  std::sort(values.begin(), values.end());
  for (std::size_t i = 0; i < keys.size(); ++i) right = right && values[i] == static_cast<int>(i);
  CHECK(right);
  check_cost(m, sort, n, p, run);
}

TEST_CASE("a merge sort of pairs on a cluster is stable") {
  for (index k = 1; k <= 7; ++k)
    for (index const n : {0, 1, 2, 5, 33, 250})
      for (order const o : orders)
        if (n > 5 || o != order::by_turns)
          check_pairs<true>(hmms_of(k), mmm::merge_sort_pairs, 8, n, o);
}

TEST_CASE("a radix sort of pairs on a cluster is stable") {
  for (index const k : {1, 2, 4, 7})
    for (index const n : {0, 1, 3, 60, 301})
      for (order const o : {order::random, order::few, order::reversed})
        check_pairs<true>(umms(mmm::umm<4, dynamic>(5), k, gap, latency), mmm::radix_sort_pairs, 8,
                          n, o);
}

TEST_CASE("a sort on a cluster takes any order, and its cost is that of any data at most") {
  for (index k = 1; k <= 7; ++k)
    for (index const n : {0, 1, 2, 5, 33, 250})
      for (order const o : orders) {
        CAPTURE(k, n, static_cast<int>(o));
        auto keys = keys_of(n, o);
        auto expected = keys;
        std::sort(expected.begin(), expected.end(), std::greater<>());
        hmms const m = hmms_of(k);
        mmm::threads const p(8 * k);
        auto const run = mmm::simulate(
            m, p, [&](auto on) { mmm::sort(on, keys.begin(), keys.end(), mmm::descending()); });
        CHECK(keys == expected);
        check_cost(m, mmm::sort, n, p, run);
        CHECK(mmm::cost_of(m, mmm::sort, mmm::size(n), p) ==
              mmm::cost_of(m, mmm::sort, mmm::size(n), p, mmm::scatter::conflicting));
        if (k > 1) continue;
        auto const of_node = mmm::cost_of(m.node(), mmm::sort, mmm::size(n), p);
        CHECK(run.cost.time == of_node.time);
        CHECK((run.cost.work.rounds == of_node.rounds && run.cost.work.stages == of_node.stages));
      }
}

TEST_CASE("a sort of pairs on a cluster keeps values with their keys") {
  for (index const k : {1, 3, 4})
    for (index const n : {1, 100})
      for (order const o : orders)
        check_pairs<false>(prams(mmm::pram(), k, gap, latency), mmm::sort_pairs, 8, n, o);
}

TEST_CASE("a radix sort on a cluster has the total order of floating-point numbers") {
  using limits = std::numeric_limits<double>;
  std::vector<double> const given = {0.0, limits::infinity(),  -0.0, -1.5, limits::quiet_NaN(),
                                     2.5, -limits::infinity(), 0.0,  -0.0, 1e300};
  std::vector<int> const ascending = {6, 3, 2, 8, 0, 7, 5, 9, 1, 4};
  std::vector<int> const descending = {4, 1, 9, 5, 0, 7, 2, 8, 3, 6};
  umms const m(mmm::umm<4, dynamic>(5), 4, gap, latency);
  auto const sorted = [&](auto how) {
    auto keys = given;
    std::vector<int> values(keys.size());
    std::iota(values.begin(), values.end(), 0);
    mmm::simulate(m, mmm::threads(16), [&](auto on) {
      mmm::radix_sort_pairs(on, keys.begin(), keys.end(), values.begin(), how);
    });
    return values;
  };
  CHECK(sorted(mmm::ascending()) == ascending);
  CHECK(sorted(mmm::descending()) == descending);
}

// On a PRAM the work is the same for all data, so that the exchange alone depends on them.
TEST_CASE("the least and the greatest cost are those of sorted words and of words that all move") {
  for (index const k : {2, 4, 6})
    for (index const n : {4 * k, 50 * k}) {
      CAPTURE(k, n);
      prams const m(mmm::pram(), k, gap, latency);
      mmm::threads const p(8 * k);
      auto const run_on = [&](order o) {
        auto keys = keys_of(n, o);
        auto const run =
            mmm::simulate(m, p, [&](auto on) { mmm::merge_sort(on, keys.begin(), keys.end()); });
        CHECK(std::is_sorted(keys.begin(), keys.end()));
        return run;
      };
      mmm::size const words(n);
      auto const least = mmm::cost_of(m, mmm::merge_sort, words, p, mmm::scatter::contiguous);
      auto const greatest = mmm::cost_of(m, mmm::merge_sort, words, p, mmm::scatter::conflicting);
      CHECK(least.work == greatest.work);
      auto const sorted = run_on(order::sorted);
      CHECK(sorted.cost.network == least.network);
      CHECK(sorted.cost.time == least.time);
      auto const reversed = run_on(order::reversed);
      CHECK(reversed.cost.network.words == greatest.network.words);
      CHECK(reversed.cost.network.supersteps == greatest.network.supersteps);
      CHECK(reversed.cost.time == greatest.time);
      // a node sends its words once, beside the words of the search
      for (index r = 0; r < k; ++r)
        CHECK(reversed.sent[static_cast<std::size_t>(r)].words -
                  sorted.sent[static_cast<std::size_t>(r)].words ==
              mmm::block_distribution(n, k).words(r));
    }
}

TEST_CASE("sorted words are sorted within any bound on a slow network") {
  umms const m(mmm::umm<4, dynamic>(3), 2, 1000, latency);
  mmm::threads const p(2 * 64);
  mmm::size const n(4096);
  auto const least = mmm::cost_of(m, mmm::merge_sort, n, p, mmm::scatter::contiguous);
  auto const bound = mmm::lower_bound(m, mmm::merge_sort, n, p, mmm::scatter::contiguous);
  CHECK(bound.time <= least.time);
  CHECK(bound.network_bandwidth == 0);
  // for some data all words move
  CHECK(mmm::lower_bound(m, mmm::merge_sort, n, p).network_bandwidth == 1000 * 2048 + latency);
}

TEST_CASE("the cost of a sort on a cluster is that of all its ranks") {
  using problem = mmm::detail::cluster_program<mmm::detail::merge_sort_algorithm>::problem;
  for (index k = 1; k <= 9; ++k)
    for (index const n : {0, 1, 2, 7, 100, 1000}) {
      CAPTURE(k, n);
      hmms const m = hmms_of(k);
      problem const sorting(mmm::size(n), mmm::scatter::conflicting);
      auto const program = [&](auto& on) { sorting.run(on); };
      mmm::threads const p(8 * k);
      CHECK(mmm::estimate(m, p, program) == mmm::estimate(m, p, program, mmm::examined_ranks::all));
    }
}

TEST_CASE("the cost of a sort on 10,000 nodes is a constant, and examines few of them") {
  using nodes = mmm::cluster<10000, 2, 1000, mmm::pram>;
  constexpr mmm::threads p(10000 * 64);
  auto const few = mmm::cost_of<nodes>(mmm::sort, mmm::size(40001), p);
  CHECK(few.network.words > 4);
  mmm::size const n(index{1} << 40);
  auto const greatest = mmm::cost_of<nodes>(mmm::merge_sort, n, p, mmm::scatter::conflicting);
  auto const bound = mmm::lower_bound<nodes>(mmm::merge_sort, n, p);
  CHECK(bound.network_bandwidth == 2 * (n.count / 10000 + 1) + 1000);
  CHECK(bound.network_latency == 1000);
  CHECK(bound.time <= greatest.time);
  CHECK(greatest.time <= mmm::constant_of(nodes{}, mmm::merge_sort) *
                             mmm::upper_bound<nodes>(mmm::merge_sort, n, p));
}

TEST_CASE("the cost of a stable sort on a cluster demands an assumption about the keys") {
  umms const m(mmm::umm<4, dynamic>(5), 2, gap, latency);
  mmm::size const n(100);
  mmm::threads const p(16);
  CHECK_THROWS_AS(mmm::cost_of(m, mmm::merge_sort, n, p), std::invalid_argument);
  CHECK_THROWS_AS(mmm::cost_of(m, mmm::radix_sort, n, p), std::invalid_argument);
  auto const of_4_bytes =
      mmm::cost_of(m, mmm::radix_sort, n, p, mmm::key_bits(32), mmm::scatter::contiguous);
  CHECK(mmm::cost_of(m, mmm::radix_sort, n, p, mmm::scatter::contiguous) == of_4_bytes);
  CHECK(mmm::cost_of(m, mmm::radix_sort, n, p, mmm::key_bits(64), mmm::scatter::contiguous).time >
        of_4_bytes.time);
}

TEST_CASE("a plan inspects the words of the nodes, without cost") {
  hmms const m = hmms_of(3);
  auto const run = mmm::simulate(m, mmm::threads(24), [](auto on) {
    std::vector<int> const words = {1, 2, 3, 4};
    auto const a = on.bring(words.begin(), on.distribution_of(4));
    auto const known = on.inspect(a);
    return std::vector<int>{known(0, 0), known(0, 1), known(1, 0), known(2, 0)};
  });
  CHECK(run.result == std::vector<int>{1, 2, 3, 4});
  CHECK(run.cost.time == 0);
}

}  // namespace
