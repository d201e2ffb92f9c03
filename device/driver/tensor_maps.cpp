// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "entry.hpp"

#include <device/core/failure.hpp>
#include <device/memory/tensor_map.hpp>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string>

namespace device::driver {

namespace {

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

}  // namespace

MMM_CUDA_API CUresult cuTensorMapEncodeTiled(void* out, unsigned type, std::uint32_t rank,
                                             void* address, std::uint64_t const* sizes,
                                             std::uint64_t const* strides, std::uint32_t const* box,
                                             std::uint32_t const* element_strides,
                                             unsigned interleave, unsigned swizzle,
                                             unsigned /*promotion*/, unsigned fill) {
  return call<needs::initialization>([&](process&) {
    require(out != nullptr && sizes != nullptr && box != nullptr && element_strides != nullptr &&
                (strides != nullptr || rank == 1) && interleave <= 2 && swizzle <= 6 && fill <= 1,
            cudaErrorInvalidValue);
    mmm::gpu::tensor_map m;
    m.type = tensor_type(type);
    m.rank = static_cast<int>(std::min(rank, 6U));
    m.address = runtime::address_of(address);
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

MMM_CUDA_API CUresult cuTensorMapReplaceAddress(void* map, void* address) {
  return call<needs::initialization>([&](process&) {
    require(map != nullptr, cudaErrorInvalidValue);
    auto m = read_tensor_map(static_cast<std::byte const*>(map));
    require(m.has_value(), cudaErrorInvalidValue);
    m->address = runtime::address_of(address);
    if (mmm::gpu::broken_rule const r = broken_rule_of(*m)) throw failure{refuse_map(r)};
    write_tensor_map(*m, static_cast<std::byte*>(map));
  });
}

}  // namespace device::driver
