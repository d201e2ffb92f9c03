// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "entry.hpp"
#include "functions.hpp"

namespace device::driver {

namespace {

constexpr int driver_version = 13000;
constexpr std::uint64_t known_flags = 3;
constexpr std::uint64_t per_thread_flag = 2;

}  // namespace

MMM_CUDA_API CUresult cuGetProcAddress_v2(char const* symbol, void** out, int version,
                                          std::uint64_t flags,
                                          cudaDriverEntryPointQueryResult* status) {
  if (symbol == nullptr || out == nullptr || version > driver_version ||
      (flags & ~known_flags) != 0)
    return CUDA_ERROR_INVALID_VALUE;
  found_function const found = find_function(symbol, version, (flags & per_thread_flag) != 0);
  *out = found.address;
  if (status != nullptr)
    *status = found.address != nullptr ? cudaDriverEntryPointSuccess
              : found.is_newer         ? cudaDriverEntryPointVersionNotSufficent
                                       : cudaDriverEntryPointSymbolNotFound;
  return found.address == nullptr && status == nullptr ? CUDA_ERROR_NOT_FOUND : CUDA_SUCCESS;
}

MMM_CUDA_API CUresult cuGetProcAddress(char const* symbol, void** out, int version,
                                       std::uint64_t flags) {
  return cuGetProcAddress_v2(symbol, out, version, flags, nullptr);
}

//! Tables of functions for NVIDIA's own libraries; there are none.
MMM_CUDA_API CUresult cuGetExportTable(void const** out, void const* /*id*/) {
  if (out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *out = nullptr;
  return CUDA_ERROR_NOT_SUPPORTED;
}

}  // namespace device::driver
