// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/decode/context.hpp>
#include <device/execute/launch.hpp>
#include <device/execute/warp.hpp>

#include <vector>

//! The builders of instructions on matrices that all 32 threads of a warp hold together.
namespace device::matrix_detail {

void build_load_matrix(ptx::instruction const&, decode::context&);   // ldmatrix
void build_store_matrix(ptx::instruction const&, decode::context&);  // stmatrix
void build_move_matrix(ptx::instruction const&, decode::context&);   // movmatrix
void build_multiply(ptx::instruction const&, decode::context&);      // mma
void build_wmma(ptx::instruction const&, decode::context&);          // wmma
void build_warpgroup(ptx::instruction const&, decode::context&);     // wgmma

//! Throws unless all 32 threads execute the operation, as `.sync.aligned` demands.
inline void require_whole_warp(warp const& w, char const* name) {
  if (w.active != all_lanes)
    throw device_fault(device_fault::kind_type::illegal_instruction,
                       std::string(name) + " is not executed by all 32 threads of a warp");
}

//! The operands of a vector, or one alone.
[[nodiscard]] inline std::vector<ptx::operand const*> registers_of(ptx::operand const& o) {
  std::vector<ptx::operand const*> all;
  if (o.kind == ptx::operand::kind_type::vector)
    for (ptx::operand const& p : o.parts) all.push_back(&p);
  else
    all.push_back(&o);
  return all;
}

}  // namespace device::matrix_detail
