// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/gpu/devices.hpp>

//! Times and rates of GPUs for predictions, besides the figures that make a GPU a machine
//! (gpu/devices.hpp). docs/prediction.md names the sources and the assumptions.
namespace mmm::gpu {

//! Times and rates of a GPU. A clock is a cycle of its multiprocessors.
struct timing_facts {
  double global_latency;        //!< clocks, of a load that misses all caches
  double l2_latency;            //!< clocks, of a load that hits the level-2 cache
  double copy_share;            //!< the part of the published bandwidth that a copy reaches
  double l2_bytes;              //!< per clock, of the level-2 cache
  double l2_scattered_sectors;  //!< per clock, where each lane needs another one; 0: not known
  double sm_bytes;              //!< per clock, from the level-2 cache to one multiprocessor
  double launch_us;             //!< an empty kernel
  double grid_barrier_us;       //!< a barrier of the grid without the blocks' arrivals
  double arrival_clocks;        //!< of a block at a counter that all blocks use
  double barrier_clocks;        //!< a barrier of a block
  double barrier_of_warp;       //!< clocks of it for each warp, in addition
  double schedulers;            //!< warp instructions that a multiprocessor issues in a clock
  double special_clocks;        //!< from a conversion or reciprocal to the use of its result
  double port_clocks;       //!< of a scheduler, for an FFMA that reads three registers of the file
  double float_lanes;       //!< multiplications and additions of floats in a clock
  double integer_lanes;     //!< operations of 32-bit integers in a clock
  double special_lanes;     //!< conversions and reciprocals in a clock
  double tensor_halves;     //!< multiply-adds of 16-bit numbers by mma.sync in a clock; 0: none
  double warpgroup_halves;  //!< the same by wgmma
  double instruction_bytes;
  double code_line_bytes;       //!< of the instruction caches
  double code_lines_in_flight;  //!< of the stream buffer that fetches instructions ahead
  index blocks_per_sm;          //!< limit of resident blocks
  index registers_per_sm;
  index shared_bytes_per_sm;
};

//! The times of a GPU, by its compute capability.
[[nodiscard]] constexpr timing_facts timing_of(device_facts const& gpu) {
  timing_facts t{.global_latency = static_cast<double>(gpu.global_latency),
                 .l2_latency = 0.45 * static_cast<double>(gpu.global_latency),
                 .copy_share = 0.9,
                 .l2_bytes = 2048,
                 .l2_scattered_sectors = 0,
                 .sm_bytes = 64,
                 .launch_us = 3.3,
                 .grid_barrier_us = 1.07,
                 .arrival_clocks = 1,
                 .barrier_clocks = 13,
                 .barrier_of_warp = 2,
                 .schedulers = 4,
                 .special_clocks = 20,
                 .port_clocks = 2,
                 .float_lanes = 128,
                 .integer_lanes = 64,
                 .special_lanes = 16,
                 .tensor_halves = 0,
                 .warpgroup_halves = 0,
                 .instruction_bytes = 16,
                 .code_line_bytes = 128,
                 .code_lines_in_flight = 16,  // Huerta et al. 2025, arXiv 2503.20481: most likely
                 .blocks_per_sm = 32,
                 .registers_per_sm = 65536,
                 .shared_bytes_per_sm = gpu.shared_bytes_per_block + 1024};
  switch (gpu.compute_capability) {
    case 20:
      t.schedulers = 2;
      t.port_clocks = 1;  // ports are not known; no reuse cache
      t.instruction_bytes = 8;
      t.float_lanes = 64;  // per time unit: two cycles of the shader clock
      t.integer_lanes = 64;
      t.l2_bytes = 768;
      t.sm_bytes = 64;
      t.blocks_per_sm = 8;
      t.registers_per_sm = 32768;
      t.shared_bytes_per_sm = gpu.shared_bytes_per_block;
      t.copy_share = 0.85;
      t.launch_us = 6;
      t.grid_barrier_us = 2;
      break;
    case 35:
      t.port_clocks = 1;  // as above
      t.instruction_bytes = 8;
      t.float_lanes = 192;
      t.integer_lanes = 160;
      t.special_lanes = 32;
      t.l2_bytes = 1024;
      t.blocks_per_sm = 16;
      t.shared_bytes_per_sm = gpu.shared_bytes_per_block;
      t.copy_share = 0.8;
      t.launch_us = 5;
      t.grid_barrier_us = 2;
      break;
    case 70:
      t.l2_latency = 200;  // a round figure (table 3 of PMC 10448217), as the bytes per clock
      t.float_lanes = 64;
      t.l2_bytes = 2048;
      t.shared_bytes_per_sm = gpu.shared_bytes_per_block;
      break;
    case 80:
      t.tensor_halves = 1024;
      t.l2_latency = 200;  // as of the V100
      t.float_lanes = 64;
      t.l2_bytes = 5120;
      break;
    case 89:
      t.tensor_halves = 256;  // added up in floats
      t.float_lanes = 128;
      t.blocks_per_sm = 24;
      t.l2_bytes = 2048;
      break;
    case 90:
      t.tensor_halves = 1290;     // 63 % of the 2048 of wgmma [Luo]
      t.warpgroup_halves = 1946;  // 95 % of them, as the same measured at least
      t.global_latency = 690;  // measured, with misses of the tables of pages (docs/gpu-results.md)
      t.l2_latency = 278;
      t.l2_bytes = 5120;  // 8986 GB/s at 1755 MHz (table 3 of PMC 10448217)
      // a transpose that writes columns at 475 GB/s, half of it writes of 4 bytes
      // (yencal.github.io/gpu-matrix-transpose-optimization): 59 of them in a nanosecond
      t.l2_scattered_sectors = 30;
      // Copies, launches and barriers of the grid are those measured on each GPU.
      t.copy_share = 0.897;
      t.launch_us = 3.2;
      if (gpu.memory_mib > 100000) {  // an H200
        t.copy_share = 0.881;
        t.launch_us = 2.91;
        t.grid_barrier_us = 0.93;
      }
      break;
    case 100:
      t.tensor_halves = 1024;  // assumed: the A100's
      t.global_latency = 690;  // assumed: those of the H100, with a cache on each of two dies
      t.l2_latency = 278;
      t.l2_bytes = 10240;
      break;
    default:
      break;
  }
  return t;
}

}  // namespace mmm::gpu
