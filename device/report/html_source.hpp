// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/report/launch_record.hpp>
#include <device/report/places.hpp>
#include <device/report/source_text.hpp>

#include <string>

namespace device::report::html {

//! The id of a line in the page.
[[nodiscard]] std::string line_id(std::size_t kernel, place);
//! A place as a link to its line in the source of kernel number `kernel`.
[[nodiscard]] std::string line_link(std::size_t kernel, place, place_table const&);

//! The source files of a kernel, line by line with their figures; worst file first.
[[nodiscard]] std::string source_pages(std::size_t kernel_number, kernel_record const&,
                                       place_table const&, source_text&);

}  // namespace device::report::html
