// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/report/launch_record.hpp>
#include <device/report/places.hpp>

#include <string>

namespace device::report {

//! A launch as one object in one line, without the newline.
[[nodiscard]] std::string json_text(launch_record const&, place_table const&);
//! Findings where there was no launch.
[[nodiscard]] std::string json_text(finding_list const&);
//! All kernels of a recording, each with its number of launches and the figures of all together,
//! the lines of all kernels, and the findings, with mmm-run's text:
//! {"kernels": […], "lines": […], "findings": […]}.
[[nodiscard]] std::string json_text(recording const&, place_table const&);

}  // namespace device::report
