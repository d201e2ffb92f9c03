// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/cost/cost.hpp>
#include <mmm/cost/trapezoid.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/machine/machine.hpp>

#include <random>

//! Random trapezoids, whose shapes and addresses are affine in their number.
namespace checks {

using mmm::index;
using mmm::trapezoid;

struct random_numbers {
  std::mt19937_64 engine;
  index operator()(index low, index high) {
    return low + static_cast<index>(engine() % static_cast<std::uint64_t>(high - low + 1));
  }
  template <std::size_t N>
  index among(index const (&numbers)[N]) {
    return numbers[(*this)(0, static_cast<index>(N) - 1)];
  }
};

struct family {
  index first, last;
  trapezoid start, step;
  index base, base_step, row_step, column_step;

  [[nodiscard]] trapezoid shape(index r) const {
    return {start.rows + step.rows * r, start.columns + step.columns * r,
            start.diagonal + step.diagonal * r};
  }
  //! The cost of every lane; the latency is 1.
  [[nodiscard]] mmm::cost cost(index w, index p, index ports) const {
    mmm::variable const row(mmm::detail::row_slot), column(mmm::detail::column_slot);
    mmm::cost sum;
    for (index r = first; r < last; ++r) {
      mmm::detail::access_domain of;
      of.items = shape(r).items();
      of.threads = p;
      if (of.items == 0) continue;
      auto const found = mmm::detail::enumerated_cost_of_trapezoid(
          mmm::umm<mmm::dynamic, 1, mmm::dynamic>(w, ports), of, shape(r),
          row * row_step + column * column_step + (base + base_step * r));
      sum = sum + mmm::cost{found.rounds, found.stages, found.time};
    }
    return sum;
  }
};

inline family random_family(random_numbers& random) {
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

}  // namespace checks
