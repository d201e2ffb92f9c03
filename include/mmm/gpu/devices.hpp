// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/machine/machine.hpp>

//! GPUs as machines: `mmm::gpu::h200` is an hmm that also knows its name, clock and limits.
//!
//! A time unit is a cycle of the SMs in which a shared memory serves one request of a warp. Figures
//! are those of NVIDIA's data sheets and of the CUDA C++ Programming Guide's table of compute
//! capabilities; other sources are:
//! - [Luo] Luo et al., Benchmarking and Dissecting the Nvidia Hopper GPU Architecture via
//!   Microbenchmarking, 2024, arXiv 2402.13499: latencies of RTX 4090, A100 and H100 in cycles;
//! - [Jia] Jia et al., Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking, 2018,
//!   arXiv 1804.06826;
//! - [Mei] Mei, Chu, Dissecting GPU Memory Hierarchy through Microbenchmarking, 2017, arXiv
//!   1509.02308;
//! - [Guide] CUDA C Programming Guide 4.2 and 5.5, multiprocessor level: latencies of compute
//!   capabilities 2.x and 3.x.
//! Latencies differ with clocks, page sizes and the place of the data: they are for orders of
//! magnitude.
namespace mmm::gpu {

//! The figures of a GPU that make it a machine.
struct device_facts {
  index sms;                     //!< streaming multiprocessors: the DMMs
  index clock_mhz;               //!< time units per microsecond
  index shared_latency;          //!< time units
  index global_latency;          //!< time units, of a word that no cache holds
  index bandwidth_gb;            //!< of the global memory, 10^9 bytes per second
  index shared_bytes_per_block;  //!< with the opt-in, where there is one
  index compute_capability;      //!< major * 10 + minor
  index max_threads_per_block;
  index max_threads_per_sm;
  index l2_bytes;
  index memory_mib = 0;  //!< the global memory as published, in 2^20 bytes; 0: not known
  index parts = 1;       //!< parts of a multiprocessor, each counted as one: see split

  //! Groups of 128 bytes that the global memory moves per time unit, rounded; 1 at least.
  [[nodiscard]] constexpr index ports() const {
    index const bytes_per_thousand = bandwidth_gb * 1000000 / clock_mhz;  // 1000 time units
    index const rounded = (bytes_per_thousand + 64000) / 128000;
    return rounded < 1 ? 1 : rounded;
  }
};

//! A GPU as a hierarchical machine: SMs as DMMs, 32 banks of 4-byte words, address groups of 128
//! bytes.
template <device_facts Facts>
struct device : hmm<Facts.sms, 32, Facts.shared_latency, Facts.global_latency,
                    Facts.shared_bytes_per_block / 4, Facts.ports()> {
  static constexpr device_facts facts = Facts;
  static constexpr index sms = Facts.sms;
  static constexpr index clock_mhz = Facts.clock_mhz;
  static constexpr index shared_bytes_per_block = Facts.shared_bytes_per_block;
  static constexpr index max_threads_per_block = Facts.max_threads_per_block;
  static constexpr index max_threads_per_sm = Facts.max_threads_per_sm;
  //! Threads that are resident at once, if only their number is limited.
  static constexpr index resident_threads = Facts.sms * Facts.max_threads_per_sm;

  //! Time units as microseconds.
  [[nodiscard]] static constexpr double microseconds(index time) {
    return static_cast<double>(time) / static_cast<double>(Facts.clock_mhz);
  }
};

namespace detail {

//! A GPU whose multiprocessors are split into K parts each.
[[nodiscard]] constexpr device_facts split(device_facts gpu, index parts) {
  // From compute capability 8.0 on, a block takes 1024 bytes of shared memory for itself.
  index const reserved = gpu.compute_capability >= 80 ? 1024 : 0;
  index const row = 32 * 4;
  index const bytes = (gpu.shared_bytes_per_block + reserved) / parts - reserved;
  gpu.sms *= parts;
  gpu.parts *= parts;
  gpu.shared_bytes_per_block = bytes / row * row;
  gpu.max_threads_per_sm /= parts;
  // Each block has its part of a whole block's threads: all blocks together have enough registers.
  index const warps = gpu.max_threads_per_block / parts / 32;
  gpu.max_threads_per_block = warps > 0 ? 32 * warps : 32;
  return gpu;
}

//! The GPU that was split.
[[nodiscard]] constexpr device_facts whole(device_facts gpu) {
  index const reserved = gpu.compute_capability >= 80 ? 1024 : 0;
  gpu.sms /= gpu.parts;
  gpu.shared_bytes_per_block = (gpu.shared_bytes_per_block + reserved) * gpu.parts - reserved;
  gpu.max_threads_per_sm *= gpu.parts;
  gpu.max_threads_per_block *= gpu.parts;
  gpu.parts = 1;
  return gpu;
}

}  // namespace detail

//! A GPU with `Parts` blocks of threads side by side on every multiprocessor: Parts times as many
//! DMMs, each with its part of the shared memory and of the threads, 1024/Parts in a block, in
//! whole warps. Kernels whose threads wait for the global memory gain: while one block waits,
//! another works. The transpose of 16384 x 16384 floats takes 759 microseconds on `split<h100, 4>`
//! with 256 threads per DMM, 1084 on `h100` with 1024 (docs/gpu-results.md). The blocks of a
//! multiprocessor share its banks, which the model does not know: times that the shared memories
//! decide are up to Parts times too short.
template <class GPU, index Parts>
requires(Parts >= 1)
using split = device<detail::split(GPU::facts, Parts)>;

//! GeForce GTX 580 (GF110, 2010), the GPU of the papers' experiments. A warp's request takes its 16
//! load/store units two cycles of the 1544 MHz shader clock, so that the time unit is a cycle of
//! 772 MHz.
//! Latencies: shared 50 shader cycles [Mei, GTX 560 Ti], global 400 to 800 [Guide]; in time units
//! half of that.
struct gtx580 : device<device_facts{.sms = 16,
                                    .clock_mhz = 772,
                                    .shared_latency = 25,
                                    .global_latency = 300,
                                    .bandwidth_gb = 192,
                                    .shared_bytes_per_block = 49152,
                                    .compute_capability = 20,
                                    .max_threads_per_block = 1024,
                                    .max_threads_per_sm = 1536,
                                    .l2_bytes = 786432,
                                    .memory_mib = 1536}> {
  static constexpr char const* name = "GeForce GTX 580";
};

//! GeForce GTX Titan (GK110, 2013), 876 MHz boost, 288 GB/s. Latencies: shared 47 [Mei, GTX 780];
//! global 200 to 400 [Guide].
struct gtx_titan : device<device_facts{.sms = 14,
                                       .clock_mhz = 876,
                                       .shared_latency = 47,
                                       .global_latency = 300,
                                       .bandwidth_gb = 288,
                                       .shared_bytes_per_block = 49152,
                                       .compute_capability = 35,
                                       .max_threads_per_block = 1024,
                                       .max_threads_per_sm = 2048,
                                       .l2_bytes = 1572864,
                                       .memory_mib = 6144}> {
  static constexpr char const* name = "GeForce GTX Titan";
};

//! Tesla V100 SXM2 (GV100, 2017), 1530 MHz boost, 900 GB/s, 32 GB. Latencies: shared 19 [Jia];
//! global 400, a round figure (table 3 of PMC 10448217).
struct v100 : device<device_facts{.sms = 80,
                                  .clock_mhz = 1530,
                                  .shared_latency = 19,
                                  .global_latency = 400,
                                  .bandwidth_gb = 900,
                                  .shared_bytes_per_block = 98304,
                                  .compute_capability = 70,
                                  .max_threads_per_block = 1024,
                                  .max_threads_per_sm = 2048,
                                  .l2_bytes = 6291456,
                                  .memory_mib = 32768}> {
  static constexpr char const* name = "Tesla V100 SXM2";
};

//! A100 SXM4 80 GB (GA100, 2020), 1410 MHz boost, 2039 GB/s. Latencies: 29.0 and 466.3 [Luo, of the
//! PCIe card].
struct a100 : device<device_facts{.sms = 108,
                                  .clock_mhz = 1410,
                                  .shared_latency = 29,
                                  .global_latency = 466,
                                  .bandwidth_gb = 2039,
                                  .shared_bytes_per_block = 166912,
                                  .compute_capability = 80,
                                  .max_threads_per_block = 1024,
                                  .max_threads_per_sm = 2048,
                                  .l2_bytes = 41943040,
                                  .memory_mib = 81920}> {
  static constexpr char const* name = "A100 SXM4 80 GB";
};

//! GeForce RTX 4090 (AD102, 2022), 2520 MHz boost, 1008 GB/s. Latencies: 30.1 and 541.5 [Luo].
struct rtx4090 : device<device_facts{.sms = 128,
                                     .clock_mhz = 2520,
                                     .shared_latency = 30,
                                     .global_latency = 542,
                                     .bandwidth_gb = 1008,
                                     .shared_bytes_per_block = 101376,
                                     .compute_capability = 89,
                                     .max_threads_per_block = 1024,
                                     .max_threads_per_sm = 1536,
                                     .l2_bytes = 75497472,
                                     .memory_mib = 24576}> {
  static constexpr char const* name = "GeForce RTX 4090";
};

//! H100 SXM5 80 GB (GH100, 2022), 1980 MHz at most, 3350 GB/s. Latencies: 29.0 and 478.8 [Luo, of
//! the PCIe card].
struct h100 : device<device_facts{.sms = 132,
                                  .clock_mhz = 1980,
                                  .shared_latency = 29,
                                  .global_latency = 479,
                                  .bandwidth_gb = 3350,
                                  .shared_bytes_per_block = 232448,
                                  .compute_capability = 90,
                                  .max_threads_per_block = 1024,
                                  .max_threads_per_sm = 2048,
                                  .l2_bytes = 52428800,
                                  .memory_mib = 81920}> {
  static constexpr char const* name = "H100 SXM5 80 GB";
};

//! H200 SXM (GH100 with HBM3e, 2024), 1980 MHz at most, 4800 GB/s. Latencies: those of the H100,
//! whose SMs it has.
struct h200 : device<device_facts{.sms = 132,
                                  .clock_mhz = 1980,
                                  .shared_latency = 29,
                                  .global_latency = 479,
                                  .bandwidth_gb = 4800,
                                  .shared_bytes_per_block = 232448,
                                  .compute_capability = 90,
                                  .max_threads_per_block = 1024,
                                  .max_threads_per_sm = 2048,
                                  .l2_bytes = 62914560,
                                  .memory_mib = 144384}> {
  static constexpr char const* name = "H200 SXM";
};

//! B200 SXM (GB100, two dies, 2024), 148 SMs, 1965 MHz at most, 8000 GB/s. Latencies: assumed to be
//! the H100's.
struct b200 : device<device_facts{.sms = 148,
                                  .clock_mhz = 1965,
                                  .shared_latency = 29,
                                  .global_latency = 479,
                                  .bandwidth_gb = 8000,
                                  .shared_bytes_per_block = 232448,
                                  .compute_capability = 100,
                                  .max_threads_per_block = 1024,
                                  .max_threads_per_sm = 2048,
                                  .l2_bytes = 132120576,
                                  .memory_mib = 184320}> {
  static constexpr char const* name = "B200 SXM";
};

//! Calls `visit(name, gpu)` for every GPU above, with its name in this namespace.
template <class Visit>
constexpr void for_each_device(Visit visit) {
  visit("gtx580", gtx580{});
  visit("gtx_titan", gtx_titan{});
  visit("v100", v100{});
  visit("a100", a100{});
  visit("rtx4090", rtx4090{});
  visit("h100", h100{});
  visit("h200", h200{});
  visit("b200", b200{});
}

}  // namespace mmm::gpu
