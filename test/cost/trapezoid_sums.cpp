// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of stages over many trapezoids, compared with the enumeration of every lane.
#include <mmm/cost/row_walk.hpp>
#include <mmm/cost/trapezoid_sums.hpp>

#include "catch.hpp"
#include "trapezoid_family.hpp"

TEST_CASE("stages of many trapezoids are those of every lane") {
  checks::random_numbers random{std::mt19937_64(33)};
  int found = 0;
  for (int k = 0; k < 2500; ++k) {
    mmm::index const w = random.among({1, 2, 3, 4, 5, 7, 8, 24, 32});
    checks::family const f = checks::random_family(random);
    mmm::index const p = random.among({1, 2, w, w + 1, w > 1 ? w - 1 : 1, 2 * w, 2 * w + 1, 31, 33,
                                       48, random(1, 100), random(1, 2000), 100000});
    mmm::detail::trapezoid_sums<32> sums(w, p, f.row_step, f.column_step);
    mmm::index stages = 0;
    if (!sums.add(
            f.first, f.last, [&](mmm::index r) { return f.shape(r); },
            [&](mmm::index r) { return f.base + f.base_step * r; }, stages))
      continue;
    ++found;
    mmm::index const expected = f.cost(w, p, 1).stages;
    if (stages == expected) continue;
    CAPTURE(w, p, f.first, f.last, f.start.rows, f.start.columns, f.start.diagonal, f.step.rows,
            f.step.columns, f.step.diagonal, f.base, f.base_step, f.row_step, f.column_step);
    CHECK(stages == expected);
  }
  CHECK(found > 2000);
}
