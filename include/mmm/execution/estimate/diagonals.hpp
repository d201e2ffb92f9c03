// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/cost/cost.hpp>
#include <mmm/cost/diagonal_form.hpp>
#include <mmm/cost/diagonal_sums.hpp>
#include <mmm/cost/trapezoid.hpp>
#include <mmm/machine/machine.hpp>

//! The cost of a table's diagonals in an estimate, from the costs of a few of them.
namespace mmm::detail {

//! The cost of one diagonal.
struct diagonal_cost {
  cost figures;
  bool separate_rows;  //!< of all its accesses in trapezoids: see rows_are_separate
};

//! The period of a step's cost in its number of items, below the number of threads.
template <machine M>
[[nodiscard]] constexpr index period_of_items(M const& m, index threads) {
  if constexpr (hierarchical_machine<M>)  // a DMM's last warp may be a partial one
    return checked_multiply(lcm(m.width(), larger(threads / m.dmms(), 1)), m.global().ports());
  else
    return checked_multiply(m.width(), m.ports());
}

//! Adds the costs of the diagonals first … last - 1 of an estimator to `sum`; false if too little
//! is known of them. \param p threads that their parallel-fors have; `all_dmms` if those of all
//! DMMs, so that a diagonal of e = last - r tiles may assign them to the DMMs.
template <class Estimator, class Body>
[[nodiscard]] constexpr bool add_diagonals(Estimator& engine, index first, index last, index p,
                                           bool all_dmms, Body& body, cost& sum) {
  auto const& m = engine.machine();
  using M = remove_cvref_t<decltype(m)>;
  diagonal_form const form = engine.form_of(first, body, {});
  if (!form.trapezoids) {
    auto const add = [&](index number, cost& total) {
      total = total + engine.cost_of(last - number, body).figures;
      return true;
    };
    if constexpr (hierarchical_machine<M>)
      if (all_dmms && !form.machine_wide)
        return add_diagonal_sum(last - first, m.dmms(), 1, m.global().ports(), add, sum);
    return add_diagonal_sum(last - first, p, m.width(), period_of_items(m, p), add, sum);
  }
  if constexpr (!hierarchical_machine<M>) {
    if (!form.known || !is(M::conflicts, conflict::groups) || m.ports() > 1) return false;
    diagonal_form counted;
    for (int k = 0; k < form.steps; ++k) counted.accesses[k] = form.accesses[k];
    auto const form_of = [&](index r) { return engine.form_of(r, body, counted); };
    auto const add = [&](index r, bool periodic, cost& total) {
      diagonal_cost const found = engine.cost_of(r, body);
      total = total + cost{0, found.figures.stages, 0, found.figures.closed_form};
      return found.figures.rounds == form_of(r).rounds && (found.separate_rows || !periodic);
    };
    index const w = m.width();
    return add_sum_by_forms(first, last, cycle_of_triangles(w, smaller(p, w)), m.latency(), form_of,
                            add, sum);
  }
  return false;
}

}  // namespace mmm::detail
