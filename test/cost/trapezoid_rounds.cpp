// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of the times of rounds over many trapezoids, compared with the enumeration of every lane.
#include <mmm/cost/trapezoid_rounds.hpp>
#include <mmm/cost/trapezoid_sums.hpp>

#include "catch.hpp"
#include "trapezoid_family.hpp"

using mmm::index;

TEST_CASE("times of many trapezoids on several ports are those of every lane") {
  checks::random_numbers random{std::mt19937_64(331)};
  int found = 0;
  for (int k = 0; k < 3000; ++k) {
    index const w = random.among({1, 2, 3, 4, 5, 7, 8, 24, 32});
    checks::family const f = checks::random_family(random);
    index const p = random.among({1, 2, w, w + 1, w > 1 ? w - 1 : 1, 2 * w, 2 * w + 1,
                                  random(1, 12), random(1, 20), random(1, 100), random(1, 2000)});
    index const ports = random(2, 7);
    index items = 1;
    for (index r = f.first; r < f.last; ++r) items = std::max(items, f.shape(r).items());
    auto const shape = [&](index r) { return f.shape(r); };
    auto const base = [&](index r) { return f.base + f.base_step * r; };
    index stages = 0;
    mmm::detail::trapezoid_sums<32> sums(w, p, f.row_step, f.column_step);
    if (!sums.add(f.first, f.last, shape, base, stages)) continue;
    ++found;
    index time = 0;
    mmm::detail::trapezoid_rounds<32> rounds(w, std::min(p, items), ports, f.row_step,
                                             f.column_step);
    rounds.add(f.first, f.last, shape, base, time);
    index const expected = f.cost(w, p, ports).time;
    if (time == expected) continue;
    CAPTURE(w, p, ports, f.first, f.last, f.start.rows, f.start.columns, f.start.diagonal,
            f.step.rows, f.step.columns, f.step.diagonal, f.base, f.base_step, f.row_step,
            f.column_step);
    CHECK(time == expected);
  }
  CHECK(found > 2000);
}
