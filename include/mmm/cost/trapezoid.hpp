// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/cost/access.hpp>
#include <mmm/cost/affine.hpp>
#include <mmm/cost/request.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/index/trapezoid.hpp>
#include <mmm/machine/machine.hpp>

//! The cost of one access of a parallel-for over a trapezoid: row by row where addresses are
//! affine, else lane by lane.
//!
//! Within a row the addresses of an affine access are an arithmetic sequence, whatever warps it is
//! cut into. So the stages of a row are its address groups, plus one for each boundary of warps
//! that cuts a group, less the groups that the warp in which the row begins has touched in the rows
//! before.
namespace mmm::detail {

//! `sum domain (step * k + origin) / w` over 0 <= k < count, modulo 2^64, for `0 <= step < w` and
//! `origin >= 0`. Time: O(log w) steps, as Euclid's.
[[nodiscard]] constexpr std::uint64_t floor_sum(index count, index step, index origin, index w) {
  std::uint64_t sum = 0;
  while (true) {
    index const pairs_even = count % 2 == 0 ? count / 2 : count;
    index const pairs_other = count % 2 == 0 ? count - 1 : (count - 1) / 2;
    sum += static_cast<std::uint64_t>(pairs_even) * static_cast<std::uint64_t>(pairs_other) *
               static_cast<std::uint64_t>(step / w) +
           static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(origin / w);
    step %= w;
    index const highest = checked_add(checked_multiply(step, count), origin % w);
    if (highest < w) return sum;
    count = highest / w;  // the points under the line, counted along the other axis
    origin = highest % w;
    index const divisor = step;
    step = w;
    w = divisor;
  }
}
//! The number of those among `origin, origin + step, …`, `count` numbers, that are below
//! `bound < w` modulo `w`.
[[nodiscard]] constexpr index count_below_modulo(index count, index step, index origin, index bound,
                                                 index w) {
  step %= w;
  origin %= w;
  // at most `count`, so that the difference is right although the sums may not be
  return static_cast<index>(floor_sum(count, step, origin + w, w) -
                            floor_sum(count, step, origin + w - bound, w));
}

//! The number of steps after which `k (k + 1)/2` and all multiples of k are the same as before,
//! modulo `w` and modulo `period`.
[[nodiscard]] constexpr index cycle_of_triangles(index w, index period) {
  index const both = lcm(w, period);
  return both % 2 == 0 ? checked_multiply(2, both) : both;
}

//! Length of the rows whose first group is not one of the row before, if an access is at
//! neighbouring words of a row, and rows begin a word or less after each other.
[[nodiscard]] constexpr index long_row(index w) { return 3 * w + 2; }

//! The address groups that a warp has touched, as intervals that do not adjoin.
template <int W>
class touched_groups {
 public:
  constexpr void clear() { used_ = 0; }
  //! Adds the groups low … high; returns how many of them are new.
  constexpr index add(index low, index high) {
    index before = 0;
    int count = 0;
    for (int k = 0; k < used_; ++k) {
      if (high_[k] < low - 1 || low_[k] > high + 1) {
        low_[count] = low_[k];
        high_[count++] = high_[k];
      } else {
        before += high_[k] - low_[k] + 1;
        low = smaller(low, low_[k]);
        high = larger(high, high_[k]);
      }
    }
    low_[count] = low;
    high_[count] = high;
    used_ = count + 1;
    return high - low + 1 - before;
  }

 private:
  int used_ = 0;
  index low_[W] = {};
  index high_[W] = {};
};

//! Stages on address groups of an access with addresses
//! `base + row_step * row + column_step * column`, warp by warp over a trapezoid.
template <int W>
class row_walk {
 public:
  //! An item on its way through the rows.
  using place = trapezoid::place;

  constexpr row_walk(index w, trapezoid const& shape, index row_step, index column_step)
      : w_(w), shape_(shape), row_step_(row_step), column_step_(column_step) {
    if (shape.length(0) == 1 && row_step >= 0) {  // a column is a row
      shape_ = {1, shape.rows_in_use(), shape.rows_in_use()};
      row_step_ = 0;
      column_step_ = row_step;
    }
    if (w == 1) {  // every item is a warp, every word a group
      row_step_ = column_step_ = 1;
      rises_ = true;
      return;
    }
    index const rows = shape_.rows_in_use();
    index const reach = checked_multiply(magnitude(column_step_), shape_.length(0));
    rises_ = rows <= 1 || row_step_ >= reach - magnitude(column_step_);
    // Addresses modulo w are what counts: they start at 0 or a little above.
    index const fall = row_step_ < 0 ? checked_multiply(-row_step_, rows - 1) : 0;
    lift_ = checked_multiply(ceil_divide(fall, w), w);
    static_cast<void>(
        checked_add(checked_add(reach, lift_), checked_multiply(magnitude(row_step_), rows)));
  }

  //! True if count() is right for these steps.
  [[nodiscard]] constexpr bool applies() const {
    return column_step_ >= 0 && (rises_ || column_step_ < w_);
  }
  //! True if the base does not matter.
  [[nodiscard]] constexpr bool scattered() const {
    return shape_.rows_in_use() == 1 && column_step_ >= w_;
  }

  //! Rows of at most `below` words, and of at least `above`, are separate: no row after one begins
  //! in a group that the warp around its beginning has touched before.
  struct separate_lengths {
    index below;
    index above;
  };
  [[nodiscard]] constexpr separate_lengths separate() const {
    bool const apart = row_step_ >= w_;
    if (column_step_ == 0) return {apart ? INT64_MAX : 0, INT64_MAX};
    return {apart ? (row_step_ - w_) / column_step_ + 1 : 0,
            2 * w_ + 1 + ceil_divide(checked_add(larger(row_step_, 0), w_), column_step_)};
  }
  //! True if all rows of the trapezoid are separate, or those of long_row words and more.
  [[nodiscard]] constexpr bool separate_if_long() const {
    separate_lengths const length = separate();
    return shape_.length(0) <= length.below || length.above <= long_row(w_);
  }

  //! Stages of all items, where each `period <= w` consecutive ones are a warp. Time: O(w period)
  //! rows at most, O(w) where one divides the other.
  //!
  //! Rows of equal length come again, with their warps, after `turn` rows. A shorter row costs
  //! fewer stages than the one that is a cycle of rows before, by the same number each time, if
  //! rows are separate: sums of cycles are an arithmetic sequence.
  constexpr index count_all(index period, index base) {
    auto const stages_of = [&](index row, index end) {
      place position{row, 0};
      index const first = shape_.items_before(row);
      return count(position, first, shape_.items_before(end), period, base,
                   floor_modulo(-first, period));
    };
    index const rows = shape_.rows_in_use();
    index const full = shape_.full_rows();
    index total = 0;
    index row = 0;
    index const turn = lcm(period / gcd(shape_.length(0), period), w_ / gcd(row_step_, w_));
    if (full > turn) {
      row = full / turn * turn;
      total = checked_multiply(full / turn, stages_of(0, turn));
    }
    index const cycle = cycle_of_triangles(w_, period);
    separate_lengths const length = separate();
    index first = larger(full, shape_.diagonal - length.below) + 1;
    index end = rows;
    if (length.below < length.above && shape_.length(full) >= length.above) {
      first = full + 1;
      end = smaller(rows, shape_.diagonal - length.above);
    }
    if (index const cycles = (end - first) / cycle; cycles > 3) {
      index const one = stages_of(first, first + cycle);
      index const less = one - stages_of(first + cycle, first + 2 * cycle);
      total = checked_add(total, stages_of(row, first));
      total = checked_add(
          total, checked_multiply(cycles, one) - checked_multiply(cycles * (cycles - 1) / 2, less));
      row = first + cycles * cycle;
    }
    return checked_add(total, stages_of(row, rows));
  }

  //! Stages of the items [first, last), where each `period <= w` consecutive ones are a warp; the
  //! first `left` of them belong to one that begins before. `position` is the place of `first` and
  //! becomes that of `last`. Time: O(rows) steps, times O(log w) where period < w.
  constexpr index count(place& position, index first, index last, index period, index base,
                        index left = 0) {
    base = floor_modulo(base, w_) + lift_;
    index total = 0;
    index top = -1;  // the last group of a warp that lacks `left` items
    groups_.clear();
    while (first < last) {
      index const whole = shape_.length(position.row) - position.column;
      index const n = smaller(whole, last - first);
      index const low = base + row_step_ * position.row + column_step_ * position.column;
      index const first_group = low / w_;
      index const last_group = (low + column_step_ * (n - 1)) / w_;
      index const boundary = left == 0 ? period : left;
      index const boundaries = n > boundary ? (n - boundary - 1) / period + 1 : 0;
      total += column_step_ >= w_ ? n : last_group - first_group + 1;
      if (boundaries != 0 && column_step_ < w_)
        total += cut_groups(low + column_step_ * boundary, boundaries, period);
      if (rises_)
        total -= left != 0 && first_group == top;
      else
        total -= known_groups(low, n, left, boundary + (boundaries - 1) * period);
      top = last_group;
      left = boundaries == 0 ? boundary - n : period - (n - boundary - (boundaries - 1) * period);
      first += n;
      position = n == whole ? place{position.row + 1, 0} : place{position.row, position.column + n};
    }
    return total;
  }

 private:
  //! The number of warps that begin in a group that the warp before has touched, too.
  [[nodiscard]] constexpr index cut_groups(index address, index boundaries, index period) const {
    if (column_step_ * period % w_ == 0) return address % w_ >= column_step_ ? boundaries : 0;
    return boundaries -
           count_below_modulo(boundaries, column_step_ * period, address, column_step_, w_);
  }

  //! The number of a row's first groups that its first warp has touched in the rows before.
  //! Remembers the groups of the row's last warp.
  constexpr index known_groups(index low, index n, index left, index last_boundary) {
    index const head = left == 0 ? n : smaller(n, left);
    index const first_group = low / w_;
    index const last_group = (low + column_step_ * (head - 1)) / w_;
    if (left == 0) groups_.clear();
    index const known = last_group - first_group + 1 - groups_.add(first_group, last_group);
    if (last_boundary > 0) {
      groups_.clear();
      groups_.add((low + column_step_ * last_boundary) / w_, (low + column_step_ * (n - 1)) / w_);
    }
    return known;
  }

  index w_;
  trapezoid shape_;
  index row_step_;
  index column_step_;
  index lift_ = 0;
  bool rises_ = false;  //!< no row has a group before the last one of the row before
  touched_groups<W> groups_{};
};

//! The number of times that each residue modulo `w <= W` is the sum of `origin` and what some loops
//! add: `times[low … high]`, 0 elsewhere.
template <int W>
struct residue_counts {
  index w;
  index times[W] = {};
  int low;
  int high;
  constexpr residue_counts(index modulo, index origin)
      : w(modulo), low(static_cast<int>(floor_modulo(origin, w))), high(low) {
    times[low] = 1;
  }
  //! Adds `0, step, 2 step, …`, `count` numbers.
  constexpr void add(index count, index step) {
    step = floor_modulo(step, w);
    index const cycle = w / gcd(step, w);
    index sum[W] = {};
    for (int r = low; r <= high; ++r)
      for (index k = 0; times[r] != 0 && k < smaller(cycle, count); ++k) {
        index& n = sum[(r + k * step) % w];
        n = checked_add(n, checked_multiply(times[r], (count - k - 1) / cycle + 1));
      }
    if (cycle > 1) {
      low = 0;
      high = static_cast<int>(w) - 1;
    }
    for (int r = low; r <= high; ++r) times[r] = sum[r];
  }
};

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

//! True if all warps of items that threads handle have the same number of lanes but the last.
[[nodiscard]] constexpr bool equivalent_warps(index w, index threads, index items) {
  return threads <= w || threads % w == 0 || items <= threads;
}

//! The cost by rows; by rounds, too, where their times are not linear in the stages or their warps
//! differ.
template <memory M>
constexpr void walk_rows(M const& m, access_domain const& domain, affine_form const& address,
                         row_walk<max_lanes<M>> walk, access_cost& total) {
  index const w = m.width();
  residue_counts<max_lanes<M>> loops(w, address.number);
  residue_counts<max_lanes<M>> dmms(w, 0);
  for (int k = 0; k < domain.loops; ++k)
    loops.add(domain.trips[k], walk.scattered() ? 0 : address.coefficient[first_loop_slot + k]);
  if (!domain.machine_wide)
    dmms.add(domain.dmms, walk.scattered() ? 0 : address.coefficient[dmm_slot]);
  index const in_chunk =
      domain.machine_wide ? checked_multiply(domain.threads, domain.dmms) : domain.threads;
  bool const warps_equivalent = equivalent_warps(w, domain.threads, domain.items);
  for (int r = loops.low; r <= loops.high; ++r) {
    if (loops.times[r] == 0) continue;
    auto const over_dmms = [&](auto const& stages_of) {
      index sum = 0;
      for (int s = dmms.low; s <= dmms.high; ++s)
        if (dmms.times[s] != 0)
          sum = checked_add(sum, checked_multiply(dmms.times[s], stages_of(r + s)));
      return sum;
    };
    if (m.ports() == 1 && warps_equivalent) {
      index const sum =
          over_dmms([&](index base) { return walk.count_all(smaller(domain.threads, w), base); });
      index const rounds = checked_multiply(loops.times[r], ceil_divide(domain.items, in_chunk));
      index const stages = checked_multiply(loops.times[r], sum);
      total.rounds = checked_add(total.rounds, rounds);
      total.stages = checked_add(total.stages, stages);
      total.time =
          checked_add(total.time, checked_add(stages, checked_multiply(rounds, m.latency() - 1)));
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

//! True if an access is one at affine addresses that all lanes make, whose long rows begin in no
//! group of the row before (long_row).
template <machine M, class Address, class Predicate>
[[nodiscard]] constexpr bool rows_are_separate(M const& m, trapezoid const& shape,
                                               Address const& address, Predicate const&) {
  if constexpr (!is_same_v<Predicate, always>) return false;
  affine_form const form = affine_of(address);
  if (!form.known || form.columns != 0) return false;
  row_walk<1> const walk(m.width(), shape, form.coefficient[row_slot],
                         form.coefficient[column_slot]);
  return walk.applies() && walk.separate_if_long();
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
//! access, and one per round where p is no multiple of the width or there are ports; without groups
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
          walk_rows(m, domain, form, walk, total);
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
