// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/decode/context.hpp>
#include <device/execute/lane/lane_tables.hpp>

#include <cstddef>
#include <string_view>
#include <vector>

//! Builders of the instructions that are rows of tables.
namespace device {

struct chosen_row {
  device::row const* row = nullptr;  //!< null: no such instruction
  //! row_flag: what modifiers ask for that are not part of the row's name
  std::uint16_t flags = 0;
};
//! The row of an instruction with so many operands.
[[nodiscard]] chosen_row find_row(std::string_view opcode,
                                  std::vector<std::string_view> const& modifiers,
                                  std::size_t operands);

//! The slot of a source; a literal of a floating type becomes that type's.
[[nodiscard]] slot source_of(ptx::instruction const&, decode::context&, ptx::operand const&,
                             operand_class);
//! The slot of a destination of that size.
[[nodiscard]] slot destination_of(ptx::instruction const&, decode::context&, ptx::operand const&,
                                  operand_class);

//! Makes the operation of an instruction that is a row.
void build_row(ptx::instruction const&, decode::context&);
//! The same for the row that find_row gave, perhaps none.
void build_chosen_row(ptx::instruction const&, decode::context&, chosen_row const&);
//! Makes rows known, in place of rows of the same name, and adds their opcodes, with build_row, to
//! a table that does not have them.
void add_rows(row_list, decode::instruction_table&);

}  // namespace device
