// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/count/rules.hpp>
#include <device/report/finding_list.hpp>
#include <device/report/launch_record.hpp>
#include <device/report/places.hpp>

#include <string>
#include <vector>

namespace device::report {

//! The data that a page shows.
struct page_content {
  std::vector<kernel_record const*> kernels{};  //!< in the order of their first launches
  finding_list const& findings;
  place_table const& places;
  std::string gpu{};
  count::bank_policy policy = count::bank_policy::nvidia;
  std::string command{};  //!< the program that ran
};

//! One page that needs nothing else: what each kernel did, its worst lines, its source line by
//! line, pictures of the worst requests, findings.
[[nodiscard]] std::string html_page(page_content const&);

}  // namespace device::report
