// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/triangulation/polygon_triangulation.hpp>

#include "task.hpp"

#include <vector>

namespace explore {

//! Compares a triangulation's weight with that of a plain table over vertices, and with that of its
//! own chords, which must not cross: exactly where sums of the weights are exact, otherwise within
//! n * 2^-52 times n times the largest.
[[nodiscard]] comparison compare_triangulation(std::vector<double> const& weights, index n,
                                               mmm::polygon_triangulation<double> const& found);

}  // namespace explore
