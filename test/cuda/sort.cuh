// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "device_side.cuh"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

//! Sorts of keys alone and with values, compared with the standard library's.
namespace sorts {

using checks::device_words;
using mmm::index;

template <class Key>
std::vector<Key> keys_of(index n) {
  std::vector<Key> keys;
  std::uint64_t state = static_cast<std::uint64_t>(n) + 1;
  for (index i = 0; i < n; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    keys.push_back(static_cast<Key>(static_cast<std::int64_t>(state >> 33) - (1 << 30)));
  }
  return keys;
}

template <class Key, class Order, class On, class Sort>
void sorts_pairs(On const& on, Sort const& sort, index n) {
  CAPTURE(n, on.threads());
  auto const original = keys_of<Key>(n);
  std::vector<int> places(original.size());
  std::iota(places.begin(), places.end(), 0);
  device_words<Key> keys(original.begin(), original.end());
  device_words<int> values(places.begin(), places.end());
  sort(on, keys.begin(), keys.end(), values.begin(), Order{});
  auto const sorted = keys.on_host();
  auto const moved = values.on_host();
  CHECK(std::is_sorted(sorted.begin(), sorted.end(), Order{}));
  bool together = true;
  for (std::size_t i = 0; i < sorted.size(); ++i)
    together = together && original[static_cast<std::size_t>(moved[i])] == sorted[i];
  CHECK(together);
}

template <class Key, class On, class Sort>
void sorts_keys(On const& on, Sort const& sort, index n) {
  CAPTURE(n, on.threads());
  auto expected = keys_of<Key>(n);
  device_words<Key> keys(expected.begin(), expected.end());
  sort(on, keys.begin(), keys.end());
  std::sort(expected.begin(), expected.end());
  CHECK(keys.on_host() == expected);
}

//! An order in which many keys are equal.
struct by_high_bits {
  MMM_HOST_DEVICE bool operator()(int x, int y) const { return (x >> 26) < (y >> 26); }
};

template <class On, class Sort>
void sorts_in_order(On const& on, Sort const& sort, index n) {
  CAPTURE(n, on.threads());
  auto const original = keys_of<int>(n);
  std::vector<int> expected(original.size());
  std::iota(expected.begin(), expected.end(), 0);
  device_words<int> keys(original.begin(), original.end());
  device_words<int> values(expected.begin(), expected.end());
  std::stable_sort(expected.begin(), expected.end(), [&](int x, int y) {
    return by_high_bits{}(original[static_cast<std::size_t>(x)],
                          original[static_cast<std::size_t>(y)]);
  });
  sort(on, keys.begin(), keys.end(), values.begin(), by_high_bits{});
  CHECK(values.on_host() == expected);
  std::vector<int> sorted(original.size());
  for (std::size_t i = 0; i < sorted.size(); ++i)
    sorted[i] = original[static_cast<std::size_t>(expected[i])];
  CHECK(keys.on_host() == sorted);
}

}  // namespace sorts
