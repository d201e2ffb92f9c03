// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/report/baseline.hpp>
#include <device/report/launch_record.hpp>
#include <device/report/places.hpp>

#include <vector>

namespace device::report {

//! The figures of a run, with the text of each line as far as its file can be read.
[[nodiscard]] baseline baseline_of(std::vector<kernel_record const*> const&, place_table const&);

}  // namespace device::report
