// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/engine/services.hpp>
#include <device/execute/instructions.hpp>
#include <device/execute/lane/special_register.hpp>
#include <device/execute/launch.hpp>

#include <cstring>

namespace device {

namespace {

void local_address(warp& w, operation const& op) {
  std::uint64_t* const d = w.destination<std::uint64_t>(op.d);
  std::uint64_t const value = w.current->local_base + op.immediate;
  w.each_active([&](int t) { d[t] = value; });
}

void shared_address(warp& w, operation const& op) {
  std::uint64_t* const d = w.destination<std::uint64_t>(op.d);
  std::uint64_t const value = w.of_block->of_launch->kernel->dynamic_shared_offset + op.immediate;
  w.each_active([&](int t) { d[t] = value; });
}

//! The low bytes of wider values.
void narrow(warp& w, operation const& op) {
  std::byte const* const a = w.source<std::byte>(op.a);
  std::byte* const d = w.destination<std::byte>(op.d);
  w.each_active([&](int t) { std::memcpy(d + t * op.bytes, a + t * op.flags, op.bytes); });
}

void negate_predicate(warp& w, operation const& op) { w.set_predicate(op.d, ~w.predicate(op.a)); }

//! The instructions of all folders.
decode::instruction_table const& all_instructions() {
  static decode::instruction_table const table = [] {
    decode::instruction_table made;
    add_integer_instructions(made);
    add_floating_instructions(made);
    add_half_instructions(made);
    add_move_instructions(made);
    add_comparison_instructions(made);
    add_memory_instructions(made);
    add_atomic_instructions(made);
    add_texture_instructions(made);
    add_asynchronous_instructions(made);
    add_fence_instructions(made);
    add_mbarrier_instructions(made);
    add_matrix_instructions(made);
    add_control_instructions(made);
    add_stack_instructions(made);
    add_barrier_instructions(made);
    add_warp_instructions(made);
    return made;
  }();
  return table;
}

}  // namespace

decode::services const& execution_services() {
  static decode::services const all{&all_instructions(), &local_address, &shared_address, &narrow,
                                    &negate_predicate,   &emit_special};
  return all;
}

}  // namespace device
