// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/scan/summed_area.hpp>
#include <mmm/execution/kernel/host_threads.hpp>

#include "support/problem_checks.hpp"

TEST_CASE("summed area tables in simulations and kernels, within the bounds") {
  auto const check = [](auto const& m, mmm::shape image, mmm::index p) {
    auto a = checks::numbers(image.area()), table = a, of_kernel = a;
    auto const columns = static_cast<std::size_t>(image.columns);
    for (std::size_t i = 0; i < a.size(); ++i) table[i] += i % columns == 0 ? 0 : table[i - 1];
    for (std::size_t i = columns; i < a.size(); ++i) table[i] += table[i - columns];
    auto const simulated = [&](auto on) { mmm::summed_area(on, a.begin(), image); };
    auto const run = mmm::simulate(m, mmm::threads(p), simulated);
    CHECK(a == table);
    checks::problem_figures(m, mmm::summed_area, image, p, run, columns % 4 == 0 ? 21 : 42);
    mmm::summed_area(mmm::host_threads(m, mmm::threads(p)), of_kernel.begin(), image);
    CHECK(of_kernel == table);
  };
  for (auto const& [rows, columns, p] : checks::combinations({0, 7, 16}, {1, 8, 33}, {4, 8, 64})) {
    check(mmm::dmm<4, 5>{}, {rows, columns}, p);
    check(mmm::umm<4, 5>{}, {rows, columns}, p);
    check(mmm::hmm<2, 4, 1, 9>{}, {rows, columns}, p);
  }
}
