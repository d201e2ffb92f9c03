// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/runtime/modules.hpp>
#include <device/runtime/work.hpp>

#include <cstddef>

namespace device::runtime {

//! A launch of a kernel on the current device, its parameters copied from `arguments`, a pointer
//! for each, or from the buffer that `extra` describes (CU_LAUNCH_PARAM_BUFFER_POINTER), if that is
//! not null.
[[nodiscard]] kernel_work kernel_work_of(process&, void const* function, abi::dim3 grid,
                                         abi::dim3 block, std::size_t shared,
                                         void* const* arguments, void* const* extra = nullptr);

//! Adds an attribute of cudaLaunchKernelEx or of a kernel node.
void set_attribute(kernel_work&, abi::cudaLaunchAttributeID, abi::cudaLaunchAttributeValue const&);

}  // namespace device::runtime
