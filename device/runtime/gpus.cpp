// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpus.hpp"

#include <device/core/failure.hpp>

namespace device::runtime {

namespace {

//! CUDA 13 begins with compute capability 7.5.
constexpr int least_capability = 75;

//! The figures of a preset that mmm::gpu lacks, and their sources:
//! - memory: as nvidia-smi lists it (MiB, total);
//! - clocks and bus: NVIDIA's data sheets, as bandwidth = 2 * clock * bus / 8;
//! - copy engines and the ratio of float32 to float64: the CUDA C++ Programming Guide (arithmetic
//!   throughput) and the architectures' white papers.
struct addition {
  std::string_view name;
  char const* product;
  std::uint64_t memory_mib;
  int memory_clock_mhz;
  int memory_bus_bits;
  int copy_engines;
  int double_ratio;
  bool ecc;
};
constexpr addition additions[] = {
    {"a100", "NVIDIA A100-SXM4-80GB", 81920, 1593, 5120, 3, 2, true},
    {"rtx4090", "NVIDIA GeForce RTX 4090", 24564, 10501, 384, 2, 64, false},
    {"h100", "NVIDIA H100 80GB HBM3", 81559, 2619, 5120, 3, 2, true},
    {"h200", "NVIDIA H200", 143771, 3201, 6144, 3, 2, true},
    {"b200", "NVIDIA B200", 183359, 3996, 8192, 3, 2, true},
};

std::vector<gpu> make_gpus() {
  std::vector<gpu> all;
  mmm::gpu::for_each_device([&](std::string_view name, auto machine) {
    for (addition const& a : additions)
      if (a.name == name && decltype(machine)::facts.compute_capability >= least_capability)
        all.push_back({name, decltype(machine)::facts, a.product, a.memory_mib, a.memory_clock_mhz,
                       a.memory_bus_bits, a.copy_engines, a.double_ratio, a.ecc});
  });
  return all;
}

std::vector<gpu> const& gpus() {
  // outlives the program's destructors
  static std::vector<gpu> const& all = *new std::vector<gpu>(make_gpus());
  return all;
}

//! Limits of a multiprocessor: CUDA C++ Programming Guide 13.0, table of technical specifications
//! per compute capability.
struct limits_of_capability {
  int capability;
  int blocks;
  int shared_kib;
};
constexpr limits_of_capability capability_limits[] = {
    {75, 16, 64},  {80, 32, 164},  {86, 16, 100},  {87, 16, 164},  {88, 16, 100},  {89, 24, 100},
    {90, 32, 228}, {100, 32, 228}, {103, 32, 228}, {110, 24, 228}, {120, 24, 100}, {121, 24, 100}};

limits_of_capability const& limits(int capability) {
  for (auto const& l : capability_limits)
    if (l.capability == capability) return l;
  throw unsupported("no limits are known of compute capability " + std::to_string(capability));
}

}  // namespace

int gpu::blocks_per_multiprocessor() const { return limits(capability()).blocks; }
int gpu::shared_bytes_per_multiprocessor() const { return limits(capability()).shared_kib << 10; }
int gpu::reserved_shared_bytes_per_block() const { return capability() >= 80 ? 1024 : 0; }
int gpu::shared_bytes_granularity() const { return capability() >= 80 ? 128 : 256; }

std::vector<std::string> gpu_names() {
  std::vector<std::string> names;
  for (gpu const& g : gpus()) names.emplace_back(g.name);
  return names;
}

gpu const& gpu_of(std::string_view name) {
  for (gpu const& g : gpus())
    if (g.name == name) return g;
  std::string message =
      "CUDA 13 programs do not run on a GPU of the name " + std::string{name} + "; there are";
  char const* between = " ";
  for (std::string const& n : gpu_names()) {
    message += between + n;
    between = ", ";
  }
  throw unsupported(message);
}

}  // namespace device::runtime
