// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/instructions.hpp>
#include <device/execute/lane/integer_video.hpp>
#include <device/execute/lane/lane_tables.hpp>
#include <device/execute/lane/lanewise_build.hpp>

namespace device {

namespace {

//! `lop3.b32 d, a, b, c, table`, a row; and `lop3.or.b32 d|p, a, b, c, table, q`.
void build_lop3(ptx::instruction const& i, decode::context& c) {
  if (i.operands.empty() || !i.operands[0].pair) return build_row(i, c);
  row const* const r = find_row(i.opcode, i.modifiers, 5).row;
  if (r == nullptr || i.modifiers.size() != 2 || i.operands.size() != 6)
    c.refuse(i, "this form is not known");
  operation o;
  o.run = r->run;
  o.kind = r->kind;
  o.a = source_of(i, c, i.operands[1], {4, false});
  o.b = source_of(i, c, i.operands[2], {4, false});
  o.c = source_of(i, c, i.operands[3], {4, false});
  o.immediate = i.operands[4].bits;
  slot const q = c.predicate(i.operands[5]);
  o.d = destination_of(i, c, i.operands[0].parts.at(0), {4, false});
  o.list = c.list({c.predicate_destination(i.operands[0].parts.at(1)), q});
  o.list_size = 2;
  o.simple = true;
  c.emit(o);
}

}  // namespace

void add_integer_instructions(decode::instruction_table& table) {
  table.emplace("lop3", build_lop3);
  add_video_instructions(table);
  lane_tables const& rows = tables_for(tool::processor_in_use());
  add_rows(rows.integer, table);
  add_rows(rows.integer_bits, table);
  add_rows(rows.integer_carry, table);
}

}  // namespace device
