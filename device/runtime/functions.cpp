// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "modules.hpp"
#include "occupancy.hpp"

#include <algorithm>

namespace device::runtime {

using namespace abi;

namespace {

constexpr int portable_cluster = 8;

//! Bytes of the `__constant__` variables of the kernel's text.
std::size_t constant_bytes(program const& code) {
  std::size_t bytes = 0;
  for (ptx::variable const& v : code.source_module->variables)
    if (v.space == ptx::state_space::constant && !v.is_extern) bytes += v.bytes;
  return bytes;
}

void set_attribute(process& p, kernel& k, int device, cudaFuncAttribute attribute, int value) {
  program const& code = description_of(p, k, device);
  kernel::options& o = k.on(device);
  switch (attribute) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize: {
      int const max_value =
          p.chip.shared_bytes_per_block_opt_in() - static_cast<int>(code.shared_bytes);
      require(value >= 0 && value <= max_value, cudaErrorInvalidValue);
      o.dynamic_shared = value;
      return;
    }
    case cudaFuncAttributePreferredSharedMemoryCarveout:
      require(value >= -1 && value <= 100, cudaErrorInvalidValue);
      o.carveout = value;
      return;
    case cudaFuncAttributeRequiredClusterWidth:
    case cudaFuncAttributeRequiredClusterHeight:
    case cudaFuncAttributeRequiredClusterDepth:
      require(value >= 0 && value <= portable_cluster, cudaErrorInvalidValue);
      o.cluster[attribute - cudaFuncAttributeRequiredClusterWidth] = value;
      return;
    case cudaFuncAttributeNonPortableClusterSizeAllowed:
      o.non_portable_cluster = value != 0;
      return;
    case cudaFuncAttributeClusterSchedulingPolicyPreference:
      require(value >= 0 && value <= int{cudaClusterSchedulingPolicyLoadBalancing},
              cudaErrorInvalidValue);
      o.cluster_policy = value;
      return;
    default:
      throw failure{cudaErrorInvalidValue};
  }
}

}  // namespace

cudaFuncAttributes function_attributes(process& p, kernel& k, int device) {
  program const& code = description_of(p, k, device);
  kernel::options const& o = k.on(device);
  int const left = std::max(0, shared_bytes_per_block - static_cast<int>(code.shared_bytes));
  int const max_dynamic = o.dynamic_shared >= 0 ? o.dynamic_shared : left;
  kernel_needs const needs = needs_of(code, static_cast<std::size_t>(max_dynamic));
  cudaFuncAttributes made{};
  made.sharedSizeBytes = code.shared_bytes;
  made.constSizeBytes = constant_bytes(code);
  made.localSizeBytes = code.local_bytes;
  made.maxThreadsPerBlock = max_threads(needs);
  made.numRegs = needs.registers;
  made.ptxVersion = code_of(p, *k.binary, device).target();
  made.binaryVersion = p.chip.capability();
  made.maxDynamicSharedSizeBytes = max_dynamic;
  made.preferredShmemCarveout = o.carveout;
  int const* const declared = code.source->cluster;
  made.clusterDimMustBeSet = 0;
  made.requiredClusterWidth = declared[0] != 0 ? declared[0] : o.cluster[0];
  made.requiredClusterHeight = declared[0] != 0 ? std::max(declared[1], 1) : o.cluster[1];
  made.requiredClusterDepth = declared[0] != 0 ? std::max(declared[2], 1) : o.cluster[2];
  made.clusterSchedulingPolicyPreference = o.cluster_policy;
  made.nonPortableClusterSizeAllowed = o.non_portable_cluster ? 1 : 0;
  return made;
}

MMM_CUDA_API cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* out, void const* function) {
  return api([&](process& p) {
    require(out != nullptr, cudaErrorInvalidValue);
    *out = function_attributes(p, kernel_of(function), p.current().number);
  });
}

MMM_CUDA_API cudaError_t cudaFuncSetAttribute(void const* function, cudaFuncAttribute attribute,
                                              int value) {
  return api([&](process& p) {
    set_attribute(p, kernel_of(function), p.current().number, attribute, value);
  });
}

MMM_CUDA_API cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t function,
                                                         cudaFuncAttribute attribute, int value,
                                                         int device) {
  return api([&](process& p) {
    set_attribute(p, kernel_of(function), p.of_device(device).number, attribute, value);
  });
}

MMM_CUDA_API cudaError_t cudaFuncSetCacheConfig(void const* function, cudaFuncCache config) {
  return api([&](process&) {
    require(config <= cudaFuncCachePreferEqual, cudaErrorInvalidValue);
    (void)kernel_of(function);
  });
}

MMM_CUDA_API cudaError_t cudaFuncSetSharedMemConfig(void const* function,
                                                    cudaSharedMemConfig config) {
  return api([&](process&) {
    require(config <= cudaSharedMemBankSizeEightByte, cudaErrorInvalidValue);
    (void)kernel_of(function);
  });
}

MMM_CUDA_API cudaError_t cudaFuncGetName(char const** name, void const* function) {
  return api([&](process&) {
    require(name != nullptr, cudaErrorInvalidValue);
    *name = kernel_of(function).name.c_str();
  });
}

MMM_CUDA_API cudaError_t cudaFuncGetParamInfo(void const* function, std::size_t index,
                                              std::size_t* offset, std::size_t* bytes) {
  return api([&](process& p) {
    require(offset != nullptr, cudaErrorInvalidValue);
    auto const& parameters =
        description_of(p, kernel_of(function), p.current().number).source->parameters;
    require(index < parameters.size(), cudaErrorInvalidValue);
    *offset = parameters[index].offset;
    if (bytes != nullptr) *bytes = parameters[index].bytes;
  });
}

MMM_CUDA_API cudaError_t cudaGetFuncBySymbol(cudaFunction_t* out, void const* function) {
  return api([&](process&) {
    require(out != nullptr, cudaErrorInvalidValue);
    *out = reinterpret_cast<cudaFunction_t>(&kernel_of(function));
  });
}

MMM_CUDA_API cudaError_t cudaGetKernel(cudaKernel_t* out, void const* function) {
  return api([&](process&) {
    require(out != nullptr, cudaErrorInvalidValue);
    *out = reinterpret_cast<cudaKernel_t>(&kernel_of(function));
  });
}

}  // namespace device::runtime
