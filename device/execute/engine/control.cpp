// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches, calls, ends.
#include <device/core/failure.hpp>
#include <device/decode/linked_module.hpp>
#include <device/execute/engine/system_calls.hpp>
#include <device/execute/instructions.hpp>
#include <device/execute/launch.hpp>
#include <device/execute/sync/barriers.hpp>
#include <device/execute/sync/groups.hpp>

#include <cstring>

namespace device {

namespace {

using decode::context;

//! Lanes that do not take part in an instruction that the others go away with wait for them after
//! it.
void leave_behind(warp& w, lane_mask going, std::uint32_t meet_at, std::uint32_t rest_at) {
  if (going == w.mask) return;
  diverge(w, w.mask & ~going, rest_at, w.pc, meet_at);
  w.mask = going;
}

void branch(warp& w, operation const& op) {
  if (w.active == w.mask)
    w.pc = op.target;
  else
    diverge(w, w.active, op.target, w.pc, op.reconverge);
}

//! brx.idx: lanes with the same index go together.
void branch_by_index(warp& w, operation const& op) {
  std::uint32_t const* const index = w.source<std::uint32_t>(op.a);
  std::uint32_t const first = index[std::countr_zero(w.active)];
  if (first >= op.immediate)
    throw device_fault(device_fault::kind_type::illegal_instruction,
                       "brx.idx: the index is beyond the table");
  lane_mask same = 0;
  w.each_active([&](int t) { same |= index[t] == first ? lane_mask{1} << t : 0; });
  if (same == w.mask)
    w.pc = op.list[first];
  else
    diverge(w, same, op.list[first], op.index, op.reconverge);  // the others come here again
}

//! Copies a call's arguments into the callee's parameters.
void pass_arguments(warp const& w, call_site const& site, frame const& callee) {
  program const& p = *callee.code;
  if (site.arguments.size() < p.parameter_offsets.size())
    throw device_fault(device_fault::kind_type::illegal_instruction,
                       "a call passes fewer arguments than " + p.demangled + " takes");
  std::uint32_t const from_stride = w.current->code->param_bytes;
  for (std::size_t k = 0; k < p.parameter_offsets.size(); ++k) {
    call_site::value const& v = site.arguments[k];
    std::byte* const to = callee.params + p.parameter_offsets[k];
    w.each_active([&](int lane) {
      auto const t = static_cast<std::uint32_t>(lane);
      std::byte const* const source = v.in_slot == no_slot
                                          ? w.current->params + t * from_stride + v.offset
                                          : w.source<std::byte>(v.in_slot) + t * v.bytes;
      std::memcpy(to + t * p.param_bytes, source, v.bytes);
    });
  }
}

//! A finding, and a fault, if calls within calls need more local memory than there is. Calls of
//! functions without local variables take some of it, too: for the address to return to.
void require_room(warp& w, operation const& op, program const& callee, lane_mask callers) {
  constexpr std::size_t max_frames = 16384;
  std::uint64_t const bytes = std::uint64_t{w.current->local_end()} + callee.local_bytes;
  if (bytes <= max_local_bytes && w.frames.size() - w.free_frames.size() < max_frames) return;
  std::string const text = "calls within calls need more than the " +
                           std::to_string(max_local_bytes >> 20) +
                           " MiB of local memory that a thread can have, as " +
                           thread_text(*w.of_block, w, std::countr_zero(callers)) + " calls " +
                           callee.demangled + ": a recursion without end?";
  report_finding(w, op, check_kind::bounds, text);
  throw device_fault(device_fault::kind_type::hardware_stack, text);
}

void call_program(warp& w, operation const& op, program const& callee, lane_mask callers) {
  w.active = callers;
  require_room(w, op, callee, callers);
  frame* const f = new_frame(w, callee, w.current);
  f->call = &op;
  pass_arguments(w, w.current->code->calls[op.immediate], *f);
  enter_call(w, f, callers);
}

void call(warp& w, operation const& op) {
  leave_behind(w, w.active, w.pc, w.pc);
  call_program(w, op, w.of_block->of_launch->code->function(op.target), w.active);
}

//! A call of what a register holds: lanes with the same function go together.
void call_indirect(warp& w, operation const& op) {
  std::uint64_t const* const address = w.source<std::uint64_t>(op.a);
  std::uint64_t const first = address[std::countr_zero(w.active)];
  if ((first & window_mask) != function_window)
    throw device_fault(device_fault::kind_type::illegal_instruction,
                       "a call of what is no function");
  lane_mask same = 0;
  w.each_active([&](int t) { same |= address[t] == first ? lane_mask{1} << t : 0; });
  leave_behind(w, same, w.pc, op.index);  // the others come here again
  call_program(
      w, op,
      w.of_block->of_launch->code->function(static_cast<std::uint32_t>(first & ~window_mask)),
      same);
}

void return_from(warp& w, operation const&) { return_lanes(w, w.active); }
void end_threads(warp& w, operation const&) { end_lanes(w, w.active); }

void trap(warp&, operation const& op) {
  throw device_fault(device_fault::kind_type::trap,
                     op.flags != 0 ? "a breakpoint was reached" : "the kernel executed trap");
}

void sleep(warp& w, operation const&) { w.yielded = true; }

void nothing(warp&, operation const&) {}

// --- builders ------------------------------------------------------------------------------------

void emit_plain(context& to, handler run) {
  operation op;
  op.run = run;
  to.emit(op);
}

void build_branch(ptx::instruction const& i, context& to) {
  for (std::string_view const m : i.modifiers)
    if (m != "uni") to.refuse(i, "its modifier is not supported");
  emit_plain(to, &branch);
}

void build_indexed_branch(ptx::instruction const& i, context& to) {
  if (!i.has("idx")) to.refuse(i, "only brx.idx is supported");
  operation op;
  op.run = &branch_by_index;
  op.a = to.source(i.operands.at(0), 4);
  to.emit(op);
}

void build_call(ptx::instruction const& i, context& to) {
  operation op;
  op.immediate = to.add_call(i);
  ptx::operand const& target = i.operands.at(0);
  if (target.kind == ptx::operand::kind_type::reg) {
    op.run = &call_indirect;
    op.a = to.source(target, 8);
  } else if (auto const number = to.function_number(target.name)) {
    op.run = &call;
    op.target = *number;
  } else {
    op.run = system_call(target.name);
    if (auto const f = find_device_function(target.name)) {
      op.run = &call_runtime;
      op.flags = flags_of(*f);
    }
    if (op.run == nullptr && (target.name.starts_with("__cuda") || target.name.starts_with("cuda")))
      to.refuse(i, "device code may not call " + std::string(target.name) + " on this device");
    if (op.run == nullptr)
      to.refuse(i, "the function " + std::string(target.name) + " is not there");
  }
  to.emit(op);
}

//! griddepcontrol: a grid runs when those before it have ended, so that there is nothing to wait
//! for.
template <bool waits>
void control_grid(warp& w, operation const&) {
  for (observer* const o : *w.of_block->observers) o->grid_control(w, waits);
}

void build_trap(ptx::instruction const& i, context& to) {
  operation op;
  op.run = &trap;
  op.flags = i.opcode == "brkpt";
  to.emit(op);
}

}  // namespace

void add_control_instructions(decode::instruction_table& table) {
  table["bra"] = &build_branch;
  table["brx"] = &build_indexed_branch;
  table["call"] = &build_call;
  table["ret"] = [](ptx::instruction const&, context& to) { emit_plain(to, &return_from); };
  table["exit"] = [](ptx::instruction const&, context& to) { emit_plain(to, &end_threads); };
  table["trap"] = &build_trap;
  table["brkpt"] = &build_trap;
  table["nanosleep"] = [](ptx::instruction const&, context& to) { emit_plain(to, &sleep); };
  // Hints to the hardware's scheduler: nothing here depends on them.
  table["setmaxnreg"] = [](ptx::instruction const&, context& to) { emit_plain(to, &nothing); };
  table["griddepcontrol"] = [](ptx::instruction const& i, context& to) {
    emit_plain(to, i.has("wait") ? &control_grid<true> : &control_grid<false>);
  };
  table["pmevent"] = [](ptx::instruction const&, context& to) { emit_plain(to, &nothing); };
}

}  // namespace device
