// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/report/launch_record.hpp>
#include <device/report/places.hpp>

#include <string>
#include <vector>

namespace device::report {

//! A line that wastes transfers, for lists of the worst.
struct wasteful_line {
  kernel_record const* kernel = nullptr;
  std::uint32_t site = 0;
  memory_sum memory{};
  //! "shared store"; "global load of argument 2" if the line loads by several of the kernel's
  std::string access{};
  double lanes = 0;  //!< on average, of the line's instructions
  //! In units of 32 bytes.
  [[nodiscard]] index waste() const {
    return memory.figures.excessive() * (memory.where == space::shared ? 4 : 1);
  }
};

//! Worst first.
[[nodiscard]] std::vector<wasteful_line> wasteful_lines(std::vector<kernel_record const*> const&);

//! "shared store", "global load", "local load", …
[[nodiscard]] std::string name_of(space, access_kind);

//! The report for a terminal: a row for each kernel, then the lines that waste most. Empty if there
//! was no launch.
[[nodiscard]] std::string table_text(std::vector<kernel_record const*> const&, place_table const&);

}  // namespace device::report
