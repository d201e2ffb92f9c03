// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/runtime/work.hpp>

#include <cstddef>

namespace device::runtime {

//! A copy to a part of a `__device__`, `__constant__` or `__managed__` variable.
[[nodiscard]] copy_work copy_to_symbol(process&, void const* symbol, void const* source,
                                       std::size_t bytes, std::size_t offset, abi::cudaMemcpyKind);
//! A copy from one.
[[nodiscard]] copy_work copy_from_symbol(process&, void* destination, void const* symbol,
                                         std::size_t bytes, std::size_t offset,
                                         abi::cudaMemcpyKind);

}  // namespace device::runtime
