// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/decode/context.hpp>

#include <string_view>

namespace device::decode {

//! The handlers of operations that decoding gets from execution, since it includes none of it.
struct services {
  instruction_table const* instructions = nullptr;
  //! d (8 bytes) = operation::immediate + the frame's first byte of local memory
  handler local_address = nullptr;
  //! d (8 bytes) = operation::immediate + the offset of the kernel's dynamic shared memory
  handler shared_address = nullptr;
  handler narrow = nullptr;            //!< d = the low bytes of a: operation::bytes of flags bytes
  handler negate_predicate = nullptr;  //!< d = !a
  //! Emits operations that write a special register ("tid.x") to a register of that width.
  void (*emit_special)(context&, std::string_view name, slot d, int bytes) = nullptr;
};

}  // namespace device::decode
