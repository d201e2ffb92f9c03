// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/copy/copy_through_shared.hpp>

#include "comparison.hpp"
#include "problem.hpp"

namespace explore {

namespace {

struct copy_problem : problem_input {
  static constexpr auto const& algorithm = mmm::copy_through_shared;
  static constexpr char const* summary =
      "copy from global to shared memory and back to global memory";
  static constexpr problem_shape shape = problem_shape::sequence;
  static constexpr extra_options uses{};

  template <class On>
  std::vector<double> operator()(On on) {
    std::vector<double> out(words.size(), -1.0);
    mmm::copy_through_shared(on, words.begin(), words.end(), out.begin());
    return out;
  }
  [[nodiscard]] comparison compare(std::vector<double> const& input,
                                   std::vector<double> const& out) const {
    return compare_words(input, out, "the copy");
  }
};

}  // namespace

algorithm_entry copy() { return entry_of<copy_problem>(); }

}  // namespace explore
