// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/runtime/abi_enums.hpp>

#include <string_view>

namespace device::driver {

//! A function of the driver's API by the name that cuGetProcAddress takes.
struct found_function {
  void* address = nullptr;  //!< null if there is none of that name and version
  bool is_newer = false;    //!< there are only later versions
};
//! The function as programs of CUDA `version` (12040) call it; also by the full name of a symbol.
[[nodiscard]] found_function find_function(std::string_view name, int version, bool per_thread);

//! The name of the driver's result for an error of the runtime.
[[nodiscard]] char const* error_name(abi::cudaError_t);

}  // namespace device::driver
