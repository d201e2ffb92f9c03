// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/execution/kernel/cuda_error.cuh>
#include <mmm/gpu/data_type.hpp>
#include <mmm/gpu/tensor_map.hpp>

#include <cudaTypedefs.h>

#include <string>

//! Tensor maps as kernels take them, encoded by the driver. Nothing is linked for it: the runtime
//! finds the driver's function.
namespace mmm::detail {

[[nodiscard]] inline PFN_cuTensorMapEncodeTiled_v12000 tensor_map_encoder() {
  static auto const function = [] {
    void* found = nullptr;
    cudaDriverEntryPointQueryResult status{};
#if CUDART_VERSION >= 12050
    cuda::check(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000,
                                                 cudaEnableDefault, &status),
                "cudaGetDriverEntryPointByVersion", "looking for cuTensorMapEncodeTiled");
#else
    cuda::check(
        cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &found, cudaEnableDefault, &status),
        "cudaGetDriverEntryPoint", "looking for cuTensorMapEncodeTiled");
#endif
    return reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(
        status == cudaDriverEntryPointSuccess ? found : nullptr);
  }();
  return function;
}

[[nodiscard]] inline CUtensorMapDataType driver_type(gpu::data_type t) {
  using enum gpu::data_type;
  switch (t) {
    case u8:
      return CU_TENSOR_MAP_DATA_TYPE_UINT8;
    case u16:
      return CU_TENSOR_MAP_DATA_TYPE_UINT16;
    case u32:
      return CU_TENSOR_MAP_DATA_TYPE_UINT32;
    case s32:
      return CU_TENSOR_MAP_DATA_TYPE_INT32;
    case u64:
      return CU_TENSOR_MAP_DATA_TYPE_UINT64;
    case s64:
      return CU_TENSOR_MAP_DATA_TYPE_INT64;
    case f16:
      return CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
    case f32:
      return CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
    case f64:
      return CU_TENSOR_MAP_DATA_TYPE_FLOAT64;
    case bf16:
      return CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
    default:
      return CU_TENSOR_MAP_DATA_TYPE_TFLOAT32;
  }
}

//! A map as kernels take it. Swizzles with chunks of 32 or 64 bytes are for later GPUs. Errors:
//! std::invalid_argument with the field for a map that breaks a rule; std::runtime_error if the
//! driver has no tensor maps or refuses this one.
[[nodiscard]] inline CUtensorMap encoded(gpu::tensor_map const& map) {
  gpu::detail::require(gpu::broken_rule_of(map));
  auto const encode = tensor_map_encoder();
  if (encode == nullptr)
    throw cuda::error(cudaErrorNotSupported, "cudaGetDriverEntryPointByVersion",
                      "the driver has no cuTensorMapEncodeTiled");
  CUtensorMap made{};
  cuuint64_t sizes[5];
  cuuint64_t strides[4];
  cuuint32_t box[5];
  cuuint32_t steps[5];
  for (int d = 0; d < 5; ++d) {
    sizes[d] = static_cast<cuuint64_t>(map.sizes[d]);
    if (d < 4) strides[d] = static_cast<cuuint64_t>(map.strides[d]);
    box[d] = static_cast<cuuint32_t>(map.box[d]);
    steps[d] = static_cast<cuuint32_t>(map.element_strides[d]);
  }
  CUresult const found =
      encode(&made, driver_type(map.type), static_cast<cuuint32_t>(map.rank),
             reinterpret_cast<void*>(map.address), sizes, strides, box, steps,
             static_cast<CUtensorMapInterleave>(map.interleave),
             static_cast<CUtensorMapSwizzle>(map.swizzle), CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
             map.fill_with_nan ? CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA
                               : CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (found != CUDA_SUCCESS)
    throw cuda::error(cudaErrorInvalidValue, "cuTensorMapEncodeTiled",
                      "status " + std::to_string(static_cast<int>(found)));
  return made;
}

}  // namespace mmm::detail
