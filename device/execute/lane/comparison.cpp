// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/instructions.hpp>
#include <device/execute/lane/lane_tables.hpp>
#include <device/execute/lane/lanewise_build.hpp>

namespace device {

namespace {

//! `and`, `or`, `xor` among the modifiers: taken out of them, as operation::flags has it.
std::uint8_t take_combination(std::vector<std::string_view>& modifiers) {
  constexpr std::string_view names[] = {"and", "or", "xor"};
  for (auto m = modifiers.begin(); m != modifiers.end(); ++m)
    for (std::size_t k = 0; k < 3; ++k)
      if (*m == names[k]) {
        modifiers.erase(m);
        return static_cast<std::uint8_t>(k + 1);
      }
  return 0;
}

//! The comparison of `i`: its row's handler, its sources, how it is combined with a predicate.
operation comparison_of(ptx::instruction const& i, decode::context& c,
                        std::vector<std::string_view> modifiers) {
  operation o;
  o.flags = take_combination(modifiers);
  row const* const r = find_row(i.opcode, modifiers, 3).row;
  if (r == nullptr) c.refuse(i, "this comparison is not known");
  if (i.operands.size() != (o.flags != 0 ? 4U : 3U))
    c.refuse(i, "it has another number of operands");
  o.run = r->run;
  o.kind = r->kind;
  o.a = source_of(i, c, i.operands[1], r->source[0]);
  o.b = source_of(i, c, i.operands[2], r->source[1]);
  if (o.flags != 0) o.c = c.predicate(i.operands[3]);
  return o;
}

//! `setp.lt.and.f32 p|q, a, b, c`
void build_setp(ptx::instruction const& i, decode::context& c) {
  operation o = comparison_of(i, c, i.modifiers);
  ptx::operand const& to = i.operands[0];
  if (to.pair) {
    o.d = c.predicate_destination(to.parts.at(0));
    o.list = c.list({c.predicate_destination(to.parts.at(1))});
    o.list_size = 1;
  } else {
    o.d = c.predicate_destination(to);
  }
  o.simple = true;
  c.emit(o);
}

//! `set.lt.and.f32.s32 d, a, b, c`: d's type, then that of the values compared.
void build_set(ptx::instruction const& i, decode::context& c) {
  using ptx::scalar;
  std::vector<std::string_view> modifiers = i.modifiers;
  if (modifiers.size() < 3) c.refuse(i, "it lacks a type");
  scalar const type = ptx::scalar_of(modifiers[modifiers.size() - 2]);
  scalar const compared = ptx::scalar_of(modifiers.back());
  modifiers.erase(modifiers.end() - 2);
  bool const pairs = compared == scalar::f16x2 || compared == scalar::bf16x2;
  operation o = comparison_of(i, c, std::move(modifiers));
  switch (type) {
    case scalar::u16:
    case scalar::s16:
    case scalar::u32:
    case scalar::s32:
      o.immediate = ~std::uint64_t{0};
      break;
    case scalar::f32:
      o.immediate = 0x3f80'0000;
      break;
    case scalar::f16:
    case scalar::f16x2:
      o.immediate = 0x3c00;
      break;
    case scalar::bf16:
    case scalar::bf16x2:
      o.immediate = 0x3f80;
      break;
    default:
      c.refuse(i, "it cannot have a result of that type");
  }
  int const bytes = ptx::bytes_of(type);
  bool const is_pair = type == scalar::f16x2 || type == scalar::bf16x2;
  if ((pairs && (bytes != 4 || type == scalar::f32)) || (is_pair && !pairs))
    c.refuse(i, "its types do not go together");
  o.bytes = static_cast<std::uint8_t>(bytes);
  o.d = destination_of(i, c, i.operands[0], {o.bytes, false});
  o.simple = true;
  c.emit(o);
}

}  // namespace

void add_comparison_instructions(decode::instruction_table& table) {
  table.emplace("setp", build_setp);
  table.emplace("set", build_set);
  lane_tables const& rows = tables_for(tool::processor_in_use());
  add_rows(rows.compare, table);
  add_rows(rows.select, table);
}

}  // namespace device
