// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/ptx/constant.hpp>
#include <device/ptx/operands.hpp>

#include <algorithm>
#include <array>
#include <string_view>

namespace device::ptx {

namespace {

//! The names of PTX's special registers, sorted; `pm`, `envreg` and `reserved_smem_offset` are
//! followed by a number or a word.
constexpr std::array<std::string_view, 38> special_registers{"aggr_smem_size",
                                                             "clock",
                                                             "clock64",
                                                             "clock_hi",
                                                             "cluster_ctaid",
                                                             "cluster_ctarank",
                                                             "cluster_nctaid",
                                                             "cluster_nctarank",
                                                             "clusterid",
                                                             "ctaid",
                                                             "current_graph_exec",
                                                             "dynamic_smem_size",
                                                             "globaltimer",
                                                             "globaltimer_hi",
                                                             "globaltimer_lo",
                                                             "gridid",
                                                             "is_explicit_cluster",
                                                             "laneid",
                                                             "lanemask_eq",
                                                             "lanemask_ge",
                                                             "lanemask_gt",
                                                             "lanemask_le",
                                                             "lanemask_lt",
                                                             "nclusterid",
                                                             "nctaid",
                                                             "nsmid",
                                                             "ntid",
                                                             "nwarpid",
                                                             "smid",
                                                             "tid",
                                                             "total_smem_size",
                                                             "warpid",
                                                             "warpsize",
                                                             "nanosleep_time",
                                                             "pm0_64",
                                                             "ctarank",
                                                             "nctarank",
                                                             "physid"};

[[nodiscard]] bool is_special(std::string_view name) {
  if (name.starts_with("pm") || name.starts_with("envreg") ||
      name.starts_with("reserved_smem_offset"))
    return true;
  return std::ranges::find(special_registers, name) != special_registers.end();
}

[[nodiscard]] int component_number(std::string_view component) {
  if (component == "x" || component == "r") return 0;
  if (component == "y" || component == "g") return 1;
  if (component == "z" || component == "b") return 2;
  if (component == "w" || component == "a") return 3;
  return -1;
}

}  // namespace

operand operand_reader::read() {
  operand first = read_single();
  if (!text_.accept('|')) return first;
  operand both;
  both.kind = operand::kind_type::vector;
  both.pair = true;
  both.parts.push_back(std::move(first));
  both.parts.push_back(read_single());
  return both;
}

void operand_reader::read_list(char end, std::vector<operand>& into) {
  if (text_.peek() == end) return;
  do into.push_back(read());
  while (text_.accept(','));
}

std::uint32_t operand_reader::read_register() {
  std::string_view const word = text_.word();
  names::found const found = scopes_.find(word);
  if (found.kind != names::found::kind_type::reg)
    text_.fail("not a register that is declared", word);
  return found.index;
}

operand operand_reader::read_single() {
  operand result;
  switch (text_.peek()) {
    case '[':
      return read_memory();
    case '{':
      text_.expect('{');
      result.kind = operand::kind_type::vector;
      read_list('}', result.parts);
      text_.expect('}');
      return result;
    case '!': {
      auto const begin = text_.where();
      text_.expect('!');
      if (!is(text_.peek(), word_start)) {
        text_.go_back(begin);
        return read_constant_operand();
      }
      result.kind = operand::kind_type::reg;
      result.negated = true;
      result.reg = read_register();
      return result;
    }
    default:
      return is(text_.here(), word_start) ? read_name() : read_constant_operand();
  }
}

operand operand_reader::read_constant_operand() {
  literal const value = read_constant(text_);
  operand result;
  result.kind = value.float_bits == 0 ? operand::kind_type::integer : operand::kind_type::floating;
  result.float_bits = value.float_bits;
  result.bits = value.bits;
  return result;
}

operand operand_reader::read_name() {
  auto const begin = text_.where();
  std::string_view const word = text_.word();
  operand result;
  if (word == "_") {
    result.kind = operand::kind_type::sink;
    return result;
  }
  names::found const found = scopes_.find(word);
  switch (found.kind) {
    case names::found::kind_type::reg:
      result.kind = operand::kind_type::reg;
      result.reg = found.index;
      return result;
    case names::found::kind_type::reg_vector:
      return read_component(found, word);
    case names::found::kind_type::variable:
      result.variable = found.index;
      break;
    default:
      break;
  }
  if (word[0] == '%') return read_special(word);
  if (word == "WARP_SZ") {
    text_.go_back(begin);
    return read_constant_operand();
  }
  result.kind = operand::kind_type::symbol;
  result.name = word;
  result.bits = text_.here() == '[' ? read_index(result, word) : read_addend(text_);
  return result;
}

std::uint64_t operand_reader::read_index(operand const& variable, std::string_view word) {
  ptx::variable const* indexed = nullptr;
  if (variable.variable != none) {
    indexed = &body_.variables[variable.variable];
  } else {
    auto const found = std::ranges::find(module_.variables, word, &ptx::variable::name);
    if (found != module_.variables.end()) indexed = &*found;
  }
  if (indexed == nullptr) text_.fail("an index of what is no variable", word);
  text_.expect('[');
  literal const index = read_constant(text_);
  if (index.float_bits != 0) text_.fail("a floating-point number as an index", word);
  text_.expect(']');
  return index.bits * static_cast<std::uint64_t>(bytes_of(indexed->type) * indexed->vector);
}

operand operand_reader::read_special(std::string_view word) {
  if (!is_special(word.substr(1))) text_.fail("neither a declared nor a special register", word);
  operand result;
  result.kind = operand::kind_type::special;
  result.name = word.substr(1);
  if (text_.here() == '.') {
    std::string_view const component = text_.dotted();
    if (component_number(component) < 0)
      text_.fail("not a component of a special register", component);
    result.name = {
        result.name.data(),
        static_cast<std::size_t>(component.data() + component.size() - result.name.data())};
  }
  return result;
}

operand operand_reader::read_component(names::found const& found, std::string_view word) {
  operand result;
  if (text_.here() == '.') {
    int const number = component_number(text_.dotted());
    if (number < 0 || static_cast<std::uint32_t>(number) >= found.count)
      text_.fail("no such component", word);
    result.kind = operand::kind_type::reg;
    result.reg = found.index + static_cast<std::uint32_t>(number);
    return result;
  }
  result.kind = operand::kind_type::vector;
  for (std::uint32_t i = 0; i < found.count; ++i) {
    operand& part = result.parts.emplace_back();
    part.kind = operand::kind_type::reg;
    part.reg = found.index + i;
  }
  return result;
}

operand operand_reader::read_memory() {
  text_.expect('[');
  operand result;
  if (is(text_.peek(), word_start)) {
    result = read_name();
    switch (result.kind) {
      case operand::kind_type::reg:
        result.bits = read_addend(text_);
        break;
      case operand::kind_type::symbol:
        break;
      case operand::kind_type::integer:
        break;  // WARP_SZ
      default:
        text_.fail("not a base of an address");
    }
  } else {
    result = read_constant_operand();
    if (result.kind != operand::kind_type::integer)
      text_.fail("a floating-point number as an address");
  }
  result.kind = operand::kind_type::memory;
  while (text_.accept(',')) result.parts.push_back(read());
  text_.expect(']');
  return result;
}

}  // namespace device::ptx
