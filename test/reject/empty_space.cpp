// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: mmm: the space is empty: one of its lists has no element
#include <mmm/algorithm/reduce/sum_wide.hpp>
#include <mmm/choose/rank.hpp>

#ifdef MMM_REJECT_CONTROL
using space = decltype(mmm::space(mmm::types<mmm::blocks<1, 256>>,
                                  mmm::types<mmm::kernel<"sum_wide", mmm::sum_wide>>));
#else
using space =
    decltype(mmm::space(mmm::types<>, mmm::types<mmm::kernel<"sum_wide", mmm::sum_wide>>));
#endif
using found = decltype(mmm::best<mmm::gpu::h200>(space{}, mmm::problem_c<mmm::size(1 << 20)>));
