// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sum_wide_checks.hpp"

#include <stdexcept>
#include <vector>

namespace {

using checks::copies;
using checks::larger;
using checks::sums;

}  // namespace

TEST_CASE("copies by wide accesses") {
  using machine = mmm::umm<4, mmm::dynamic, mmm::dynamic>;
  copies(machine(5, 1), 8);
  copies(machine(5, 1), 6);
  copies(machine(3, 3), 4);
  checks::on_small_machines([](auto m) {
    copies(m, 4 * m.dmms());
    copies(m, 5 * m.dmms());
    copies(m, 16 * m.dmms());
  });
}

TEST_CASE("sums by wide accesses") {
  checks::on_small_machines([](auto m) {
    sums(m, m.dmms());
    sums(m, 4 * m.dmms());
    sums(m, 6 * m.dmms());
    sums(m, 16 * m.dmms());
  });
}

TEST_CASE("what copies and sums by wide accesses reject") {
  auto const m = checks::small(2, 1, 5);
  std::vector<int> a(20);
  CHECK_THROWS_AS(
      mmm::simulate(m, mmm::threads(8),
                    [&](auto on) { mmm::copy_wide(on, a.cbegin(), a.cend() - 1, a.begin() + 1); }),
      std::invalid_argument);
  CHECK_THROWS_AS(mmm::simulate(
                      m, mmm::threads(8),
                      [&](auto on) { return mmm::sum_wide(on, a.cbegin(), a.cbegin(), larger); },
                      mmm::observe_cost),
                  std::invalid_argument);
}
