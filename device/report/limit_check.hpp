// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/report/finding_list.hpp>
#include <device/report/launch_record.hpp>
#include <device/report/limits.hpp>
#include <device/report/places.hpp>

#include <string>
#include <vector>

namespace device::report {

//! The figures that limits and baselines compare.
[[nodiscard]] figure_values figures_of(sum const&, std::uint64_t findings);
//! The same of a kernel, with its resources; 0 registers if there is no machine code.
[[nodiscard]] figure_values figures_of(kernel_record const&);

struct limit_verdict {
  std::vector<std::string> exceeded{};  //!< a sentence each: kernel or line, figure, limit
  //! patterns and lines that nothing matched, perhaps misspelt, and figures that are not known
  std::vector<std::string> unused{};
};

//! Holds what a run did against limits.
[[nodiscard]] limit_verdict check_limits(limits const&, std::vector<kernel_record const*> const&,
                                         finding_list const&, place_table const&);

}  // namespace device::report
