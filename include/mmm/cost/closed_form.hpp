// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/cost/access_in_boxes.hpp>
#include <mmm/cost/enumeration.hpp>
#include <mmm/cost/point_counts.hpp>
#include <mmm/cost/request.hpp>
#include <mmm/cost/residue_histogram.hpp>
#include <mmm/cost/round_group.hpp>
#include <mmm/cost/search.hpp>
#include <mmm/index/box.hpp>
#include <mmm/index/evaluation.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/index/key_pool.hpp>
#include <mmm/machine/machine.hpp>

//! Sums of stages and times over boxes of warps, computed from normal forms (index/evaluation.hpp),
//! not warp by warp.
namespace mmm::detail {

//! The sums over boxes for one access on one kind of memory.
template <conflict Conflict, class Width>
class box_sums {
  static constexpr int W = Width::max_lanes;
  static constexpr bool by_groups = is(Conflict, conflict::groups);

 public:
  using examination = detail::examination<W>;

  constexpr box_sums(Width const& width, examined_access<W> const& access)
      : width_(width), access_(access) {}

  //! Stages of all warps of the box; on a memory without conflicts, accesses.
  [[nodiscard]] constexpr index stages(warp_box<W> const& box, search& memory) const {
    memory.keys.begin();
    examination const examined = access_.examine(box, memory);
    key_pool::key const key = memory.keys.end();
    if (examined.none || examined.covered) memory.keys.drop(key);
    if (memory.exhausted() || examined.none) return 0;
    if (examined.covered) return covered_stages(box, examined);
    if (examined.monotone && !examined.active.mixed && equivalent_wherever_active(box, examined)) {
      if (point_counts<W> const counts(box, examined.open_difference); counts.known()) {
        memory.keys.drop(key);
        return stages_beside_line(box, examined, counts);
      }
    }
    if (examined.needed.kind == refinement::nothing) memory.budget = -1;
    if (memory.exhausted()) return 0;
    if (index const* known = memory.find(key)) {
      memory.keys.drop(key);
      return *known;
    }
    warp_box<W> part = box;
    index sum = 0;
    if (are_few(box.volume(), memory)) {
      index point[max_dimensions] = {};
      for_each_point(
          box, [](int) { return true; }, point,
          [&] { sum = checked_add(sum, access_.enumerated(box, point)); });
    } else if (divide(part, examined.needed)) {
      sum = stages(part, memory);
    } else if (examined.needed.kind == refinement::separate) {
      for (index value = 0; value < box.extent[examined.needed.dimension]; ++value) {
        part = box;
        part.restrict_to(examined.needed.dimension, value, value + 1);
        sum = checked_add(sum, stages(part, memory));
      }
    } else {
      part.restrict_to(examined.needed.dimension, 0, examined.needed.value);
      sum = stages(part, memory);
      part = box;
      part.restrict_to(examined.needed.dimension, examined.needed.value,
                       box.extent[examined.needed.dimension]);
      sum = checked_add(sum, stages(part, memory));
    }
    memory.remember(key, sum);
    return sum;
  }

  //! Does the splits that the whole group needs, once for all later sums. The dimension of DMMs
  //! that work side by side is not split, because the slowest of them counts.
  constexpr void prepare(round_group<W>& group, search& memory) const {
    for (int b = 0; b < group.boxes; ++b) {
      for (examination examined = access_.examine(group.box[b], memory);
           !memory.exhausted() && !examined.covered && examined.needed.kind == refinement::split &&
           examined.needed.dimension != group.dmm_dimension &&
           group.box[b].dimensions < max_dimensions;
           examined = access_.examine(group.box[b], memory)) {
        bool const everywhere = group.box[b].rounds[examined.needed.dimension];
        for (int k = 0; k < group.boxes; ++k) {
          if (everywhere || k == b)
            group.box[k].split(examined.needed.dimension, examined.needed.value);
          else
            group.box[k].add_dimension(1, false);
        }
      }
    }
  }

  //! Rounds of the group in which some lane is active.
  [[nodiscard]] constexpr index busy_rounds(round_group<W> const& group, search& memory) const {
    if (memory.exhausted()) return 0;
    if (access_.everywhere) {
      return group.box[0].round_volume();
    } else {
      memory.keys.begin();
      memory.keys.add(-1);  // no key of stages() begins so
      refinement needed;
      bool unknown = false;
      for (int b = 0; b < group.boxes; ++b) {
        // Few rounds are soon enumerated.
        int tries = group.box[b].round_volume() <= 4096 ? 4 : memory.tries;
        answer const a = anybody(group.box[b], memory, tries);
        if (memory.exhausted()) return 0;
        if (a.kind == answer::all) return group.box[0].round_volume();
        if (a.kind == answer::some && !unknown) {
          unknown = true;
          needed = a.needed;
        }
      }
      if (!unknown) return 0;
      key_pool::key const key = memory.keys.end();
      if (index const* known = memory.find(key)) {
        memory.keys.drop(key);
        return *known;
      }
      round_group<W> part = group;
      index sum = 0;
      if (are_few(group.volume(), memory)) {
        sum = enumerated_rounds(group);
      } else if (divide_rounds(part, needed)) {
        sum = busy_rounds(part, memory);
      } else {
        for (int b = 0; b < part.boxes; ++b)
          part.box[b].restrict_to(needed.dimension, 0, needed.value);
        sum = busy_rounds(part, memory);
        part = group;
        for (int b = 0; b < part.boxes; ++b)
          part.box[b].restrict_to(needed.dimension, needed.value,
                                  group.box[b].extent[needed.dimension]);
        sum = checked_add(sum, busy_rounds(part, memory));
      }
      memory.remember(key, sum);
      return sum;
    }
  }

  //! Time and number of the rounds of a group on a memory where a round's time is not linear in its
  //! stages (several ports, several shared memories side by side): finds the stages of every round
  //! by the residue modulo w that the rounds' dimensions add.
  template <class RoundTime>
  constexpr void round_times(round_group<W> const& group, search& memory, RoundTime round_time,
                             access_cost& total) const {
    profile whole;
    fill(group, memory, whole);
    if (memory.exhausted()) return;
    if (whole.needed.kind != refinement::nothing) {
      round_group<W> part = group;
      if (divide_rounds(part, whole.needed)) return round_times(part, memory, round_time, total);
      int const dimension = whole.needed.dimension;
      for (int b = 0; b < part.boxes; ++b)
        part.box[b].restrict_to(dimension, 0, whole.needed.value);
      round_times(part, memory, round_time, total);
      part = group;
      for (int b = 0; b < part.boxes; ++b)
        part.box[b].restrict_to(dimension, whole.needed.value, group.box[b].extent[dimension]);
      return round_times(part, memory, round_time, total);
    }
    index const w = width_.width();
    warp_box<W> const& box = group.box[0];
    linear_form moved;
    for (int d = 0; d < box.dimensions; ++d) moved.coefficient[d] = whole.moved[d];
    auto const rounds = residue_histogram(w, box, moved, [&](int d) { return box.rounds[d]; });
    for (int r = rounds.low; r <= rounds.high; ++r) {
      index const in_round = whole.flat ? whole.stages[0] : whole.stages[r];
      if (rounds.times[r] == 0 || in_round == 0) continue;
      total.rounds = checked_add(total.rounds, rounds.times[r]);
      total.time = checked_add(total.time, checked_multiply(rounds.times[r], round_time(in_round)));
    }
  }

  //! Stages of one warp whose base is `shift` further than the box's first.
  [[nodiscard]] constexpr index warp_stages(warp_box<W> const& box, examination const& examined,
                                            index shift) const {
    if constexpr (is(Conflict, conflict::none) || is(Conflict, conflict::amount)) {
      return examined.active_lanes;
    } else {
      if (examined.one_group) return 1;
      if (examined.address.affine && examined.active_lanes == box.lanes)
        return count_affine_stages<Conflict>(
            width_, floor_modulo(examined.address.origin, width_.width()) + shift,
            examined.address.stride, box.lanes);
      return count_stages<Conflict>(
          width_, box.lanes, [&](int t) { return checked_add(examined.address.at(t), shift); },
          [&](int t) { return examined.active.lanes.has(t); });
    }
  }

  //! Does a split if one is needed and there is room for a dimension. Otherwise the caller has to
  //! cut.
  [[nodiscard]] static constexpr bool divide(warp_box<W>& box, refinement const& needed) {
    if (needed.kind != refinement::split || box.dimensions == max_dimensions) return false;
    box.split(needed.dimension, needed.value);
    return true;
  }

 private:
  [[no_unique_address]] Width width_;
  examined_access<W> const& access_;

  //! True if enumerating a box's warps takes less time than cutting it: less than one evaluation,
  //! or, at run time, less than all evaluations so far; all enumerations of a search together may
  //! take little more than its evaluations.
  [[nodiscard]] constexpr bool are_few(index warps, search& memory) const {
    index const w = width_.width();
    if (warps <= w / 4) return true;
    if (is_constant_evaluated()) return false;
    index const lanes = 32 * memory.evaluations;  // of all evaluations
    if (warps > lanes / w) return false;
    index const all = warps * w + memory.enumerated;
    if (all > 4096 + lanes) return false;
    memory.enumerated = all;
    return true;
  }
  [[nodiscard]] constexpr index covered_stages(warp_box<W> const& box,
                                               examination const& examined) const {
    if (!by_groups || examined.one_group) {
      return checked_multiply(box.volume(), warp_stages(box, examined, 0));
    } else {
      index const w = width_.width();
      auto const warps = residue_histogram(w, box, examined.address, [](int) { return true; });
      index sum = 0;
      for (int r = warps.low; r <= warps.high; ++r)
        if (warps.times[r] != 0)
          sum = checked_add(sum, checked_multiply(warps.times[r], warp_stages(box, examined, r)));
      return sum;
    }
  }

  //! True if the stages of a warp depend on its active lanes only.
  [[nodiscard]] constexpr bool equivalent_wherever_active(warp_box<W> const& box,
                                                          examination const& examined) const {
    if constexpr (!has_stages(Conflict)) return true;
    if (!examined.address.valid) return examined.one_group;
    if (!by_groups) return true;
    index const w = width_.width();
    if (examined.address.affine &&
        (examined.address.stride == 0 || magnitude(examined.address.stride) >= w))
      return true;  // one group, or one for each lane
    return common_step(box, examined.address, w) == w;
  }

  //! Stages of a box of warps whose lanes are active where a linear function is at least 0, or
  //! where it is below 0: the lanes become active one after the other.
  [[nodiscard]] constexpr index stages_beside_line(warp_box<W> const& box, examination examined,
                                                   point_counts<W> const& counts) const {
    linear_form const& x = examined.open_difference;
    bool const upwards =
        (x.stride > 0) == examined.active.rises;  // the last lane is active most often
    examined.active.lanes = {};
    examined.active_lanes = 0;
    index sum = 0;
    index before = 0;  // stages of a warp with one active lane less
    for (int k = 0; k < box.lanes; ++k) {
      int const lane = upwards ? box.lanes - 1 - k : k;
      index const reached = counts.at_least(-(x.origin + x.stride * lane));
      index const warps = examined.active.rises ? reached : counts.points() - reached;
      if (warps == 0) break;  // nor are the other lanes active
      examined.active.lanes.insert(lane);
      ++examined.active_lanes;
      index const own =
          examined.one_group || !examined.address.affine
              ? warp_stages(box, examined, 0)
              : count_affine_stages<Conflict>(
                    width_, floor_modulo(examined.address.at(upwards ? lane : 0), width_.width()),
                    examined.address.stride, k + 1);
      sum = checked_add(sum, checked_multiply(warps, own - before));
      before = own;
    }
    return sum;
  }

  //! busy_rounds() by enumeration.
  [[nodiscard]] constexpr index enumerated_rounds(round_group<W> const& group) const {
    index sum = 0;
    index point[max_dimensions] = {};
    warp_box<W> const& first = group.box[0];
    for_each_point(
        first, [&](int d) { return first.rounds[d]; }, point,
        [&] {
          bool busy = false;
          for (int b = 0; b < group.boxes && !busy; ++b) {
            warp_box<W> const& box = group.box[b];
            for_each_point(
                box, [&](int d) { return !box.rounds[d]; }, point,
                [&] { busy = busy || access_.enumerated(box, point) > 0; });
          }
          sum += busy;
        });
    return sum;
  }

  [[nodiscard]] static constexpr bool divide_rounds(round_group<W>& group,
                                                    refinement const& needed) {
    bool done = true;
    for (int b = 0; b < group.boxes; ++b) done = divide(group.box[b], needed) && done;
    return done;
  }

  struct answer {
    static constexpr int none = 0, all = 1, some = 2;
    int kind = none;
    refinement needed;
  };

  //! Finds out whether some lane is active in every round of the box, or in none. Searches up to
  //! `tries` times for a part of all rounds in which some lane is active.
  [[nodiscard]] constexpr answer anybody(warp_box<W> const& box, search& memory, int& tries) const {
    answer result;
    examination const examined = access_.examine(box, memory);
    if (memory.exhausted() || examined.none) return result;
    if (examined.active.uniform || !examined.active.sure.empty()) {
      result.kind = answer::all;
      return result;
    }
    if (examined.needed.kind == refinement::nothing) memory.budget = -1;
    if (memory.exhausted()) return result;
    warp_box<W> part = box;
    int dimension = examined.needed.dimension;
    index value = examined.needed.value;
    int const inner = widest_inner(box);
    bool const one_lane_decides = examined.monotone && box.lanes > 1 && !examined.active.mixed;
    if (inner < 0 && !one_lane_decides) {
      result.kind = answer::some;
      result.needed = examined.needed;
      return result;
    }
    if (examined.monotone) {  // if a lane of a round is active at all, then at this corner
      for (int d = 0; d < box.dimensions; ++d) {
        if (box.rounds[d] || box.extent[d] == 1) continue;
        index const corner = (examined.open_difference.coefficient[d] > 0) == examined.active.rises
                                 ? box.extent[d] - 1
                                 : 0;
        part.restrict_to(d, corner, corner + 1);
      }
      if (one_lane_decides)
        part.restrict_to_lane(
            (examined.open_difference.stride > 0) == examined.active.rises ? box.lanes - 1 : 0);
      return anybody(part, memory, tries);
    }
    if (box.rounds[dimension]) {
      if (tries-- <= 0) {
        result.kind = answer::some;
        result.needed = examined.needed;
        return result;
      }
      dimension = inner;
      value = (box.extent[inner] + 1) / 2;
    } else if (divide(part, examined.needed)) {
      return anybody(part, memory, tries);
    }
    part.restrict_to(dimension, 0, value);
    answer const lower = anybody(part, memory, tries);
    if (lower.kind == answer::all) return lower;
    part = box;
    part.restrict_to(dimension, value, box.extent[dimension]);
    answer const upper = anybody(part, memory, tries);
    return upper.kind == answer::none ? lower : upper;
  }

  [[nodiscard]] static constexpr int widest_inner(warp_box<W> const& box) {
    int widest = -1;
    for (int d = 0; d < box.dimensions; ++d)
      if (!box.rounds[d] && box.extent[d] > 1 && (widest < 0 || box.extent[d] > box.extent[widest]))
        widest = d;
    return widest;
  }

  //! The stages of a round of the group, by the residue that the rounds' dimensions add.
  struct profile {
    refinement needed;  //!< that a dimension of the rounds needs before there is a profile
    bool flat = true;   //!< stages[0] holds for all residues
    bool first = true;
    index moved[max_dimensions] = {};
    index stages[W] = {};
  };

  constexpr void fill(round_group<W> const& group, search& memory, profile& result) const {
    for (int b = 0; b < group.boxes; ++b) {
      refinement const dmm_cut = add(group.box[b], group.dmm_dimension, memory, result);
      if (memory.exhausted() || result.needed.kind != refinement::nothing) return;
      if (dmm_cut.kind == refinement::nothing) continue;
      // The DMMs differ: the largest of two groups of them counts.
      profile halves[2];
      for (int h = 0; h < 2; ++h) {
        round_group<W> half = group;
        for (int k = 0; k < half.boxes; ++k)
          half.box[k].restrict_to(
              group.dmm_dimension, h == 0 ? 0 : dmm_cut.value,
              h == 0 ? dmm_cut.value : group.box[k].extent[group.dmm_dimension]);
        fill(half, memory, halves[h]);
        if (memory.exhausted()) return;
        if (halves[h].needed.kind != refinement::nothing) {
          result = halves[h];
          return;
        }
      }
      result = halves[0];
      for (index r = 0; r < width_.width(); ++r)
        result.stages[r] = larger(halves[0].stages[r], halves[1].stages[r]);
      return;
    }
  }

  //! Adds a box's warps to a profile; returns a cut of the DMMs' dimension if one is needed.
  constexpr refinement add(warp_box<W> const& box, int dmm_dimension, search& memory,
                           profile& result) const {
    examination const examined = access_.examine(box, memory);
    if (memory.exhausted() || examined.none) return {};
    if (examined.covered) {
      refinement const mixed = accumulate(box, dmm_dimension, examined, result);
      if (mixed.kind != refinement::nothing) result.needed = mixed;
      return {};
    }
    if (examined.needed.kind == refinement::nothing) memory.budget = -1;
    if (memory.exhausted()) return {};
    if (box.rounds[examined.needed.dimension]) {
      result.needed = examined.needed;
      return {};
    }
    if (examined.needed.dimension == dmm_dimension)
      return {refinement::cut, dmm_dimension,
              examined.needed.kind == refinement::split ? (box.extent[dmm_dimension] + 1) / 2
                                                        : examined.needed.value};
    warp_box<W> part = box;
    if (divide(part, examined.needed)) return add(part, dmm_dimension, memory, result);
    part.restrict_to(examined.needed.dimension, 0, examined.needed.value);
    refinement const lower = add(part, dmm_dimension, memory, result);
    if (lower.kind != refinement::nothing || result.needed.kind != refinement::nothing)
      return lower;
    part = box;
    part.restrict_to(examined.needed.dimension, examined.needed.value,
                     box.extent[examined.needed.dimension]);
    return add(part, dmm_dimension, memory, result);
  }

  constexpr refinement accumulate(warp_box<W> const& box, int dmm_dimension,
                                  examination const& examined, profile& result) const {
    auto const within = [&](int d) { return !box.rounds[d] && d != dmm_dimension; };
    if (!by_groups || examined.one_group) {
      index warps = 1;
      for (int d = 0; d < box.dimensions; ++d)
        if (within(d)) warps = checked_multiply(warps, box.extent[d]);
      index const own = checked_multiply(warps, warp_stages(box, examined, 0));
      for (index r = 0; r < (by_groups ? width_.width() : 1); ++r)
        result.stages[r] = checked_add(result.stages[r], own);
      return {};
    } else {
      index const w = width_.width();
      bool flat = true;
      for (int d = 0; d < box.dimensions; ++d) {
        if (!box.rounds[d] || box.extent[d] == 1) continue;
        index const moved = floor_modulo(examined.address.coefficient[d], w);
        if (!result.first && moved != result.moved[d])
          return {refinement::cut, d, (box.extent[d] + 1) / 2};
        result.moved[d] = moved;
        flat = flat && moved == 0;
      }
      result.first = false;
      result.flat = flat;
      auto const warps = residue_histogram(w, box, examined.address, within);
      index by_residue[W] = {};
      for (index r = 0; r < w; ++r) by_residue[r] = warp_stages(box, examined, r);
      for (index r = 0; r < (flat ? 1 : w); ++r)
        for (int s = warps.low; s <= warps.high; ++s)
          if (warps.times[s] != 0)
            result.stages[r] = checked_add(
                result.stages[r], checked_multiply(warps.times[s], by_residue[(r + s) % w]));
      return {};
    }
  }
};

}  // namespace mmm::detail
