// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/triangulation/matrix_chain_order.hpp>

#include "comparison.hpp"
#include "problem.hpp"

#include <algorithm>
#include <limits>

namespace explore {

namespace {

//! The least number of multiplications, from short products to long ones.
double least_multiplications(std::vector<double> const& sides) {
  std::size_t const n = sides.size();
  std::vector<double> least(n * n);
  for (std::size_t apart = 2; apart < n; ++apart)
    for (std::size_t i = 0; i + apart < n; ++i) {
      std::size_t const j = i + apart;
      double best = std::numeric_limits<double>::infinity();
      for (std::size_t k = i + 1; k < j; ++k)
        best = std::min(best, least[i * n + k] + least[k * n + j] + sides[i] * sides[k] * sides[j]);
      least[i * n + j] = best;
    }
  return least[n - 1];
}

struct matrix_chain_problem : problem_input {
  static constexpr auto const& algorithm = mmm::matrix_chain;
  static constexpr char const* summary = "the least multiplications for a product of matrices, by "
                                         "their table: its diagonals one after "
                                         "the other, on an HMM its tiles";
  static constexpr problem_shape shape = problem_shape::chain;
  static constexpr extra_options uses{};

  template <class On>
  mmm::polygon_triangulation<double> operator()(On on) {
    return algorithm(on, words.begin(), words.end());
  }
  [[nodiscard]] comparison compare(std::vector<double> const& sides,
                                   mmm::polygon_triangulation<double> const& found) const {
    std::vector<std::pair<char const*, double>> const result{{"multiplications", found.weight}};
    std::string const detail = text_of(found.weight) + " multiplications";
    // Products beyond 2^53 are rounded in another order.
    double const expected = least_multiplications(sides);
    double const tolerance = expected < 0x1p53 ? 0 : expected * 0x1p-40;
    if (!(std::max(found.weight - expected, expected - found.weight) <= tolerance))
      return {false, detail + ", not " + text_of(expected), result};
    if (static_cast<index>(found.chords.size()) != std::max(index{0}, size - 2))
      return {false,
              std::to_string(found.chords.size()) + " products besides the whole one, not " +
                  std::to_string(size - 2),
              result};
    return {true, detail + " are the fewest", result};
  }
};

}  // namespace

algorithm_entry matrix_chain() { return entry_of<matrix_chain_problem>(); }

}  // namespace explore
