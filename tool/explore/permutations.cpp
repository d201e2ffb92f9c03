// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "permutations.hpp"

#include "comparison.hpp"

#include <common/failure.hpp>

#include <algorithm>
#include <numeric>
#include <random>

namespace explore {

namespace {

//! The number of rows of a matrix of n >= 1 words, as square as it can be.
index rows_of(index n) {
  index rows = 1;
  for (index r = 1; r <= n / r; ++r)
    if (n % r == 0) rows = r;
  return rows;
}

index reversed_bits(index i, index n) {
  index reversed = 0;
  for (index bit = 1; bit < n; bit *= 2, i /= 2) reversed = 2 * reversed + i % 2;
  return reversed;
}

}  // namespace

std::vector<std::string> const& permutation_names() {
  static std::vector<std::string> const names{"random",    "identity", "reverse",
                                              "transpose", "shuffle",  "bit-reversal"};
  return names;
}

std::vector<double> permutation_named(std::string const& name, index n, std::uint64_t seed) {
  if (name == "bit-reversal" && (n & (n - 1)) != 0)
    throw tool::failure("--size is " + std::to_string(n) +
                        "; accepted: powers of two for --permutation bit-reversal");
  std::vector<double> places(static_cast<std::size_t>(n));
  index const rows = rows_of(n), columns = n / rows, half = (n + 1) / 2;
  auto const each = [&](auto const& place) {
    for (index i = 0; i < n; ++i)
      places[static_cast<std::size_t>(i)] = static_cast<double>(place(i));
  };
  if (name == "reverse") {
    each([&](index i) { return n - 1 - i; });
  } else if (name == "transpose") {
    each([&](index i) { return i % columns * rows + i / columns; });
  } else if (name == "shuffle") {
    each([&](index i) { return i < half ? 2 * i : 2 * (i - half) + 1; });
  } else if (name == "bit-reversal") {
    each([&](index i) { return reversed_bits(i, n); });
  } else {
    std::iota(places.begin(), places.end(), 0.0);
    std::mt19937_64 random(seed);
    if (name == "random")  // as std::shuffle, but the same with every standard library
      for (std::size_t i = places.size(); i > 1; --i)
        std::swap(places[i - 1], places[random() % i]);
  }
  return places;
}

void demand_permutation(std::vector<double> const& places, std::string const& origin) {
  std::string const is_none = origin + " is no permutation: ";
  std::string const accepted =
      "; accepted: each of 0 to " + std::to_string(places.size() - 1) + " once";
  std::vector<index> taken(places.size());  // one plus the place that goes there
  for (std::size_t i = 0; i < places.size(); ++i) {
    double const to = places[i];
    if (!(to >= 0 && to < static_cast<double>(places.size())) ||
        to != static_cast<double>(static_cast<index>(to)))
      throw tool::failure(is_none + "place " + std::to_string(i) + " goes to " + text_of(to) +
                          accepted);
    index& by = taken[static_cast<std::size_t>(to)];
    if (by != 0)
      throw tool::failure(is_none + "places " + std::to_string(by - 1) + " and " +
                          std::to_string(i) + " both go to " + text_of(to) + accepted);
    by = static_cast<index>(i) + 1;
  }
}

std::vector<index> places_of(std::vector<double> const& permutation) {
  std::vector<index> places;
  places.reserve(permutation.size());
  for (double const place : permutation) places.push_back(static_cast<index>(place));
  return places;
}

std::vector<double> words_to_permute(index n, std::uint64_t seed) {
  std::mt19937_64 random(~seed);
  std::vector<double> words(static_cast<std::size_t>(n));
  for (double& x : words) x = static_cast<double>(random() >> 44);
  return words;
}

comparison compare_permuted(std::vector<double> const& permutation,
                            std::vector<double> const& words, std::vector<double> const& found) {
  std::vector<double> expected(words.size());
  for (std::size_t i = 0; i < words.size(); ++i)
    expected[static_cast<std::size_t>(permutation[i])] = words[i];
  return compare_words(expected, found, "the permuted words");
}

}  // namespace explore
