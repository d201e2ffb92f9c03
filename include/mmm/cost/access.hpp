// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/cost/access_domain.hpp>
#include <mmm/cost/access_in_boxes.hpp>
#include <mmm/cost/affine.hpp>
#include <mmm/cost/closed_form.hpp>
#include <mmm/cost/enumeration.hpp>
#include <mmm/cost/plane.hpp>
#include <mmm/cost/plane_rounds.hpp>
#include <mmm/cost/request.hpp>
#include <mmm/cost/residue_histogram.hpp>
#include <mmm/cost/round_group.hpp>
#include <mmm/index/box.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/index/expression_key.hpp>
#include <mmm/machine/machine.hpp>

#include <initializer_list>

//! The cost of one access of a parallel-for, over all warps, chunks, loops and DMMs: closed form or
//! enumeration.
namespace mmm::detail {

//! An access as the searches for closed forms know it. The address and the predicate have to
//! outlive it.
template <memory M, class Address, class Predicate>
[[nodiscard]] constexpr access_in_boxes<M::conflicts, width_type<M>, Address, Predicate> in_boxes(
    M const& m, Address const& address, Predicate const& predicate) {
  return {width_in(m), address, predicate};
}

//! The cost of a group of rounds by enumeration of every warp: always right, in time proportional
//! to the number of accesses.
template <int W, memory M>
constexpr void enumerate_group(M const& m, round_group<W> const& group,
                               examined_access<W> const& access, access_cost& total) {
  if (group.boxes == 0) return;
  warp_box<W> const& first = group.box[0];
  index point[max_dimensions] = {};
  for_each_point(
      first, [&](int d) { return first.rounds[d]; }, point,
      [&] {
        index sum = 0;
        index longest = 0;
        index const parts = group.dmm_dimension < 0 ? 1 : first.extent[group.dmm_dimension];
        for (index part = 0; part < parts; ++part) {
          index own = 0;
          for (int b = 0; b < group.boxes; ++b) {
            warp_box<W> const& box = group.box[b];
            if (group.dmm_dimension >= 0) point[group.dmm_dimension] = part;
            for_each_point(
                box, [&](int d) { return !box.rounds[d] && d != group.dmm_dimension; }, point,
                [&] { own += access.enumerated(box, point); });
          }
          sum = checked_add(sum, own);
          longest = larger(longest, own);
        }
        round_cost const round = cost_of_round(m, group.dmm_dimension < 0 ? sum : longest);
        total.rounds += round.time != 0;
        total.stages = checked_add(total.stages, has_stages(M::conflicts) ? sum : round.stages);
        total.time = checked_add(total.time, round.time);
      });
}

//! The most evaluations that a search for a closed form is allowed.
inline constexpr int max_evaluations = 20000;

//! The domain with one trip of a loop, and as many more DMMs, if the expressions depend only on the
//! number that trips and DMMs count together: the requests are the same, in other rounds.
template <int W>
[[nodiscard]] constexpr access_domain dmms_of_loop(access_domain domain,
                                                   examined_access<W> const& access) {
  if (domain.machine_wide || domain.side_by_side || domain.dmms == 1) return domain;
  for (int k = 0; k < domain.loops; ++k) {
    if (domain.trips[k] <= 1 || !access.unmoved(dmm_slot, domain.dmms, first_loop_slot + k, -1))
      continue;
    domain.dmms = checked_multiply(domain.dmms, domain.trips[k]);
    domain.trips[k] = 1;
  }
  return domain;
}

//! A closed form for a group's rounds; false if the search ran out of its budget. `requests` has
//! the requests of the group; if `apart`, in other rounds.
template <int W, memory M>
[[nodiscard]] constexpr bool close_group(M const& m, round_group<W> group, round_group<W> requests,
                                         bool apart, examined_access<W> const& access,
                                         int evaluations, access_cost& total) {
  if (group.boxes == 0) return true;
  box_sums<M::conflicts, width_type<M>> const sums(width_in(m), access);
  search memory(evaluations);
  sums.prepare(requests, memory);
  access_cost found;
  constexpr bool counts_stages = has_stages(M::conflicts);
  if constexpr (counts_stages)
    for (int b = 0; b < requests.boxes; ++b)
      found.stages = checked_add(found.stages, sums.stages(requests.box[b], memory));
  if (apart)
    sums.prepare(group, memory);
  else
    group = requests;
  // A search that enumerated nearly all of many warps counts as an enumeration.
  index const enumerated = memory.enumerated / m.width();
  constexpr bool plain = is(M::conflicts, conflict::none);
  if (plain || (counts_stages && m.ports() == 1 && group.dmm_dimension < 0)) {
    found.rounds = sums.busy_rounds(group, memory);
    if (!counts_stages) found.stages = found.rounds;
    found.time = checked_add(found.stages, checked_multiply(found.rounds, m.latency() - 1));
  } else {
    sums.round_times(
        group, memory, [&](index amount) { return cost_of_round(m, amount).time; }, found);
    if (!counts_stages) found.stages = found.time;
  }
  if (memory.exhausted()) return false;
  index warps = 0;
  for (int b = 0; b < group.boxes; ++b) warps = checked_add(warps, group.box[b].volume());
  if (warps > 4096 && enumerated > warps - warps / 8) total.closed_form = false;
  total.rounds = checked_add(total.rounds, found.rounds);
  total.stages = checked_add(total.stages, found.stages);
  total.time = checked_add(total.time, found.time);
  return true;
}

//! The cost of an access of the first few items at affine addresses, where all whole warps of a
//! round make the same stages or a row's number is the address; false if it is not known to be one.
template <memory M>
[[nodiscard]] constexpr bool close_affine(M const& m, access_domain const& domain,
                                          examined_access<width_type<M>::max_lanes> const& access,
                                          access_cost& total) {
  index const w = m.width();
  constexpr bool counts_stages = has_stages(M::conflicts);
  constexpr bool by_groups = is(M::conflicts, conflict::groups);
  index below[all_slots] = {domain.items, domain.dmms};
  for (int k = 0; k < domain.loops; ++k) below[first_loop_slot + k] = domain.trips[k];
  item_prefix const active = access.active(below);
  if (!active.known) return false;
  affine_form const form = access.affine();
  if (!form.known || active.items > index{1} << 31) return false;
  bool const shared_items = domain.machine_wide && domain.dmms > 1;  // the DMMs share the items
  if (shared_items && domain.threads % w != 0) return false;
  index trips = 1;
  for (int k = 0; k < domain.loops; ++k) trips = checked_multiply(trips, domain.trips[k]);
  if (trips == 0 || active.items == 0) return true;

  below[item_slot] = below[row_slot] = below[column_slot] = active.items + magnitude(form.shift);
  if (!fits(form, below)) return false;

  index const in_chunk =
      shared_items ? checked_multiply(domain.threads, domain.dmms) : domain.threads;
  index const full = active.items / in_chunk;
  index const rest = active.items % in_chunk;
  index const copies = shared_items ? 1 : domain.dmms;  // every DMM does the same
  bool const whole_warps = active.items <= in_chunk || in_chunk % w == 0;

  index step = form.coefficient[item_slot];
  if (counts_stages && form.columns != 0) {
    bool const warps_in_rows = whole_warps && form.shift == 0 && form.columns % w == 0;
    if (warps_in_rows) {
      step += form.coefficient[column_slot];
    } else {
      if (!form.is_only(row_slot) || form.coefficient[row_slot] != 1 || form.shift <= -form.columns)
        return false;
      if constexpr (by_groups) {
        constexpr index limit = index{1} << 30;
        if (!whole_warps || m.ports() > 1 || form.columns > limit || form.shift > limit)
          return false;
        index const stages = checked_multiply(
            checked_multiply(row_groups(w, active.items, form.columns, form.shift,
                                        floor_modulo(form.number, w)),  // all copies are equal
                             copies),
            trips);
        index const rounds = checked_multiply(full + (rest > 0), trips);
        total.rounds = checked_add(total.rounds, rounds);
        total.stages = checked_add(total.stages, stages);
        total.time =
            checked_add(total.time, checked_add(stages, checked_multiply(rounds, m.latency() - 1)));
        return true;
      }
      if constexpr (is(M::conflicts, conflict::updates))
        return false;  // the lanes of a row are one after other
      step = 0;        // consecutive rows are in different banks
    }
  }
  // where an address lies in its group must not change within a round
  bool const by_residues = by_groups && step != 0 && magnitude(step) < w;
  if (by_residues) {
    if (form.columns < active.items && form.coefficient[row_slot] % w != 0) return false;
    if (domain.dmms > 1 && form.coefficient[dmm_slot] % w != 0) return false;
  }
  index const along = by_residues ? step * (in_chunk % w) : 0;  // from one chunk to the next

  // `base` is added to the addresses
  auto const add_rounds = [&](index rounds, index items, index base) {
    if (rounds == 0 || items == 0) return;
    auto const stages = [&](index lanes) {
      index const lowest = form.number + base + (step < 0 ? step % w * (lanes - 1) : 0);
      return affine_stages<M::conflicts>(w, step, floor_modulo(lowest, w), lanes);
    };
    index const own = checked_add(checked_multiply(items / w, stages(w)), stages(items % w));
    index const all = checked_multiply(own, copies);
    round_cost const round = cost_of_round(m, domain.side_by_side ? own : all);
    total.rounds = checked_add(total.rounds, rounds);
    total.stages =
        checked_add(total.stages, checked_multiply(rounds, counts_stages ? all : round.stages));
    total.time = checked_add(total.time, checked_multiply(rounds, round.time));
  };
  bool moves = by_residues && full > 0 && active.items > in_chunk && along % w != 0;
  for (int k = 0; k < domain.loops; ++k)
    moves |= by_residues && domain.trips[k] > 1 && form.coefficient[first_loop_slot + k] % w != 0;
  if (!moves) {
    add_rounds(checked_multiply(full, trips), in_chunk, 0);
    add_rounds(trips, rest, 0);
    return true;
  }
  residue_counts<width_type<M>::max_lanes> partial(w, 0);
  for (int k = 0; k < domain.loops; ++k)
    partial.add(domain.trips[k], form.coefficient[first_loop_slot + k]);
  auto whole = partial;
  whole.add(full, along);
  for (int r = 0; r < w; ++r) {
    add_rounds(whole.times[r], in_chunk, r);
    add_rounds(partial.times[r], rest, r + full % w * along);
  }
  return true;
}

//! The domain without the loop around a parallel-for that has at most one item for each thread, if
//! the expressions depend only on the number of the item in all trips: the trips are chunks then.
template <int W>
[[nodiscard]] constexpr access_domain chunks_of_loop(access_domain domain,
                                                     examined_access<W> const& access) {
  if (domain.dmms > 1 || domain.items == 0 || domain.items > domain.threads) return domain;
  for (int k = 0; k < domain.loops; ++k) {
    if (domain.trips[k] <= 1 || !access.unmoved(item_slot, domain.items, first_loop_slot + k, -1))
      continue;
    domain.threads = domain.items;
    domain.items = checked_multiply(domain.items, domain.trips[k]);
    domain.trips[k] = 1;
    break;
  }
  return domain;
}

//! close_on_plane() row by row, for memories where a round's time is not linear in its stages.
template <memory M, class Sums>
[[nodiscard]] constexpr bool close_rounds_on_plane(M const& m, access_domain const& domain,
                                                   Sums& sums, search& memory, access_cost& total) {
  access_cost found;
  index const in_chunk =
      domain.machine_wide ? checked_multiply(domain.threads, domain.dmms) : domain.threads;
  auto const time = [&](index amount) { return cost_of_round(m, amount).time; };
  for (int which = 0; which < 2; ++which) {
    index const first = which == 0 ? 0 : domain.items / in_chunk * in_chunk;
    plane_rounds rounds(sums, first, in_chunk, time);
    rounds.add(make_group(width_in(m), domain, which), memory, found);
    if (memory.exhausted()) return false;
  }
  total = found;
  return true;
}

//! close_on_plane() for memories where a round's time is linear in its stages: rounds and stages
//! are counted apart.
template <memory M, class Sums>
[[nodiscard]] constexpr bool close_stages_on_plane(M const& m, access_domain const& domain,
                                                   bool everywhere, Sums& sums, search& memory,
                                                   access_cost& total) {
  constexpr bool counts_stages = has_stages(M::conflicts);
  access_cost found;
  for (int which = 0; which < 2; ++which) {
    auto const group = make_group(width_in(m), domain, which);
    if (group.boxes == 0) continue;
    if constexpr (counts_stages)
      for (int b = 0; b < group.boxes; ++b)
        found.stages = checked_add(found.stages, sums.stages(group.box[b], memory));
    if (everywhere) {
      found.rounds = checked_add(found.rounds, group.box[0].round_volume());
    } else {
      index const in_chunk = domain.machine_wide ? domain.threads * domain.dmms : domain.threads;
      index const chunks = domain.items / in_chunk;
      index const rest = domain.items % in_chunk;
      found.rounds = checked_add(
          found.rounds, which == 0
                            ? sums.busy_rounds(group.box[0], 0, in_chunk, chunks, memory)
                            : sums.busy_rounds(group.box[0], domain.items - rest, rest, 1, memory));
    }
    if (memory.exhausted()) return false;
  }
  if (!counts_stages) found.stages = found.rounds;
  total.rounds = found.rounds;
  total.stages = found.stages;
  total.time = checked_add(found.stages, checked_multiply(found.rounds, m.latency() - 1));
  return true;
}

//! A closed form by the rows of `row` items that the items are divided into (cost/plane.hpp), by
//! columns of `unit` items; false if there is none.
template <memory M>
[[nodiscard]] constexpr bool close_on_plane(M const& m, access_domain domain,
                                            examined_access<width_type<M>::max_lanes> const& access,
                                            index row, index unit, int evaluations,
                                            access_cost& total) {
  if (domain.side_by_side && domain.dmms > 1) return false;
  if (domain.machine_wide && domain.dmms > 1 && !access.unmoved(item_slot, 0, dmm_slot, 1))
    return false;
  domain = chunks_of_loop(domain, access);
  plane_sums<M::conflicts, width_type<M>> sums(width_in(m), access, row, unit);
  search memory(evaluations);
  if constexpr (is(M::conflicts, conflict::amount)) {
    return close_rounds_on_plane(m, domain, sums, memory, total);
  } else {
    if (has_stages(M::conflicts) && m.ports() > 1)
      return close_rounds_on_plane(m, domain, sums, memory, total);
    return close_stages_on_plane(m, domain, access.everywhere, sums, memory, total);
  }
}

//! Above this number of warps an expression without a closed form is refused.
inline constexpr index max_enumerated_warps = index{1} << 34;

template <memory M>
[[nodiscard]] constexpr access_cost cost_of_examined_access(
    M const& m, access_domain const& domain,
    examined_access<width_type<M>::max_lanes> const& access) {
  access_cost total;
  if (close_affine(m, domain, access, total)) return total;
  access_domain const domain_of_requests = dmms_of_loop(domain, access);
  bool const apart = domain_of_requests.dmms != domain.dmms;
  for (int which = 0; which < 2; ++which) {
    auto const group = make_group(width_in(m), domain, which);
    auto const requests = make_group(width_in(m), domain_of_requests, which);
    index warps = 0;
    for (int b = 0; b < group.boxes; ++b) warps = checked_add(warps, group.box[b].volume());
    // The first search gets few evaluations, which most closed forms by boxes need; in a constant
    // expression it gets all, as there is no second one.
    int const evaluations = static_cast<int>(smaller(max_evaluations, 256 + warps));
    int few = evaluations, first = evaluations;
    row_items const rows = access.rows(chunks_of_loop(domain, access).items);
    if (!is_constant_evaluated()) {
      index const in_chunk =
          domain.machine_wide ? checked_multiply(domain.threads, domain.dmms) : domain.threads;
      bool const long_period = rows.row / gcd(rows.row + (rows.row == 0), in_chunk) > 1000;
      few = static_cast<int>(smaller(few, long_period ? 100 : 1000));
      // Some thousands of warps have fewer boxes, which are found sooner than rows are.
      first = warps > 32768 ? few : static_cast<int>(larger(few, smaller(evaluations, warps / 6)));
    }
    if (close_group(m, group, requests, apart, access, first, total)) continue;
    if (rows.row != 0) {
      index const units[] = {m.width(), rows.inner, rows.within, 1};
      // each unit is searched briefly first, then boxes longer, then all but columns of w items at
      // length
      bool closed = false;
      for (int pass = 0; pass < (few < evaluations ? 2 : 1) && !closed; ++pass) {
        closed = pass > 0 && first < 4 * few &&
                 close_group(m, group, requests, apart, access,
                             static_cast<int>(smaller(evaluations, 4 * few)), total);
        for (int k = pass; k < 4 && !closed; ++k) {
          index const unit = units[k];
          bool used = unit != 0;  // here, and not later
          for (int l = k + 1; l < 4; ++l) used &= units[l] != unit;
          if (!used) continue;
          index const row = unit == rows.within ? lcm(rows.row, unit) : rows.row;
          index const brief = k == 0 ? few : larger(few, 1000);
          int const budget = pass > 0 ? evaluations : static_cast<int>(smaller(brief, evaluations));
          if (close_on_plane(m, domain, access, row, unit, budget, total)) return total;
        }
      }
      if (closed) continue;
    }
    // For very many warps a longer search takes a fraction of the time of an enumeration.
    int const last =
        is_constant_evaluated()
            ? evaluations
            : static_cast<int>(larger(evaluations, smaller(warps / 64, index{1} << 20)));
    if (last > few && close_group(m, group, requests, apart, access, last, total)) continue;
    if (warps > max_enumerated_warps)
      reject_length("warps to look at for an index expression without a closed form", warps,
                    max_enumerated_warps);
    total.closed_form = false;
    enumerate_group(m, group, access, total);
  }
  return total;
}

//! close_affine, close_group and close_on_plane of an address and a predicate.
template <memory M, class Address, class Predicate>
[[nodiscard]] constexpr bool close_affine(M const& m, access_domain const& domain,
                                          Address const& address, Predicate const& predicate,
                                          access_cost& total) {
  return close_affine(m, domain, in_boxes(m, address, predicate), total);
}
template <int W, memory M, class Address, class Predicate>
[[nodiscard]] constexpr bool close_group(M const& m, round_group<W> const& group,
                                         Address const& address, Predicate const& predicate,
                                         int evaluations, access_cost& total) {
  return close_group(m, group, group, false, in_boxes(m, address, predicate), evaluations, total);
}
template <memory M, class Address, class Predicate>
[[nodiscard]] constexpr bool close_on_plane(M const& m, access_domain const& domain,
                                            Address const& address, Predicate const& predicate,
                                            index row, index unit, int evaluations,
                                            access_cost& total) {
  return close_on_plane(m, domain, in_boxes(m, address, predicate), row, unit, evaluations, total);
}

template <memory M, class Address, class Predicate>
[[nodiscard]] constexpr access_cost cost_of_addresses(M const& m, access_domain const& domain,
                                                      Address const& address,
                                                      Predicate const& predicate) {
  return cost_of_examined_access(m, domain, in_boxes(m, address, predicate));
}

//! cost_of_access for a domain that was reduced.
template <memory M, class Address, class Predicate>
[[nodiscard]] constexpr access_cost cost_of_reduced_access(M const& m, access_domain const& domain,
                                                           Address const& address,
                                                           Predicate const& predicate) {
  if constexpr (!has_stages(M::conflicts))  // no addresses conflict: all are equivalent
    return cost_of_addresses(m, domain, constant(0), predicate);
  else
    return cost_of_addresses(m, domain, address, predicate);
}

//! Cost of one access of all threads of a domain. Exact. Time: O(1) for affine expressions; in
//! general proportional to one period in every dimension; where no closed form is found, to the
//! number of accesses. Overflow: see checked_add.
template <memory M, class Address, class Predicate = always>
[[nodiscard]] constexpr access_cost cost_of_access(M const& m, access_domain domain,
                                                   Address const& address,
                                                   Predicate const& predicate = {}) {
  repetition const times = reduce(domain, variables_of(address) | variables_of(predicate));
  access_cost found = cost_of_reduced_access(m, domain, address, predicate);
  times.apply_to(found);
  return found;
}

//! The cost of an access by enumeration of every warp; closed forms are tested against it.
template <memory M, class Address, class Predicate = always>
[[nodiscard]] constexpr access_cost enumerated_cost_of_access(M const& m,
                                                              access_domain const& domain,
                                                              Address const& address,
                                                              Predicate const& predicate = {}) {
  auto const access = in_boxes(m, address, predicate);
  access_cost total;
  total.closed_form = false;
  for (int which = 0; which < 2; ++which)
    enumerate_group(m, make_group(width_in(m), domain, which), access, total);
  return total;
}

}  // namespace mmm::detail
