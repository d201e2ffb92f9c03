// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/ptx/lexer.hpp>
#include <device/ptx/module.hpp>
#include <device/ptx/names.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace device::ptx {

//! Reads the operands of instructions, with names resolved in the scopes around them: the variables
//! of the body that is read are those of `current`, others those of the module.
class operand_reader {
 public:
  operand_reader(lexer& text, names const& scopes, body const& current, module const& source)
      : text_(text), scopes_(scopes), body_(current), module_(source) {}

  //! One operand, or a pair `a|b`.
  [[nodiscard]] operand read();
  //! Operands with commas between them; none if the next character is `end`, which is not taken.
  void read_list(char end, std::vector<operand>& into);
  //! A register, for a guard.
  [[nodiscard]] std::uint32_t read_register();

 private:
  lexer& text_;
  names const& scopes_;
  body const& body_;
  module const& module_;

  [[nodiscard]] operand read_single();
  [[nodiscard]] operand read_name();
  [[nodiscard]] operand read_special(std::string_view word);
  [[nodiscard]] operand read_component(names::found const&, std::string_view word);
  //! The bytes from a variable to its element: of `[2]`, that of number 2.
  [[nodiscard]] std::uint64_t read_index(operand const& variable, std::string_view word);
  [[nodiscard]] operand read_memory();
  [[nodiscard]] operand read_constant_operand();
};

}  // namespace device::ptx
