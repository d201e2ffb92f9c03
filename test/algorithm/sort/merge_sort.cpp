// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/execution/kernel/host_threads.hpp>
#include <mmm/fast.hpp>
#include <mmm/mmm.hpp>

#include "catch.hpp"
#include "support/combinations.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace {

using mmm::dynamic;
using mmm::index;
// one type of each kind, for the compiler's time
using machine = mmm::hmm<dynamic, 4, dynamic, dynamic>;
using dmm = mmm::dmm<4, dynamic>;

//! Keys of `kinds` values.
std::vector<std::uint32_t> random_keys(index n, std::uint32_t kinds) {
  std::vector<std::uint32_t> keys;
  std::uint64_t state = static_cast<std::uint64_t>(n) + 1;
  for (index i = 0; i < n; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    keys.push_back(static_cast<std::uint32_t>(state >> 32) % kinds);
  }
  return keys;
}

//! Sorted as std::stable_sort does, without a race, in as many rounds as are known for all keys and
//! within what is known of their time.
template <class M>
void check(M const& m, index p, index n, std::uint32_t kinds) {
  CAPTURE(m.width(), p, n, kinds);
  auto keys = random_keys(n, kinds);
  std::vector<int> places(keys.size());
  std::iota(places.begin(), places.end(), 0);
  auto expected = places;
  std::stable_sort(expected.begin(), expected.end(), [&](int x, int y) {
    return keys[static_cast<std::size_t>(x)] < keys[static_cast<std::size_t>(y)];
  });
  auto const& sort = mmm::merge_sort_pairs;
  mmm::size const size(n);
  mmm::threads const threads(p);
  auto const run = mmm::simulate(
      m, threads, [&](auto on) { sort(on, keys.begin(), keys.end(), places.begin()); });
  CHECK(places == expected);
  CHECK(std::is_sorted(keys.begin(), keys.end()));
  CHECK(run.race_count == 0);
  auto const least = mmm::cost_of(m, sort, size, threads, mmm::scatter::contiguous);
  auto const most = mmm::cost_of(m, sort, size, threads, mmm::scatter::conflicting);
  CHECK((least.closed_form && most.closed_form));
  CHECK((least.rounds == run.cost.rounds && most.rounds == run.cost.rounds));
  CHECK((least.time <= run.cost.time && least.stages <= run.cost.stages));
  CHECK((run.cost.time <= most.time && run.cost.stages <= most.stages));
  bool const divides = p % m.width() == 0 && n % p == 0;
  CHECK(most.time <=
        (divides ? 1 : 2) * mmm::constant_of(m, sort) * mmm::upper_bound(m, sort, size, threads));
  CHECK(least.time >= mmm::lower_bound(m, sort, size, threads).time);
}

}  // namespace

TEST_CASE("a merge sort on an HMM is stable, and its time is known but for conflicts") {
  for (mmm::index const n : {0, 1, 2, 14, 15, 16, 119, 120, 121, 500, 1700})
    for (std::uint32_t const kinds : {1U, 9U, ~0U}) {
      if (n > 1000 && !checks::takes(kinds == 9U)) continue;
      check(machine(2, 1, 1), 16, n, kinds);   // tiles of 120
      check(machine(3, 3, 90), 15, n, kinds);  // five threads, no whole number of warps
      check(machine(1, 2, 9), 1, n, kinds);
    }
}

TEST_CASE("a merge sort in one memory is stable, and its time is known but for conflicts") {
  for (mmm::index const n : {0, 1, 2, 6, 7, 8, 28, 29, 300})
    for (std::uint32_t const kinds : {1U, 9U, ~0U})
      for (mmm::index const p : {1, 6, 64}) {
        check(dmm(5), p, n, kinds);
        check(dmm(1), p, n, kinds);
      }
}

TEST_CASE("some keys take the least that is known of a merge sort") {
  // of one thread no access has a conflict
  dmm const m(5);
  mmm::threads const one(1);
  auto keys = random_keys(100, 1000);
  auto const run =
      mmm::simulate(m, one, [&](auto on) { mmm::merge_sort(on, keys.begin(), keys.end()); });
  auto const known = [&](mmm::scatter places) {
    return mmm::cost_of(m, mmm::merge_sort, mmm::size(100), one, places).time;
  };
  CHECK(run.cost.time == known(mmm::scatter::contiguous));
  CHECK(run.cost.time == known(mmm::scatter::conflicting));
  // sections are read and written, then four levels: a search of 2 reads for each halving of a run
  // of 7, 14, 28 and 56 of the 100 words, and 7 + 1 reads and 7 writes, by 15 items one by one
  mmm::index const items = 15;
  mmm::index const sections = 7 * items + 100;
  mmm::index const searches = 2 * (3 + 4 + 5 + 6) * items;
  CHECK(run.cost.time == 5 * (sections + searches + 4 * (8 * items + 100)));
  CHECK_THROWS_AS(known(mmm::scatter::unknown), std::invalid_argument);
}

TEST_CASE("a merge sort of even tiles has the time that is documented") {
  // docs/algorithms.md: T = 2^j tiles of e = 15 words for each of t = 2^h threads, R for each DMM
  mmm::index const e = 15;
  mmm::index const w = 4;
  mmm::index const l = 3;
  mmm::index const global = 9;
  for (mmm::index const d : {1, 2})
    for (mmm::index const h : {4, 5})
      for (mmm::index const j : {0, 1, 3}) {
        CAPTURE(d, h, j);
        mmm::index const t = mmm::index{1} << h;
        mmm::index const tiles = mmm::index{1} << j;
        if (tiles % d != 0) continue;
        mmm::index const r = tiles / d;
        auto const time = [&](mmm::index all, mmm::index parts, mmm::index own, mmm::index own_read,
                              mmm::index cut) {
          mmm::index const copies = (e + 1) / w * (d + 1) + global + l - 2;
          mmm::index const sorted = copies + (2 * e + 1) * all + 2 * e * own;
          mmm::index const merged = copies + 3 * all + e * (all + parts) + 2 * e * own;
          return r * sorted + j * r * merged + r * (h * h + 23 * h + j * (2 * h + 22)) * own_read +
                 e * r * (h + j + 2) * own + j * (j + 2 * h + 7) * cut +
                 j * ((tiles + 1 + w - 1) / w + global - 1);
        };
        mmm::index const all = t * d / w + global - 1;
        mmm::index const own = t / w + l - 1;
        mmm::index const least = time(all, all, own, own, (tiles + 1 + w - 1) / w + global - 1);
        mmm::index const most =
            time(all, (2 * t / w + 2) * d + global - 1, own, t + l - 1, tiles + 1 + global - 1);
        auto const known = [&](mmm::scatter places) {
          return mmm::cost_of(machine(d, l, global), mmm::merge_sort, mmm::size(tiles * e * t),
                              mmm::threads(t * d), places)
              .time;
        };
        CHECK(known(mmm::scatter::contiguous) == least);
        CHECK(known(mmm::scatter::conflicting) == most);
      }
}

TEST_CASE("a merge sort takes any words and orders, as a kernel, too") {
  mmm::host_threads<mmm::hmm<2, 4, 1, 5>> const on(mmm::threads(16));
  auto const backwards = [](std::uint32_t x, std::uint32_t y) { return x / 4 > y / 4; };
  for (mmm::index const n : {0, 1, 119, 120, 121, 700}) {
    auto keys = random_keys(n, 1000);
    auto expected = keys;
    std::stable_sort(expected.begin(), expected.end(), backwards);
    mmm::merge_sort(on, keys.begin(), keys.end(), backwards);
    CHECK(keys == expected);
  }
  std::vector<std::uint32_t> a(10, 1);
  CHECK_THROWS_AS(mmm::merge_sort_pairs(on, a.begin(), a.begin() + 5, a.begin() + 4),
                  std::invalid_argument);
  mmm::host_threads<mmm::hmm<2, 4, 1, 5, 100>> const small(mmm::threads(16));
  CHECK_THROWS_AS(mmm::merge_sort(small, a.begin(), a.end()), std::length_error);
  mmm::host_threads<mmm::hmm<2, 4, 1, 5>> const with_a_part_of_a_warp(mmm::threads(12));
  CHECK_THROWS_AS(mmm::merge_sort(with_a_part_of_a_warp, a.begin(), a.end()),
                  std::invalid_argument);
}

TEST_CASE("the threads of a merge sort give each DMM as many tiles, all but equal") {
  using mmm::detail::threads_of_merge;
  CHECK(threads_of_merge(1, 132, 32, 1024) == 256);
  CHECK(threads_of_merge(1 << 20, 132, 32, 1024) == 576);
  CHECK(threads_of_merge(1 << 24, 132, 32, 1024) == 960);
  CHECK(threads_of_merge(mmm::index{1} << 40, 132, 32, 512) == 512);
  CHECK(threads_of_merge(1, 2, 4, 8) == 8);
}
