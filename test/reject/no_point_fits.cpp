// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block of 2048 threads passes no filter: the last point, the filter and the figures are shown.
// expect: mmm: no point of the space fits the problem
// expect: thread_limit, mmm::needed<2048>, mmm::available<1024>|Filter=mmm::thread_limit
#include <mmm/algorithm/reduce/sum_wide.hpp>
#include <mmm/choose/rank.hpp>
#include <mmm/choose/space_filters.hpp>

#ifdef MMM_REJECT_CONTROL
using launch = mmm::blocks<1, 1024>;
#else
using launch = mmm::blocks<1, 2048>;
#endif
constexpr auto space =
    mmm::space(mmm::types<launch>, mmm::types<mmm::kernel<"sum_wide", mmm::sum_wide>>)
        .where(mmm::thread_limit{});
using found = decltype(mmm::best<mmm::gpu::h200>(space, mmm::problem_c<mmm::size(1 << 20)>));
