// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/decode/context.hpp>

#include <cstddef>
#include <string_view>
#include <vector>

//! The meaning of the modifiers of ld, st, atom and red.
namespace device::memory_access_detail {

struct access_form {
  device::space where = space::generic;
  strength order = strength::weak;
  bool ordered = false;  //!< an order was written
  device::scope reach = scope::none;
  int vector = 1;
  ptx::scalar type = ptx::scalar::none;
  bool cache_policy = false;     //!< one more operand
  bool read_only = false;        //!< .nc
  std::string_view operation{};  //!< of atom and red: "add"
};

//! Reads all modifiers of an instruction and refuses those that are unknown. `operations` says
//! whether one of atom's may be among them.
[[nodiscard]] access_form form_of(ptx::instruction const&, decode::context&, bool operations);

//! The number of bytes of an element; refuses types that memory does not hold.
[[nodiscard]] int element_bytes(access_form const&, ptx::instruction const&, decode::context&);

//! The elements of a vector operand, or a single operand. Refuses a number other than form.vector.
[[nodiscard]] std::vector<ptx::operand const*> elements_of(ptx::operand const&, access_form const&,
                                                           ptx::instruction const&,
                                                           decode::context&);

//! The slot of a value that is written to memory as `type`, and the bytes of the slot's values,
//! which may be more.
struct value_slot {
  slot where = no_slot;
  int bytes = 0;
};
[[nodiscard]] value_slot value_of(ptx::operand const&, ptx::scalar type, decode::context&);

//! Refuses an instruction that has not between `min_operands` and `max_operands` operands.
void require_operands(ptx::instruction const&, decode::context&, std::size_t min_operands,
                      std::size_t max_operands);

}  // namespace device::memory_access_detail
