// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bytes that the memory moves for mmm::transpose_straightforward of n x n floats, by reuse
// distances in a cache of an H100's size, over orders of blocks: docs/prediction.md, "Held out".
//
//     mmm_cached_transposes N THREADS_OF_A_BLOCK BLOCKS RESIDENT
#include <mmm/algorithm/traffic.hpp>
#include <mmm/algorithm/transpose/transpose.hpp>
#include <mmm/gpu/devices.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>

int main(int count, char** arguments) {
  try {
    if (count != 5) {
      std::fprintf(stderr, "mmm_cached_transposes: N THREADS_OF_A_BLOCK BLOCKS RESIDENT\n");
      return 2;
    }
    mmm::index number[5] = {};
    for (int k = 1; k < 5; ++k) {
      number[k] = std::atoll(arguments[k]);
      if (number[k] >= 1 && number[k] <= 32768) continue;
      std::fprintf(stderr, "mmm_cached_transposes: %s; accepted: numbers from 1 to 32768\n",
                   arguments[k]);
      return 2;
    }
    constexpr auto gpu = mmm::gpu::h100::facts;
    auto const found = mmm::traffic_of<mmm::umm<32, 1>>(
        {.bytes = gpu.l2_bytes, .threads_per_block = number[2], .resident = number[4], .random = 1},
        mmm::transpose_straightforward, mmm::size(number[1]), mmm::threads(number[2] * number[3]));
    for (auto const& [order, traffic] : found.orders) {
      double const bytes =
          static_cast<double>(found.sector_bytes) * static_cast<double>(traffic.moved());
      std::printf("%s: %lld read misses, %lld write misses, %.1f MB moved, %.1f us\n",
                  order.text().c_str(), static_cast<long long>(traffic.read_misses),
                  static_cast<long long>(traffic.write_misses), bytes / 1e6,
                  bytes / 1e3 / static_cast<double>(gpu.bandwidth_gb));
    }
    return 0;
  } catch (std::exception const& e) {
    std::fprintf(stderr, "mmm_cached_transposes: %s\n", e.what());
  }
  return 2;
}
