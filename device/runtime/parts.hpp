// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/decode/services.hpp>
#include <device/runtime/instruments.hpp>

#include <array>

namespace device::runtime {

//! What the runtime is composed with, and does not know itself.
struct parts {
  decode::services const& execution;
  //! Makers of the instruments, in the order in which they are told; null if there is nothing to
  //! watch.
  std::array<std::unique_ptr<instruments> (*)(settings const&), 2> makers;
};

//! Sets the function that gives the parts, before the first call of the runtime; it is called once
//! a device is needed.
void use_parts(parts const& (*given)());

}  // namespace device::runtime
