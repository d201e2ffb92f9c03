// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/runtime/instruments.hpp>

namespace device::check {

//! The instrument that checks; null if there is nothing to check.
[[nodiscard]] std::unique_ptr<runtime::instruments> make_checking(runtime::settings const&);

}  // namespace device::check
