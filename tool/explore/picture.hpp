// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "printing.hpp"
#include "task.hpp"

#include <string>
#include <vector>

namespace explore {

//! The trace as an SVG: banks or address groups, request by request. A long trace
//! is drawn to a limit.
[[nodiscard]] std::string picture_of(machine_choice const& choice, mmm::trace const& t,
                                     std::string const& title);

//! A page that needs nothing else: the figures, and if something was simulated, the picture and the
//! rounds of its trace.
[[nodiscard]] std::string page_of(report const& r);

//! The schedule of a permutation on the machine as an SVG. Throws std::invalid_argument if it is
//! too large to be drawn.
[[nodiscard]] std::string schedule_picture_of(machine_choice const& choice,
                                              std::vector<double> const& permutation,
                                              std::string const& title);

}  // namespace explore
