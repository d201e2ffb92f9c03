// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/execution/kernel/host_threads.hpp>

#include "support/problem_checks.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

//! Strings for the tests of algorithms on strings: random ones, and those that are hardest.
namespace checks {

inline std::string random_string(index n, index letters, unsigned seed) {
  std::mt19937 random(seed);
  std::string s;
  for (index i = 0; i < n; ++i)
    s += static_cast<char>('a' + random() % static_cast<unsigned>(letters));
  return s;
}

//! The edit distances, a column of the table at a time.
inline std::vector<int> plain_distances(std::string const& pattern, std::string const& text) {
  std::vector<int> column(pattern.size() + 1), distances;
  std::iota(column.begin(), column.end(), 0);
  for (char const symbol : text) {
    int diagonal = 0;
    for (std::size_t i = 1; i < column.size(); ++i) {
      int const changed = diagonal + (pattern[i - 1] == symbol ? 0 : 1);
      diagonal = column[i];
      column[i] = std::min({changed, column[i] + 1, column[i - 1] + 1});
    }
    distances.push_back(column.back());
  }
  return distances;
}

//! The length of the longest common subsequence, a column of the table at a time.
inline index plain_length(std::string const& pattern, std::string const& text) {
  std::vector<index> column(pattern.size() + 1, 0);
  for (char const symbol : text) {
    index diagonal = 0;
    for (std::size_t i = 1; i < column.size(); ++i) {
      index const matched = diagonal + 1;
      diagonal = column[i];
      column[i] = pattern[i - 1] == symbol ? matched : std::max(column[i], column[i - 1]);
    }
  }
  return column.back();
}

//! Strings of m and n symbols: of few letters and of many, a pattern that occurs everywhere and one
//! that occurs nowhere, one whose symbols all differ from their neighbours', and a part of the
//! text, if it is long enough.
inline std::vector<std::pair<std::string, std::string>> string_pairs(index m, index n) {
  auto const count = [](index length) { return static_cast<std::size_t>(length); };
  auto const seed = static_cast<unsigned>(17 * m + n);
  std::string const text = random_string(n, 4, seed);
  std::string changing(count(m), 'a');
  for (std::size_t i = 1; i < changing.size(); i += 2) changing[i] = 'b';
  return {{random_string(m, 2, seed + 1), random_string(n, 2, seed + 2)},
          {random_string(m, 26, seed + 3), random_string(n, 26, seed + 4)},
          {std::string(count(m), 'a'), std::string(count(n), 'a')},
          {std::string(count(m), 'a'), std::string(count(n), 'b')},
          {changing, std::string(count(n), 'b')},
          {m <= n ? text.substr(count((n - m) / 2), count(m)) : random_string(m, 4, seed), text}};
}

//! Calls `check(machine, threads, pattern, text, kernel)` for string_pairs on DMMs, UMMs and HMMs.
//! Consecutive calls have different strings, as memory may still have the results of the one
//! before. A kernel is to be run for one of the pairs.
template <class Check>
void string_runs(index m, index n, index p, Check check) {
  auto const pairs = string_pairs(m, n);
  auto const on = [&](auto const& machine, index threads) {
    for (auto const& [pattern, text] : pairs)
      check(machine, threads, pattern, text, &text == &pairs.back().second && threads < 40);
  };
  on(mmm::dmm<4, 5>{}, p);
  on(mmm::dmm<1, 1>{}, p);
  on(mmm::umm<3, mmm::dynamic>{1}, p);
  on(mmm::umm<3, mmm::dynamic>{6}, p);
  using hmm = mmm::hmm<mmm::dynamic, 4, mmm::dynamic, mmm::dynamic>;
  on(hmm{2, 3, 9}, 2 * p);
  on(hmm{3, 1, 1}, 3 * p);
}

//! `algorithm` writes the edit distances of a plain table, and returns the least, in a simulation
//! within the bounds; and on threads of the host if `kernel`.
template <class Algorithm, class M>
void string_matching_runs(Algorithm const& algorithm, M const& m, mmm::index p,
                          std::string const& pattern, std::string const& text, bool kernel) {
  auto const expected = plain_distances(pattern, text);
  int const least = expected.empty() ? static_cast<int>(pattern.size())
                                     : *std::min_element(expected.begin(), expected.end());
  std::vector<int> found(text.size(), -1), of_kernel = found;
  auto const matching = [&](auto on, std::vector<int>& distances) {
    return algorithm(on, pattern.begin(), pattern.end(), text.begin(), text.end(),
                     distances.begin());
  };
  auto const run = mmm::simulate(m, mmm::threads(p), [&](auto on) { return matching(on, found); });
  CAPTURE(pattern, text, p, m.width(), mmm::hierarchical_machine<M>);
  CHECK(found == expected);
  CHECK(run.result == least);
  problem_figures(m, algorithm, mmm::size(std::ssize(text)), p, run,
                  2 * mmm::constant_of(m, algorithm), mmm::taps(std::ssize(pattern)));
  if (!kernel) return;
  CHECK(matching(mmm::host_threads(m, mmm::threads(p)), of_kernel) == least);
  CHECK(of_kernel == expected);
}

}  // namespace checks
