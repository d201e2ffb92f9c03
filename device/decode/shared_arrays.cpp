// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shared_arrays.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <utility>

namespace device::decode {
namespace {

using kind = ptx::operand::kind_type;

// A register holds the address of an array, as its number, or one of these.
constexpr std::uint32_t no_address = 0;
constexpr std::uint32_t mixed = 0xfffffffeU;  // addresses of several arrays, or unknown ones
constexpr std::uint32_t unwritten = 0xffffffffU;

[[nodiscard]] bool is_array(std::uint32_t v) { return v != no_address && v < mixed; }

[[nodiscard]] bool is_any_of(std::string_view x, std::initializer_list<std::string_view> all) {
  return std::find(all.begin(), all.end(), x) != all.end();
}

class search {
 public:
  search(ptx::body const& body, array_number const& number)
      : body_(body), number_(number), holds_(body.registers.size(), unwritten) {}

  [[nodiscard]] std::vector<std::uint32_t> found() {
    while (pass()) {
    }
    for (std::uint32_t& v : holds_)
      if (!is_array(v)) v = 0;
    return std::move(holds_);
  }

 private:
  ptx::body const& body_;
  array_number const& number_;
  std::vector<std::uint32_t> holds_;
  bool changed_ = false;

  bool pass() {
    changed_ = false;
    for (ptx::instruction const& i : body_.instructions) {
      for (ptx::operand const& o : i.call_returns) write(o, no_address);
      if (!i.operands.empty()) write(i.operands[0], result(i));
    }
    return changed_;
  }

  void write(ptx::operand const& o, std::uint32_t value) {
    for (ptx::operand const& p : o.parts) write(p, is_array(value) ? mixed : value);
    if (o.kind != kind::reg || value == unwritten) return;
    std::uint32_t& now = holds_[o.reg];
    std::uint32_t const joined = now == unwritten || now == value ? value : mixed;
    changed_ = changed_ || joined != now;
    now = joined;
  }

  [[nodiscard]] std::uint32_t value(ptx::operand const& o) const {
    if (o.kind == kind::reg) return holds_[o.reg];
    if (o.kind == kind::symbol) {
      std::uint32_t const n = number_(o);
      return n == 0 ? no_address : n;
    }
    std::uint32_t all = no_address;
    for (ptx::operand const& p : o.parts)
      if (value(p) != no_address) all = mixed;
    return all;
  }

  [[nodiscard]] static std::uint32_t sum(std::uint32_t a, std::uint32_t b) {
    if (a == no_address) return b;
    if (b == no_address) return a;
    return a == unwritten || b == unwritten ? unwritten : mixed;
  }

  [[nodiscard]] std::uint32_t result(ptx::instruction const& i) const {
    auto const n = i.operands.size();
    if (is_any_of(i.opcode, {"ld", "atom", "st", "red", "ldu", "ldmatrix"})) return no_address;
    if (n == 2 && i.opcode == "cvta" && i.has("to"))
      if (std::uint32_t const of_object = number_(i.operands[1]); of_object != 0) return of_object;
    if (n == 2 && is_any_of(i.opcode, {"mov", "cvta", "cvt"})) return value(i.operands[1]);
    if (n == 3 && is_any_of(i.opcode, {"add", "or"}))
      return sum(value(i.operands[1]), value(i.operands[2]));
    if (n == 3 && i.opcode == "sub" && value(i.operands[2]) == no_address)
      return value(i.operands[1]);
    if (n == 4 && i.opcode == "mad")
      return sum(sum(value(i.operands[1]), value(i.operands[2])), value(i.operands[3]));
    // Another function of an address belongs to no known array; it may wait for a source.
    std::uint32_t of_all = no_address;
    for (std::size_t k = 1; k < n; ++k) of_all = std::max(of_all, value(i.operands[k]));
    return is_array(of_all) ? mixed : of_all;
  }
};

}  // namespace

std::vector<std::uint32_t> arrays_of_registers(ptx::body const& body, array_number const& number) {
  return search(body, number).found();
}

ptx::operand const* accessed_by(ptx::instruction const& i) {
  bool const copies = i.opcode == "cp" && i.has("async") && !i.has("bulk");
  if (!copies && !is_any_of(i.opcode, {"ld", "st", "atom", "red", "ldmatrix", "stmatrix"}))
    return nullptr;
  for (ptx::operand const& o : i.operands)
    if (o.kind == kind::memory) return &o;
  return nullptr;
}

}  // namespace device::decode
