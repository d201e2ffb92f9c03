// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline_checks.hpp"

using namespace random_program;

TEST_CASE(
    "simulation of random programs on machines of further widths agrees with the model's text",
    "[simulate]") {
  for (unsigned seed = 0; seed < 200; ++seed) {
    shape const s{seed % 3 != 0, 30, 3};
    if (seed < 150) compare_memories<2>(seed, s);
    if (seed < 150) compare_memories<5>(seed, s);
    compare_hierarchies<2>(seed, {s.masked, 20, 3});
  }
}
