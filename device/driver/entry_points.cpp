// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "entry.hpp"
#include "functions.hpp"

#include <device/runtime/caller.hpp>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

namespace device::driver {

namespace {

constexpr int driver_version = 13000;
constexpr std::uint64_t known_flags = 3;
constexpr std::uint64_t per_thread_flag = 2;
//! The number of the table that a CUDA runtime, linked statically, cannot do without.
constexpr unsigned char of_runtime[] = {0x6b, 0xd5, 0xfb, 0x6c, 0x5b, 0xf4, 0xe7, 0x4a,
                                        0x89, 0x87, 0xd9, 0x39, 0x12, 0xfd, 0x9d, 0xf9};

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

//! Tables of functions for NVIDIA's own libraries; there are none. NVRTC does without.
MMM_CUDA_API CUresult cuGetExportTable(void const** out, unsigned char const* id) {
  if (out == nullptr || id == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (std::equal(std::begin(of_runtime), std::end(of_runtime), id)) {
    std::vector<void*> const from_program = runtime::callers();
    return result_of(runtime::end_unsupported(
        "cuGetExportTable: the CUDA runtime is linked statically into " +
        (from_program.empty() ? "the program" : runtime::place_of_code(from_program.front())) +
        ", where it cannot be replaced; it needs NVIDIA's own functions. Use a build with the "
        "shared "
        "runtime (-cudart shared)"));
  }
  *out = nullptr;
  return CUDA_ERROR_NOT_SUPPORTED;
}

}  // namespace device::driver
