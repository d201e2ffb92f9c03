// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/transpose.hpp>

#include "comparison.hpp"
#include "problem.hpp"

namespace explore {

namespace {

struct transpose_rotating_problem : problem_input {
  static constexpr auto const& algorithm = mmm::transpose_rotating;
  static constexpr char const* summary = "transpose in place by w x w blocks in registers, coalesced";
  static constexpr problem_shape shape = problem_shape::square;
  static constexpr extra_options uses{};

  template <class On>
  bool operator()(On on) {
    mmm::transpose_rotating(on, words.begin(), size);
    return true;
  }
  [[nodiscard]] comparison compare(std::vector<double> const& input, bool) const {
    return compare_words(transposed(input, size), words, "the transpose");
  }
};

}  // namespace

algorithm_entry transpose_rotating() { return entry_of<transpose_rotating_problem>(); }

}  // namespace explore
