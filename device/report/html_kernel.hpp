// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/report/page.hpp>

#include <device/report/html.hpp>
#include <device/report/source_text.hpp>

#include <string>

namespace device::report::html {

//! Adds all about one kernel to a page.
void add_kernel(mmm::report::page& to, std::size_t number, kernel_record const&,
                page_content const&, source_text&);
//! Findings, a block each.
[[nodiscard]] std::string finding_blocks(finding_list const&);

}  // namespace device::report::html
