// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/decode/context.hpp>

//! The instructions that the device executes. Each function adds builders of its group to a table.
namespace device {

// add, mad, bfe, popc, dp4a, vadd4, …; logic and shifts
void add_integer_instructions(decode::instruction_table&);
// f32 and f64: add, fma, div, sqrt, ex2, …
void add_floating_instructions(decode::instruction_table&);
void add_half_instructions(decode::instruction_table&);  // f16, f16x2, bf16, bf16x2
// mov, cvt, cvta, isspacep, …
void add_move_instructions(decode::instruction_table&);
// setp, set, selp, slct; what mov does with one register, too: after add_move_instructions
void add_comparison_instructions(decode::instruction_table&);
// ld, st, ldu, prefetch, …
void add_memory_instructions(decode::instruction_table&);
void add_atomic_instructions(decode::instruction_table&);  // atom, red
// tex, tld4, txq, suld, sust, sured, suq
void add_texture_instructions(decode::instruction_table&);
void add_asynchronous_instructions(decode::instruction_table&);  // cp.async
void add_fence_instructions(decode::instruction_table&);         // fence, membar, tensormap
void add_mbarrier_instructions(decode::instruction_table&);
void add_matrix_instructions(decode::instruction_table&);  // ldmatrix, stmatrix, mma
// bra, brx, call, ret, exit, trap, nanosleep, …
void add_control_instructions(decode::instruction_table&);
void add_stack_instructions(decode::instruction_table&);    // alloca, stacksave, stackrestore
void add_barrier_instructions(decode::instruction_table&);  // bar, barrier
// shfl, vote, match, redux, activemask, elect
void add_warp_instructions(decode::instruction_table&);

}  // namespace device
