// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/algorithm_checks.hpp"

TEST_CASE("accesses and sums on a hmm") {
  mmm::hmm<mmm::dynamic, 4, mmm::dynamic, mmm::dynamic> const m(4, GENERATE(1, 2), GENERATE(2, 30));
  checks::sweep_sizes([&](auto n, auto p, bool divides) {
    checks::fold(m, mmm::contiguous, n, p, divides);
    checks::fold(m, mmm::stride, n, p, divides);
    checks::fold(m, mmm::sum, n, p, divides);
  });
}

TEST_CASE("transposes on a hmm") {
  mmm::hmm<mmm::dynamic, 4, mmm::dynamic, mmm::dynamic> const m(4, GENERATE(1, 2), GENERATE(2, 30));
  checks::sweep_sides([&](auto side, auto p, bool divides) {
    using namespace checks;
    transpose(m, mmm::transpose_straightforward, side, p, divides);
  });
}

TEST_CASE("sum by one DMM and copy through shared memory on a hmm") {
  mmm::hmm<mmm::dynamic, 4, mmm::dynamic, mmm::dynamic> const m(4, GENERATE(1, 2), GENERATE(2, 30));
  checks::sweep_sizes([&](auto n, auto p, bool divides) {
    checks::fold(m, mmm::sum_on_one_dmm, n, p, divides);
    auto const a = checks::numbers(n);
    std::vector<checks::word> out(a.size());
    auto const run = mmm::simulate(m, mmm::threads(p), [&](auto on) {
      mmm::copy_through_shared(on, a.begin(), a.end(), out.begin());
    });
    CHECK(out == a);
    checks::figures(m, mmm::copy_through_shared, n, p, run, divides);
  });
}

TEST_CASE("a copy refuses an output that overlaps its input") {
  std::vector<int> a(10, 1);
  mmm::simulate<mmm::hmm<2, 4, 1, 5>>(mmm::threads(8), [&](auto on) {
    CHECK_THROWS_AS(mmm::copy_through_shared(on, a.begin(), a.begin() + 6, a.begin() + 5),
                    std::invalid_argument);
  });
}
