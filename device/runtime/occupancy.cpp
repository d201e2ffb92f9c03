// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "occupancy.hpp"

#include "modules.hpp"

#include <algorithm>
#include <limits>

// Registers and shared memory are allocated as the CUDA occupancy calculator documents for
// capabilities from 7.5 on.
namespace device::runtime {

using namespace abi;

namespace {

constexpr int register_granularity = 256;  //!< of a warp
//! of a multiprocessor, each with a quarter of the registers
constexpr int partitions = 4;
//! cudaOccupancyDisableCachingOverride: without effect since capability 7
constexpr unsigned occupancy_flags = 1;

constexpr int round_up(int n, int to) { return (n + to - 1) / to * to; }
constexpr int warps_of(int threads) { return (threads + lanes - 1) / lanes; }
constexpr int registers_of_warp(int registers) {
  return round_up(registers * lanes, register_granularity);
}

//! The most registers of a thread with which `blocks` blocks of that many threads fit.
int registers_left(int threads, int blocks) {
  int const warps_of_partition =
      std::max(1, (warps_of(threads) * std::max(blocks, 1) + partitions - 1) / partitions);
  int const of_warp = registers_per_multiprocessor / partitions / warps_of_partition;
  return of_warp / register_granularity * register_granularity / lanes;
}

int blocks_by_registers(int registers, int threads) {
  if (registers == 0) return std::numeric_limits<int>::max();
  int const of_warp = registers_of_warp(registers);
  int const warps = warps_of(threads);
  if (of_warp * round_up(warps, partitions) > registers_per_block) return 0;
  return registers_per_multiprocessor / partitions / of_warp * partitions / warps;
}

int blocks_by_shared(gpu const& chip, kernel_needs const& k, std::size_t dynamic) {
  auto const max_shared = static_cast<std::size_t>(chip.shared_bytes_per_block_opt_in());
  if (dynamic > k.max_dynamic || k.shared + dynamic > max_shared) return 0;
  int const bytes = static_cast<int>(k.shared + dynamic) + chip.reserved_shared_bytes_per_block();
  if (bytes == 0) return std::numeric_limits<int>::max();
  return chip.shared_bytes_per_multiprocessor() / round_up(bytes, chip.shared_bytes_granularity());
}

//! A kernel's needs on the current device.
kernel_needs needs_of(process& p, void const* function) {
  return runtime::needs_of(p, kernel_of(function), p.current().number);
}

}  // namespace

int extent_product(int const (&n)[3]) {
  return n[0] == 0 ? 0 : n[0] * std::max(n[1], 1) * std::max(n[2], 1);
}

kernel_needs needs_of(program const& code, std::size_t max_dynamic) {
  kernel_needs k;
  k.shared = code.shared_bytes;
  k.max_dynamic = max_dynamic;
  k.registers = std::min(code.registers_per_thread, max_registers_per_thread);
  ptx::function const& f = *code.source;
  int bound = extent_product(f.required_threads);
  if (bound == 0) bound = extent_product(f.max_threads);
  if (bound != 0) {
    k.max_threads = bound;
    k.registers = std::min(k.registers, registers_left(bound, f.min_blocks));
  }
  if (f.max_registers != 0) k.registers = std::min(k.registers, f.max_registers);
  return k;
}

kernel_needs needs_of(process& p, kernel& k, int device) {
  program const& code = description_of(p, k, device);
  int const chosen = k.on(device).dynamic_shared;
  auto const left = static_cast<std::size_t>(
      std::max(0, shared_bytes_per_block - static_cast<int>(code.shared_bytes)));
  return needs_of(code, chosen >= 0 ? static_cast<std::size_t>(chosen) : left);
}

int max_threads(kernel_needs const& k) {
  if (k.registers == 0) return std::min(k.max_threads, 1024);
  int const warps =
      registers_per_multiprocessor / partitions / registers_of_warp(k.registers) * partitions;
  return std::min({k.max_threads, warps * lanes, 1024});
}

int resident_blocks(gpu const& chip, kernel_needs const& k, int threads,
                    std::size_t dynamic_shared) {
  if (threads > k.max_threads || threads > 1024) return 0;
  return std::min(
      {chip.blocks_per_multiprocessor(), chip.warps_per_multiprocessor() / warps_of(threads),
       blocks_by_registers(k.registers, threads), blocks_by_shared(chip, k, dynamic_shared)});
}

std::size_t available_dynamic_shared(gpu const& chip, kernel_needs const& k, int blocks) {
  int const granularity = chip.shared_bytes_granularity();
  int const each = chip.shared_bytes_per_multiprocessor() / blocks / granularity * granularity;
  int const left = std::min(each - chip.reserved_shared_bytes_per_block(),
                            chip.shared_bytes_per_block_opt_in()) -
                   static_cast<int>(k.shared);
  return std::min(static_cast<std::size_t>(std::max(left, 0)), k.max_dynamic);
}

MMM_CUDA_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, void const* function, int threads, std::size_t dynamic, unsigned flags) {
  return api([&](process& p) {
    require(blocks != nullptr && threads > 0 && flags <= occupancy_flags, cudaErrorInvalidValue);
    *blocks = resident_blocks(p.chip, needs_of(p, function), threads, dynamic);
  });
}

MMM_CUDA_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks,
                                                                       void const* function,
                                                                       int threads,
                                                                       std::size_t dynamic) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, dynamic,
                                                                0);
}

MMM_CUDA_API cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes,
                                                                   void const* function, int blocks,
                                                                   int threads) {
  return api([&](process& p) {
    require(bytes != nullptr && blocks > 0 && threads > 0, cudaErrorInvalidValue);
    kernel_needs const k = needs_of(p, function);
    require(resident_blocks(p.chip, k, threads, 0) >= blocks, cudaErrorInvalidValue);
    *bytes = available_dynamic_shared(p.chip, k, blocks);
  });
}

namespace {

//! Blocks of a launch's cluster; 1 if it gives none.
unsigned cluster_blocks(cudaLaunchConfig_t const& c) {
  for (unsigned a = 0; a < c.numAttrs; ++a)
    if (c.attrs[a].id == cudaLaunchAttributeClusterDimension) {
      auto const& size = c.attrs[a].val.clusterDim;
      return size.x * size.y * size.z;
    }
  return 1;
}

//! Blocks of a launch that the device holds at once.
int resident_blocks_of_device(process& p, void const* function, cudaLaunchConfig_t const& c) {
  int const threads = static_cast<int>(c.blockDim.x * c.blockDim.y * c.blockDim.z);
  return p.chip.multiprocessors() *
         resident_blocks(p.chip, needs_of(p, function), threads, c.dynamicSmemBytes);
}

}  // namespace

MMM_CUDA_API cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, void const* function,
                                                        cudaLaunchConfig_t const* config) {
  return api([&](process& p) {
    require(clusters != nullptr && config != nullptr, cudaErrorInvalidValue);
    unsigned const blocks = cluster_blocks(*config);
    require(blocks != 0, cudaErrorInvalidClusterSize);
    *clusters = resident_blocks_of_device(p, function, *config) / static_cast<int>(blocks);
  });
}

MMM_CUDA_API cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, void const* function,
                                                              cudaLaunchConfig_t const* config) {
  return api([&](process& p) {
    require(size != nullptr && config != nullptr, cudaErrorInvalidValue);
    constexpr int portable = 8;
    *size = std::min(portable, resident_blocks_of_device(p, function, *config));
  });
}

}  // namespace device::runtime
