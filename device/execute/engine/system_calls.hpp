// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/decode/operation.hpp>
#include <device/execute/device_runtime.hpp>

#include <string_view>

namespace device {

//! The handler of a call of a function that the device provides (vprintf, __assertfail, malloc,
//! __cuda_syscall_aligned_malloc, free); null for others.
[[nodiscard]] handler system_call(std::string_view name);

//! The handler of a call of the CUDA runtime (execute/device_runtime.hpp), whose operation has
//! `flags_of` the function.
void call_runtime(warp&, operation const&);
[[nodiscard]] std::uint8_t flags_of(device_function_name const&);

}  // namespace device
