// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exact times of triangulations, as constant expressions within compilers' default limits.
#include <mmm/algorithm/access/sequential_read.hpp>
#include <mmm/algorithm/triangulation/triangulation.hpp>

namespace {

using mmm::index;
using mmm::table_access;
using mmm::detail::ceil_divide;

constexpr index w = 32, l = 400, n = 32, p = 256;
using machine = mmm::umm<w, l>;

template <class Algorithm>
constexpr mmm::cost cost_of(Algorithm const& algorithm, index threads) {
  return mmm::cost_of<machine>(algorithm, mmm::size(n), mmm::threads(threads));
}

// The documented time of DP-OPT, all of whose accesses have a stride.
constexpr index dp_time(index threads) {
  index steps = ceil_divide(n - 1, threads);
  for (index r = 1; r <= n - 2; ++r) steps += (2 * r + 2) * ceil_divide(n - r - 1, threads);
  return n * (n - 1) * (n - 2) / 3 + (n - 1) * (n - 1) + (l - 1) * steps;
}
constexpr mmm::cost dp = cost_of(mmm::triangulation_dp, p);
static_assert(dp.closed_form && dp.time == dp_time(p));
static_assert(cost_of(mmm::triangulation_dp, 20).time == dp_time(20));

// UMM-OPT (Nakano 2013b): the rounds of all loops, and at most the stages that theorem 1 allows for
// table I.
struct loops {
  index rounds = 0;
  index stages = 0;
  constexpr void add(table_access which, index r, index times) {
    auto const [length, fragmentation] = mmm::loop_of_table(which, n, r);
    rounds += times * ceil_divide(length, p);
    stages += times * (2 * fragmentation + ceil_divide(length, p) * (2 * p / w));
  }
};
constexpr loops all_loops() {
  loops sum;
  sum.add(table_access::a_entries, 1, 1);
  sum.add(table_access::b_diagonal, 1, 1);
  sum.add(table_access::c_copy, 1, 1);
  for (index r = 1; r <= n - 2; ++r) {
    sum.add(table_access::d_entries, r, 4);  // one read and one write in each of loops D and E
    sum.add(table_access::d_diagonal, r, 1);
    sum.add(table_access::d_below, r, 1);
    sum.add(table_access::e_before, r, 1);
    sum.add(table_access::e_copy, r, 1);
    sum.add(table_access::f_diagonal, r, 2);
    sum.add(table_access::f_weights, r, 1);
    sum.add(table_access::c_copy, r + 1, 1);
  }
  return sum;
}
constexpr mmm::cost optimal = cost_of(mmm::triangulation, p);
static_assert(optimal.closed_form && optimal.rounds == all_loops().rounds &&
              optimal.stages <= all_loops().stages);
static_assert(optimal.time == optimal.stages + (l - 1) * optimal.rounds);

// The largest useful number of threads: 12 rounds for each of n - 2 diagonals, and 3 before.
static_assert(cost_of(mmm::triangulation, n* n).rounds == 12 * (n - 2) + 3);

constexpr mmm::bound lower =
    mmm::lower_bound<machine>(mmm::triangulation, mmm::size(n), mmm::threads(p));
// The triangulation computes 4960 sums.
static_assert(lower.bandwidth == 155 && lower.latency == 7750 && lower.dependency == 12000);
static_assert(lower.time <= optimal.time && optimal.time < dp.time);
static_assert(optimal.time <=
              12 * mmm::upper_bound<machine>(mmm::triangulation, mmm::size(n), mmm::threads(p)));
static_assert(dp.time <=
              2 * mmm::upper_bound<machine>(mmm::triangulation_dp, mmm::size(n), mmm::threads(p)));

// On a PRAM every round takes one time unit.
static_assert(mmm::cost_of<mmm::pram>(mmm::triangulation_dp, mmm::size(n), mmm::threads(n)).time ==
              1 + (n - 2) * (n - 1) + 2 * (n - 2));

}  // namespace
