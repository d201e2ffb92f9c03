// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "comparison.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

namespace explore {

std::string text_of(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}

namespace {

//! The distance allowed between the exact sum of some words and a computed one: none where double
//! holds all sums of them exactly.
class rounding {
 public:
  explicit rounding(std::vector<double> const& words) {
    long double const magnitude = std::accumulate(
        words.begin(), words.end(), 0.0L, [](long double s, double x) { return s + std::fabs(x); });
    bool const integers =
        std::all_of(words.begin(), words.end(), [](double x) { return x == std::trunc(x); });
    if (!integers || magnitude > 0x1p53L)
      tolerance_ = magnitude * static_cast<long double>(words.size()) * 0x1p-52L;
  }
  //! Written so that a result that is not a number fails.
  [[nodiscard]] bool operator()(double found, long double expected) const {
    return std::fabs(static_cast<long double>(found) - expected) <= tolerance_;
  }
  [[nodiscard]] std::string in_words(std::string const& whose) const {
    if (tolerance_ == 0) return "equals " + whose;
    return "is within " + text_of(static_cast<double>(tolerance_)) + " of " + whose;
  }

 private:
  long double tolerance_ = 0;
};

}  // namespace

comparison compare_sum(std::vector<double> const& words, double found) {
  rounding const allowed(words);
  long double const expected = std::accumulate(words.begin(), words.end(), 0.0L);
  std::string const detail = "the sum " + text_of(found);
  if (!allowed(found, expected))
    return {false, detail + " is not " + text_of(static_cast<double>(expected))};
  return {true, detail + " " + allowed.in_words("std::accumulate's")};
}

comparison compare_prefix_sums(std::vector<double> const& words, std::vector<double> const& found,
                               std::vector<int> const& heads, bool exclusive) {
  rounding const allowed(words);
  if (found.size() != words.size())
    return {false, std::to_string(found.size()) + " prefix-sums instead of " +
                       std::to_string(words.size())};
  long double expected = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!heads.empty() && heads[i] != 0) expected = 0;
    if (!exclusive) expected += words[i];
    if (!allowed(found[i], expected))
      return {false, "prefix-sum " + std::to_string(i) + " is " + text_of(found[i]) + ", not " +
                         text_of(static_cast<double>(expected))};
    if (exclusive) expected += words[i];
  }
  return {true, "all " + std::to_string(found.size()) +
                    " prefix-sums: " + allowed.in_words("a running sum's")};
}

comparison compare_words(std::vector<double> const& expected, std::vector<double> const& found,
                         char const* what) {
  if (expected.size() != found.size())
    return {false, std::string(what) + " has " + std::to_string(found.size()) + " words, not " +
                       std::to_string(expected.size())};
  auto const [e, f] = std::mismatch(expected.begin(), expected.end(), found.begin());
  if (e != expected.end())
    return {false, "word " + std::to_string(e - expected.begin()) + " of " + what + " is " +
                       text_of(*f) + ", not " + text_of(*e)};
  return {true, std::string(what) + ": all " + std::to_string(found.size()) + " words as expected"};
}

comparison compare_convolution(std::vector<double> const& x, std::vector<double> const& y,
                               std::vector<double> const& found) {
  bool all_exact = true;
  for (std::size_t i = 0; i < found.size(); ++i) {
    long double expected = 0;
    long double magnitude = 0;
    bool integers = true;
    for (std::size_t j = 0; j < x.size(); ++j) {
      long double const product =
          static_cast<long double>(x[j]) * static_cast<long double>(y[i + j]);
      expected += product;
      magnitude += std::fabs(product);
      integers = integers && x[j] == std::trunc(x[j]) && y[i + j] == std::trunc(y[i + j]);
    }
    bool const exact = integers && magnitude <= 0x1p53L;
    long double const tolerance =
        exact ? 0 : magnitude * static_cast<long double>(x.size()) * 0x1p-51L;
    all_exact = all_exact && exact;
    // Written so that a result that is not a number fails.
    if (!(std::fabs(static_cast<long double>(found[i]) - expected) <= tolerance))
      return {false, "word " + std::to_string(i) + " of the convolution is " + text_of(found[i]) +
                         ", not " + text_of(static_cast<double>(expected))};
  }
  return {true, "the convolution: all " + std::to_string(found.size()) +
                    " words as in a plain loop" + (all_exact ? "" : ", up to rounding")};
}

std::vector<double> transposed(std::vector<double> const& square, index side) {
  std::vector<double> result(square.size());
  for (index row = 0; row < side; ++row)
    for (index column = 0; column < side; ++column)
      result[static_cast<std::size_t>(column * side + row)] =
          square[static_cast<std::size_t>(row * side + column)];
  return result;
}

}  // namespace explore
