// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/execution/kernel/host_threads.hpp>
#include <mmm/fast.hpp>

#include "catch.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

namespace {

using mmm::index;
using machine = mmm::hmm<mmm::dynamic, 4, mmm::dynamic, mmm::dynamic>;

std::vector<std::uint32_t> random_keys(index n) {
  std::vector<std::uint32_t> keys;
  std::uint64_t state = static_cast<std::uint64_t>(n) + 1;
  for (index i = 0; i < n; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    keys.push_back(static_cast<std::uint32_t>(state >> 32));
  }
  return keys;
}

//! Sorts values in ascending order of keys, as std::stable_sort does.
template <class Key, class Order>
void check_pairs(std::vector<Key> keys, Order order) {
  std::vector<int> places(keys.size());
  std::iota(places.begin(), places.end(), 0);
  auto expected = places;
  std::stable_sort(expected.begin(), expected.end(), [&](int x, int y) {
    return order(keys[static_cast<std::size_t>(x)], keys[static_cast<std::size_t>(y)]);
  });
  auto const run = mmm::simulate(machine(2, 3, 9), mmm::threads(16), [&](auto on) {
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
  for (mmm::index const n : {0, 1, 2, 119, 120, 121, 1000}) {
    CAPTURE(n);
    std::vector<int> keys;
    for (std::uint32_t const x : random_keys(n)) keys.push_back(static_cast<int>(x % 41) - 20);
    check_pairs(keys, mmm::ascending{});
    check_pairs(keys, mmm::descending{});
  }
}

TEST_CASE("a radix sort as a kernel") {
  mmm::host_threads<mmm::hmm<2, 4, 1, 5>> const on(mmm::threads(8));
  for (mmm::index const n : {1, 59, 60, 200}) {
    auto keys = random_keys(n);
    auto expected = keys;
    std::sort(expected.begin(), expected.end());
    mmm::radix_sort(on, keys.begin(), keys.end());
    CHECK(keys == expected);
  }
}

TEST_CASE("a radix sort orders numbers of all kinds") {
  std::vector<double> doubles;
  for (std::uint32_t const x : random_keys(300))
    doubles.push_back((static_cast<double>(x) - 2e9) * 1e-3);
  doubles.push_back(std::numeric_limits<double>::infinity());
  doubles.push_back(-std::numeric_limits<double>::infinity());
  doubles.push_back(std::numeric_limits<double>::denorm_min());
  check_pairs(doubles, mmm::ascending{});
  std::vector<std::int8_t> bytes;
  for (std::uint32_t const x : random_keys(300)) bytes.push_back(static_cast<std::int8_t>(x));
  check_pairs(bytes, mmm::ascending{});
}

TEST_CASE("a radix sort is within its bounds for all data") {
  int const l = GENERATE(1, 29);
  int const latency = GENERATE(1, 400);
  for (mmm::index const t : {4, 64})
    for (mmm::index const n : {mmm::index{2}, mmm::index{1001}, 15 * 4 * t})
      for (int const kind : {0, 1, 2, 3}) {
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
  mmm::hmm<2, 32, 1, 1> const m;
  mmm::index const n = mmm::detail::fastest_sort::least;
  using sort = mmm::detail::fastest_sort;
  CHECK(sort::by_digits<int, mmm::detail::no_values>(m, n, 128));
  CHECK_FALSE(sort::by_digits<int, mmm::detail::no_values>(m, n - 1, 128));
  CHECK_FALSE(sort::by_digits<int, mmm::detail::no_values>(mmm::hmm<2, 32, 1, 1, 1024>(), n, 128));
  CHECK(sorts(m, n, mmm::ascending{}) <
        mmm::cost_of(m, mmm::sort_pairs, mmm::size(n), mmm::threads(128)).rounds / 2);
  auto const backwards = [](int x, int y) { return x > y; };
  CHECK(sorts(m, 1000, backwards) ==
        mmm::cost_of(m, mmm::sort_pairs, mmm::size(1000), mmm::threads(128)).rounds);
  sorts(mmm::dmm<32, 1>{}, 1000, mmm::ascending{});
}
