// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bytes that the memory moves for mmm::transpose_straightforward of n x n floats, by reuse
// distances in a cache of an H100's size, over orders of blocks: docs/prediction.md, "Held out".
//
//     mmm_cached_transposes N THREADS_OF_A_BLOCK BLOCKS RESIDENT
#include <mmm/gpu/devices.hpp>
#include <mmm/trace/block_orders.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

namespace {

using mmm::index;

//! The requests of all warps: for each item (j, k) with j < k it reads a[j][k] and a[k][j], then
//! writes both. Thread t has the items t, t + p, …
mmm::gpu::block_accesses accesses_of(index n, index threads, index blocks) {
  mmm::gpu::block_accesses all;
  index const p = threads * blocks;
  std::vector<index> sectors;
  for (index first = 0; first < n * n; first += p)
    for (index warp = first; warp < std::min(first + p, n * n); warp += 32)
      for (int access = 0; access < 4; ++access) {
        sectors.clear();
        for (index item = warp; item < std::min(warp + 32, n * n); ++item) {
          index const j = item / n;
          index const k = item % n;
          if (j < k) sectors.push_back((access % 2 == 0 ? j * n + k : k * n + j) / 8);
        }
        if (sectors.empty()) continue;
        std::sort(sectors.begin(), sectors.end());
        sectors.erase(std::unique(sectors.begin(), sectors.end()), sectors.end());
        all.begin_request(static_cast<std::size_t>((warp - first) / threads));
        for (index const sector : sectors) all.add(sector, access >= 2);
      }
  return all;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    if (count != 5) {
      std::fprintf(stderr, "mmm_cached_transposes: N THREADS_OF_A_BLOCK BLOCKS RESIDENT\n");
      return 2;
    }
    for (int k = 1; k < 5; ++k)
      if (std::atoll(arguments[k]) < 1 || std::atoll(arguments[k]) > 32768) {
        std::fprintf(stderr, "mmm_cached_transposes: %s; accepted: numbers from 1 to 32768\n",
                     arguments[k]);
        return 2;
      }
    index const n = std::atoll(arguments[1]);
    index const resident = std::atoll(arguments[4]);
    auto const all = accesses_of(n, std::atoll(arguments[2]), std::atoll(arguments[3]));
    constexpr auto gpu = mmm::gpu::h100::facts;
    auto const found = mmm::gpu::traffic_over_orders(
        all, {}, gpu.l2_bytes, {.resident = static_cast<std::size_t>(resident), .random = 1});
    for (auto const& [order, traffic] : found.orders) {
      double const bytes = 32.0 * static_cast<double>(traffic.moved());
      std::printf("%s: %lld read misses, %lld write misses, %.1f MB moved, %.1f us\n",
                  order.c_str(), static_cast<long long>(traffic.read_misses),
                  static_cast<long long>(traffic.write_misses), bytes / 1e6,
                  bytes / 1e3 / static_cast<double>(gpu.bandwidth_gb));
    }
    return 0;
  } catch (std::exception const& e) {
    std::fprintf(stderr, "mmm_cached_transposes: %s\n", e.what());
  }
  return 2;
}
