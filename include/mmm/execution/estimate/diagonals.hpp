// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/cost/cost.hpp>
#include <mmm/cost/diagonal_form.hpp>
#include <mmm/cost/diagonal_sums.hpp>
#include <mmm/cost/trapezoid.hpp>
#include <mmm/cost/trapezoid_rounds.hpp>
#include <mmm/cost/trapezoid_sums.hpp>
#include <mmm/index/trapezoid.hpp>
#include <mmm/machine/machine.hpp>

//! The cost of a table's diagonals in an estimate, from the costs of a few of them.
namespace mmm::detail {

//! The period of a step's cost in its number of items, below the number of threads.
template <machine M>
[[nodiscard]] constexpr index period_of_items(M const& m, index threads) {
  if constexpr (hierarchical_machine<M>)  // a DMM's last warp may be a partial one
    return checked_multiply(lcm(m.width(), larger(threads / m.dmms(), 1)), m.global().ports());
  else
    return checked_multiply(m.width(), m.ports());
}

//! The same for any addresses, where each lane of every access of a diagonal is in an address group
//! of its own; 0 if not all are known to be. Steps between addresses are affine in the diagonal's
//! number, so that it holds for all diagonals if it does for the first and the last one.
template <machine M>
[[nodiscard]] constexpr index period_of_scattered_items(M const& m, diagonal_form const& form) {
  if constexpr (!hierarchical_machine<M>)
    if (is(M::conflicts, conflict::groups) && form.min_item_step >= m.width()) return m.ports();
  return 0;
}

//! add_diagonals() on address groups, of one memory, whose parallel-fors may be over trapezoids:
//! rounds are added up diagonal by diagonal, the stages in trapezoids access by access; on several
//! ports their times, too.
template <class Estimator, class Body>
[[nodiscard]] constexpr bool add_diagonals_of_trapezoids(Estimator& engine,
                                                         diagonal_form const& form, index first,
                                                         index last, index p, Body& body,
                                                         cost& sum) {
  auto const& m = engine.machine();
  index const w = m.width();
  if (!form.known) return false;
  diagonal_form const next = engine.form_of(first + 1, body, {});
  // The numbers of a diagonal, if they are affine in r.
  auto const shape = [&](int step, index r) {
    trapezoid const& a = form.of_step[step].shape;
    trapezoid const& b = next.of_step[step].shape;
    return trapezoid{a.rows + (b.rows - a.rows) * (r - first),
                     a.columns + (b.columns - a.columns) * (r - first),
                     a.diagonal + (b.diagonal - a.diagonal) * (r - first)};
  };
  auto const base = [&](int access, index r) {
    index const number = form.of_trapezoid[access].number;
    return number + (next.of_trapezoid[access].number - number) * (r - first);
  };
  diagonal_form counted;
  for (int k = 0; k < form.steps; ++k) counted.of_step[k].accesses = form.of_step[k].accesses;
  cost least;
  index max_items = 0;
  for (index r = first; r < last; ++r) {
    diagonal_form const here = engine.form_of(r, body, counted);
    if (!here.known || here.steps != form.steps) return false;
    for (int k = 0; k < form.steps; ++k) {
      if (here.of_step[k].shape != shape(k, r)) return false;
      max_items = larger(max_items, here.of_step[k].shape.items());
    }
    // refuses a sum that does not fit before it takes long to find
    least =
        least + cost{here.rounds, here.min_stages,
                     checked_add(here.min_stages, checked_multiply(here.rounds, m.latency() - 1))};
  }
  diagonal_form const end = engine.form_of(last - 1, body, {});
  if (!form.affine || !next.affine || !end.affine || next.accesses != form.accesses ||
      end.accesses != form.accesses)
    return false;
  for (int k = 0; k < form.accesses; ++k) {
    auto const same = [&](diagonal_form const& other) {
      diagonal_form::access const& a = form.of_trapezoid[k];
      diagonal_form::access const& b = other.of_trapezoid[k];
      return a.step == b.step && a.row_step == b.row_step && a.column_step == b.column_step;
    };
    if (!same(next) || !same(end) || end.of_trapezoid[k].number != base(k, last - 1)) return false;
  }

  index const threads = p >= max_items ? w : p;
  bool const ports = m.ports() > 1;
  index in_trapezoids = 0;
  for (int k = 0; k < form.steps; ++k)
    if (form.of_step[k].shape.rows >= 0) in_trapezoids += form.of_step[k].accesses;
  if (ports && in_trapezoids != form.accesses) return false;  // at addresses without row and column
  cost others;
  auto const add_of_items = [&](index items, cost& total) {
    total = total + engine.cost_of(last - items, body, false);
    return true;
  };
  if (!add_diagonal_sum(last - first, p, w, period_of_items(m, p), add_of_items, others))
    return false;
  index stages = others.stages;
  index time =
      checked_add(others.time, checked_multiply(least.rounds - others.rounds, m.latency() - 1));
  // True if two accesses take the same stages in every diagonal.
  auto const equivalent = [&](int k, int l) {
    diagonal_form::access const& a = form.of_trapezoid[k];
    diagonal_form::access const& b = form.of_trapezoid[l];
    auto const equal = [&](index r) {
      return shape(a.step, r) == shape(b.step, r) && floor_modulo(base(k, r) - base(l, r), w) == 0;
    };
    return a.row_step == b.row_step && a.column_step == b.column_step && equal(first) &&
           equal(first + 1);
  };
  for (int k = 0; k < form.accesses; ++k) {
    bool counted_before = false;
    index times = 0;
    for (int l = 0; l < form.accesses; ++l)
      if (equivalent(k, l)) {
        counted_before |= l < k;
        ++times;
      }
    if (counted_before) continue;
    diagonal_form::access const& access = form.of_trapezoid[k];
    trapezoid_sums<max_lanes<remove_cvref_t<decltype(m)>>> rows(w, threads, access.row_step,
                                                                access.column_step);
    index once = 0;
    if (!rows.add(
            first, last, [&](index r) { return shape(access.step, r); },
            [&](index r) { return base(k, r); }, once))
      return false;
    stages = checked_add(stages, checked_multiply(times, once));
    if (!ports) continue;
    trapezoid_rounds<max_lanes<remove_cvref_t<decltype(m)>>> rounds(
        w, smaller(p, max_items), m.ports(), access.row_step, access.column_step);
    once = 0;
    rounds.add(
        first, last, [&](index r) { return shape(access.step, r); },
        [&](index r) { return base(k, r); }, once);
    time = checked_add(time, checked_multiply(times, once));
  }
  if (!ports) time = checked_add(stages, checked_multiply(least.rounds, m.latency() - 1));
  sum = sum + cost{least.rounds, stages, time};
  return true;
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
      total = total + engine.cost_of(last - number, body, true);
      return true;
    };
    if constexpr (hierarchical_machine<M>)
      if (all_dmms && !form.machine_wide)
        return add_diagonal_sum(last - first, m.dmms(), 1, m.global().ports(), add, sum);
    if (index const scattered = period_of_scattered_items(m, form); scattered > 0)
      if (period_of_scattered_items(m, engine.form_of(last - 1, body, {})) > 0)
        return add_diagonal_sum(last - first, p, 1, scattered, add, sum);
    return add_diagonal_sum(last - first, p, m.width(), period_of_items(m, p), add, sum);
  }
  if constexpr (!hierarchical_machine<M>)
    if (is(M::conflicts, conflict::groups))
      return add_diagonals_of_trapezoids(engine, form, first, last, p, body, sum);
  return false;
}

}  // namespace mmm::detail
