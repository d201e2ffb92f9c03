// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/decode/operation.hpp>
#include <device/ptx/module.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace device::decode {

//! The function at hand, as the code that turns instructions into operations sees it.
class context {
 public:
  virtual ~context() = default;

  //! The slot of a source: a register; or the constant of an immediate, as `bytes` wide values (an
  //! `0f` or `0d` literal as its bits; a decimal literal of a floating type must be converted by
  //! the caller). A special register is moved to a scratch register first; the address of a
  //! variable or function is a constant.
  //! Refuses a register whose width is below `bytes`; a wider one is narrowed into a scratch
  //! register first.
  virtual slot source(ptx::operand const&, int bytes) = 0;
  //! The slot of a destination register, whose values are as wide as `register_bytes` says; of `_`,
  //! a slot that nobody reads.
  virtual slot destination(ptx::operand const&, int bytes) = 0;
  //! The slot of a predicate that is read; a negated one is inverted into a scratch predicate
  //! first. Immediates 0 and 1 and `!` are accepted.
  virtual slot predicate(ptx::operand const&) = 0;
  //! The slot of a predicate that is written.
  virtual slot predicate_destination(ptx::operand const&) = 0;

  //! Bytes of a value of the register that an operand names, as kept in its slot (2 for 8 and 16
  //! bits); 0 for a predicate or if it is no register.
  virtual int register_bytes(ptx::operand const&) const = 0;
  //! A register that no other operation uses (bytes 2, 4, 8, 16), or a predicate (bytes 0).
  virtual slot scratch(int bytes) = 0;
  //! The predicate that .cc instructions set and addc, subc, madc read: one for a function.
  virtual slot carry() = 0;
  //! 32 times the value.
  virtual slot constant(std::uint64_t value, int bytes) = 0;

  //! The target of a memory operand `[base + offset]`: the slot of the base (8 bytes wide values, 4
  //! bytes wide ones for a 32-bit register: then base_bytes is 4; no_slot if there is no base
  //! register) and the offset, in which the address of a named variable is included; the space that
  //! the variable is in (space::generic if there is none).
  struct address {
    slot base = no_slot;
    int base_bytes = 8;
    std::uint64_t offset = 0;
    device::space variable_space = space::generic;
    //! of a space::param: in launch::params; otherwise in the thread's part of frame::params
    bool of_kernel = false;
  };
  virtual address address_of(ptx::operand const& memory) = 0;

  //! A list of slots that lives as long as the program.
  virtual slot const* list(std::vector<slot>) = 0;
  //! Appends an operation; guard, location and index are the context's work.
  virtual void emit(operation) = 0;

  //! Notes what a call copies; its number among the program's calls.
  virtual std::uint64_t add_call(ptx::instruction const&) = 0;
  //! The number of a function that has a body.
  virtual std::optional<std::uint32_t> function_number(std::string_view name) const = 0;

  virtual ptx::body const& body() const = 0;
  //! Throws device::unsupported: the instruction as written, its source line, the function, and
  //! why.
  [[noreturn]] virtual void refuse(ptx::instruction const&, std::string const& why) = 0;
};

//! Makes the operations of an instruction. Every modifier must be understood or refused: what is
//! ignored must be named in the code as without effect here (`.L2::128B`, `.uni`, cache hints).
using builder = void (*)(ptx::instruction const&, context&);
//! opcode ("add", "ld") -> builder
using instruction_table = std::unordered_map<std::string_view, builder>;

}  // namespace device::decode
