// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/report/baseline.hpp>
#include <device/report/finding_list.hpp>

#include <string>

namespace device::report {

//! Findings, and what grew, as a log of SARIF 2.1.0 with one run: a result each, at a file and
//! line where they are known, else at the kernel. Files are named as they are shown: below the
//! working folder from there, as code hosts expect it of a repository's folder.
[[nodiscard]] std::string sarif_text(finding_list const&, comparison const&);

}  // namespace device::report
