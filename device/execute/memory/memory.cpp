// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/instructions.hpp>
#include <device/execute/memory/handlers.hpp>

namespace device {

void add_memory_instructions(decode::instruction_table& table) {
  using namespace memory_access_detail;
  table["ld"] = build_load;
  table["ldu"] = build_load;
  table["st"] = build_store;
  table["prefetch"] = build_cache_hint;
  table["prefetchu"] = build_cache_hint;
  table["applypriority"] = build_cache_hint;
  table["discard"] = build_cache_hint;
  table["createpolicy"] = build_cache_policy;
}

}  // namespace device
