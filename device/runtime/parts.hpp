// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/decode/services.hpp>
#include <device/runtime/abi_enums.hpp>
#include <device/runtime/instruments.hpp>

#include <array>
#include <memory>
#include <string_view>

namespace device::runtime {

//! The parts of the device that the runtime uses without including them.
struct parts {
  decode::services const& execution;
  //! Makers of the instruments, in the order in which they are notified; null if nothing is to be
  //! watched.
  std::array<std::unique_ptr<instruments> (*)(settings const&), 2> makers;
  //! A function of the driver's API, for cudaGetDriverEntryPoint; null if there is none of that
  //! name and version, and then whether there is a later one.
  void* (*driver_function)(std::string_view name, int version, bool per_thread, bool& is_newer);
  //! The name that the driver's API has for an error.
  char const* (*driver_error)(abi::cudaError_t);
};

//! Sets the function that gives the parts, before the first call of the runtime; it is called once
//! a device is needed.
void use_parts(parts const& (*given)());

}  // namespace device::runtime
