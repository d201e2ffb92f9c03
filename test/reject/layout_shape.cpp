// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: power of two|reject
#include <mmm/layout/swizzled.hpp>

#ifdef MMM_REJECT_CONTROL
constexpr mmm::xor_swizzled tile(32, 32);
#else
constexpr mmm::xor_swizzled tile(32, 24);
#endif
static_assert(tile.words() == 32 * 32);
