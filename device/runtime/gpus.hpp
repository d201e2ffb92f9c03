// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/gpu/devices.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace device::runtime {

//! A GPU as programs see it: the preset of mmm::gpu and what that has no need of.
struct gpu {
  std::string_view name;  //!< "h200"
  mmm::gpu::device_facts facts{};
  char const* product = "";  //!< the name in cudaDeviceProp
  std::uint64_t memory_mib = 0;
  int memory_clock_mhz = 0;
  int memory_bus_bits = 0;
  int copy_engines = 0;
  int double_ratio = 0;  //!< float32 operations for one float64 operation
  bool ecc = false;

  [[nodiscard]] int capability() const { return static_cast<int>(facts.compute_capability); }
  [[nodiscard]] int multiprocessors() const { return static_cast<int>(facts.sms); }
  [[nodiscard]] int warps_per_multiprocessor() const {
    return static_cast<int>(facts.max_threads_per_sm) / 32;
  }
  [[nodiscard]] std::uint64_t memory_bytes() const { return memory_mib << 20U; }

  // --- what the compute capability says
  [[nodiscard]] int blocks_per_multiprocessor() const;
  [[nodiscard]] int shared_bytes_per_multiprocessor() const;
  [[nodiscard]] int reserved_shared_bytes_per_block() const;  //!< taken by the system
  [[nodiscard]] int shared_bytes_granularity() const;
  [[nodiscard]] int shared_bytes_per_block_opt_in() const {
    return static_cast<int>(facts.shared_bytes_per_block);
  }
};

inline constexpr int shared_bytes_per_block = 48 << 10;  //!< without the opt-in
inline constexpr int registers_per_multiprocessor = 65536;
inline constexpr int registers_per_block = 65536;
inline constexpr int max_registers_per_thread = 255;

//! The GPU of that name. Throws device::unsupported that lists the names.
[[nodiscard]] gpu const& gpu_of(std::string_view name);
//! Their names.
[[nodiscard]] std::vector<std::string> gpu_names();

}  // namespace device::runtime
