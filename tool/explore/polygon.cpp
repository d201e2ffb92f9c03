// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "polygon.hpp"

#include "comparison.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace explore {

namespace {

double weight_of(std::vector<double> const& weights, index n, index i, index j) {
  return j - i < 2 || j - i == n - 1 ? 0 : weights[static_cast<std::size_t>(i * n + j)];
}

//! The least weight, from short parts of the polygon to long ones.
double least_weight(std::vector<double> const& weights, index n) {
  std::vector<double> least(weights.size());
  auto const at = [&](index i, index j) -> double& {
    return least[static_cast<std::size_t>(i * n + j)];
  };
  for (index apart = 2; apart < n; ++apart)
    for (index i = 0; i + apart < n; ++i) {
      double best = std::numeric_limits<double>::infinity();
      for (index k = i + 1; k < i + apart; ++k) best = std::min(best, at(i, k) + at(k, i + apart));
      at(i, i + apart) = best + weight_of(weights, n, i, i + apart);
    }
  return at(0, n - 1);
}

//! The first error in some chords, in words; empty if they are a triangulation.
std::string complaint(std::vector<mmm::chord> const& chords, index n) {
  if (static_cast<index>(chords.size()) != n - 3)
    return std::to_string(chords.size()) + " chords, not " + std::to_string(n - 3);
  std::vector<mmm::chord> sorted = chords;
  std::sort(sorted.begin(), sorted.end(), [](mmm::chord const& a, mmm::chord const& b) {
    return a.first != b.first ? a.first < b.first : a.last > b.last;
  });
  std::vector<index> open;  // where the chords around the present one end
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    mmm::chord const& c = sorted[k];
    std::string const name =
        "chord (" + std::to_string(c.first) + ", " + std::to_string(c.last) + ")";
    if (c.first < 0 || c.last >= n || c.last - c.first < 2 || c.last - c.first == n - 1)
      return name + " is none";
    if (k > 0 && c == sorted[k - 1]) return name + " occurs twice";
    while (!open.empty() && open.back() <= c.first) open.pop_back();
    if (!open.empty() && open.back() < c.last) return name + " crosses another one";
    open.push_back(c.last);
  }
  return "";
}

}  // namespace

comparison compare_triangulation(std::vector<double> const& weights, index n,
                                 mmm::polygon_triangulation<double> const& found) {
  std::string const wrong = complaint(found.chords, n);
  if (!wrong.empty()) return {false, "the triangulation: " + wrong};
  double largest = 0;
  bool integers = true;
  for (index i = 0; i < n; ++i)
    for (index j = i + 2; j < n; ++j) {
      double const w = weight_of(weights, n, i, j);
      largest = std::max(largest, std::fabs(w));
      integers = integers && w == std::floor(w);
    }
  double sum = 0;
  for (mmm::chord const& c : found.chords) sum += weight_of(weights, n, c.first, c.last);
  double const magnitude = largest * static_cast<double>(n);
  double const tolerance =
      integers && magnitude <= 0x1p53 ? 0 : magnitude * static_cast<double>(n) * 0x1p-52;
  double const expected = least_weight(weights, n);
  std::string const detail = "the weight " + text_of(found.weight);
  // Written so that a result that is not a number fails.
  if (!(std::fabs(found.weight - expected) <= tolerance))
    return {false, detail + " is not " + text_of(expected)};
  if (!(std::fabs(found.weight - sum) <= tolerance))
    return {false, detail + " is not that of the chords, " + text_of(sum)};
  return {true, detail + " of " + std::to_string(found.chords.size()) + " chords is the least"};
}

}  // namespace explore
