// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of stages over many trapezoids, compared with the enumeration of every lane.
#include <mmm/cost/row_walk.hpp>
#include <mmm/cost/trapezoid.hpp>
#include <mmm/cost/trapezoid_sums.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/machine/machine.hpp>

#include "catch.hpp"

#include <random>

namespace {

using mmm::index;
using mmm::trapezoid;

struct random_numbers {
  std::mt19937_64 engine{33};
  index operator()(index low, index high) {
    return low + static_cast<index>(engine() % static_cast<std::uint64_t>(high - low + 1));
  }
  template <std::size_t N>
  index among(index const (&numbers)[N]) {
    return numbers[(*this)(0, static_cast<index>(N) - 1)];
  }
};

// Trapezoids and addresses that are affine in their number.
struct family {
  index first, last;
  trapezoid start, step;
  index base, base_step, row_step, column_step;

  [[nodiscard]] trapezoid shape(index r) const {
    return {start.rows + step.rows * r, start.columns + step.columns * r,
            start.diagonal + step.diagonal * r};
  }
  [[nodiscard]] index stages(index w, index p) const {
    mmm::variable const row(mmm::detail::row_slot), column(mmm::detail::column_slot);
    index sum = 0;
    for (index r = first; r < last; ++r) {
      mmm::detail::access_domain of;
      of.items = shape(r).items();
      of.threads = p;
      if (of.items == 0) continue;
      sum += mmm::detail::enumerated_cost_of_trapezoid(
                 mmm::umm<mmm::dynamic, 1>(w), of, shape(r),
                 row * row_step + column * column_step + (base + base_step * r))
                 .stages;
    }
    return sum;
  }
};

family random_family(random_numbers& random) {
  index const n = random(1, random(0, 3) == 0 ? 120 : 30);
  family f{};
  f.first = random(0, n < 3 ? n : 3);
  f.last = random(f.first, n);
  switch (random(0, 2)) {
    case 0:  // the diagonals of a table
      f.start = {n - 1, 0, n - 1};
      f.step = {-1, 1, -1};
      break;
    case 1:
      f.start = {n, 0, n};
      f.step = {-1, 1, -1};
      break;
    default:
      f.start = {random(0, n), random(0, n), random(0, n)};
      f.step = {random(-2, 2), random(-2, 2), random(-2, 2)};
  }
  f.base = random(-50, 50);
  f.base_step = random(0, 1) == 0 ? n + 1 : random(-5, 40);
  f.row_step = random(0, 2) == 0 ? random(-3, 60) : n + random(0, 2);
  f.column_step = random(0, 3) == 0 ? random(0, 40) : random(0, 3) == 0 ? 0 : 1;
  return f;
}

}  // namespace

TEST_CASE("stages of many trapezoids are those of every lane") {
  random_numbers random;
  int found = 0;
  for (int k = 0; k < 2500; ++k) {
    index const w = random.among({1, 2, 3, 4, 5, 7, 8, 24, 32});
    family const f = random_family(random);
    index const p = random.among({1, 2, w, w + 1, w > 1 ? w - 1 : 1, 2 * w, 2 * w + 1, 31, 33, 48,
                                  random(1, 100), random(1, 2000), 100000});
    mmm::detail::trapezoid_sums<32> sums(w, p, f.row_step, f.column_step);
    index stages = 0;
    if (!sums.add(
            f.first, f.last, [&](index r) { return f.shape(r); },
            [&](index r) { return f.base + f.base_step * r; }, stages))
      continue;
    ++found;
    index const expected = f.stages(w, p);
    if (stages == expected) continue;
    CAPTURE(w, p, f.first, f.last, f.start.rows, f.start.columns, f.start.diagonal, f.step.rows,
            f.step.columns, f.step.diagonal, f.base, f.base_step, f.row_step, f.column_step);
    CHECK(stages == expected);
  }
  CHECK(found > 2000);
}
