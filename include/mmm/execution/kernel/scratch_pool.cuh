// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/execution/kernel/cuda_error.cuh>

#include <cstdint>
#include <mutex>
#include <vector>

//! Memory pools for the arrays that programs allocate in a launch.
namespace mmm::detail {

//! A memory pool of a device that retains 64 MiB of free memory when the host waits for the device.
//! CUDA's default pool retains none, so its next allocation has to ask the system again.
[[nodiscard]] inline cudaMemPool_t retaining_pool(int device) {
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = device;
  cudaMemPool_t pool{};
  cuda::check(cudaMemPoolCreate(&pool, &properties), "cudaMemPoolCreate", "memory for kernels");
  std::uint64_t retained = std::uint64_t{64} << 20;
  cuda::check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &retained),
              "cudaMemPoolSetAttribute", "memory for kernels");
  return pool;
}

//! The library's pool of a device, one for all host threads, to the end of the process.
[[nodiscard]] inline cudaMemPool_t pool_of_library(int device) {
  struct known {
    int device;
    cudaMemPool_t pool;
  };
  static std::mutex one;
  static std::vector<known> pools;
  std::lock_guard const lock(one);
  for (known const& each : pools)
    if (each.device == device) return each.pool;
  pools.push_back({device, retaining_pool(device)});
  return pools.back().pool;
}

//! The memory pool for launches on the current device: the device's own pool where the program has
//! replaced the default or has set it to retain memory; otherwise the library's. Each host thread
//! asks once.
[[nodiscard]] inline cudaMemPool_t scratch_pool() {
  thread_local int known_device = -1;
  thread_local cudaMemPool_t known{};
  int device = 0;
  cuda::check(cudaGetDevice(&device), "cudaGetDevice", "looking for a CUDA device");
  if (device == known_device) return known;
  cudaMemPool_t current{};
  cudaMemPool_t standard{};
  std::uint64_t retained = 0;
  cuda::check(cudaDeviceGetMemPool(&current, device), "cudaDeviceGetMemPool",
              "looking for memory for kernels");
  cuda::check(cudaDeviceGetDefaultMemPool(&standard, device), "cudaDeviceGetDefaultMemPool",
              "looking for memory for kernels");
  cuda::check(cudaMemPoolGetAttribute(current, cudaMemPoolAttrReleaseThreshold, &retained),
              "cudaMemPoolGetAttribute", "looking for memory for kernels");
  known = current == standard && retained == 0 ? pool_of_library(device) : current;
  known_device = device;
  return known;
}

}  // namespace mmm::detail
