// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process.hpp"

#include <device/core/failure.hpp>
#include <device/memory/tensor_map.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>

// The few functions of the driver that a program can ask for: those that say what there is, and
// those that make tensor maps. Their results are numbered as the runtime's errors are.
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

//! CUtensorMapDataType in its order. Numbers below the smallest normal one are kept, also where the
//! type asks for zeros.
mmm::gpu::data_type tensor_type(unsigned type) {
  using enum mmm::gpu::data_type;
  constexpr mmm::gpu::data_type types[] = {u8,  u16, u32,  s32, u64,  s64, f16,
                                           f32, f64, bf16, f32, tf32, tf32};
  if (type >= std::size(types))
    throw unsupported("cuTensorMapEncodeTiled: types packed in 4 and 6 bits are not supported");
  return types[type];
}

//! The driver's refusal of a tensor map does not say why; this device's does.
cudaError_t refuse_map(mmm::gpu::broken_rule const& r) {
  std::string place = text_of(r.field);
  using enum mmm::gpu::descriptor_field;
  if (r.field == sizes || r.field == strides || r.field == box || r.field == element_strides)
    place += "[" + std::to_string(r.dimension) + "]";
  std::fprintf(stderr, "mmm-run: cuTensorMapEncodeTiled: %s is %lld; accepted: %s\n", place.c_str(),
               static_cast<long long>(r.value), text_of(r.accepted));
  return cudaErrorInvalidValue;
}

cudaError_t encode_tiled(void* out, unsigned type, std::uint32_t rank, void* address,
                         std::uint64_t const* sizes, std::uint64_t const* strides,
                         std::uint32_t const* box, std::uint32_t const* element_strides,
                         unsigned interleave, unsigned swizzle, unsigned /*promotion*/,
                         unsigned fill) {
  return api([&](process&) {
    require(out != nullptr && sizes != nullptr && box != nullptr && element_strides != nullptr &&
                (strides != nullptr || rank == 1) && interleave <= 2 && swizzle <= 6 && fill <= 1,
            cudaErrorInvalidValue);
    mmm::gpu::tensor_map m;
    m.type = tensor_type(type);
    m.rank = static_cast<int>(std::min(rank, 6U));
    m.address = address_of(address);
    for (std::uint32_t d = 0; d < std::min(rank, 5U); ++d) {
      // Greater values than the library's type holds are refused as the greatest.
      constexpr auto greatest = static_cast<std::uint64_t>(INT64_MAX);
      m.sizes[d] = static_cast<mmm::index>(std::min(sizes[d], greatest));
      if (d + 1 < rank && d < 4)
        m.strides[d] = static_cast<mmm::index>(std::min(strides[d], greatest));
      m.box[d] = box[d];
      m.element_strides[d] = element_strides[d];
    }
    m.interleave = static_cast<mmm::gpu::tensor_interleave>(interleave);
    m.swizzle = static_cast<mmm::gpu::tensor_swizzle>(swizzle);
    m.fill_with_nan = fill != 0;
    if (mmm::gpu::broken_rule const r = broken_rule_of(m)) throw failure{refuse_map(r)};
    if (m.interleave != mmm::gpu::tensor_interleave::none)
      throw unsupported("cuTensorMapEncodeTiled: interleaved tensors are not supported");
    write_tensor_map(m, static_cast<std::byte*>(out));
  });
}

cudaError_t replace_address(void* map, void* address) {
  return api([&](process&) {
    require(map != nullptr, cudaErrorInvalidValue);
    auto m = read_tensor_map(static_cast<std::byte const*>(map));
    require(m.has_value(), cudaErrorInvalidValue);
    m->address = address_of(address);
    if (mmm::gpu::broken_rule const r = broken_rule_of(*m)) throw failure{refuse_map(r)};
    write_tensor_map(*m, static_cast<std::byte*>(map));
  });
}

cudaError_t refuse_im2col() {
  return api([](process&) {
    throw unsupported("cuTensorMapEncodeIm2col: tensor maps of this mode are not supported");
  });
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
      at("cuTensorMapEncodeTiled", &encode_tiled),
      at("cuTensorMapReplaceAddress", &replace_address),
      at("cuTensorMapEncodeIm2col", &refuse_im2col),
      at("cuTensorMapEncodeIm2colWide", &refuse_im2col),
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
