// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/algorithm_checks.hpp"

TEST_CASE("accesses and sums on a pram") {
  mmm::pram const m;
  checks::sweep_sizes([&](auto n, auto p, bool divides) {
    checks::fold(m, mmm::contiguous, n, p, divides);
    checks::fold(m, mmm::stride, n, p, divides);
    checks::fold(m, mmm::sum, n, p, divides);
  });
}

TEST_CASE("transposes on a pram") {
  mmm::pram const m;
  checks::sweep_sides([&](auto side, auto p, bool divides) {
    using namespace checks;
    transpose(m, mmm::transpose_straightforward, side, p, divides);
  });
}
