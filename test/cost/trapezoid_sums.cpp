// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of stages over many trapezoids, compared with the enumeration of every lane.
#include <mmm/cost/derived_rows.hpp>
#include <mmm/cost/examined_rows.hpp>
#include <mmm/cost/number_list.hpp>
#include <mmm/cost/row_walk.hpp>
#include <mmm/cost/shorter_rows.hpp>
#include <mmm/cost/trapezoid_sums.hpp>
#include <mmm/cost/warp_boundaries.hpp>

#include "catch.hpp"
#include "trapezoid_family.hpp"

namespace {

constexpr mmm::index examine_none = 0;
constexpr mmm::index examine_all = 1 << 20;

//! The stages of a family, or -1 where trapezoid_sums has none.
mmm::index stages_of(checks::family const& f, mmm::index w, mmm::index p, mmm::index examined) {
  mmm::detail::trapezoid_sums<32> sums(w, p, f.row_step, f.column_step, examined);
  mmm::index stages = 0;
  bool const found = sums.add(
      f.first, f.last, [&](mmm::index r) { return f.shape(r); },
      [&](mmm::index r) { return f.base + f.base_step * r; }, stages);
  return found ? stages : -1;
}

}  // namespace

TEST_CASE("stages of many trapezoids are those of every lane") {
  checks::random_numbers random{std::mt19937_64(33)};
  int found = 0;
  for (int k = 0; k < 2500; ++k) {
    mmm::index const w = random.among({1, 2, 3, 4, 5, 7, 8, 24, 32});
    checks::family const f = checks::random_family(random);
    mmm::index const p = random.among({1, 2, w, w + 1, w > 1 ? w - 1 : 1, 2 * w, 2 * w + 1, 31, 33,
                                       48, random(1, 100), random(1, 2000), 100000});
    mmm::index const derived = stages_of(f, w, p, examine_none);
    mmm::index const examined = stages_of(f, w, p, examine_all);
    if (derived == -1 && examined == -1) continue;
    ++found;
    mmm::index const expected = f.cost(w, p, 1).stages;
    if (derived == expected && examined == expected) continue;
    CAPTURE(w, p, f.first, f.last, f.start.rows, f.start.columns, f.start.diagonal, f.step.rows,
            f.step.columns, f.step.diagonal, f.base, f.base_step, f.row_step, f.column_step);
    CHECK(derived == expected);
    CHECK(examined == expected);
  }
  CHECK(found > 2000);
}

TEST_CASE("stages of long rows without a step for each are those of one row after the other") {
  checks::random_numbers random{std::mt19937_64(34)};
  for (mmm::index const w : {2, 7, 24, 32})
    for (mmm::index const p : {3, 100, 131, 1000, 4096, 1000003}) {
      mmm::index const n = random(300, 900);
      checks::family const f{.first = 1,
                             .last = n - 1,
                             .start = {n - 1, 0, n - 1},
                             .step = {-1, 1, -1},
                             .base = random(0, 50),
                             .base_step = random(0, 2) * n + 1,
                             .row_step = n + random(0, 2),
                             .column_step = random(0, 2)};
      CAPTURE(w, p, n, f.base, f.base_step, f.row_step, f.column_step);
      CHECK(stages_of(f, w, p, examine_none) == stages_of(f, w, p, examine_all));
    }
}
