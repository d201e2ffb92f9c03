// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/execution/kernel/cuda_error.cuh>
#include <mmm/execution/kernel/kernel.hpp>
#include <mmm/execution/kernel/launch.hpp>

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

//! The limits of a device and of a kernel. The runtime is asked once: each host thread caches the
//! answers.
namespace mmm::detail {

[[nodiscard]] inline int device_attribute(cudaDeviceAttr attribute, int device) {
  int value = 0;
  cuda::check(cudaDeviceGetAttribute(&value, attribute, device), "cudaDeviceGetAttribute",
              "asking for a device's limits");
  return value;
}

//! The limits of one kernel on one device.
class kernel_limits {
 public:
  kernel_limits(void const* kernel, int device) : kernel_(kernel), device_(device) {
    cudaFuncAttributes found{};
    cuda::check(cudaFuncGetAttributes(&found, kernel), "cudaFuncGetAttributes",
                "finding a kernel for the device");
    own_shared_ = static_cast<int>(found.sharedSizeBytes);
    multiprocessors_ = device_attribute(cudaDevAttrMultiProcessorCount, device);
    limits_ = {found.maxThreadsPerBlock,
               device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
               device_attribute(cudaDevAttrMaxGridDimX, device),
               device_attribute(cudaDevAttrClusterLaunch, device) != 0};
  }
  [[nodiscard]] bool is_of(void const* kernel, int device) const {
    return kernel_ == kernel && device_ == device;
  }
  [[nodiscard]] launch_limits const& of_launch() const { return limits_; }

  //! Allows the kernel to use so many bytes of shared memory. It allows all that there is, so that
  //! concurrent launches do not lower each other's limit.
  void allow_shared(index bytes) {
    int const without_asking = 48 * 1024;
    if (bytes <= without_asking || all_shared_) return;
    cuda::check(cudaFuncSetAttribute(kernel_, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     static_cast<int>(limits_.shared) - own_shared_),
                "cudaFuncSetAttribute", std::to_string(bytes) + " bytes of shared memory");
    all_shared_ = true;
  }
  //! Allows the kernel clusters of more blocks than every device can have.
  void allow_clusters(index blocks) {
    index const without_asking = 8;
    if (blocks <= without_asking || all_clusters_) return;
    cuda::check(cudaFuncSetAttribute(kernel_, cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
                "cudaFuncSetAttribute", std::to_string(blocks) + " blocks of a cluster");
    all_clusters_ = true;
  }
  //! The number of blocks of this shape that the device can run at once.
  [[nodiscard]] index blocks_at_once(index block_threads, index shared) {
    if (resident_.block_threads != block_threads || resident_.shared != shared) {
      int per_sm = 0;
      cuda::check(
          cudaOccupancyMaxActiveBlocksPerMultiprocessor(
              &per_sm, kernel_, static_cast<int>(block_threads), static_cast<std::size_t>(shared)),
          "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
          "counting the blocks that can run at once");
      resident_ = {block_threads, shared, index{per_sm} * multiprocessors_};
    }
    return resident_.blocks;
  }

 private:
  struct resident {
    index block_threads = -1;
    index shared = -1;
    index blocks = 0;
  };
  void const* kernel_;
  int device_;
  int own_shared_ = 0;
  int multiprocessors_ = 0;
  bool all_shared_ = false;
  bool all_clusters_ = false;
  launch_limits limits_{};
  resident resident_{};
};

//! The limits of a kernel on the current device. `Kernel` names the kernel, so that the cache has
//! one entry for each device.
template <class Kernel>
[[nodiscard]] kernel_limits& limits_of(void const* kernel) {
  thread_local std::vector<kernel_limits> known;
  int device = 0;
  cuda::check(cudaGetDevice(&device), "cudaGetDevice", "looking for a CUDA device");
  for (kernel_limits& one : known)
    if (one.is_of(kernel, device)) return one;
  known.emplace_back(kernel, device);
  return known.back();
}

//! Launches a kernel. std::invalid_argument or std::length_error, before anything runs, if the
//! device or the kernel cannot have so many threads, so much shared memory, or so many blocks that
//! wait for each other. `assigns_tiles`: as in blocks_within.
template <class... Parameters>
void launch_kernel(void (*kernel)(Parameters...), kernel_limits& limits, launch_shape const& shape,
                   launch_plan const& plan, bool assigns_tiles, cudaStream_t stream,
                   std::type_identity_t<Parameters>... parameters) {
  auto const* const function = reinterpret_cast<void const*>(kernel);
  index const blocks = blocks_within(limits.of_launch(), shape, plan, assigns_tiles);
  limits.allow_shared(plan.shared);
  limits.allow_clusters(plan.cluster);
  if (plan.grid_barriers)
    demand_resident(shape, limits.blocks_at_once(shape.block_threads, plan.shared));
  dim3 const grid(static_cast<unsigned>(blocks));
  dim3 const block(static_cast<unsigned>(shape.block_threads));
  auto const shared = static_cast<std::size_t>(plan.shared);
  void* list[] = {&parameters...};
  if (plan.cluster > 1) {
    cudaLaunchAttribute attributes[2] = {};
    attributes[0].id = cudaLaunchAttributeClusterDimension;
    attributes[0].val.clusterDim = {static_cast<unsigned>(plan.cluster), 1, 1};
    attributes[1].id = cudaLaunchAttributeCooperative;
    attributes[1].val.cooperative = plan.grid_barriers ? 1 : 0;
    cudaLaunchConfig_t const with{grid,   block,      shared,
                                  stream, attributes, plan.grid_barriers ? 2U : 1U};
    cuda::check(cudaLaunchKernelExC(&with, function, list), "cudaLaunchKernelExC",
                "launching a kernel with clusters of " + std::to_string(plan.cluster) + " blocks");
    return;
  }
  if (!plan.grid_barriers) {
    cuda::check(cudaLaunchKernel(function, grid, block, list, shared, stream), "cudaLaunchKernel",
                "launching a kernel");
    return;
  }
  cuda::check(cudaLaunchCooperativeKernel(function, grid, block, list, shared, stream),
              "cudaLaunchCooperativeKernel", "launching a kernel with barriers of the whole grid");
}

}  // namespace mmm::detail
