// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A bound that does not fit into 63 bits is an error, never a wrong figure.
// expect: reject_result
// expect(clang): 3037000501
#include <mmm/algorithm/transpose/transpose.hpp>

#ifdef MMM_REJECT_CONTROL
constexpr mmm::index side = 3037000500;
#else
constexpr mmm::index side = 3037000501;
#endif
constexpr auto bound =
    mmm::lower_bound<mmm::dmm<32, 1>>(mmm::transpose_diagonal, mmm::size(side), mmm::threads(1024));
static_assert(bound.bandwidth > 0);
