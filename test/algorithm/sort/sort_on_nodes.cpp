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

}  // namespace

TEST_CASE("a merge sort of pairs on a cluster is stable") {
  for (index k = 1; k <= 7; ++k)
    for (index const n : {0, 1, 2, 5, 33, 250})
      for (order const o : orders)
        if (n > 5 || o != order::by_turns)
          check_pairs<true>(hmms_of(k), mmm::merge_sort_pairs, 8, n, o);
}
