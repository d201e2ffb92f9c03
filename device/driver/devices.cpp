// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "entry.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

namespace device::driver {

namespace {

constexpr auto without_context = needs::initialization;

cudaDeviceProp properties_of(CUdevice device) {
  cudaDeviceProp d;
  cudaError_t const e = runtime::cudaGetDeviceProperties(&d, device);
  require(e == cudaSuccess, e);
  return d;
}

}  // namespace

//! Makes the state of the process.
MMM_CUDA_API CUresult cuInit(unsigned flags) {
  driver_call const in_progress;
  return result_of(
      api([&](process&) { require(flags == 0, cudaErrorInvalidValue); }, after_fault::works));
}

MMM_CUDA_API CUresult cuDriverGetVersion(int* version) {
  driver_call const in_progress;
  return result_of(runtime::cudaDriverGetVersion(version));
}

MMM_CUDA_API CUresult cuDeviceGetCount(int* count) {
  return call<without_context>([&](process&) { return runtime::cudaGetDeviceCount(count); });
}

MMM_CUDA_API CUresult cuDeviceGet(CUdevice* out, int ordinal) {
  return call<without_context>([&](process& p) {
    require(out != nullptr, cudaErrorInvalidValue);
    *out = p.of_device(ordinal).number;
  });
}

MMM_CUDA_API CUresult cuDeviceGetName(char* out, int length, CUdevice device) {
  return call<without_context>([&](process&) {
    require(out != nullptr && length > 0, cudaErrorInvalidValue);
    std::snprintf(out, static_cast<std::size_t>(length), "%s", properties_of(device).name);
  });
}

MMM_CUDA_API CUresult cuDeviceGetUuid_v2(char* out, CUdevice device) {
  return call<without_context>([&](process&) {
    require(out != nullptr, cudaErrorInvalidValue);
    cudaDeviceProp const d = properties_of(device);
    std::memcpy(out, d.uuid, sizeof d.uuid);
  });
}
MMM_CUDA_API CUresult cuDeviceGetUuid(char* out, CUdevice device) {
  return cuDeviceGetUuid_v2(out, device);
}

MMM_CUDA_API CUresult cuDeviceGetLuid(char* out, unsigned* mask, CUdevice device) {
  return call<without_context>([&](process&) {
    require(out != nullptr && mask != nullptr, cudaErrorInvalidValue);
    cudaDeviceProp const d = properties_of(device);
    std::memcpy(out, d.luid, sizeof d.luid);
    *mask = d.luidDeviceNodeMask;
  });
}

MMM_CUDA_API CUresult cuDeviceTotalMem_v2(std::size_t* bytes, CUdevice device) {
  return call<without_context>([&](process&) {
    require(bytes != nullptr, cudaErrorInvalidValue);
    *bytes = properties_of(device).totalGlobalMem;
  });
}

MMM_CUDA_API CUresult cuDeviceGetAttribute(int* out, cudaDeviceAttr attribute, CUdevice device) {
  return call<without_context>(
      [&](process&) { return runtime::cudaDeviceGetAttribute(out, attribute, device); });
}

MMM_CUDA_API CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  return call<without_context>([&](process&) {
    require(major != nullptr && minor != nullptr, cudaErrorInvalidValue);
    cudaDeviceProp const d = properties_of(device);
    *major = d.major;
    *minor = d.minor;
  });
}

MMM_CUDA_API CUresult cuDeviceGetPCIBusId(char* text, int length, CUdevice device) {
  return call<without_context>(
      [&](process&) { return runtime::cudaDeviceGetPCIBusId(text, length, device); });
}
MMM_CUDA_API CUresult cuDeviceGetByPCIBusId(CUdevice* out, char const* text) {
  return call<without_context>(
      [&](process&) { return runtime::cudaDeviceGetByPCIBusId(out, text); });
}

MMM_CUDA_API CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer) {
  return call<without_context>(
      [&](process&) { return runtime::cudaDeviceCanAccessPeer(can, device, peer); });
}
MMM_CUDA_API CUresult cuDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute,
                                              CUdevice device, CUdevice peer) {
  return call<without_context>(
      [&](process&) { return runtime::cudaDeviceGetP2PAttribute(value, attribute, device, peer); });
}

MMM_CUDA_API CUresult cuDeviceGetExecAffinitySupport(int* out, unsigned /*type*/, CUdevice device) {
  return call<without_context>([&](process& p) {
    require(out != nullptr, cudaErrorInvalidValue);
    (void)p.of_device(device);
    *out = 0;
  });
}

MMM_CU_FORWARD(cuProfilerStart, cudaProfilerStart, (), ())
MMM_CU_FORWARD(cuProfilerStop, cudaProfilerStop, (), ())

}  // namespace device::driver
