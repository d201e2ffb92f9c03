// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "device_side.cuh"
#include "support/string_checks.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

//! Shared by strings.cu and strings_long.cu.
namespace strings {

using checks::device_words;
using mmm::index;

template <class On>
void matches(On const& on, std::string const& pattern, std::string const& text) {
  CAPTURE(pattern, text, on.threads());
  device_words<char> const x(pattern.begin(), pattern.end()), y(text.begin(), text.end());
  device_words<int> distances(text.size());
  auto const expected = checks::plain_distances(pattern, text);
  CHECK(mmm::string_matching(on, x.begin(), x.end(), y.begin(), y.end(), distances.begin()) ==
        *std::min_element(expected.begin(), expected.end()));
  CHECK(distances.on_host() == expected);
  CHECK(mmm::lcs(on, x.begin(), x.end(), y.begin(), y.end()) ==
        checks::plain_length(pattern, text));
}

template <class On>
void orders(On const& on, index n) {
  CAPTURE(n, on.threads());
  std::vector<std::int64_t> sides;
  for (index i = 0; i <= n; ++i) sides.push_back(1 + i * 7919 % 50);
  device_words<std::int64_t> const words(sides.begin(), sides.end());
  auto const found = mmm::matrix_chain(on, words.begin(), words.end());
  auto const expected = mmm::simulate<mmm::umm<32, 1>>(
      mmm::threads(32),
      [&](auto handle) { return mmm::matrix_chain(handle, sides.begin(), sides.end()); },
      mmm::observe_cost);
  CHECK(found.weight == expected.result.weight);
  CHECK(found.chords.size() == expected.result.chords.size());
}

template <class On>
void all(On const& on) {
  for (auto const& [n, m] : {std::pair<index, index>{1, 1}, {33, 50}, {300, 7}, {500, 40}})
    for (auto const& [pattern, text] : checks::string_pairs(m, n)) matches(on, pattern, text);
  for (index const n : {1, 2, 3, 70}) orders(on, n);
}

}  // namespace strings
