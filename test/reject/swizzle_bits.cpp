// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Three bits flipped by the three bits that are two positions further up: the ranges overlap, and a
// bit would flip itself.
// expect: mmm: a swizzle's bits must not flip themselves
// expect(gcc): swizzle_parameters<3, 4, 2>
// expect(clang): swizzle_parameters<3, 4, 2>
#include <mmm/layout/swizzle.hpp>

#ifdef MMM_REJECT_CONTROL
static_assert(mmm::swizzle<3, 4, 3>{}(0) == 0);
#else
static_assert(mmm::swizzle<3, 4, 2>{}(0) == 0);
#endif
