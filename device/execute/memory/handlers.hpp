// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/decode/context.hpp>

//! The builders of instructions that reach memory, as the tables of execute/instructions.hpp name
//! them.
namespace device::memory_access_detail {

void build_load(ptx::instruction const&, decode::context&);   // ld, ldu
void build_store(ptx::instruction const&, decode::context&);  // st
// prefetch, prefetchu, applypriority, discard
void build_cache_hint(ptx::instruction const&, decode::context&);
void build_cache_policy(ptx::instruction const&, decode::context&);  // createpolicy

}  // namespace device::memory_access_detail
