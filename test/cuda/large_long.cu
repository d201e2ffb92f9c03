// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of up to 2^28 words of further types.
#include "large.cuh"

#include <cstdint>

namespace large_long_tests {

using large_arrays::large;
using mmm::index;

TEST_CASE("sums and prefix-sums of up to 2^28 32-bit integers") {
  large<std::int32_t>(index{1} << 28);
}
TEST_CASE("sums and prefix-sums of up to 2^24 doubles") { large<double>(index{1} << 24); }

}  // namespace large_long_tests
