// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "entry.hpp"
#include "functions.hpp"

#include <device/core/elf_file.hpp>
#include <device/core/vendor_libraries.hpp>
#include <device/runtime/caller.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string>
#include <vector>

namespace device::driver {

namespace {

constexpr int driver_version = 13000;
constexpr std::uint64_t known_flags = 3;
constexpr std::uint64_t per_thread_flag = 2;
//! The number of the table that NVIDIA's runtime cannot do without.
constexpr unsigned char of_runtime[] = {0x6b, 0xd5, 0xfb, 0x6c, 0x5b, 0xf4, 0xe7, 0x4a,
                                        0x89, 0x87, 0xd9, 0x39, 0x12, 0xfd, 0x9d, 0xf9};

//! The reason that NVIDIA's own runtime is at work, which `callers` are, innermost first.
std::string not_replaced(std::string const& file, std::vector<void*> const& callers) {
  std::string const which = "the CUDA runtime that is linked into " + file;
  char const* const audit = std::getenv("LD_AUDIT");
  if (audit == nullptr || std::strstr(audit, "libmmm_static_runtime.so") == nullptr)
    return which +
           " can be replaced only in a program that mmm-run starts, with libmmm_static_runtime.so "
           "beside its libmmm_device.so";
  bool is_of_13 = false;
  bool const has_symbols =
      elf_file(file.c_str())
          .for_each_symbol(SHT_SYMTAB, [&](std::string_view name, Elf64_Sym const& s) {
            is_of_13 |= is_defined(s) && name == "__cudaGetProcAddress";
          });
  if (!has_symbols)
    return which +
           " cannot be replaced, since the file has no symbols; do not strip them, or link the "
           "shared runtime (-cudart shared)";
  if (!is_of_13) return which + " is not that of CUDA 13, which mmm-run stands for";
  for (void const* const c : callers)
    if (std::string const place = runtime::place_of_code(c); place.starts_with("cuda"))
      return place + " is not supported by this device, which has the functions of CUDA 13.0";
  return which + " calls a function of NVIDIA's own, which this device has not";
}

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
  std::vector<void*> const callers = runtime::callers();
  std::string const file = callers.empty() ? std::string{} : runtime::file_of(callers.front());
  if (std::string const text = missing_ptx_of(file); !text.empty())
    return result_of(runtime::end_unsupported(text));
  if (std::equal(std::begin(of_runtime), std::end(of_runtime), id))
    return result_of(
        runtime::end_unsupported(not_replaced(file.empty() ? "the program" : file, callers)));
  *out = nullptr;
  return CUDA_ERROR_NOT_SUPPORTED;
}

}  // namespace device::driver
