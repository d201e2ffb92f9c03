// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Permutations by a schedule and by a scatter: the rounds, the data, the cost, the bounds.
#include <mmm/algorithm/permutation/edge_coloring.hpp>
#include <mmm/algorithm/permutation/permutation.hpp>
#include <mmm/algorithm/permutation/permutation_direct.hpp>
#include <mmm/execution/kernel/host_threads.hpp>
#include <mmm/report/schedule_svg.hpp>

#include "support/long_tests.hpp"
#include "support/problem_checks.hpp"

#include <cstdint>
#include <initializer_list>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using mmm::dynamic;
using mmm::index;

enum class kind { identity, reversal, to_one_bank, from_one_bank, random };

std::vector<int> places_of(kind k, index n, index w) {
  std::vector<int> s(static_cast<std::size_t>(n));
  std::iota(s.begin(), s.end(), 0);
  if (k == kind::reversal) std::reverse(s.begin(), s.end());
  if (k == kind::random) std::shuffle(s.begin(), s.end(), std::mt19937(7));
  if (k == kind::to_one_bank || k == kind::from_one_bank) {
    // Successive words go to one bank, as in a transpose; or come from one.
    std::vector<int> by_bank;
    for (index bank = 0; bank < w; ++bank)
      for (index i = bank; i < n; i += w) by_bank.push_back(static_cast<int>(i));
    if (k == kind::to_one_bank) return by_bank;
    for (std::size_t i = 0; i < s.size(); ++i)
      s[static_cast<std::size_t>(by_bank[i])] = static_cast<int>(i);
  }
  return s;
}

constexpr std::initializer_list<kind> all_kinds = {
    kind::identity, kind::reversal, kind::to_one_bank, kind::from_one_bank, kind::random};

std::vector<int> permuted(std::vector<int> const& a, std::vector<int> const& s) {
  std::vector<int> b(a.size(), -1);
  for (std::size_t i = 0; i < a.size(); ++i) b[static_cast<std::size_t>(s[i])] = a[i];
  return b;
}

std::vector<int> words(index n) {
  std::vector<int> a(static_cast<std::size_t>(n));
  std::iota(a.begin(), a.end(), 100);
  return a;
}

//! Simulates both permutations and holds the figures against estimates and bounds.
template <class M>
void check(M const& m, index n, index p, kind k) {
  CAPTURE(m.width(), n, p, static_cast<int>(k));
  auto const a = words(n);
  auto const s = places_of(k, n, m.width());
  auto const expected = permuted(a, s);
  mmm::permutation_schedule const schedule(m, s.begin(), s.end());
  CHECK(schedule.max_stages() == (n > 0 ? 1 : 0));
  std::vector<int> b(a.size(), -1);
  auto const run = mmm::simulate(m, mmm::threads(p), [&](auto on) {
    mmm::permutation(on, a.begin(), a.end(), schedule, b.begin());
  });
  CHECK(b == expected);
  bool divides = n % m.width() == 0 && p % m.width() == 0;
  if constexpr (mmm::hierarchical_machine<M>)
    divides =
        divides && p / m.dmms() % m.width() == 0 && m.width() * m.width() % (p / m.dmms()) == 0;
  checks::problem_figures(m, mmm::permutation, mmm::size(n), p, run,
                          (divides ? 1 : 2) * mmm::constant_of(m, mmm::permutation));
}

//! A simulation of a scatter lies between the estimates for the best and the worst permutation.
template <class M>
void check_direct(M const& m, index n, index p, kind k) {
  CAPTURE(m.width(), n, p, static_cast<int>(k));
  auto const a = words(n);
  auto const s = places_of(k, n, m.width());
  std::vector<int> b(a.size(), -1);
  auto const run = mmm::simulate(m, mmm::threads(p), [&](auto on) {
    mmm::permutation_direct(on, a.begin(), a.end(), s.begin(), b.begin());
  });
  CHECK(b == permuted(a, s));
  CHECK(run.races.empty());
  auto const with = [&](mmm::scatter places) {
    auto const c = mmm::cost_of(m, mmm::permutation_direct, mmm::size(n), mmm::threads(p), places);
    CHECK(c.closed_form);
    CHECK(c.rounds == run.cost.rounds);
    return c.time;
  };
  CHECK(with(mmm::scatter::contiguous) <= run.cost.time);
  CHECK(run.cost.time <= with(mmm::scatter::conflicting));
  auto const threads = mmm::threads(p);
  CHECK(mmm::lower_bound(m, mmm::permutation_direct, mmm::size(n), threads).time <= run.cost.time);
  CHECK(with(mmm::scatter::conflicting) <=
        mmm::constant_of(m, mmm::permutation_direct) *
            mmm::upper_bound(m, mmm::permutation_direct, mmm::size(n), threads));
}

TEST_CASE("a scheduled permutation on a DMM costs what is known of any permutation") {
  for (auto const& [w, n, p] :
       checks::combinations({1, 4, 7, 8}, {0, 1, 3, 8, 15, 16, 33, 60, 127}, {1, 3, 4, 12, 13, 64}))
    for (kind const k : all_kinds) check(mmm::dmm<dynamic, dynamic>(w, w == 8 ? 1 : 5), n, p, k);
}

TEST_CASE("a scheduled permutation on an HMM costs what is known of any permutation") {
  checks::every_nth taken(7);
  for (auto const& [w, n, t] :
       checks::combinations({1, 3, 4}, {0, 1, 7, 16, 17, 40, 64, 100, 144}, {1, 3, 4, 8, 16, 40}))
    for (kind const k : all_kinds) {
      if (!taken()) continue;
      check(mmm::hmm<3, dynamic, 2, 9>(w), n, 3 * t, k);
      if (w == 1) check(mmm::hmm<1, dynamic, 1, 1>(w), n, t, k);
    }
}

TEST_CASE("a scatter costs at most a stage for each word, on every machine") {
  for (auto const& [n, p, of_kind] :
       checks::combinations({0, 1, 16, 33, 100}, {2, 4, 10, 64}, {0, 1, 2, 3, 4})) {
    auto const k = static_cast<kind>(of_kind);
    check_direct(mmm::pram{}, n, p, k);
    check_direct(mmm::bpram<4>{}, n, p, k);
    check_direct(mmm::dmm<4, 5>{}, n, p, k);
    check_direct(mmm::umm<4, 5>{}, n, p, k);
    check_direct(mmm::hmm<2, 4, 1, 9>{}, n, p, k);
  }
  CHECK_THROWS_WITH(
      (mmm::cost_of<mmm::dmm<4, 5>>(mmm::permutation_direct, mmm::size(9), mmm::threads(4))),
      "mmm: the cost of a direct permutation depends on the places: write "
      "mmm::scatter::contiguous or mmm::scatter::conflicting after the threads, or mmm::simulate "
      "it "
      "on data");
}

TEST_CASE("permutations on host threads") {
  auto const on_threads = [](auto const& m, index n, index p) {
    CAPTURE(n, p);
    auto const a = words(n);
    auto const s = places_of(kind::random, n, m.width());
    mmm::permutation_schedule const schedule(m, s.begin(), s.end());
    std::vector<int> b(a.size(), -1), c(a.size(), -1);
    mmm::permutation(mmm::host_threads(m, mmm::threads(p)), a.begin(), a.end(), schedule,
                     b.begin());
    CHECK(b == permuted(a, s));
    mmm::permutation_direct(mmm::host_threads(m, mmm::threads(p)), a.begin(), a.end(), s.begin(),
                            c.begin());
    CHECK(c == permuted(a, s));
  };
  for (index const n : {0, 5, 16, 33})
    for (index const p : {2, 8, 14}) {
      on_threads(mmm::dmm<4, 5>{}, n, p);
      on_threads(mmm::hmm<2, 4, 1, 9>{}, n, p);
    }
}

TEST_CASE("what is no permutation, or another's schedule, is refused") {
  mmm::dmm<4, 5> const m;
  auto const make = [&](std::vector<int> const& s) {
    mmm::permutation_schedule const made(m, s.begin(), s.end());
  };
  CHECK_THROWS_WITH(make({0, 2, 1, 2}),
                    "mmm: no permutation: places 1 and 3 both go to 2; accepted: every place once");
  CHECK_THROWS_WITH(make({0, 1, 4, 2}), "mmm: no permutation: place 2 goes to 4; accepted: 0 to 3");
  CHECK_THROWS_WITH(make({-1, 1}), "mmm: no permutation: place 0 goes to -1; accepted: 0 to 1");
  std::vector<int> const s{1, 2, 0};
  std::vector<int> a{5, 6, 7, 8}, b(4);
  mmm::permutation_schedule const of_three(m, s.begin(), s.end());
  auto const run = [&](auto const& machine, mmm::permutation_schedule const& schedule) {
    mmm::simulate(machine, mmm::threads(4),
                  [&](auto on) { mmm::permutation(on, a.begin(), a.end(), schedule, b.begin()); });
  };
  CHECK_THROWS_WITH(run(m, of_three),
                    "mmm: the schedule permutes 3 words as 1 x 3 in memories of width 4; accepted: "
                    "a schedule of 4 words as 1 x 4, width 4");
  std::vector<int> const four{1, 2, 0, 3};
  mmm::permutation_schedule const of_four(m, four.begin(), four.end());
  CHECK_THROWS_AS(run(mmm::dmm<8, 5>{}, of_four), std::invalid_argument);
  CHECK_THROWS_AS(run(mmm::hmm<1, 8, 1, 5>{}, of_four), std::invalid_argument);
  CHECK_THROWS_AS(
      mmm::simulate(m, mmm::threads(4),
                    [&](auto on) { mmm::permutation(on, a.begin(), a.end(), of_four, a.begin()); }),
      std::invalid_argument);
  mmm::hmm<2, 4, 1, 9, 31> const small;  // two rows of 16 words need 32
  auto const places = places_of(kind::reversal, 256, 4);
  auto const many = words(256);
  std::vector<int> out(256);
  mmm::permutation_schedule const of_many(small, places.begin(), places.end());
  CHECK_THROWS_AS(
      mmm::simulate(
          small, mmm::threads(8),
          [&](auto on) { mmm::permutation(on, many.begin(), many.end(), of_many, out.begin()); }),
      std::length_error);
}

TEST_CASE("a schedule as a picture") {
  auto const s = places_of(kind::reversal, 10, 4);
  mmm::permutation_schedule const schedule(mmm::dmm<4, 5>{}, s.begin(), s.end());
  auto const picture = mmm::report::svg(schedule, "a <reversal>");
  CHECK(picture.find("a &lt;reversal&gt;") != std::string::npos);
  CHECK(picture.find("round 2") != std::string::npos);
  CHECK(picture.find("round 3") == std::string::npos);
  index lines = 0;
  for (auto at = picture.find("<line"); at != std::string::npos; at = picture.find("<line", at + 1))
    ++lines;
  CHECK(lines == 2 * 10);
  auto const many = places_of(kind::reversal, 257, 4);
  CHECK_THROWS_AS(
      mmm::report::svg(mmm::permutation_schedule(mmm::dmm<4, 5>{}, many.begin(), many.end()), ""),
      std::invalid_argument);
  CHECK_THROWS_AS(
      mmm::report::svg(mmm::permutation_schedule(mmm::hmm<1, 4, 1, 5>{}, many.begin(), many.end()),
                       ""),
      std::invalid_argument);
}

TEST_CASE("the edges of a colour are a perfect matching") {
  std::mt19937 random(3);
  for (index const vertices : {1, 2, 5, 16})
    for (index degree = 1; degree <= 17; ++degree) {
      CAPTURE(vertices, degree);
      // A sum of `degree` random matchings, with parallel edges.
      mmm::detail::edge_coloring coloring(vertices * degree, vertices);
      std::vector<std::array<std::int32_t, 2>> edges;
      std::vector<std::int32_t> right(static_cast<std::size_t>(vertices));
      std::iota(right.begin(), right.end(), 0);
      for (index d = 0; d < degree; ++d) {
        if (d % 3 != 0) std::shuffle(right.begin(), right.end(), random);
        for (std::size_t v = 0; v < right.size(); ++v)
          edges.push_back({static_cast<std::int32_t>(v), right[v]});
      }
      std::shuffle(edges.begin(), edges.end(), random);
      for (std::size_t i = 0; i < edges.size(); ++i)
        coloring.edge(static_cast<index>(i)) = {edges[i][0], edges[i][1],
                                                static_cast<std::int32_t>(i)};
      coloring.color(vertices, degree);
      std::vector<int> met(static_cast<std::size_t>(2 * vertices * degree));
      for (std::size_t i = 0; i < edges.size(); ++i) {
        index const color = coloring.color_of(static_cast<index>(i));
        REQUIRE((color >= 0 && color < degree));
        ++met[static_cast<std::size_t>(2 * (color * vertices + edges[i][0]))];
        ++met[static_cast<std::size_t>(2 * (color * vertices + edges[i][1]) + 1)];
      }
      CHECK(std::all_of(met.begin(), met.end(), [](int k) { return k == 1; }));
    }
}

}  // namespace
