// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Predictions, choices among candidates and profiles in constant expressions.
#include <mmm/algorithm/reduce/sum.hpp>
#include <mmm/algorithm/transpose/transpose.hpp>
#include <mmm/fast.hpp>
#include <mmm/profile.hpp>
#include <mmm/space.hpp>

namespace {

using mmm::size;
using mmm::threads;
using mmm::time_limit;

// A choice that sizes fix is made when the program is compiled.
constexpr mmm::choice chosen = mmm::best<mmm::gpu::h200>(mmm::known::sums, size(1 << 28));
static_assert(chosen.time.limit == time_limit::global_bandwidth);
static_assert(mmm::predict<mmm::gpu::h200>(mmm::sum, size(1), threads(132)).limit ==
              time_limit::launch);

// A choice by sizes that are constants is a constant, too.
struct once {
  constexpr auto operator()(auto const& run) const { return run(mmm::sum, size(1 << 20)); }
};
struct alone {
  constexpr auto operator()(auto const& run) const {
    return run(mmm::sum_on_one_dmm, size(1 << 20));
  }
};
template <class Call>
using timed_candidate = mmm::detail::timed_candidate<Call>;
static_assert(mmm::detail::quickest_candidate(mmm::gpu::h100{}, 4,
                                              timed_candidate<alone>{true, 132 * 1024, {}},
                                              timed_candidate<once>{true, 132 * 1024, {}}) == 1);

// The transpose has a conflict of 32 words in its column, and along diagonals it has none: its
// stages are its requests.
constexpr auto straight =
    mmm::profile_of<mmm::dmm<32, 1>>(mmm::transpose_straightforward, size(64), threads(64));
static_assert(straight.count == 4);
static_assert(straight.worst().stages == 2016);
static_assert(straight.rows[0].excessive() == 0);
constexpr bool without_conflicts() {
  for (mmm::profile_row const& r :
       mmm::profile_of<mmm::dmm<32, 1>>(mmm::transpose_diagonal, size(64), threads(64)))
    if (r.excessive() != 0) return false;
  return true;
}
static_assert(without_conflicts());

}  // namespace
