// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "entry.hpp"

#include <device/runtime/modules.hpp>
#include <device/runtime/occupancy.hpp>

#include <algorithm>

namespace device::driver {

namespace {

using bytes_of_block = std::size_t (*)(int threads);

cudaLaunchConfig_t runtime_config(CUlaunchConfig const* c) {
  require(c != nullptr, cudaErrorInvalidValue);
  return {{c->gridDimX, c->gridDimY, c->gridDimZ},
          {c->blockDimX, c->blockDimY, c->blockDimZ},
          c->sharedMemBytes,
          c->hStream,
          c->attrs,
          c->numAttrs};
}

//! The block with which a multiprocessor has the most threads; of several, the largest.
cudaError_t best_block(process& p, int* grid, int* block, cudaFunction_t function,
                       bytes_of_block shared_of, std::size_t shared, int limit, unsigned flags) {
  require(grid != nullptr && block != nullptr && limit >= 0 && flags <= 1, cudaErrorInvalidValue);
  constexpr int warp = 32;
  cudaFuncAttributes f;
  if (cudaError_t const e = runtime::cudaFuncGetAttributes(&f, function); e != cudaSuccess)
    return e;
  int const limit_threads =
      limit == 0 ? f.maxThreadsPerBlock : std::min(limit, f.maxThreadsPerBlock);
  int best = 0, max_threads = 0, blocks_of_best = 0;
  for (int aligned = (limit_threads + warp - 1) / warp * warp; aligned > 0; aligned -= warp) {
    int const threads = std::min(aligned, limit_threads);
    int blocks = 0;
    cudaError_t const e = runtime::cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, function, threads, shared_of != nullptr ? shared_of(threads) : shared);
    if (e != cudaSuccess) return e;
    if (blocks * threads <= max_threads) continue;
    max_threads = blocks * threads;
    best = threads;
    blocks_of_best = blocks;
  }
  *block = best;
  *grid = blocks_of_best * p.chip.multiprocessors();
  return cudaSuccess;
}

}  // namespace

MMM_CU_FORWARD(cuOccupancyMaxActiveBlocksPerMultiprocessor,
               cudaOccupancyMaxActiveBlocksPerMultiprocessor,
               (int* blocks, cudaFunction_t function, int threads, std::size_t shared),
               (blocks, function, threads, shared))
MMM_CU_FORWARD(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
               cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
               (int* blocks, cudaFunction_t function, int threads, std::size_t shared,
                unsigned flags),
               (blocks, function, threads, shared, flags))
MMM_CU_FORWARD(cuOccupancyAvailableDynamicSMemPerBlock, cudaOccupancyAvailableDynamicSMemPerBlock,
               (std::size_t* bytes, cudaFunction_t function, int blocks, int threads),
               (bytes, function, blocks, threads))
MMM_CUDA_API CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block,
                                                                cudaFunction_t function,
                                                                bytes_of_block shared_of,
                                                                std::size_t shared, int limit,
                                                                unsigned flags) {
  return call([&](process& p) {
    return best_block(p, grid, block, function, shared_of, shared, limit, flags);
  });
}
MMM_CUDA_API CUresult cuOccupancyMaxPotentialBlockSize(int* grid, int* block,
                                                       cudaFunction_t function,
                                                       bytes_of_block shared_of, std::size_t shared,
                                                       int limit) {
  return cuOccupancyMaxPotentialBlockSizeWithFlags(grid, block, function, shared_of, shared, limit,
                                                   0);
}

MMM_CUDA_API CUresult cuOccupancyMaxActiveClusters(int* clusters, cudaFunction_t function,
                                                   CUlaunchConfig const* config) {
  return call([&](process&) {
    cudaLaunchConfig_t const c = runtime_config(config);
    return runtime::cudaOccupancyMaxActiveClusters(clusters, function, &c);
  });
}
MMM_CUDA_API CUresult cuOccupancyMaxPotentialClusterSize(int* size, cudaFunction_t function,
                                                         CUlaunchConfig const* config) {
  return call([&](process&) {
    cudaLaunchConfig_t const c = runtime_config(config);
    return runtime::cudaOccupancyMaxPotentialClusterSize(size, function, &c);
  });
}

}  // namespace device::driver
