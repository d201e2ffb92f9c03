// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "functions.hpp"

#include <device/runtime/process.hpp>

// Every function of the CUDA driver exists, as every function of the runtime does: those that no
// other file of this folder defines refuse the call by their name (end_unsupported). The linker
// prefers a definition that is not weak.
#define MMM_CU_FUNCTION(symbol, name, version)                                             \
  extern "C" [[gnu::weak, gnu::visibility("default")]] device::abi::cudaError_t symbol() { \
    return device::runtime::end_unsupported(#symbol " is not supported by this device");   \
  }
#define MMM_CU_PER_THREAD MMM_CU_FUNCTION
#include "functions.def"
#undef MMM_CU_FUNCTION
#undef MMM_CU_PER_THREAD

namespace device::driver {

namespace {

struct function {
  std::string_view symbol, name;
  int version;
  bool per_thread;
  abi::cudaError_t (*address)();
};
constexpr function functions[] = {
#define MMM_CU_FUNCTION(symbol, name, version) {#symbol, #name, version, false, &symbol},
#define MMM_CU_PER_THREAD(symbol, name, version) {#symbol, #name, version, true, &symbol},
#include "functions.def"
};

}  // namespace

found_function find_function(std::string_view name, int version, bool per_thread) {
  function const* best = nullptr;
  found_function found;
  for (function const& f : functions) {
    if (f.symbol == name && f.symbol != f.name) best = &f;
    if (f.name != name || (f.per_thread && !per_thread)) continue;
    found.is_newer |= f.version > version;
    bool const better = best == nullptr || f.version > best->version ||
                        (f.version == best->version && f.per_thread) ||
                        (f.per_thread && !best->per_thread && best->version < 7000);
    if (f.version <= version && better) best = &f;
  }
  if (best == nullptr) return found;
  found.address = reinterpret_cast<void*>(best->address);
  found.is_newer = false;
  return found;
}

}  // namespace device::driver
