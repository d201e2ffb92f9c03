// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/runtime/instruments.hpp>

namespace device::report {

//! The instrument that counts and writes reports; there is always something to count.
[[nodiscard]] std::unique_ptr<runtime::instruments> make_counting(runtime::settings const&);

}  // namespace device::report
