// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "modules.hpp"

namespace device::driver {

// A CUfunction and a CUkernel are a runtime::kernel, as the runtime's handles are. Which device it
// is for, the current one says.
namespace {

//! The current device while it lives.
class on_device {
 public:
  on_device(process& p, CUdevice device) : before_(this_thread().device) {
    this_thread().device = p.of_device(device).number;
  }
  ~on_device() { this_thread().device = before_; }
  on_device(on_device const&) = delete;
  on_device& operator=(on_device const&) = delete;

 private:
  int before_;
};

//! CUfunction_attribute, as far as it is not cudaFuncAttribute.
enum function_attribute : unsigned {
  of_max_threads = 0,
  of_shared_bytes = 1,
  of_constant_bytes = 2,
  of_local_bytes = 3,
  of_registers = 4,
  of_ptx_version = 5,
  of_binary_version = 6,
  of_cache_mode = 7
};

cudaError_t get_attribute(int* out, unsigned attribute, void const* function) {
  require(out != nullptr, cudaErrorInvalidValue);
  cudaFuncAttributes all;
  if (cudaError_t const e = runtime::cudaFuncGetAttributes(&all, function); e != cudaSuccess)
    return e;
  switch (attribute) {
    case of_max_threads:
      *out = all.maxThreadsPerBlock;
      break;
    case of_shared_bytes:
      *out = static_cast<int>(all.sharedSizeBytes);
      break;
    case of_constant_bytes:
      *out = static_cast<int>(all.constSizeBytes);
      break;
    case of_local_bytes:
      *out = static_cast<int>(all.localSizeBytes);
      break;
    case of_registers:
      *out = all.numRegs;
      break;
    case of_ptx_version:
      *out = all.ptxVersion;
      break;
    case of_binary_version:
      *out = all.binaryVersion;
      break;
    case of_cache_mode:
      *out = all.cacheModeCA;
      break;
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
      *out = all.maxDynamicSharedSizeBytes;
      break;
    case cudaFuncAttributePreferredSharedMemoryCarveout:
      *out = all.preferredShmemCarveout;
      break;
    case cudaFuncAttributeClusterDimMustBeSet:
      *out = all.clusterDimMustBeSet;
      break;
    case cudaFuncAttributeRequiredClusterWidth:
      *out = all.requiredClusterWidth;
      break;
    case cudaFuncAttributeRequiredClusterHeight:
      *out = all.requiredClusterHeight;
      break;
    case cudaFuncAttributeRequiredClusterDepth:
      *out = all.requiredClusterDepth;
      break;
    case cudaFuncAttributeNonPortableClusterSizeAllowed:
      *out = all.nonPortableClusterSizeAllowed;
      break;
    case cudaFuncAttributeClusterSchedulingPolicyPreference:
      *out = all.clusterSchedulingPolicyPreference;
      break;
    default:
      return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

}  // namespace

MMM_CUDA_API CUresult cuFuncGetAttribute(int* out, unsigned attribute, cudaFunction_t function) {
  return call([&](process&) { return get_attribute(out, attribute, function); });
}
MMM_CUDA_API CUresult cuKernelGetAttribute(int* out, unsigned attribute, cudaKernel_t kernel,
                                           CUdevice device) {
  return call<needs::initialization>([&](process& p) {
    on_device const in_progress(p, device);
    return get_attribute(out, attribute, kernel);
  });
}

MMM_CU_FORWARD(cuFuncSetAttribute, cudaFuncSetAttribute,
               (cudaFunction_t function, cudaFuncAttribute attribute, int value),
               (function, attribute, value))
MMM_CUDA_API CUresult cuKernelSetAttribute(cudaFuncAttribute attribute, int value,
                                           cudaKernel_t kernel, CUdevice device) {
  return call<needs::initialization>([&](process&) {
    return runtime::cudaKernelSetAttributeForDevice(kernel, attribute, value, device);
  });
}

MMM_CU_FORWARD(cuFuncSetCacheConfig, cudaFuncSetCacheConfig,
               (cudaFunction_t function, cudaFuncCache config), (function, config))
MMM_CUDA_API CUresult cuKernelSetCacheConfig(cudaKernel_t kernel, cudaFuncCache config,
                                             CUdevice device) {
  return call<needs::initialization>([&](process& p) {
    (void)p.of_device(device);
    return runtime::cudaFuncSetCacheConfig(kernel, config);
  });
}
MMM_CU_FORWARD(cuFuncSetSharedMemConfig, cudaFuncSetSharedMemConfig,
               (cudaFunction_t function, cudaSharedMemConfig config), (function, config))

MMM_CU_FORWARD(cuFuncGetName, cudaFuncGetName, (char const** name, cudaFunction_t function),
               (name, function))
MMM_CUDA_API CUresult cuKernelGetName(char const** name, cudaKernel_t kernel) {
  return call<needs::initialization>(
      [&](process&) { return runtime::cudaFuncGetName(name, kernel); });
}

MMM_CU_FORWARD(cuFuncGetParamInfo, cudaFuncGetParamInfo,
               (cudaFunction_t function, std::size_t index, std::size_t* offset,
                std::size_t* bytes),
               (function, index, offset, bytes))
MMM_CUDA_API CUresult cuKernelGetParamInfo(cudaKernel_t kernel, std::size_t index,
                                           std::size_t* offset, std::size_t* bytes) {
  return call<needs::initialization>(
      [&](process&) { return runtime::cudaFuncGetParamInfo(kernel, index, offset, bytes); });
}

MMM_CUDA_API CUresult cuFuncGetModule(cudaLibrary_t* out, cudaFunction_t function) {
  return call([&](process&) {
    require(out != nullptr, cudaErrorInvalidValue);
    *out = reinterpret_cast<cudaLibrary_t>(&code_of(runtime::kernel_of(function)));
  });
}
MMM_CUDA_API CUresult cuKernelGetLibrary(cudaLibrary_t* out, cudaKernel_t kernel) {
  return call<needs::initialization>([&](process&) {
    require(out != nullptr, cudaErrorInvalidValue);
    *out = reinterpret_cast<cudaLibrary_t>(&code_of(runtime::kernel_of(kernel)));
  });
}
MMM_CUDA_API CUresult cuKernelGetFunction(cudaFunction_t* out, cudaKernel_t kernel) {
  return call([&](process&) {
    require(out != nullptr, cudaErrorInvalidValue);
    *out = reinterpret_cast<cudaFunction_t>(&runtime::kernel_of(kernel));
  });
}

MMM_CUDA_API CUresult cuFuncIsLoaded(unsigned* state, cudaFunction_t function) {
  constexpr unsigned loaded = 1;
  return call([&](process&) {
    require(state != nullptr, cudaErrorInvalidValue);
    (void)runtime::kernel_of(function);
    *state = loaded;
  });
}
MMM_CUDA_API CUresult cuFuncLoad(cudaFunction_t function) {
  return call([&](process&) { (void)runtime::kernel_of(function); });
}

}  // namespace device::driver
