// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/decode/services.hpp>
#include <device/runtime/instruments.hpp>

#include <array>

namespace device::runtime {

//! The parts of the device that the runtime uses without including them.
struct parts {
  decode::services const& execution;
  //! Makers of the instruments, in the order in which they are notified; null if nothing is to be
  //! watched.
  std::array<std::unique_ptr<instruments> (*)(settings const&), 2> makers;
};

//! Sets the function that gives the parts, before the first call of the runtime; it is called once
//! a device is needed.
void use_parts(parts const& (*given)());

}  // namespace device::runtime
