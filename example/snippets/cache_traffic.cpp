// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bytes that a cache leaves for the memory to move: a sum, and a transpose by two caches.
#include <mmm/algorithm/traffic.hpp>
#include <mmm/gpu/devices.hpp>
#include <mmm/model.hpp>

#include <iostream>

namespace {

// [small]
using global = mmm::umm<32, 1>;
// A cache of 1 KiB, and the program's blocks of 256 threads in seven orders:
constexpr mmm::memory_cache small{.bytes = 1024};
constexpr auto bytes_of_a_sum =
    mmm::traffic_of<global>(small, mmm::sum, mmm::size(64), mmm::threads(32)).highest_bytes();
static_assert(bytes_of_a_sum == 64 * 4 + 32 * 4);  // 64 words are read once, 32 written
// [/small]

}  // namespace

int main() {
  // [interval]
  mmm::memory_cache const l2{.bytes = mmm::gpu::h100::facts.l2_bytes, .resident = 16};
  mmm::memory_cache const tiny{.bytes = 16 << 10, .resident = 16};
  for (auto const& cache : {l2, tiny}) {
    auto const found = mmm::traffic_of<global>(cache, mmm::transpose_straightforward,
                                               mmm::size(512), mmm::threads(16 * 256));
    std::cout << found.accesses() << " accesses to sectors, " << found.lowest_bytes() << " to "
              << found.highest_bytes() << " bytes moved, " << found.highest().order.text() << '\n';
  }
  // [/interval]
  auto const found = mmm::traffic_of<global>(tiny, mmm::transpose_straightforward, mmm::size(512),
                                             mmm::threads(16 * 256));
  return found.lowest_bytes() == 2466208 && found.highest_bytes() == 9433088 ? 0 : 1;
}
