// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/triangulation/triangulation_blocked.hpp>

#include "polygon.hpp"
#include "problem.hpp"

namespace explore {

namespace {

struct triangulation_blocked_problem : problem_input {
  static constexpr auto const& algorithm = mmm::triangulation_blocked;
  static constexpr char const* summary =
      "the best triangulation of a polygon, by tiles in the shared memories";
  static constexpr problem_shape shape = problem_shape::polygon;
  static constexpr extra_options uses{};

  template <class On>
  mmm::polygon_triangulation<double> operator()(On on) {
    return mmm::triangulation_blocked(on, words.begin(), size);
  }
  [[nodiscard]] comparison compare(std::vector<double> const& input,
                                   mmm::polygon_triangulation<double> const& found) const {
    return compare_triangulation(input, size, found);
  }
};

}  // namespace

algorithm_entry triangulation_blocked() { return entry_of<triangulation_blocked_problem>(); }

}  // namespace explore
