// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/cost/affine.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/index/trapezoid.hpp>

//! The steps of a table's diagonal, as far as sums over diagonals with trapezoids need them.
namespace mmm::detail {

//! The parallel-fors of a diagonal and their accesses to trapezoids.
struct diagonal_form {
  static constexpr int max_steps = 9;
  static constexpr int max_accesses = 24;
  //! A parallel-for.
  struct step {
    trapezoid shape{};  //!< with rows < 0: its items are none of a trapezoid
    int accesses = 0;
  };
  //! An access of all threads at affine addresses `number + row_step * row + column_step * column`.
  struct access {
    int step = 0;
    index number = 0;
    index row_step = 0;
    index column_step = 0;
  };

  index rounds = 0;
  index min_stages = 0;
  bool trapezoids = false;
  bool machine_wide = false;        //!< items are assigned to the threads of all DMMs
  bool known = true;                //!< the rounds are
  bool affine = true;               //!< all accesses to trapezoids are, once in a diagonal
  index min_item_step = INT64_MAX;  //!< of addresses from one item to the next; 0 if not affine
  int steps = 0;
  int accesses = 0;  //!< to trapezoids
  step of_step[max_steps] = {};
  access of_trapezoid[max_accesses] = {};

  //! Adds a parallel-for over the items of a trapezoid, or of none if it has no rows.
  constexpr void add_step(trapezoid const& shape, bool whole_machine) {
    machine_wide |= whole_machine;
    trapezoids |= shape.rows >= 0;
    if (steps == max_steps)
      known = false;
    else
      of_step[steps++].shape = shape;
  }
  //! Adds an access of the last parallel-for, in a loop if `repeated`.
  template <class Address, class Predicate>
  constexpr void add_access(bool repeated, Address const& address, Predicate const&) {
    known &= is_same_v<Predicate, always> && steps > 0;
    if (steps == 0) return;
    ++of_step[steps - 1].accesses;
    affine_form const form = affine_of(address);
    bool const by_items = is_same_v<Predicate, always> && form.known && form.columns == 0;
    min_item_step = smaller(min_item_step, by_items ? form.coefficient[item_slot] : 0);
    if constexpr (in_trapezoid<Address> || in_trapezoid<Predicate>) {
      affine &= form.known && form.columns == 0 && !repeated && accesses < max_accesses;
      if (affine)
        of_trapezoid[accesses++] = {steps - 1, form.number, form.coefficient[row_slot],
                                    form.coefficient[column_slot]};
    }
  }
  //! Adds the figures of the last parallel-for, in all trips of the loops around it.
  constexpr void add_figures(index w, index items, index threads, index trips) {
    index const times = checked_multiply(trips, of_step[steps - 1].accesses);
    rounds = checked_add(rounds, checked_multiply(times, ceil_divide(items, threads)));
    min_stages = checked_add(min_stages, checked_multiply(times, ceil_divide(items, w)));
  }
};

}  // namespace mmm::detail
