// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/transpose.hpp>

#include "comparison.hpp"
#include "problem.hpp"

namespace explore {

namespace {

struct transpose_diagonal_problem : problem_input {
  static constexpr auto const& algorithm = mmm::transpose_diagonal;
  static constexpr char const* summary = "transpose in place along diagonals, free of bank conflicts";
  static constexpr problem_shape shape = problem_shape::square;
  static constexpr extra_options uses{};

  template <class On>
  bool operator()(On on) {
    mmm::transpose_diagonal(on, words.begin(), size);
    return true;
  }
  [[nodiscard]] comparison compare(std::vector<double> const& input, bool) const {
    return compare_words(transposed(input, size), words, "the transpose");
  }
};

}  // namespace

algorithm_entry transpose_diagonal() { return entry_of<transpose_diagonal_problem>(); }

}  // namespace explore
