// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "printing.hpp"
#include "task.hpp"

#include <string>

namespace explore {

//! The trace as an SVG: banks or address groups, request by request. Of a long trace, the
//! beginning.
[[nodiscard]] std::string picture_of(machine_choice const& choice, mmm::trace const& t,
                                     std::string const& title);

//! A page that needs nothing else: the figures, and if something was simulated, the picture and the
//! rounds of its trace.
[[nodiscard]] std::string page_of(report const& r);

}  // namespace explore
