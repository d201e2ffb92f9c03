// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every GPU is a machine that algorithms run on, and its figures agree with each other and with
// what NVIDIA states.
#include <mmm/algorithm/reduce/sum.hpp>
#include <mmm/execution/estimate/estimate.hpp>
#include <mmm/gpu.hpp>

#include <string_view>

namespace {

using namespace mmm::gpu;
using mmm::index;

constexpr index magnitude(index a) { return a < 0 ? -a : a; }

template <class Gpu>
constexpr bool consistent(std::string_view) {
  static_assert(mmm::hierarchical_machine<Gpu>);
  constexpr Gpu gpu;
  static_assert(gpu.dmms() == Gpu::sms && Gpu::width() == 32);
  static_assert(gpu.shared().latency() == Gpu::facts.shared_latency);
  static_assert(gpu.global().latency() == Gpu::facts.global_latency);
  static_assert(gpu.shared().latency() < gpu.global().latency());
  static_assert(gpu.capacity() * 4 == Gpu::shared_bytes_per_block);
  static_assert(Gpu::max_threads_per_block % 32 == 0 &&
                Gpu::max_threads_per_block <= Gpu::max_threads_per_sm);
  static_assert(Gpu::resident_threads % gpu.dmms() == 0);
  // Ports are groups of 128 bytes per time unit: the whole number nearest to bandwidth / (clock *
  // 128 bytes).
  constexpr index per_microsecond = gpu.global().ports() * 128 * Gpu::clock_mhz;  // bytes
  static_assert(2 * magnitude(per_microsecond - Gpu::facts.bandwidth_gb * 1000) <=
                    128 * Gpu::clock_mhz ||
                gpu.global().ports() == 1);
  static_assert(Gpu::facts.l2_bytes > Gpu::shared_bytes_per_block && *Gpu::name != '\0');
  return true;
}

constexpr bool all_consistent() {
  int seen = 0;
  for_each_device(
      [&](std::string_view spelling, auto gpu) { seen += consistent<decltype(gpu)>(spelling); });
  return seen == 8;
}
static_assert(all_consistent());

// Figures of the data sheets.
static_assert(gtx580{}.dmms() == 16 && gtx580{}.global().ports() == 2);
static_assert(gtx_titan{}.dmms() == 14 && gtx_titan{}.global().ports() == 3);
static_assert(v100{}.dmms() == 80 && v100{}.global().ports() == 5);
static_assert(a100{}.dmms() == 108 && a100{}.global().ports() == 11 &&
              a100::shared_bytes_per_block == 163 * 1024);
static_assert(rtx4090{}.dmms() == 128 && rtx4090{}.global().ports() == 3 &&
              rtx4090::shared_bytes_per_block == 99 * 1024);
static_assert(h100{}.dmms() == 132 && h100{}.global().ports() == 13 &&
              h100::shared_bytes_per_block == 227 * 1024);
static_assert(h200{}.dmms() == 132 && h200{}.global().ports() == 19);
static_assert(b200{}.dmms() == 148 && b200{}.global().ports() == 32);
static_assert(h200::microseconds(1980) == 1.0);

// Blocks side by side: each has 1024 bytes of its own where the hardware takes them.
static_assert(split<h200, 1>{}.dmms() == 132 && split<h200, 1>{}.capacity() == h200{}.capacity());
static_assert(split<h200, 4>{}.dmms() == 528 && split<h200, 4>::max_threads_per_block == 256);
static_assert(split<h200, 3>::max_threads_per_block == 320);
static_assert(split<h200, 64>::max_threads_per_block == 32);
static_assert(4 * (4 * split<h200, 4>{}.capacity() + 1024) <= 228 * 1024);
static_assert(4 * (4 * (split<h200, 4>{}.capacity() + 32) + 1024) > 228 * 1024);
static_assert(split<v100, 2>{}.capacity() == v100{}.capacity() / 2);
static_assert(split<h200, 4>{}.global().ports() == h200{}.global().ports());
static_assert(split<h200, 4>::resident_threads == h200::resident_threads);

// The cost of an algorithm on the device: 2^28 floats are not read faster than the memory's ports
// allow.
constexpr auto cost =
    mmm::cost_of<h200>(mmm::sum, mmm::size(1 << 28), mmm::threads(h200::resident_threads));
static_assert(cost.time >= (1 << 28) / 32 / 19);

}  // namespace
