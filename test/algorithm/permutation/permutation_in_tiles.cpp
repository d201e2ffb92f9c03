// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Permutations in tiles: the data, the cost between the best and the worst permutation, the bounds.
#include <mmm/algorithm/permutation/permutation_in_tiles.hpp>
#include <mmm/execution/kernel/host_threads.hpp>
#include <mmm/mmm.hpp>

#include "catch.hpp"
#include "support/long_tests.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

namespace {

using mmm::index;

//! Tiles of 16 words, two to an item.
constexpr mmm::detail::tile_permutation_algorithm<16, 2> in_tiles{};

std::vector<int> places_of(int kind, index n) {
  std::vector<int> s(static_cast<std::size_t>(n));
  std::iota(s.begin(), s.end(), 0);
  if (kind == 1) std::reverse(s.begin(), s.end());
  if (kind == 2) std::shuffle(s.begin(), s.end(), std::mt19937(5));
  return s;
}

template <class M>
void check(M const& m, index n, index p, int kind) {
  CAPTURE(n, p, kind);
  auto const s = places_of(kind, n);
  std::vector<int> a(s.size()), b(s.size(), -1), of_kernel(s.size(), -1), expected(s.size());
  std::iota(a.begin(), a.end(), 100);
  for (std::size_t i = 0; i < a.size(); ++i) expected[static_cast<std::size_t>(s[i])] = a[i];
  mmm::tile_permutation_schedule const schedule(s.begin(), s.end(), 16);
  mmm::threads const threads(p);
  auto const run = mmm::simulate(
      m, threads, [&](auto on) { in_tiles(on, a.begin(), a.end(), schedule, b.begin()); });
  CHECK(b == expected);
  CHECK(run.races.empty());
  CHECK(mmm::recomputed_time(m, run.trace) == run.cost.time);
  auto const with = [&](mmm::scatter places) {
    auto const c = mmm::cost_of(m, in_tiles, mmm::size(n), threads, places);
    CHECK(c.closed_form);
    CHECK(c.rounds == run.cost.rounds);
    return c.time;
  };
  CHECK(with(mmm::scatter::contiguous) <= run.cost.time);
  CHECK(run.cost.time <= with(mmm::scatter::conflicting));
  CHECK(mmm::lower_bound(m, in_tiles, mmm::size(n), threads).time <= run.cost.time);
  CHECK(with(mmm::scatter::conflicting) <=
        (n % 16 == 0 && p / m.dmms() == 4 ? 1 : 2) * 7 *
            mmm::upper_bound(m, in_tiles, mmm::size(n), threads));
  if (p > 40) return;
  in_tiles(mmm::host_threads(m, threads), a.begin(), a.end(), schedule, of_kernel.begin());
  CHECK(of_kernel == expected);
}

TEST_CASE("permutations in tiles, in simulations and kernels, within the bounds") {
  checks::every_nth taken(4);
  for (index const n : {0, 1, 15, 16, 33, 64, 160, 300})
    for (int const kind : {0, 1, 2})
      for (index const t : {1, 4, 6, 8, 30}) {
        if (!taken()) continue;
        check(mmm::hmm<2, 4, 1, 9>{}, n, 2 * t, kind);
        check(mmm::hmm<3, 4, 2, 5>{}, n, 3 * t, kind);
      }
}

TEST_CASE("permutations in tiles refuse what is no permutation, and other schedules") {
  std::vector<int> const twice{0, 2, 2}, good{2, 0, 1};
  CHECK_THROWS_AS(mmm::tile_permutation_schedule(twice.begin(), twice.end()),
                  std::invalid_argument);
  CHECK_THROWS_AS(mmm::tile_permutation_schedule(good.begin(), good.end(), 65537),
                  std::invalid_argument);
  std::vector<int> const a{1, 2, 3};
  std::vector<int> b(3);
  using machine = mmm::hmm<2, 4, 1, 9>;
  for (index const tile : {16, 32}) {
    mmm::tile_permutation_schedule const schedule(good.begin(), good.end(), tile);
    auto const run = [&](index n) {
      mmm::simulate<machine>(mmm::threads(8), [&](auto on) {
        in_tiles(on, a.begin(), a.begin() + n, schedule, b.begin());
      });
    };
    CHECK_THROWS_AS(run(2), std::invalid_argument);
    if (tile == 32) CHECK_THROWS_AS(run(3), std::invalid_argument);
  }
  CHECK_THROWS_AS((mmm::cost_of<machine>(mmm::permutation_in_tiles, mmm::size(9), mmm::threads(8))),
                  std::invalid_argument);
}

}  // namespace
