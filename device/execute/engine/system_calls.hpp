// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/decode/operation.hpp>

#include <string_view>

namespace device {

//! The handler of a call of a function that the device provides (vprintf, __assertfail, malloc,
//! __cuda_syscall_aligned_malloc, free); null for others.
[[nodiscard]] handler system_call(std::string_view name);

}  // namespace device
