// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/cost/access.hpp>
#include <mmm/cost/affine.hpp>
#include <mmm/cost/request.hpp>
#include <mmm/cost/residue_histogram.hpp>
#include <mmm/cost/row_walk.hpp>
#include <mmm/cost/trapezoid_rounds.hpp>
#include <mmm/cost/trapezoid_sums.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/index/trapezoid.hpp>
#include <mmm/machine/machine.hpp>

//! The cost of one access of a parallel-for over a trapezoid: row by row where addresses are
//! affine, else lane by lane.
namespace mmm::detail {

template <memory M>
constexpr void add_rounds(M const& m, index amount, index stages, index times, access_cost& total) {
  round_cost const round = cost_of_round(m, amount);
  if (round.time == 0) return;
  bool const counts_stages = has_stages(M::conflicts);
  total.rounds = checked_add(total.rounds, times);
  total.stages =
      checked_add(total.stages, checked_multiply(times, counts_stages ? stages : round.stages));
  total.time = checked_add(total.time, checked_multiply(times, round.time));
}

//! The cost by rows, or by rounds, where their times are not linear in the stages.
template <memory M>
constexpr void walk_rows(M const& m, access_domain const& domain, trapezoid const& shape,
                         affine_form const& address, row_walk<max_lanes<M>> walk,
                         access_cost& total) {
  index const w = m.width();
  residue_counts<max_lanes<M>> loops(w, address.number);
  residue_counts<max_lanes<M>> dmms(w, 0);
  for (int k = 0; k < domain.loops; ++k)
    loops.add(domain.trips[k], walk.scattered() ? 0 : address.coefficient[first_loop_slot + k]);
  if (!domain.machine_wide)
    dmms.add(domain.dmms, walk.scattered() ? 0 : address.coefficient[dmm_slot]);
  index const in_chunk =
      domain.machine_wide ? checked_multiply(domain.threads, domain.dmms) : domain.threads;
  trapezoid_sums<max_lanes<M>> rows(w, domain.threads >= domain.items ? w : domain.threads,
                                    address.coefficient[row_slot],
                                    address.coefficient[column_slot]);
  for (int r = loops.low; r <= loops.high; ++r) {
    if (loops.times[r] == 0) continue;
    auto const over_dmms = [&](auto const& stages_of) {
      index sum = 0;
      for (int s = dmms.low; s <= dmms.high; ++s)
        if (dmms.times[s] != 0)
          sum = checked_add(sum, checked_multiply(dmms.times[s], stages_of(r + s)));
      return sum;
    };
    if (m.ports() == 1 || domain.dmms == 1) {
      index const sum = over_dmms([&](index base) { return rows.stages(shape, base); });
      index time = sum;
      if (m.ports() > 1) {
        auto const same = [](auto const& x) { return [&](index) { return x; }; };
        trapezoid_rounds<max_lanes<M>> of_rounds(w, smaller(domain.threads, domain.items),
                                                 m.ports(), address.coefficient[row_slot],
                                                 address.coefficient[column_slot]);
        time = 0;
        of_rounds.add(0, 1, same(shape), same(index{r}), time);
      }
      index const rounds = checked_multiply(loops.times[r], ceil_divide(domain.items, in_chunk));
      total.rounds = checked_add(total.rounds, rounds);
      total.stages = checked_add(total.stages, checked_multiply(loops.times[r], sum));
      total.time = checked_add(total.time, checked_add(checked_multiply(loops.times[r], time),
                                                       checked_multiply(rounds, m.latency() - 1)));
      continue;
    }
    trapezoid::place position{0, 0};
    for (index chunk = 0; chunk < domain.items; chunk += smaller(in_chunk, domain.items - chunk)) {
      index const end = chunk + smaller(in_chunk, domain.items - chunk);
      index sum = 0;
      for (index first = chunk; first < end; first += smaller(domain.threads, end - first)) {
        trapezoid::place const start = position;
        index const last = first + smaller(domain.threads, end - first);
        sum = checked_add(sum, over_dmms([&](index base) {
                            position = start;
                            return walk.count(position, first, last, smaller(domain.threads, w),
                                              base);
                          }));
      }
      add_rounds(m, sum, sum, loops.times[r], total);
    }
  }
}

//! Calls `visit(loops)` for all values of the loops' counters.
template <class Visit>
constexpr void for_each_trip(access_domain const& domain, Visit visit) {
  assignment variables;
  while (true) {
    visit(variables);
    int k = domain.loops - 1;
    for (; k >= 0; --k) {
      if (++variables.slot[first_loop_slot + k] < domain.trips[k]) break;
      variables.slot[first_loop_slot + k] = 0;
    }
    if (k < 0) return;
  }
}

//! The cost by enumeration of every lane: always right, in time proportional to the number of
//! accesses.
template <memory M, class Address, class Predicate = always>
[[nodiscard]] constexpr access_cost enumerated_cost_of_trapezoid(M const& m,
                                                                 access_domain const& domain,
                                                                 trapezoid const& shape,
                                                                 Address const& address,
                                                                 Predicate const& predicate = {}) {
  auto const width = width_in(m);
  index const w = width.width();
  constexpr bool counts_stages = has_stages(M::conflicts);
  index const in_chunk =
      domain.machine_wide ? checked_multiply(domain.threads, domain.dmms) : domain.threads;
  access_cost total;
  total.closed_form = false;
  for (int k = 0; k < domain.loops; ++k)
    if (domain.trips[k] == 0) return total;
  auto const warp_amount = [&](assignment variables, trapezoid::place& place, int lanes) {
    index address_of[max_lanes<M>] = {};
    bool active[max_lanes<M>] = {};
    index accesses = 0;
    for (int t = 0; t < lanes; ++t) {
      variables.slot[row_slot] = place.row;
      variables.slot[column_slot] = place.column;
      active[t] = predicate.template holds<checked_arithmetic>(variables);
      if (active[t]) address_of[t] = address.template value<checked_arithmetic>(variables);
      accesses += active[t];
      place = place.column + 1 < shape.length(place.row)
                  ? trapezoid::place{place.row, place.column + 1}
                  : trapezoid::place{place.row + 1, 0};
    }
    if constexpr (counts_stages)
      return count_stages<M::conflicts>(
          width, lanes, [&](int t) { return address_of[t]; }, [&](int t) { return active[t]; });
    else
      return accesses;
  };
  for_each_trip(domain, [&](assignment variables) {
    trapezoid::place place{0, 0};
    for (index chunk = 0; chunk < domain.items; chunk += smaller(in_chunk, domain.items - chunk)) {
      index const end = chunk + smaller(in_chunk, domain.items - chunk);
      trapezoid::place const start = place;
      index sum = 0;
      index longest = 0;
      for (index dmm = 0; dmm < domain.dmms; ++dmm) {
        variables.slot[dmm_slot] = dmm;
        index const first =
            domain.machine_wide ? smaller(end, chunk + dmm * domain.threads) : chunk;
        index const last = smaller(end, first + domain.threads);
        if (!domain.machine_wide) place = start;
        index own = 0;
        for (index warp = first; warp < last; warp += w)
          own += warp_amount(variables, place, static_cast<int>(smaller(w, last - warp)));
        sum = checked_add(sum, own);
        longest = larger(longest, own);
      }
      add_rounds(m, domain.side_by_side ? longest : sum, sum, 1, total);
    }
  });
  return total;
}

//! Cost of one access of all threads of a domain whose items, `domain.items` of them, are a
//! trapezoid's. Exact. Time: on address groups one step per row for affine addresses that all lanes
//! access, and one per round where several DMMs use ports, or the threads are many; without groups
//! and banks O(1); else one step per access. Overflow: see checked_add.
template <memory M, class Address, class Predicate = always>
[[nodiscard]] constexpr access_cost cost_of_trapezoid_access(M const& m,
                                                             access_domain const& domain,
                                                             trapezoid const& shape,
                                                             Address const& address,
                                                             Predicate const& predicate = {}) {
  access_cost total;
  if (domain.items == 0) return total;
  index trips = 1;
  for (int k = 0; k < domain.loops; ++k) trips = checked_multiply(trips, domain.trips[k]);
  if (trips == 0) return total;
  if constexpr (is_same_v<Predicate, always> &&
                (is(M::conflicts, conflict::none) || is(M::conflicts, conflict::amount))) {
    add_rounds(m, domain.threads, 0, checked_multiply(trips, domain.items / domain.threads), total);
    add_rounds(m, domain.items % domain.threads, 0, trips, total);
    return total;
  } else {
    if constexpr (is_same_v<Predicate, always> && is(M::conflicts, conflict::groups)) {
      affine_form const form = affine_of(address);
      // otherwise row and column belong to an item, not to the trapezoid
      if (form.known && form.columns == 0) {
        row_walk<max_lanes<M>> const walk(m.width(), shape, form.coefficient[row_slot],
                                          form.coefficient[column_slot]);
        if (walk.applies()) {
          walk_rows(m, domain, shape, form, walk, total);
          return total;
        }
      }
    }
    index const accesses = checked_multiply(checked_multiply(trips, domain.items),
                                            domain.machine_wide ? 1 : domain.dmms);
    if (accesses / m.width() > max_enumerated_warps)
      reject_length("warps to look at for an index expression without a closed form",
                    accesses / m.width(), max_enumerated_warps);
    return enumerated_cost_of_trapezoid(m, domain, shape, address, predicate);
  }
}

}  // namespace mmm::detail
