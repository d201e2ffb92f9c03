// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/decode/context.hpp>

//! Handlers that are compiled once for each DEVICE_ISA, in the files *_lanes.cpp. Null if a
//! register of so many bytes does not hold the values.
#define DEVICE_DECLARE_HANDLERS                                                          \
  [[nodiscard]] handler load_handler(operation const&, int memory_bytes, bool is_signed, \
                                     int register_bytes);                                \
  [[nodiscard]] handler store_handler(operation const&, int memory_bytes, int register_bytes);
namespace device::baseline {
DEVICE_DECLARE_HANDLERS
}
namespace device::avx2 {
DEVICE_DECLARE_HANDLERS
}
#undef DEVICE_DECLARE_HANDLERS

//! The builders of instructions that reach memory, as the tables of execute/instructions.hpp name
//! them.
namespace device::memory_access_detail {

//! The functions above for the processor in use.
struct handler_choice {
  decltype(&baseline::load_handler) load;
  decltype(&baseline::store_handler) store;
};
[[nodiscard]] handler_choice handlers_in_use();

void build_load(ptx::instruction const&, decode::context&);   // ld, ldu
void build_store(ptx::instruction const&, decode::context&);  // st
// prefetch, prefetchu, applypriority, discard
void build_cache_hint(ptx::instruction const&, decode::context&);
void build_cache_policy(ptx::instruction const&, decode::context&);  // createpolicy

}  // namespace device::memory_access_detail
