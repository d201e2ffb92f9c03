// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/scan/prefix_sums_on_nodes.hpp>
#include <mmm/algorithm/scan/scan_of_node.hpp>

#include "support/affine_map.hpp"
#include "support/node_checks.hpp"

#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using mmm::index;

template <class T, class M>
void sums(M const& m, index n, index p, bool divides = false) {
  std::vector<T> a;
  for (std::int64_t const x : checks::numbers_on_nodes(n)) a.push_back(static_cast<T>(x));
  std::vector<T> expected(a.size()), after(a.size());
  std::partial_sum(a.begin(), a.end(), expected.begin());
  std::exclusive_scan(a.begin(), a.end(), after.begin(), T{});
  CAPTURE(m.nodes(), n, p);
  std::vector<T> out(a.size());
  checks::figures_on_nodes(m, mmm::prefix_sums, mmm::size(n), mmm::threads(p), divides,
                           [&](auto on) { mmm::prefix_sums(on, a.begin(), a.end(), out.begin()); });
  CHECK(out == expected);
  auto in_place = a;
  checks::figures_on_nodes(
      m, mmm::exclusive_prefix_sums, mmm::size(n), mmm::threads(p), divides, [&](auto on) {
        mmm::exclusive_prefix_sums(on, in_place.begin(), in_place.end(), in_place.begin());
      });
  CHECK(in_place == after);
}

//! A cluster whose parameters are those of its value.
template <class Node>
using any_cluster = mmm::cluster<mmm::dynamic, mmm::dynamic, mmm::dynamic, Node>;

template <class T, class Node>
void sums_on(Node const& node, index threads_of_node) {
  for (index const k : {1, 2, 3, 5})
    for (index const g : {1, 7})
      for (index const n : {0, 1, 2, 3, 4, 5, 7, 30, 64, 301, 1000})
        sums<T>(any_cluster<Node>(node, k, g, 20 * g), n, k * threads_of_node);
}

//! All call forms with an operator that does not commute, on a value type of a user's.
template <class M>
void forms(M const& m, index p, index n) {
  using checks::affine_map;
  std::vector<affine_map> a;
  for (index i = 0; i < n; ++i)
    a.push_back({static_cast<unsigned>(2 * i + 3), static_cast<unsigned>(i * i)});
  affine_map const start{5, 7};
  checks::composition const then;
  std::vector<affine_map> expected(a.size());
  CAPTURE(m.nodes(), n, p);
  // `call(on, first, out)`, with results elsewhere and in place
  auto const compare = [&](auto const& call) {
    std::vector<affine_map> words = a, out(a.size());
    mmm::cluster_cost cost;
    for (auto* const results : {&out, &words}) {
      auto const run = mmm::simulate(m, mmm::threads(p),
                                     [&](auto on) { call(on, words.begin(), results->begin()); });
      CHECK(*results == expected);
      CHECK(run.race_count + run.node_race_count == 0);
      if (results == &out)
        cost = run.cost;
      else
        CHECK(run.cost == cost);
    }
  };
  std::inclusive_scan(a.begin(), a.end(), expected.begin(), then);
  compare(
      [&](auto on, auto first, auto out) { mmm::prefix_sums(on, first, first + n, out, then); });
  std::inclusive_scan(a.begin(), a.end(), expected.begin(), then, start);
  compare([&](auto on, auto first, auto out) {
    mmm::prefix_sums(on, first, first + n, out, then, mmm::init(start));
  });
  std::exclusive_scan(a.begin(), a.end(), expected.begin(), start, then);
  compare([&](auto on, auto first, auto out) {
    mmm::exclusive_prefix_sums(on, first, first + n, out, then, mmm::init(start));
  });
}

template <class Node>
void forms_on(Node const& node, index threads_of_node) {
  for (index const k : {1, 2, 4})
    for (index const n : {0, 1, 3, 4, 50, 203})
      forms(any_cluster<Node>(node, k, 3, 20), k * threads_of_node, n);
}

}  // namespace

TEST_CASE("prefix-sums of a cluster") {
  sums_on<int>(mmm::pram(), 3);
  sums_on<std::int64_t>(mmm::bpram<4>(), 8);
  sums_on<float>(mmm::dmm<4, 5>(), 8);
  sums_on<double>(mmm::umm<4, 5>(), 8);
}

TEST_CASE("prefix-sums of a cluster of hierarchical machines") {
  using node = mmm::hmm<mmm::dynamic, 4, 2, 9, mmm::dynamic>;
  sums_on<std::int64_t>(node(2, 1024), 16);
  // many chunks, whose totals are scanned in chunks
  for (index const k : {1, 2, 3})
    for (index const n : {40, 97, 500})
      sums<int>(mmm::cluster<mmm::dynamic, 2, 30, node>(node(3, 24), k), n, k * 12);
}

TEST_CASE("prefix-sums of a cluster on networks of many kinds, of sizes that divide") {
  using node = mmm::hmm<mmm::dynamic, 4, 2, 9, mmm::dynamic>;
  auto const check = [](auto const& machine, index p) {
    for (index const rows : {1, 4, 32})
      sums<float>(machine, machine.nodes() * p * rows, machine.nodes() * p, true);
  };
  for (index const k : {2, 4, 9, 16})
    for (index const latency : {1, 40, 3000})
      for (mmm::gap const g : {mmm::gap(1, 16), mmm::gap(1), mmm::gap(50)}) {
        check(any_cluster<mmm::dmm<4, 5>>(k, g, latency), 8);
        check(any_cluster<node>(node(2, 1024), k, g, latency), 16);
      }
}

TEST_CASE("prefix-sums of a cluster keep the order of their operands") {
  forms_on(mmm::pram(), 3);
  forms_on(mmm::hmm<2, 4, 1, 5, 24>(), 8);
}

TEST_CASE("prefix-sums of a cluster combine values in the type of the sum") {
  std::vector<std::int8_t> const a(300, 100);
  using machine = mmm::cluster<3, 1, 9, mmm::hmm<2, 4, 1, 9>>;
  std::vector<int> whole(a.size());
  std::vector<double> halves(a.size());
  mmm::simulate<machine>(mmm::threads(24), [&](auto on) {
    mmm::prefix_sums(on, a.begin(), a.end(), whole.begin());
    mmm::exclusive_prefix_sums(on, a.begin(), a.end(), halves.begin(), mmm::init(0.5));
  });
  CHECK(whole.back() == 30'000);
  CHECK(halves.front() == 0.5);
  CHECK(halves.back() == 29'900.5);
}

TEST_CASE("prefix-sums of a cluster refuse an output that overlaps the input") {
  std::vector<int> a(10, 1);
  mmm::simulate<mmm::cluster<2, 1, 9, mmm::dmm<4, 5>>>(mmm::threads(8), [&](auto on) {
    CHECK_THROWS_AS(mmm::prefix_sums(on, a.begin(), a.begin() + 8, a.begin() + 1),
                    std::invalid_argument);
    CHECK_THROWS_AS(mmm::exclusive_prefix_sums(on, a.begin() + 1, a.begin() + 9, a.begin()),
                    std::invalid_argument);
  });
  CHECK(a == std::vector<int>(10, 1));
}

TEST_CASE("one node's prefix-sums cost what its machine's do") {
  using node = mmm::hmm<2, 4, 1, 9>;
  using machine = mmm::cluster<1, 2, 100, node>;
  constexpr auto equal = [](auto const& algorithm, index n) {
    mmm::size const words(n);
    mmm::threads const p(16);
    return mmm::cost_of<node>(algorithm, words, p).time ==
               mmm::cost_of<machine>(algorithm, words, p).time &&
           mmm::lower_bound<node>(algorithm, words, p) ==
               mmm::lower_bound<machine>(algorithm, words, p) &&
           mmm::upper_bound<node>(algorithm, words, p) ==
               mmm::upper_bound<machine>(algorithm, words, p);
  };
  CHECK(equal(mmm::prefix_sums, 1000));
  CHECK(equal(mmm::exclusive_prefix_sums, 1000));
  CHECK(equal(mmm::prefix_sums, 1));
}

TEST_CASE("prefix-sums on ten thousand nodes as a constant") {
  using node = mmm::hmm<4, 32, 2, 100>;
  using machine = mmm::cluster<10'000, mmm::gap(1, 16), 5000, node>;
  auto const cost = mmm::cost_of<machine>(mmm::prefix_sums, mmm::size(1'000'000'007),
                                          mmm::threads(10'000 * 4 * 64));
  auto const of_a_part =
      mmm::cost_of<node>(mmm::prefix_sums, mmm::size(100'001), mmm::threads(4 * 64));
  // the scan of a part as on one machine, and the network's scan of the parts' folds
  CHECK(cost.work.time - of_a_part.time <= of_a_part.time / 100);
  CHECK(cost.time == cost.work.time + cost.network.time);
  CHECK(cost.network == mmm::detail::tree_traffic(machine{}, 10'000, 1));
}

TEST_CASE("a node that scans before the exchange takes less time than one that folds first") {
  struct times {
    index here;
    index one_machine;
    index fold_first;
  };
  constexpr auto times_of = []<class Node>(Node const& node, index p) {
    constexpr index n = 10'000'000;
    mmm::cluster<2, 1, 1, Node> const m(node);
    auto const scan = mmm::cost_of(node, mmm::prefix_sums, mmm::size(n), mmm::threads(p)).time;
    return times{mmm::cost_of(m, mmm::prefix_sums, mmm::size(2 * n), mmm::threads(2 * p)).work.time,
                 scan, mmm::cost_of(node, mmm::sum, mmm::size(n), mmm::threads(p)).time + scan};
  };
  times const hierarchical = times_of(mmm::hmm<16, 32, 1, 400>(), 4096);
  CHECK(hierarchical.one_machine == 5'364'111);
  CHECK(hierarchical.here == 5'403'175);
  CHECK(hierarchical.fold_first == 6'652'243);
  times const one_memory = times_of(mmm::umm<32, 400>(), 16'384);
  CHECK(one_memory.here == 7'098'637);
  CHECK(one_memory.fold_first == 7'755'835);
}
