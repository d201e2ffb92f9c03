// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/cost/cost.hpp>
#include <mmm/cost/diagonal_sums.hpp>
#include <mmm/cost/trapezoid.hpp>
#include <mmm/index/trapezoid.hpp>

//! Sums of costs over the diagonals of a table whose parallel-fors are trapezoids. Their numbers of
//! items are quadratic, so that rounds are counted diagonal by diagonal, and stages are a
//! polynomial for every residue of the diagonal's number, as long as trapezoids keep their form.
//! docs/how-it-works.md has the proof.
namespace mmm::detail {

//! The parallel-fors of a diagonal, and the figures that are known without their addresses.
struct diagonal_form {
  static constexpr int max_steps = 9;
  index rounds = 0;
  index min_stages = 0;
  bool trapezoids = false;
  bool machine_wide = false;  //!< items are assigned to the threads of all DMMs
  bool long_rows = true;      //!< trapezoids have long rows (long_row) and equivalent warps
  bool known = true;          //!< the rounds are
  std::uint64_t signs = 0;
  int steps = 0;
  int accesses[max_steps] = {};  //!< of each parallel-for

  //! Adds a parallel-for over the items of a trapezoid, or of none if it has no rows.
  constexpr void add_step(index w, trapezoid const& shape, index items, index threads,
                          bool whole_machine) {
    bool const equivalent = equivalent_warps(w, threads, items);
    std::uint64_t sign = equivalent;
    machine_wide |= whole_machine;
    long_rows &= equivalent;
    if (shape.rows >= 0) {
      trapezoids = true;
      index const enough = long_row(w);
      long_rows &= shape.columns >= enough && shape.diagonal >= enough;
      for (bool const positive : {true, shape.columns >= enough, shape.diagonal >= enough,
                                  shape.diagonal >= shape.columns, shape.rows >= shape.diagonal,
                                  shape.rows > shape.diagonal - shape.columns})
        sign = 2 * sign + positive;
    }
    signs = 128 * signs + sign;
    if (steps == max_steps)
      known = false;
    else
      ++steps;
  }
  //! Adds an access of the last parallel-for; `by_all` threads of it, or of some.
  constexpr void add_access(bool by_all) {
    known &= by_all && steps > 0;
    if (steps > 0) ++accesses[steps - 1];
  }
  //! Adds the figures of the last parallel-for, in all trips of the loops around it.
  constexpr void add_figures(index w, index items, index threads, index trips) {
    index const times = checked_multiply(trips, accesses[steps - 1]);
    rounds = checked_add(rounds, checked_multiply(times, ceil_divide(items, threads)));
    min_stages = checked_add(min_stages, checked_multiply(times, ceil_divide(items, w)));
  }
  [[nodiscard]] constexpr bool same_as(diagonal_form const& other) const {
    return signs == other.signs && steps == other.steps;
  }
};

//! Adds the costs of the diagonals first … last - 1 to `total`, on a memory with one port and this
//! latency: `form(r)` is the form of diagonal r, and `f(r, periodic, sum)` adds the stages of
//! diagonal r to `sum`; false if those of the diagonals around it are no polynomial for each
//! residue, although `periodic`. False if f is, or a polynomial is found to be none. Calls: of
//! `form` for each diagonal; of `f` at most 6 for each residue and form, and one for each diagonal
//! without long rows.
template <class Form, class F>
[[nodiscard]] constexpr bool add_sum_by_forms(index first, index last, index period, index latency,
                                              Form const& form, F const& f, cost& total) {
  constexpr int max_parts = 16;
  struct {
    index first, last;
    diagonal_form form;
  } part[max_parts] = {};
  int parts = 0;
  cost least;
  for (index r = first; r < last; ++r) {
    diagonal_form const here = form(r);
    if (!here.known) return false;
    // refuses a sum that does not fit before it takes long to find
    least = least + cost{here.rounds, here.min_stages,
                         checked_add(here.min_stages, checked_multiply(here.rounds, latency - 1))};
    if (parts == 0 || !here.same_as(part[parts - 1].form)) {
      if (parts == max_parts) return false;
      part[parts++] = {r, r, here};
    }
    part[parts - 1].last = r + 1;
  }
  cost stages;
  for (int k = 0; k < parts; ++k) {
    index const count = part[k].last - part[k].first;
    bool const periodic = part[k].form.long_rows;
    auto const add = [&](index number, cost& sum) {
      return f(part[k].first + number, periodic, sum);
    };
    if (!add_periodic_sum(count, periodic ? period : count, add, stages)) return false;
  }
  total = total + cost{least.rounds, stages.stages,
                       checked_add(stages.stages, checked_multiply(least.rounds, latency - 1))};
  return stages.closed_form;
}

}  // namespace mmm::detail
