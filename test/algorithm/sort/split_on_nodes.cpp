// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/sort/split_on_nodes.hpp>
#include <mmm/machine/cluster.hpp>
#include <mmm/machine/machine.hpp>

#include "catch.hpp"

namespace {

using mmm::index;
using mmm::detail::fan_of;
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
  node_relation const closed = relation_of(plan, r, nodes);
  node_relation const counted = relation_of(pieces_only<Plan>{plan}, r, nodes);
  return closed.words == counted.words && closed.messages == counted.messages;
}

}  // namespace

TEST_CASE("fan_of is the least number whose power is enough") {
  bool least = true;
  for (index n = 1; n <= 300; ++n)
    for (index exponent = 1; exponent <= 10; ++exponent) {
      index f = 2;
      while (power(f, exponent) < n) ++f;
      least = least && fan_of(n, exponent) == f;
    }
  CHECK(least);
  STATIC_REQUIRE(fan_of(INT64_MAX, 1) == INT64_MAX);
  STATIC_REQUIRE(fan_of(INT64_MAX, 63) == 2);
  STATIC_REQUIRE(fan_of(INT64_MAX, 2) == 3037000500);
}

TEST_CASE("a search reaches every place, with the least traffic of all numbers of rounds") {
  bool reaches = true, best = true;
  for (index const words : {0, 1, 2, 3, 7, 8, 100, 1000, 123456})
    for (index const k : {2, 3, 8, 100})
      for (index const g : {1, 8})
        for (index const latency : {1, 100, 100000}) {
          network const m(k, g, latency);
          split_search const search = split_search_of(m, words);
          reaches = reaches && power(search.fan, search.rounds) >= words + 1 &&
                    (words == 0) == (search.rounds == 0);
          index const time = traffic_of(m, search).time;
          for (index rounds = 1; rounds <= 20 && words > 0; ++rounds) {
            index const fan = fan_of(words + 1, rounds);
            index const first = (fan - 1) * (k - 1), later = first * (k - 1);
            best = best &&
                   time <= 2 * (g * first + latency) + 2 * (rounds - 1) * (g * later + latency);
          }
        }
  CHECK(reaches);
  CHECK(best);
}

TEST_CASE("pivots of a round are the distances of the rounds after it apart") {
  constexpr split_search search{10, 3};
  STATIC_REQUIRE(search.distance(0) == 100);
  STATIC_REQUIRE(search.distance(1) == 10);
  STATIC_REQUIRE(search.distance(2) == 1);
  STATIC_REQUIRE(search.pivots(0, 5) == 9);
  STATIC_REQUIRE(search.pivots(1, 5) == 36);
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
