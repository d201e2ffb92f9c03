// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/sort/sort.hpp>
#include <mmm/algorithm/sort/split_on_nodes.hpp>
#include <mmm/execution/kernel/host_threads.hpp>
#include <mmm/execution/simulate/simulate.hpp>
#include <mmm/machine/cluster.hpp>
#include <mmm/machine/machine.hpp>

#include "catch.hpp"

#include <cstddef>
#include <vector>

namespace {

using mmm::index;
using mmm::detail::node_relation;
using mmm::detail::split_search;
using mmm::detail::split_search_of;
using network = mmm::cluster<mmm::dynamic, mmm::dynamic, mmm::dynamic, mmm::hmm<2, 4, 2, 10>>;

//! `base` to the power of `exponent`.
constexpr index power(index base, index exponent) {
  index p = 1;
  for (index e = 0; e < exponent; ++e) p *= base;
  return p;
}

//! A plan without its closed form.
template <class Plan>
struct pieces_only {
  Plan plan;
  constexpr mmm::piece operator()(index r, index s) const { return plan(r, s); }
};
template <class Plan>
constexpr bool same_relation(Plan const& plan, index r, index nodes) {
  node_relation const closed = relation_of(r, nodes, plan);
  node_relation const counted = relation_of(r, nodes, pieces_only<Plan>{plan});
  return closed.words == counted.words && closed.messages == counted.messages;
}

TEST_CASE("a search reaches every place, with the least traffic of all numbers of rounds") {
  bool reaches = true, best = true;
  for (index const words : {0, 1, 2, 3, 7, 8, 100, 1000, 123456})
    for (index const k : {2, 3, 8, 100})
      for (index const g : {1, 8})
        for (index const latency : {1, 100, 100000}) {
          network const m(k, g, latency);
          split_search const chosen = split_search_of(m, words);
          reaches = reaches && power(chosen.fan, chosen.rounds) >= words + 1 &&
                    (words == 0) == (chosen.rounds == 0);
          index const time = traffic_of(m, chosen).time;
          for (index rounds = 1; rounds <= 20 && words > 0; ++rounds) {
            index const fan = mmm::detail::ceil_root(words + 1, rounds);
            index const first = (fan - 1) * (k - 1), later = first * (k - 1);
            best = best &&
                   time <= 2 * (g * first + latency) + 2 * (rounds - 1) * (g * later + latency);
          }
        }
  CHECK(reaches);
  CHECK(best);
}

TEST_CASE("pivots of a round are the distances of the rounds after it apart") {
  constexpr split_search chosen{10, 3};
  STATIC_REQUIRE(chosen.distance(0) == 100);
  STATIC_REQUIRE(chosen.distance(1) == 10);
  STATIC_REQUIRE(chosen.distance(2) == 1);
  STATIC_REQUIRE(chosen.pivots(0, 5) == 9);
  STATIC_REQUIRE(chosen.pivots(1, 5) == 36);
}

TEST_CASE("the closed form of an exchange has the words and messages of its pieces") {
  bool same = true;
  for (index k = 1; k <= 7; ++k)
    for (index r = 0; r < k; ++r)
      for (bool const to_all : {false, true}) {
        same = same && same_relation(mmm::detail::pieces_to_others{k, 5, to_all}, r, k);
        same = same && same_relation(mmm::detail::word_for_each{k, to_all}, r, k);
      }
  CHECK(same);
}

TEST_CASE("pieces to other nodes do not overlap, and fill the target") {
  bool filled = true;
  for (index k = 2; k <= 5; ++k)
    for (index s = 0; s < k; ++s) {
      mmm::detail::pieces_to_others const plan{k, 3, false};
      bool word[12] = {};
      for (index r = 0; r < k; ++r) {
        mmm::piece const p = plan(r, s);
        filled = filled && (r == s ? p.total() == 0 : p.words == 3);
        filled = filled && p.source >= 0 && p.source + p.words <= 3 * (k - 1);
        for (index i = 0; i < p.words; ++i) {
          filled = filled && !word[p.target + i];
          word[p.target + i] = true;
        }
      }
      for (index i = 0; i < 3 * (k - 1); ++i) filled = filled && word[i];
    }
  CHECK(filled);
}

TEST_CASE("a node counts the words before pivots in a kernel and in a simulation") {
  using round = mmm::detail::split_round<mmm::ascending, mmm::detail::scatter_of_data>;
  using machine = mmm::umm<4, 5>;
  constexpr index k = 4, pivots = 3;
  std::vector<int> const of_others = {0, 1, 2, 2, 3, 9, 2, 4, -1};  // of three nodes
  bool right = true;
  for (index n = 0; n <= 6; ++n)
    for (index own = 0; own < k; ++own) {
      std::vector<int> keys = {1, 2, 2, 2, 3, 5};
      keys.resize(static_cast<std::size_t>(n));
      mmm::detail::count_before_program<round> const program{{{pivots + 1, 1}, 0, k, n}, own};
      auto const counted = [&](auto const& on) {
        std::vector<index> counts(of_others.size());
        mmm::run(on, program, mmm::reads(keys.begin(), n), mmm::reads(of_others.begin(), 9),
                 mmm::writes(counts.begin(), 9));
        return counts;
      };
      std::vector<index> expected;
      for (std::size_t i = 0; i < of_others.size(); ++i) {
        bool const later = static_cast<index>(i) >= own * pivots;
        index count = 0;
        for (int const key : keys)
          count += key < of_others[i] || (later && key == of_others[i]) ? 1 : 0;
        expected.push_back(count);
      }
      right = right && counted(mmm::host_threads<machine>(mmm::threads(4))) == expected;
      auto const run = mmm::simulate(machine{}, mmm::threads(4), counted);
      right = right && run.result == expected && run.race_count == 0;
    }
  CHECK(right);
}

TEST_CASE("cuts move to the last pivot before their border") {
  using round = mmm::detail::split_round<mmm::ascending, mmm::detail::scatter_of_data>;
  constexpr index k = 3, n = 30;  // 30 words of its own, 60 of two others, borders at 30 and 60
  std::vector<index> const borders = {0, 30, 60};
  bool right = true;
  auto const moved = [&](index number, std::vector<index> cuts, std::vector<index> const& answers) {
    auto const all = static_cast<index>(answers.size());
    mmm::detail::move_cuts_program<round> const program{{{4, 3}, number, k, n}, 90};
    auto const on_both = [&](auto const& on) {
      std::vector<index> result = cuts, ranks(answers.size() / 2);
      mmm::run(on, program, mmm::reads(answers.begin(), all), mmm::writes(ranks.begin(), all / 2),
               mmm::reads(borders.begin(), 3), mmm::updates(result.begin(), 3));
      return result;
    };
    auto const run = mmm::simulate(mmm::umm<4, 5>{}, mmm::threads(4), on_both);
    right = right && run.race_count == 0;
    right = right && run.result == on_both(mmm::host_threads<mmm::umm<4, 5>>(mmm::threads(4)));
    return run.result;
  };
  // pivots at places 15, 31 (none) and 47 (none): ranks 15 + 7 + 7
  CHECK(moved(0, {0, 0, 0}, {7, 30, 30, 7, 30, 30}) == std::vector<index>{16, 16, 0});
  CHECK(moved(0, {0, 0, 0}, {8, 30, 30, 7, 30, 30}) == std::vector<index>{0, 16, 0});
  // pivots at places 3, 7, 11 of the first border and at 19, 23, 27 of the second
  CHECK(moved(1, {0, 16, 0}, {9, 11, 20, 9, 9, 20, 9, 11, 20, 9, 9, 20}) ==
        std::vector<index>{8, 24, 0});
  CHECK(right);
}

}  // namespace
