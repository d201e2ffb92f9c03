// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/instructions.hpp>
#include <device/execute/lane/conversion.hpp>
#include <device/execute/lane/lane_tables.hpp>
#include <device/execute/lane/lanewise_build.hpp>
#include <device/execute/lane/special_register.hpp>
#include <device/execute/warp.hpp>

#include <bit>
#include <string>

namespace device {

namespace {

using kind_type = ptx::operand::kind_type;

//! d = the elements of the list one after another, the first in the lowest bits.
template <class Element, class Register, class Whole, int Count>
void run_pack(warp& w, operation const& o) {
  Register const* sources[Count];
  for (int k = 0; k < Count; ++k) sources[k] = w.source<Register>(o.list[k]);
  Whole* const d = w.destination<Whole>(o.d);
  w.each_active([&](int t) {
    Element parts[Count];
    for (int k = 0; k < Count; ++k) parts[k] = static_cast<Element>(sources[k][t]);
    __builtin_memcpy(&d[t], parts, sizeof parts);
  });
}
//! The reverse.
template <class Element, class Register, class Whole, int Count>
void run_unpack(warp& w, operation const& o) {
  Whole const* const a = w.source<Whole>(o.a);
  Register* destinations[Count];
  for (int k = 0; k < Count; ++k) destinations[k] = w.destination<Register>(o.list[k]);
  w.each_active([&](int t) {
    Element parts[Count];
    __builtin_memcpy(parts, &a[t], sizeof parts);
    for (int k = 0; k < Count; ++k) destinations[k][t] = static_cast<Register>(parts[k]);
  });
}

struct bytes16 {
  std::uint64_t word[2];
};
using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

struct vector_move {
  int bytes;  //!< of all
  std::size_t count;
  handler pack, unpack;
};
constexpr vector_move vector_moves[] = {
    {2, 2, run_pack<u8, u16, u16, 2>, run_unpack<u8, u16, u16, 2>},
    {4, 2, run_pack<u16, u16, u32, 2>, run_unpack<u16, u16, u32, 2>},
    {4, 4, run_pack<u8, u16, u32, 4>, run_unpack<u8, u16, u32, 4>},
    {8, 2, run_pack<u32, u32, u64, 2>, run_unpack<u32, u32, u64, 2>},
    {8, 4, run_pack<u16, u16, u64, 4>, run_unpack<u16, u16, u64, 4>},
    {16, 2, run_pack<u64, u64, bytes16, 2>, run_unpack<u64, u64, bytes16, 2>},
    {16, 4, run_pack<u32, u32, bytes16, 4>, run_unpack<u32, u32, bytes16, 4>},
};
static_assert(std::endian::native == std::endian::little,
              "elements lie in memory as they do in registers");

void build_vector_move(ptx::instruction const& i, decode::context& c) {
  bool const packs = i.operands[1].kind == kind_type::vector;
  ptx::operand const& vector = i.operands[packs ? 1 : 0];
  ptx::operand const& whole = i.operands[packs ? 0 : 1];
  int const bytes = i.modifiers.size() == 1 ? ptx::bytes_of(ptx::scalar_of(i.modifiers[0])) : 0;
  vector_move const* form = nullptr;
  for (vector_move const& m : vector_moves)
    if (m.bytes == bytes && m.count == vector.parts.size()) form = &m;
  if (form == nullptr || vector.pair || whole.kind == kind_type::vector)
    c.refuse(i, "this form is not known");

  int const element = bytes / static_cast<int>(form->count);
  operand_class const part{static_cast<std::uint8_t>(element == 1 ? 2 : element), false};
  operand_class const all{static_cast<std::uint8_t>(bytes), false};
  operation o;
  o.run = packs ? form->pack : form->unpack;
  o.kind = instruction_kind::move;
  std::vector<slot> list;
  if (!packs) o.a = source_of(i, c, whole, all);
  for (ptx::operand const& p : vector.parts)
    list.push_back(packs ? source_of(i, c, p, part) : destination_of(i, c, p, part));
  if (packs) o.d = destination_of(i, c, whole, all);
  o.list_size = static_cast<std::uint8_t>(list.size());
  o.list = c.list(std::move(list));
  o.simple = true;
  c.emit(o);
}

void build_mov(ptx::instruction const& i, decode::context& c) {
  if (i.operands.size() != 2) c.refuse(i, "it has another number of operands");
  if (i.operands[0].kind == kind_type::vector || i.operands[1].kind == kind_type::vector)
    return build_vector_move(i, c);
  if (i.operands[1].kind == kind_type::special) {
    ptx::scalar const type =
        i.modifiers.size() == 1 ? ptx::scalar_of(i.modifiers[0]) : ptx::scalar::none;
    int const bytes = ptx::bytes_of(type);
    if (bytes == 0 && type != ptx::scalar::pred) c.refuse(i, "this type is not known");
    slot const d = destination_of(i, c, i.operands[0], {static_cast<std::uint8_t>(bytes), false});
    return emit_special(c, i.operands[1].name, d, bytes);
  }
  build_row(i, c);
}

}  // namespace

void add_move_instructions(decode::instruction_table& table) {
  table.emplace("mov", build_mov);
  table.emplace("cvt", build_cvt);
  add_address_instructions(table);
  add_rows(tables_for(tool::processor_in_use()).pack, table);
}

}  // namespace device
