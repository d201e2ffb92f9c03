// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process.hpp"

#include <cstdio>
#include <cstring>
#include <string_view>

// The few functions of the driver that a program can ask for: those that say what there is. Their
// results are numbered as the runtime's errors are.
namespace device::runtime {

using namespace abi;

extern "C" {
cudaError_t cudaGetDeviceCount(int*);
cudaError_t cudaDeviceGetAttribute(int*, cudaDeviceAttr, int);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp*, int);
char const* cudaGetErrorName(cudaError_t);
char const* cudaGetErrorString(cudaError_t);
cudaError_t cudaDriverGetVersion(int*);
}

namespace {

constexpr unsigned driver_version = 13000;

cudaError_t initialize(unsigned flags) { return flags == 0 ? cudaSuccess : cudaErrorInvalidValue; }

cudaError_t get_device(int* device, int ordinal) {
  int count = 0;
  if (device == nullptr) return cudaErrorInvalidValue;
  if (cudaError_t const e = cudaGetDeviceCount(&count); e != cudaSuccess) return e;
  if (ordinal < 0 || ordinal >= count) return cudaErrorInvalidDevice;
  *device = ordinal;
  return cudaSuccess;
}

cudaError_t get_name(char* out, int length, int device) {
  cudaDeviceProp d;
  if (out == nullptr || length <= 0) return cudaErrorInvalidValue;
  if (cudaError_t const e = cudaGetDeviceProperties(&d, device); e != cudaSuccess) return e;
  std::snprintf(out, static_cast<std::size_t>(length), "%s", d.name);
  return cudaSuccess;
}

cudaError_t get_memory(std::size_t* bytes, int device) {
  cudaDeviceProp d;
  if (bytes == nullptr) return cudaErrorInvalidValue;
  if (cudaError_t const e = cudaGetDeviceProperties(&d, device); e != cudaSuccess) return e;
  *bytes = d.totalGlobalMem;
  return cudaSuccess;
}

//! The driver's names differ from the runtime's; the texts are the same.
cudaError_t error_string(cudaError_t code, char const** text) {
  if (text == nullptr) return cudaErrorInvalidValue;
  *text = cudaGetErrorString(code);
  return cudaSuccess;
}

cudaError_t get_entry(char const* symbol, void** out, int version, std::uint64_t flags,
                      cudaDriverEntryPointQueryResult* status);

struct entry {
  std::string_view name;
  void* function;
};

template <class Function>
entry at(std::string_view name, Function* f) {
  return {name, reinterpret_cast<void*>(f)};
}

void* find(std::string_view name) {
  entry const entries[] = {
      at("cuInit", &initialize),
      at("cuDriverGetVersion", &cudaDriverGetVersion),
      at("cuDeviceGetCount", &cudaGetDeviceCount),
      at("cuDeviceGet", &get_device),
      at("cuDeviceGetName", &get_name),
      at("cuDeviceTotalMem", &get_memory),
      at("cuDeviceGetAttribute", &cudaDeviceGetAttribute),
      at("cuGetErrorString", &error_string),
      at("cuGetProcAddress", &get_entry),
  };
  for (entry const& e : entries)
    if (e.name == name) return e.function;
  return nullptr;
}

cudaError_t get_entry(char const* symbol, void** out, int version, std::uint64_t /*flags*/,
                      cudaDriverEntryPointQueryResult* status) {
  if (symbol == nullptr || out == nullptr || version > static_cast<int>(driver_version))
    return cudaErrorInvalidValue;
  *out = find(symbol);
  if (status != nullptr)
    *status = *out == nullptr ? cudaDriverEntryPointSymbolNotFound : cudaDriverEntryPointSuccess;
  return cudaSuccess;
}

}  // namespace

MMM_CUDA_API cudaError_t cudaGetDriverEntryPointByVersion(char const* symbol, void** out,
                                                          unsigned version,
                                                          unsigned long long flags,
                                                          cudaDriverEntryPointQueryResult* status) {
  return api([&](process&) {
    require(flags <= 2 && version <= driver_version, cudaErrorInvalidValue);
    return get_entry(symbol, out, static_cast<int>(version), flags, status);
  });
}

MMM_CUDA_API cudaError_t cudaGetDriverEntryPoint(char const* symbol, void** out,
                                                 unsigned long long flags,
                                                 cudaDriverEntryPointQueryResult* status) {
  return cudaGetDriverEntryPointByVersion(symbol, out, driver_version, flags, status);
}

MMM_CUDA_API cudaError_t cudaGetDriverEntryPoint_ptsz(char const* symbol, void** out,
                                                      unsigned long long flags,
                                                      cudaDriverEntryPointQueryResult* status) {
  return cudaGetDriverEntryPointByVersion(symbol, out, driver_version, flags, status);
}

//! Tables of functions for NVIDIA's own libraries; there are none.
MMM_CUDA_API cudaError_t cudaGetExportTable(void const** out, void const* /*id*/) {
  if (out != nullptr) *out = nullptr;
  return remember(cudaErrorNotSupported);
}

}  // namespace device::runtime
