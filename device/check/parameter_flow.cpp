// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/check/value_flow_step.hpp>
#include <device/execute/engine/system_calls.hpp>

//! The undefined bytes of parameters and results of device functions.
namespace device::check {
namespace {

//! The place of a parameter's first byte: of a .param variable of a frame, or a register that a
//! caller passes.
struct parameter_place {
  frame const* in = nullptr;  //!< null: a kernel's parameter, which is defined
  std::uint32_t variable = ptx::none;
  std::uint32_t reg = ptx::none;
};

[[nodiscard]] parameter_place place_of(frame const* f, ptx::operand const& o) {
  if (o.variable != ptx::none) return {f, o.variable, ptx::none};
  ptx::function const& self = *f->code->source;
  if (self.is_entry || f->caller == nullptr || f->call == nullptr) return {};
  program const& caller = *f->caller->code;
  std::uint32_t const number = caller.instruction_of[f->call->index];
  if (number == ptx::none) return {};
  auto const passed = [&](std::vector<ptx::operand> const& given, std::size_t k) {
    return k < given.size() ? parameter_place{f->caller, given[k].variable, given[k].reg}
                            : parameter_place{};
  };
  ptx::instruction const& call = caller.body.instructions[number];
  for (std::size_t k = 0; k < self.parameters.size(); ++k)
    if (self.parameters[k].name == o.name) return passed(call.call_arguments, k);
  for (std::size_t k = 0; k < self.returns.size(); ++k)
    if (self.returns[k].name == o.name) return passed(call.call_returns, k);
  return {};
}

}  // namespace

void value_flow::load_parameter(step const& s) {
  moved_registers const moved = moved_registers_of(s.i);
  parameter_place const place =
      s.i.operands.size() < 2 ? parameter_place{} : place_of(s.in(), s.i.operands[1]);
  for (std::size_t k = 0; k < moved.registers.size(); ++k) {
    if (moved.registers[k] == ptx::none) continue;
    undefined_register found;
    lane_mask any = 0;
    auto const take = [&](undefined_register const* r, int byte) {
      if (r == nullptr) return;
      each_lane<std::size_t>(s.active, [&](std::size_t t) {
        if (r->missing[t] == 0) return;
        found.missing[t] |= byte < 0 ? r->missing[t] : std::uint32_t{1} << byte;
        any |= lane_mask{1} << t;
      });
      found.whole |= r->whole;
      found.computed |= r->computed;
      found.origin = r->origin;
    };
    if (place.in != nullptr && place.reg != ptx::none)
      take(s.registers.find(place.in, place.reg), -1);
    if (place.in != nullptr && place.variable != ptx::none)
      for (int byte = 0; byte < moved.bytes; ++byte)
        take(s.registers.find(place.in,
                              undefined_registers::of_parameter(
                                  place.variable, s.i.operands[1].bits +
                                                      k * static_cast<std::size_t>(moved.bytes) +
                                                      static_cast<std::size_t>(byte))),
             byte);
    s.registers.define(s.in(), moved.registers[k], s.active);
    if (any == 0) continue;
    undefined_register& to = s.registers.at(s.in(), moved.registers[k]);
    to.origin = found.origin;
    to.whole = (to.whole & ~s.active) | (found.whole & s.active);
    to.computed = (to.computed & ~s.active) | (found.computed & s.active);
    each_lane<std::size_t>(any, [&](std::size_t t) { to.missing[t] = found.missing[t]; });
  }
}

void value_flow::store_parameter(step const& s) {
  moved_registers const moved = moved_registers_of(s.i);
  if (s.i.operands.empty()) return;
  parameter_place const place = place_of(s.in(), s.i.operands[0]);
  if (place.in == nullptr || place.variable == ptx::none) return;
  for (std::size_t k = 0; k < moved.registers.size(); ++k)
    for (int byte = 0; byte < moved.bytes; ++byte) {
      auto const to = undefined_registers::of_parameter(
          place.variable, s.i.operands[0].bits + k * static_cast<std::size_t>(moved.bytes) +
                              static_cast<std::size_t>(byte));
      s.registers.define(place.in, to, s.active);
      undefined_register const* const found = s.find(moved.registers[k]);
      if (found == nullptr) continue;
      undefined_register const source = *found;
      each_lane<std::size_t>(s.active, [&](std::size_t t) {
        if ((source.missing[t] >> byte & 1) == 0) return;
        undefined_register& r = s.registers.at(place.in, to);
        r.origin = source.origin;
        r.missing[t] = 1;
        lane_mask const bit = lane_mask{1} << t;
        r.whole = (r.whole & ~bit) | (source.whole & bit);
        r.computed = (r.computed & ~bit) | (source.computed & bit);
      });
    }
}

//! A call of a function that the device provides uses its arguments.
void value_flow::call(step const& s) {
  if (s.i.operands.empty() || system_call(s.i.operands[0].name) == nullptr) return;
  for (ptx::operand const& o : s.i.call_arguments) {
    if (o.reg != ptx::none) decide_by(s, o.reg, s.active, "a call");
    if (o.variable == ptx::none) continue;
    std::uint64_t const bytes = s.code().body.variables[o.variable].bytes;
    for (std::uint64_t k = 0; k < bytes; ++k) {
      auto const name = undefined_registers::of_parameter(o.variable, k);
      undefined_register const* const r = s.registers.find(s.in(), name);
      if (r == nullptr) continue;
      lane_mask deciding = 0;
      each_lane<std::size_t>(
          s.active, [&](std::size_t t) { deciding |= r->missing[t] != 0 ? lane_mask{1} << t : 0; });
      decide(s, *r, deciding, "a call");
      for (std::uint64_t b = 0; b < bytes; ++b)
        s.registers.define(s.in(), undefined_registers::of_parameter(o.variable, b), deciding);
    }
  }
}

}  // namespace device::check
