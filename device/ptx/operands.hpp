// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/ptx/lexer.hpp>
#include <device/ptx/module.hpp>
#include <device/ptx/names.hpp>

#include <vector>

namespace device::ptx {

//! Reads the operands of instructions, with names resolved in the scopes around them.
class operand_reader {
 public:
  operand_reader(lexer& text, names const& scopes) : text_(text), scopes_(scopes) {}

  //! One operand, or a pair `a|b`.
  [[nodiscard]] operand read();
  //! Operands with commas between them; none if the next character is `end`, which is not taken.
  void read_list(char end, std::vector<operand>& into);
  //! A register, for a guard.
  [[nodiscard]] std::uint32_t read_register();

 private:
  lexer& text_;
  names const& scopes_;

  [[nodiscard]] operand read_single();
  [[nodiscard]] operand read_name();
  [[nodiscard]] operand read_special(std::string_view word);
  [[nodiscard]] operand read_component(names::found const&, std::string_view word);
  [[nodiscard]] operand read_memory();
  [[nodiscard]] operand read_constant_operand();
};

}  // namespace device::ptx
