// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/execution/kernel/host_threads.hpp>

#include "support/algorithm_checks.hpp"
#include "support/long_tests.hpp"

#include <string>
#include <utility>

namespace {

using mmm::dynamic;
using mmm::index;
// one type of each kind, for the compiler's time
using dmm = mmm::dmm<4, dynamic>;
using umm = mmm::umm<4, dynamic>;
using hmm = mmm::hmm<dynamic, 4, dynamic, dynamic, dynamic>;
using dmm_of_any_width = mmm::dmm<dynamic, dynamic>;

template <class M>
void check(M const& m, index n, index p, bool divides, bool enough_memory = true) {
  auto a = checks::numbers(n);
  auto expected = a;
  std::sort(expected.begin(), expected.end());
  auto const run =
      mmm::simulate(m, mmm::threads(p), [&](auto on) { mmm::sort(on, a.begin(), a.end()); });
  CHECK(a == expected);
  checks::exact_figures(m, mmm::sort, n, p, run);
  if (enough_memory) checks::figures(m, mmm::sort, n, p, run, divides);
  CHECK(mmm::cost_of(m, mmm::sort, mmm::size(n), mmm::threads(p)).closed_form);
}

bool power_of_two(mmm::index n) { return n > 0 && (n & (n - 1)) == 0; }

//! Keys with equal ones among them, and values that tell where they were.
template <class M>
void check_pairs(M const& m, index n, index p) {
  auto keys = checks::numbers(n);
  for (checks::word& key : keys) key %= 17;
  auto const original = keys;
  std::vector<std::string> values;
  for (index i = 0; i < n; ++i) values.push_back(std::to_string(i));
  auto const run = mmm::simulate(m, mmm::threads(p), [&](auto on) {
    mmm::sort_pairs(on, keys.begin(), keys.end(), values.begin(), mmm::descending{});
  });
  CHECK(std::is_sorted(keys.rbegin(), keys.rend()));
  auto places = values;
  for (std::size_t i = 0; i < places.size(); ++i)
    CHECK(original[static_cast<std::size_t>(std::stoi(values[i]))] == keys[i]);
  std::sort(places.begin(), places.end());
  CHECK(std::unique(places.begin(), places.end()) == places.end());
  checks::figures(m, mmm::sort_pairs, n, p, run, false);
}

}  // namespace

TEST_CASE("sorting in one memory") {
  int const l = GENERATE(1, 5);
  checks::sweep_sizes([&](auto n, auto p, bool divides) {
    if (n > 256 && p != 20 && p != 64) return;
    divides = divides && power_of_two(n) && n >= 2 * p;
    if (l == 1) check(mmm::pram(), n, p, divides);
    check(dmm(l), n, p, divides);
    check(umm(l), n, p, divides);
  });
}

TEST_CASE("sorting on banks of any width") {
  for (mmm::index const w : {1, 2, 3, 6, 12, 32})
    for (mmm::index const n : {2, 7, 64, 100}) {
      dmm_of_any_width const m(w, 5);
      auto a = checks::numbers(n);
      auto const run =
          mmm::simulate(m, mmm::threads(24), [&](auto on) { mmm::sort(on, a.begin(), a.end()); });
      CHECK(std::is_sorted(a.begin(), a.end()));
      auto const estimated = mmm::cost_of(m, mmm::sort, mmm::size(n), mmm::threads(24));
      CHECK(run.cost.time == estimated.time);
      CHECK(run.cost.stages == estimated.stages);
    }
}

TEST_CASE("sorting on hierarchical machines") {
  std::vector<std::pair<int, int>> machines = {{1, 3}, {3, 1}, {4, 3}};
  if (checks::long_tests()) machines.insert(machines.end(), {{1, 1}, {3, 3}, {4, 1}});
  auto const machine = GENERATE_COPY(from_range(machines));
  int const d = machine.first;
  int const l = machine.second;
  for (mmm::index const capacity : {2, 64, 1 << 20})
    checks::sweep_sizes([&](auto n, auto p, bool divides) {
      if (p % d != 0 || (capacity == 2 && n > 100) || (n > 256 && p < 20)) return;
      check(hmm(d, l, 9, capacity), n, p,
            divides && power_of_two(n) && power_of_two(d) && n >= 2 * p && n >= 4 * d,
            capacity > 64);
    });
  CHECK_THROWS_AS(check(hmm(4, 1, 9, 1), 100, 16, false), std::length_error);
}

TEST_CASE("of a sort no access has a bank conflict for even widths and powers of two") {
  for (mmm::index const n : {64, 256, 1024}) {
    auto const conflict_free = [n](auto const& m) {
      auto const cost = mmm::cost_of(m, mmm::sort, mmm::size(n), mmm::threads(n / 2));
      return cost.stages * m.width() == cost.rounds * (n / 2);
    };
    CHECK(conflict_free(dmm_of_any_width(2, 3)));
    CHECK(conflict_free(dmm_of_any_width(16, 3)));
    CHECK(conflict_free(dmm_of_any_width(32, 3)));
    CHECK_FALSE(conflict_free(umm(3)));
  }
}

TEST_CASE("the cost of a large sort is a closed form") {
  mmm::size const n(100000007);
  CHECK(mmm::cost_of(umm(400), mmm::sort, n, mmm::threads(1 << 16)).closed_form);
  CHECK(mmm::cost_of(hmm(132, 29, 700, 12288), mmm::sort, n, mmm::threads(132 * 1024)).closed_form);
}

TEST_CASE("values are sorted with their keys, in any order") {
  for (mmm::index const n : {0, 1, 2, 31, 100}) {
    check_pairs(dmm(5), n, 12);
    check_pairs(hmm(2, 1, 5, 1024), n, 12);
  }
}

TEST_CASE("sorts as kernels") {
  auto const on_threads = [](auto const& on, mmm::index n) {
    auto keys = checks::numbers(n);
    auto const original = keys;
    std::vector<checks::word> values(keys.size());
    std::iota(values.begin(), values.end(), 0);
    mmm::sort_pairs(on, keys.begin(), keys.end(), values.begin());
    CHECK(std::is_sorted(keys.begin(), keys.end()));
    for (std::size_t i = 0; i < keys.size(); ++i)
      CHECK(original[static_cast<std::size_t>(values[i])] == keys[i]);
  };
  mmm::host_threads<mmm::dmm<4, 5>> const of_dmm(mmm::threads(8));
  for (mmm::index const n : {0, 1, 2, 33, 257}) {
    on_threads(of_dmm, n);
    on_threads(mmm::host_threads<mmm::hmm<2, 4, 1, 5, 128>>(mmm::threads(8)), n);
  }
  std::vector<checks::word> a(10, 1);
  CHECK_THROWS_AS(mmm::sort_pairs(of_dmm, a.begin(), a.begin() + 5, a.begin() + 4),
                  std::invalid_argument);
}
