// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/decode/context.hpp>

#include <string_view>

namespace device::decode {

//! What decoding needs of execution, and is given: the handlers of operations.
struct services {
  instruction_table const* instructions = nullptr;
  //! d (8 bytes) = operation::immediate + the frame's first byte of local memory
  handler local_address = nullptr;
  //! d (8 bytes) = operation::immediate + where the kernel's dynamic shared memory begins
  handler shared_address = nullptr;
  handler narrow = nullptr;            //!< d = the low bytes of a: operation::bytes of flags bytes
  handler negate_predicate = nullptr;  //!< d = !a
  //! Emits operations that write a special register ("tid.x") to a register of that width.
  void (*emit_special)(context&, std::string_view name, slot d, int bytes) = nullptr;
};

}  // namespace device::decode
