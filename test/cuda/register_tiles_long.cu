// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fastest triangulation as kernels: by tiles in registers, and blocked.
#include <mmm/fast.hpp>

#include "device_side.cuh"

#include <cstdint>

namespace register_tiles_long_tests {

TEST_CASE("kernels of a hmm: the fastest triangulation") {
  using machine = mmm::hmm<mmm::dynamic, 32, 29, 700, mmm::dynamic>;
  auto const weights = checks::random_weights<std::int32_t>(200, 9);
  checks::device_words<std::int32_t> const words(weights.begin(), weights.end());
  checks::device_words<std::int32_t> out(1);
  auto const on = mmm::cuda::on(machine(5, 12288), mmm::threads(5 * 256));
  mmm::fastest::triangulation(on, words.begin(), 200, out.begin());
  auto const tiles = mmm::cuda::on(machine(5, 12288), mmm::threads(5 * 1024));
  CHECK(out.on_host()[0] == mmm::triangulation_blocked(tiles, words.begin(), 200).weight);
}

}  // namespace register_tiles_long_tests
