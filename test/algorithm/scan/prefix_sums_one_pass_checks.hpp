// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/fast_checks.hpp"

#include <numeric>
#include <vector>

namespace checks {

template <index V, index Vecs, class M>
void scans(M const& m, index p) {
  constexpr mmm::detail::one_pass_scan_algorithm<V, Vecs> algorithm{};
  index const tile = p / m.dmms() * V * Vecs;
  for (index const n : {index{0}, index{1}, index{2}, tile - 1, tile, tile + 1, m.dmms() * tile,
                        m.dmms() * tile + tile / 2, 4 * tile + 3}) {
    CAPTURE(V, Vecs, n, p, M::width());
    auto const a = checks::small_numbers(n);
    std::vector<int> b(a.size(), -1);
    auto const run = mmm::simulate(m, mmm::threads(p),
                                   [&](auto on) { algorithm(on, a.begin(), a.end(), b.begin()); });
    std::vector<int> expected(a.size());
    std::partial_sum(a.begin(), a.end(), expected.begin());
    CHECK(b == expected);
    checks::problem_figures(m, algorithm, mmm::size(n), p, run,
                            p / m.dmms() >= M::width() ? 2 * mmm::constant_of(m, algorithm) : 0);
  }
}

}  // namespace checks
