// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process.hpp"

// The driver's functions that a program of the runtime asks for.
namespace device::runtime {

using namespace abi;

namespace {

constexpr unsigned driver_version = 13000;
constexpr unsigned long long per_thread_flag = 2;

cudaError_t get_entry(char const* symbol, void** out, unsigned version, unsigned long long flags,
                      cudaDriverEntryPointQueryResult* status) {
  return api([&](process& p) {
    require(symbol != nullptr && out != nullptr && flags <= 2 && version <= driver_version,
            cudaErrorInvalidValue);
    bool is_newer = false;
    *out = p.with.driver_function(symbol, static_cast<int>(version), flags == per_thread_flag,
                                  is_newer);
    if (status != nullptr)
      *status = *out != nullptr ? cudaDriverEntryPointSuccess
                : is_newer      ? cudaDriverEntryPointVersionNotSufficent
                                : cudaDriverEntryPointSymbolNotFound;
  });
}

}  // namespace

MMM_CUDA_API cudaError_t cudaGetDriverEntryPointByVersion(char const* symbol, void** out,
                                                          unsigned version,
                                                          unsigned long long flags,
                                                          cudaDriverEntryPointQueryResult* status) {
  return get_entry(symbol, out, version, flags, status);
}

MMM_CUDA_API cudaError_t cudaGetDriverEntryPoint(char const* symbol, void** out,
                                                 unsigned long long flags,
                                                 cudaDriverEntryPointQueryResult* status) {
  return get_entry(symbol, out, driver_version, flags, status);
}

MMM_CUDA_API cudaError_t cudaGetDriverEntryPoint_ptsz(char const* symbol, void** out,
                                                      unsigned long long flags,
                                                      cudaDriverEntryPointQueryResult* status) {
  return get_entry(symbol, out, driver_version, flags == 0 ? per_thread_flag : flags, status);
}

//! Tables of functions for NVIDIA's own libraries; there are none.
MMM_CUDA_API cudaError_t cudaGetExportTable(void const** out, void const* /*id*/) {
  if (out != nullptr) *out = nullptr;
  return remember(cudaErrorNotSupported);
}

}  // namespace device::runtime
