// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The best point of a space as a type, in constant expressions.
#include <mmm/algorithm/reduce/sum_wide.hpp>
#include <mmm/choose/rank.hpp>
#include <mmm/choose/space_filters.hpp>

namespace {

namespace gpu = mmm::gpu;

constexpr auto sums = mmm::space(mmm::types<mmm::blocks<1, 1024>, mmm::blocks<2, 512>>,
                                 mmm::types<mmm::kernel<"sum_wide", mmm::sum_wide>>);
constexpr auto chosen = mmm::best<gpu::h200>(sums, mmm::problem_c<mmm::size(1 << 20)>);
using point = decltype(chosen)::point;
static_assert(point::plan.blocks_per_sm == 2 && point::plan.threads == 512);
static_assert(chosen.time.microseconds > 0);

// The constant ranking is that of run time.
constexpr auto const& ranking = mmm::rank<gpu::h200>(sums, mmm::problem_c<mmm::size(1 << 20)>);
static_assert(ranking.remaining() == 2 && ranking.order[0] == 1);
static_assert(ranking.at(0).time.microseconds == chosen.time.microseconds);
static_assert(mmm::best(gpu::h200::facts, sums, mmm::size(1 << 20)).time.microseconds ==
              chosen.time.microseconds);

}  // namespace
