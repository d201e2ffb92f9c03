// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/gpu/devices.hpp>
#include <mmm/gpu/timing.hpp>

//! Occupancy: the blocks and warps of a launch that are on a multiprocessor at once.
namespace mmm::detail {

//! The blocks of threads of a launch.
struct launched_blocks {
  index blocks = 1;
  index threads = 32;        //!< of a block
  bool one_memory = false;   //!< the machine has no DMMs: all blocks work in step
  bool shared_only = false;  //!< the machine is one DMM: arguments are copied to it and back
};

//! Groups of warps that work in step: each is a block or, on a machine without DMMs, all blocks of
//! one multiprocessor.
struct warp_groups {
  index count = 1;
  index warps = 1;  //!< of one group
};

[[nodiscard]] constexpr warp_groups warp_groups_of(launched_blocks const& launch, index sms) {
  if (!launch.one_memory) return {launch.blocks, ceil_divide(launch.threads, 32)};
  index const used = smaller(launch.blocks, sms);
  return {used, ceil_divide(ceil_divide(launch.blocks, used) * launch.threads, 32)};
}

//! The number of blocks that fit on a multiprocessor side by side: its limits of blocks, threads,
//! registers and shared memory. 0 if not one block fits.
[[nodiscard]] constexpr index resident_blocks(gpu::device_facts const& facts,
                                              gpu::timing_facts const& timing, index block_threads,
                                              index thread_registers, index shared_bytes) {
  index const warps = ceil_divide(block_threads, 32);
  index const registers = ceil_divide(thread_registers, 8) * 8;  // are allocated by eights
  index const reserved = facts.compute_capability >= 80 ? 1024 : 0;
  index blocks = smaller(timing.blocks_per_sm, facts.max_threads_per_sm / block_threads);
  blocks = smaller(blocks, timing.registers_per_sm / (registers * warps * 32));
  if (shared_bytes + reserved > 0)
    blocks = smaller(blocks, timing.shared_bytes_per_sm / (shared_bytes + reserved));
  return blocks;
}

}  // namespace mmm::detail
