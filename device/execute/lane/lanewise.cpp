// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/lane/lanewise_build.hpp>

#include <bit>
#include <string>

namespace device {

namespace {

//! The rows by name. Filled before any program is decoded, then only read.
struct row_index {
  std::unordered_map<std::string_view, row const*> plain;
  std::unordered_map<std::string_view, row const*> general;
};
row_index& rows() {
  static row_index all;
  return all;
}

row const* find(std::unordered_map<std::string_view, row const*> const& in, std::string_view name) {
  auto const found = in.find(name);
  return found == in.end() ? nullptr : found->second;
}

struct flag_name {
  std::string_view name;
  std::uint16_t flag;    //!< for operation::immediate
  std::uint16_t permit;  //!< what row::allowed must have
};
constexpr flag_name flag_names[] = {
    {"rn", round_nearest, may_round},
    {"rz", round_zero, may_direct},
    {"rm", round_down, may_direct},
    {"rp", round_up, may_direct},
    {"ftz", flush, flush},
    {"sat", saturate, saturate},
    {"relu", rectify, rectify},
};

}  // namespace

chosen_row find_row(std::string_view opcode, std::vector<std::string_view> const& modifiers,
                    std::size_t operands) {
  std::string name{opcode};
  for (std::string_view const m : modifiers) name.append(".").append(m);
  auto const with_arity = [&](auto const& in, std::string const& key) {
    row const* const found = find(in, key);
    if (found != nullptr && operands == found->sources + 1U + found->immediate) return found;
    // min and max of three values are rows of another name
    row const* const other = find(in, key + "/" + std::to_string(operands - 1));
    return other != nullptr ? other : found;
  };
  if (row const* const exact = with_arity(rows().plain, name)) return {exact, 0};

  name = opcode;
  std::uint16_t flags = 0;
  std::uint16_t permits = 0;
  for (std::string_view const m : modifiers) {
    flag_name const* flag = nullptr;
    for (flag_name const& f : flag_names)
      if (f.name == m) flag = &f;
    if (flag == nullptr) {
      name.append(".").append(m);
    } else {
      flags = static_cast<std::uint16_t>(flags | flag->flag);
      permits = static_cast<std::uint16_t>(permits | flag->permit);
    }
  }
  row const* const found = with_arity(flags == 0 ? rows().plain : rows().general, name);
  if (found == nullptr || (permits & ~found->allowed) != 0) return {};
  return {found, flags};
}

slot source_of(ptx::instruction const& i, decode::context& c, ptx::operand const& operand,
               operand_class as) {
  using kind_type = ptx::operand::kind_type;
  if (as.bytes == 0) return c.predicate(operand);
  if (operand.kind == kind_type::floating && (as.bytes == 4 || as.bytes == 8)) {
    // A literal of either width is a number of the type that the instruction has.
    double const value = operand.float_bits == 32
                             ? std::bit_cast<float>(static_cast<std::uint32_t>(operand.bits))
                             : std::bit_cast<double>(operand.bits);
    if (operand.float_bits == 8 * as.bytes) return c.constant(operand.bits, as.bytes);
    if (as.bytes == 8) return c.constant(std::bit_cast<std::uint64_t>(value), 8);
    return c.constant(std::bit_cast<std::uint32_t>(static_cast<float>(value)), 4);
  }
  if (operand.kind == kind_type::integer && as.floating)
    c.refuse(i, "an integer is no operand of a floating type");
  if (operand.kind == kind_type::floating)
    c.refuse(i, "a floating-point number is no operand of that type");
  return c.source(operand, as.bytes);
}

slot destination_of(ptx::instruction const& i, decode::context& c, ptx::operand const& to,
                    operand_class as) {
  if (as.bytes == 0) return c.predicate_destination(to);
  if (to.kind == ptx::operand::kind_type::reg && c.register_bytes(to) != as.bytes)
    c.refuse(i, "its destination has another size than its result");
  return c.destination(to, as.bytes);
}

void build_row(ptx::instruction const& i, decode::context& c) {
  build_chosen_row(i, c, find_row(i.opcode, i.modifiers, i.operands.size()));
}

void build_chosen_row(ptx::instruction const& i, decode::context& c, chosen_row const& chosen) {
  if (chosen.row == nullptr) c.refuse(i, "this combination of modifiers is not known");
  row const& r = *chosen.row;
  if (i.operands.size() != r.sources + 1U + r.immediate)
    c.refuse(i, "it has another number of operands");
  operation o;
  o.run = r.run;
  o.kind = r.kind;
  o.immediate = chosen.flags;
  slot* const to[] = {&o.a, &o.b, &o.c};
  std::vector<slot> list;
  if (r.carry) list.push_back(c.carry());
  for (std::size_t k = 0; k < r.sources; ++k) {
    slot const s = source_of(i, c, i.operands[k + 1], r.source[k]);
    if (k < 3)
      *to[k] = s;
    else
      list.push_back(s);
  }
  if (r.immediate) {
    if (i.operands.back().kind != ptx::operand::kind_type::integer)
      c.refuse(i, "its last operand must be a number");
    o.immediate = i.operands.back().bits;
  }
  o.d = destination_of(i, c, i.operands[0], r.d);
  if (!list.empty()) {
    o.list_size = static_cast<std::uint8_t>(list.size());
    o.list = c.list(std::move(list));
  }
  o.simple = true;
  c.emit(o);
}

void add_rows(row_list all, decode::instruction_table& table) {
  for (row const* r = all.begin; r != all.begin + all.size; ++r) {
    std::string_view const name = r->name;
    (r->general ? rows().general : rows().plain).insert_or_assign(name, r);
    table.emplace(name.substr(0, name.find('.')), build_row);
  }
}

}  // namespace device
