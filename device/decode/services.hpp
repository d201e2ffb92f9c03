// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/decode/context.hpp>

#include <string_view>

namespace device::decode {

//! The interface of execution for decoding: the handlers of operations.
struct services {
  instruction_table const* instructions = nullptr;
  //! d (8 bytes) = operation::immediate + the frame's first byte of local memory
  handler local_address = nullptr;
  handler shared_address =
      //! d (8 bytes) = operation::immediate + where the kernel's dynamic shared memory begins
      nullptr;
  handler narrow = nullptr;            //!< d = the low bytes of a: operation::bytes of flags bytes
  handler negate_predicate = nullptr;  //!< d = !a
  //! Emits operations that write a special register ("tid.x") to a register of that width.
  void (*emit_special)(context&, std::string_view name, slot d, int bytes) = nullptr;
  //! A call of an extern function that the device itself provides ("vprintf"); null if it does not.
  handler (*system_call)(std::string_view name) = nullptr;
};

//! Those of this device's execution, by whose layer this is defined (execute/services.cpp).
[[nodiscard]] services const& execution_services();

}  // namespace device::decode
