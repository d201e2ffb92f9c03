// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <common/processor.hpp>
#include <device/execute/instructions.hpp>
#include <device/execute/memory/handlers.hpp>

namespace device {

memory_access_detail::handler_choice memory_access_detail::handlers_in_use() {
#ifdef DEVICE_HAS_AVX2
  static bool const has_avx2 = tool::processor_in_use() >= tool::processor::avx2;
  if (has_avx2) return {avx2::load_handler, avx2::store_handler};
#endif
  return {baseline::load_handler, baseline::store_handler};
}

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
