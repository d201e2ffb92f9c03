// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/instructions.hpp>
#include <device/execute/lane/lane_tables.hpp>
#include <device/execute/lane/lanewise_build.hpp>

namespace device {

void add_half_instructions(decode::instruction_table& table) {
  lane_tables const& rows = tables_for(tool::processor_in_use());
  add_rows(rows.half, table);
  add_rows(rows.half_general, table);
}

}  // namespace device
