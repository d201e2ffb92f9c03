// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/check/value_flow.hpp>
#include <device/decode/flow.hpp>
#include <device/execute/launch.hpp>

#include <algorithm>
#include <cstring>

namespace device::check {

//! `f(register)` for the registers of an operand and of its parts.
template <class F>
void each_register(ptx::operand const& o, F const& f) {
  if (o.reg != ptx::none) f(o.reg);
  for (ptx::operand const& part : o.parts) each_register(part, f);
}

//! Bytes of a register's value; 0 for a predicate.
[[nodiscard]] inline int bytes_of_register(program const& p, std::uint32_t reg) {
  return ptx::bytes_of(p.body.registers[reg].type);
}

struct value_flow::step {
  warp& w;
  operation const& op;
  ptx::instruction const& i;
  plan const& p;
  lane_mask active;
  undefined_registers& registers;

  [[nodiscard]] frame const* in() const { return w.current; }
  [[nodiscard]] program const& code() const { return *w.current->code; }
  [[nodiscard]] undefined_register const* find(std::uint32_t reg) const {
    return reg == ptx::none ? nullptr : registers.find(in(), reg);
  }
  //! The value of a register, or of an immediate operand, in a lane.
  [[nodiscard]] operand_value value(ptx::operand const& o, std::size_t lane) const {
    operand_value v;
    if (o.kind == ptx::operand::kind_type::integer || o.kind == ptx::operand::kind_type::floating) {
      v.value = o.bits;
      v.bytes = 8;
      return v;
    }
    v.known = o.reg != ptx::none;
    if (!v.known) return v;
    v.bytes = bytes_of_register(code(), o.reg);
    if (undefined_register const* const r = find(o.reg)) v.missing = r->missing[lane];
    std::byte const* const base = in()->registers + code().register_slots[o.reg];
    if (v.bytes == 0) {
      lane_mask all = 0;
      std::memcpy(&all, base, sizeof all);
      v.value = ((all >> lane & 1) != 0) != o.negated;
      return v;
    }
    auto const stride =
        static_cast<std::size_t>(decode::register_bytes_of(code().body.registers[o.reg].type));
    std::memcpy(&v.value, base + lane * stride, std::min<std::size_t>(stride, sizeof v.value));
    return v;
  }
};

}  // namespace device::check
