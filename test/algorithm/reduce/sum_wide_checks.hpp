// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/fast_checks.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace checks {

inline constexpr auto larger = [](int x, int y) { return x < y ? y : x; };

template <class Check>
void sizes(index p, Check check) {
  for (index const n : {index{0}, index{1}, index{2}, index{7}, 4 * p - 1, 4 * p, 4 * p + 3, 16 * p,
                        20 * p, 21 * p + 2, 37 * p, 53 * p + 1})
    check(n);
}

template <class M>
void copies(M const& m, index p) {
  sizes(p, [&](index n) {
    auto const a = checks::small_numbers(n);
    std::vector<int> b(a.size(), -1);
    auto const run = mmm::simulate(
        m, mmm::threads(p), [&](auto on) { mmm::copy_wide(on, a.begin(), a.end(), b.begin()); });
    CHECK(a == b);
    CAPTURE(n, p);
    checks::problem_figures(m, mmm::copy_wide, mmm::size(n), p, run,
                            2 * mmm::constant_of(m, mmm::copy_wide));
  });
}

template <class M>
void sums(M const& m, index p) {
  sizes(p, [&](index n) {
    auto const a = checks::small_numbers(n);
    auto const run = mmm::simulate(m, mmm::threads(p),
                                   [&](auto on) { return mmm::sum_wide(on, a.begin(), a.end()); });
    CHECK(run.result == std::accumulate(a.begin(), a.end(), 0));
    CAPTURE(n, p);
    bool const whole_warps = p / m.dmms() >= M::width();
    checks::problem_figures(m, mmm::sum_wide, mmm::size(n), p, run,
                            whole_warps ? 2 * mmm::constant_of(m, mmm::sum_wide) : 0);
    if (n == 0) return;
    auto const largest = mmm::simulate(
        m, mmm::threads(p), [&](auto on) { return mmm::sum_wide(on, a.begin(), a.end(), larger); },
        mmm::observe_cost);
    CHECK(largest.result == *std::max_element(a.begin(), a.end()));
  });
}

}  // namespace checks
