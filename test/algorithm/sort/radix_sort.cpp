// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/execution/kernel/host_threads.hpp>
#include <mmm/fast.hpp>
#include <mmm/mmm.hpp>
#include <mmm/predict.hpp>

#include "catch.hpp"
#include "support/combinations.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

namespace {

using mmm::dynamic;
using mmm::index;
// one type of each kind, for the compiler's time
using machine = mmm::hmm<dynamic, 4, dynamic, dynamic>;
using dmm = mmm::dmm<4, dynamic>;
using umm = mmm::umm<4, dynamic>;

std::vector<std::uint32_t> random_keys(mmm::index n) {
  std::vector<std::uint32_t> keys;
  std::uint64_t state = static_cast<std::uint64_t>(n) + 1;
  for (index i = 0; i < n; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    keys.push_back(static_cast<std::uint32_t>(state >> 32));
  }
  return keys;
}

//! Sorts values by their keys, as std::stable_sort does.
template <class M, class Key, class Order>
void check_pairs(M const& m, index p, std::vector<Key> keys, Order order) {
  CAPTURE(m.width(), p, keys.size());
  std::vector<int> places(keys.size());
  std::iota(places.begin(), places.end(), 0);
  auto expected = places;
  std::stable_sort(expected.begin(), expected.end(), [&](int x, int y) {
    return order(keys[static_cast<std::size_t>(x)], keys[static_cast<std::size_t>(y)]);
  });
  auto const run = mmm::simulate(m, mmm::threads(p), [&](auto on) {
    mmm::radix_sort_pairs(on, keys.begin(), keys.end(), places.begin(), order);
  });
  CHECK(places == expected);
  CHECK(std::is_sorted(keys.begin(), keys.end(), order));
  CHECK(run.race_count == 0);
}

//! Keys of which some kind of access has the most conflicts: random ones, equal ones, digits that
//! differ from key to key and from thread to thread.
std::uint32_t hard_key(int kind, index i, std::uint32_t random) {
  index const digit = (kind == 2 ? i : i / 15) % 16;
  return kind == 0 ? random : kind == 1 ? 7 : static_cast<std::uint32_t>(digit) * 0x11111111U;
}

}  // namespace

TEST_CASE("a radix sort is stable") {
  for (mmm::index const n : {0, 1, 2, 127, 128, 129, 1000}) {
    CAPTURE(n);
    std::vector<int> keys;
    for (std::uint32_t const x : random_keys(n)) keys.push_back(static_cast<int>(x % 41) - 20);
    check_pairs(machine(2, 3, 9), 16, keys, mmm::ascending{});
    check_pairs(dmm(3), 20, keys, mmm::descending{});
  }
}

TEST_CASE("a radix sort as a kernel") {
  mmm::host_threads<mmm::hmm<2, 4, 1, 5>> const on(mmm::threads(16));
  for (mmm::index const n : {1, 175, 176, 177, 700}) {
    auto keys = random_keys(n);
    auto expected = keys;
    std::sort(expected.begin(), expected.end());
    mmm::radix_sort(on, keys.begin(), keys.end());
    CHECK(keys == expected);
  }
  std::vector<int> keys{2, 1};
  mmm::host_threads<mmm::hmm<2, 4, 1, 5>> const with_a_part_of_a_group(mmm::threads(12));
  CHECK_THROWS_AS(mmm::radix_sort(with_a_part_of_a_group, keys.begin(), keys.end()),
                  std::invalid_argument);
}

TEST_CASE("a radix sort on an HMM costs what is known of it, and the rest is bounded") {
  // whole groups of 4 lanes, a group and a half, and less than one
  for (mmm::index const t : {8, 6, 3})
    for (mmm::index const n : {0, 1, 2, 175, 176, 1000})
      for (int const kind : {0, 1}) {
        CAPTURE(t, n, kind);
        machine const m(2, 3, 9);
        mmm::threads const p(2 * t);
        auto keys = random_keys(n);
        if (kind == 1) std::fill(keys.begin(), keys.end(), 7U);
        auto const run =
            mmm::simulate(m, p, [&](auto on) { mmm::radix_sort(on, keys.begin(), keys.end()); });
        CHECK(std::is_sorted(keys.begin(), keys.end()));
        CHECK(run.race_count == 0);
        auto const known = [&](mmm::scatter places) {
          return mmm::cost_of(m, mmm::radix_sort, mmm::size(n), p, places);
        };
        auto const least = known(mmm::scatter::contiguous);
        auto const most = known(mmm::scatter::conflicting);
        CHECK((least.closed_form && most.closed_form));
        CHECK((least.rounds == run.cost.rounds && most.rounds == run.cost.rounds));
        CHECK(least.time <= run.cost.time);
        CHECK(run.cost.time <= most.time);
      }
}

TEST_CASE("a radix sort orders numbers of all kinds") {
  std::vector<double> doubles;
  for (std::uint32_t const x : random_keys(300))
    doubles.push_back((static_cast<double>(x) - 2e9) * 1e-3);
  doubles.push_back(std::numeric_limits<double>::infinity());
  doubles.push_back(-std::numeric_limits<double>::infinity());
  doubles.push_back(std::numeric_limits<double>::denorm_min());
  check_pairs(dmm(3), 64, doubles, mmm::ascending{});
  std::vector<std::int8_t> bytes;
  for (std::uint32_t const x : random_keys(300)) bytes.push_back(static_cast<std::int8_t>(x));
  check_pairs(machine(2, 3, 9), 16, bytes, mmm::descending{});
}

//! In one memory, at any number of threads and any size: sorted without a race, and within what
//! mmm::cost_of says for all keys and within the bounds.
template <class M>
void check_in_one_memory(M const& m) {
  for (mmm::index const p : {1, 3, 20, 64})
    for (mmm::index const n : {0, 1, 2, 3, 17, 64, 300})
      for (int const kind : {0, 1}) {
        CAPTURE(m.width(), p, n, kind);
        auto keys = random_keys(n);
        if (kind == 1) std::fill(keys.begin(), keys.end(), 7U);
        mmm::size const size(n);
        mmm::threads const threads(p);
        auto const run = mmm::simulate(
            m, threads, [&](auto on) { mmm::radix_sort(on, keys.begin(), keys.end()); });
        CHECK(std::is_sorted(keys.begin(), keys.end()));
        CHECK(run.race_count == 0);
        auto const least =
            mmm::cost_of(m, mmm::radix_sort, size, threads, mmm::scatter::contiguous);
        auto const most =
            mmm::cost_of(m, mmm::radix_sort, size, threads, mmm::scatter::conflicting);
        CHECK((least.closed_form && most.closed_form));
        CHECK((least.rounds == run.cost.rounds && most.rounds == run.cost.rounds));
        CHECK(least.time <= run.cost.time);
        CHECK(run.cost.time <= most.time);
        bool const divides = p % 4 == 0 && n % p == 0;
        CHECK(most.time <= (divides ? 1 : 2) * mmm::constant_of(m, mmm::radix_sort) *
                               mmm::upper_bound(m, mmm::radix_sort, size, threads));
        CHECK(least.time >= mmm::lower_bound(m, mmm::radix_sort, size, threads).time);
      }
}

TEST_CASE("a radix sort in one memory costs what is known of it, and the rest is bounded") {
  for (int const l : {1, 100}) {
    check_in_one_memory(dmm(l));
    check_in_one_memory(umm(l));
  }
}

TEST_CASE("some keys take the least that is known of a radix sort, and some the most") {
  dmm const m(5);
  mmm::threads const p(4);
  auto const time = [&](std::vector<std::uint8_t> keys) {
    auto const run =
        mmm::simulate(m, p, [&](auto on) { mmm::radix_sort(on, keys.begin(), keys.end()); });
    return run.cost.time;
  };
  auto const known = [&](mmm::index n, mmm::scatter places) {
    return mmm::cost_of(m, mmm::radix_sort, mmm::size(n), p, mmm::key_bits(8), places).time;
  };
  CHECK(time({1, 1, 1, 1}) == known(4, mmm::scatter::contiguous));
  // Four keys of one digit go to words 0, 4, 8 and 12, the next four to 1, 5, 9 and 13, …
  CHECK(time({0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3}) ==
        known(16, mmm::scatter::conflicting));
  CHECK(known(16, mmm::scatter::contiguous) < known(16, mmm::scatter::conflicting));
  CHECK_THROWS_AS(known(16, mmm::scatter::unknown), std::invalid_argument);
  CHECK_THROWS_AS(mmm::key_bits(12), std::invalid_argument);
}

TEST_CASE("a radix sort is within its bounds for all data") {
  std::vector<std::pair<int, int>> latencies = {{1, 400}, {29, 1}};
  if (checks::long_tests()) latencies.insert(latencies.end(), {{1, 1}, {29, 400}});
  auto const [l, latency] = GENERATE_COPY(from_range(latencies));
  for (mmm::index const t : {4, 64})
    for (mmm::index const n : {mmm::index{2}, mmm::index{1001}, 20 * 4 * t})
      for (int const kind : {0, 1, 2, 3}) {
        if (n > 1001 && !checks::takes(kind + 1)) continue;
        machine const m(2, l, latency);
        mmm::threads const p(2 * t);
        auto keys = random_keys(n);
        mmm::index i = 0;
        for (std::uint32_t& key : keys) key = hard_key(kind, i++, key);
        auto const run =
            mmm::simulate(m, p, [&](auto on) { mmm::radix_sort(on, keys.begin(), keys.end()); });
        CHECK(std::is_sorted(keys.begin(), keys.end()));
        CHECK(run.race_count == 0);
        CHECK(run.cost.time <= mmm::constant_of(m, mmm::radix_sort) *
                                   mmm::upper_bound(m, mmm::radix_sort, mmm::size(n), p));
        CHECK(run.cost.time >= mmm::lower_bound(m, mmm::radix_sort, mmm::size(n), p).time);
      }
}

TEST_CASE("the fastest sort takes any keys, orders, sizes and machines") {
  auto const sorts = [](auto const& m, mmm::index n, auto order) {
    std::vector<int> keys;
    for (std::uint32_t const x : random_keys(n)) keys.push_back(static_cast<int>(x));
    auto const original = keys;
    std::vector<int> places(keys.size());
    std::iota(places.begin(), places.end(), 0);
    auto const run = mmm::simulate(m, mmm::threads(128), [&](auto on) {
      mmm::fastest::sort_pairs(on, keys.begin(), keys.end(), places.begin(), order);
    });
    CHECK(std::is_sorted(keys.begin(), keys.end(), order));
    CHECK(original[static_cast<std::size_t>(places[0])] == keys[0]);
    return run.cost.rounds;
  };
  using hmm = mmm::detail::planned_hmm;
  hmm const m(2, 1, 1, mmm::unlimited, 1);
  mmm::index const n = mmm::detail::fastest_sort::least;
  using sort = mmm::detail::fastest_sort;
  CHECK(sort::has_tiles<int, mmm::detail::no_values>(m, 128));
  CHECK_FALSE(sort::has_tiles<int, mmm::detail::no_values>(m, 1));
  CHECK_FALSE(sort::has_tiles<int, mmm::detail::no_values>(hmm(2, 1, 1, 1024, 1), 128));
  CHECK(sorts(m, n, mmm::ascending{}) <
        mmm::cost_of(m, mmm::sort_pairs, mmm::size(n), mmm::threads(128)).rounds / 2);
  auto const backwards = [](int x, int y) { return x > y; };
  CHECK(sorts(m, 1000, backwards) ==
        mmm::cost_of(m, mmm::sort_pairs, mmm::size(1000), mmm::threads(128)).rounds);
  mmm::index const enough = sort::least_merged;
  CHECK(sorts(m, enough, backwards) == mmm::cost_of(m, mmm::merge_sort_pairs, mmm::size(enough),
                                                    mmm::threads(128), mmm::scatter::contiguous)
                                           .rounds);
  CHECK_FALSE(sort::merges<int, mmm::detail::no_values>(hmm(2, 1, 1, 990, 1), 128));
  CHECK(sort::merges<int, mmm::detail::no_values>(hmm(2, 1, 1, 1024, 1), 128));
  sorts(mmm::dmm<32, 1>{}, 1000, mmm::ascending{});
}
