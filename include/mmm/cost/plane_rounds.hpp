// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/cost/closed_form.hpp>
#include <mmm/cost/number_list.hpp>
#include <mmm/cost/plane.hpp>
#include <mmm/cost/round_group.hpp>
#include <mmm/cost/search.hpp>
#include <mmm/index/box.hpp>
#include <mmm/index/plane.hpp>
#include <mmm/machine/machine.hpp>

//! The times of the rounds of an access on a plane (cost/plane.hpp) where they are not linear in
//! the stages: on several ports, or without warps. The rows are visited one after the other. Within
//! a part of a row in which the warps are equivalent, one period of the rounds is counted.
namespace mmm::detail {

//! The rounds of a group of boxes that are on one plane.
template <conflict Conflict, class Width, class RoundTime>
class plane_rounds {
  static constexpr int W = Width::max_lanes;
  static constexpr index max_places = 8;  //!< of a column that a box's warps begin at
  using plane_type = plane_sums<Conflict, Width>;
  using box_on_plane = typename plane_type::box_on_plane;

 public:
  //! \param first the first item of the first round.
  //! \param period the items of a round.
  constexpr plane_rounds(plane_type& plane, index first, index period, RoundTime round_time)
      : plane_(plane),
        w_(plane.width()),
        first_(first),
        period_(period),
        aligned_(lcm(period, plane.unit())),
        round_time_(round_time) {}

  //! Adds the cost of all rounds. Time: O(rows) steps, or one for each place of a column.
  constexpr void add(round_group<W> const& group, search& memory, access_cost& total) {
    list<box_on_plane> boxes;
    for (int b = 0; b < group.boxes; ++b) {
      box_on_plane const box = plane_.on_plane(group.box[b], memory);
      if (memory.exhausted()) return;
      if (add_places(box, boxes)) continue;
      if (!add_by_places(group, memory, total)) memory.budget = -1;
      return;
    }
    if (boxes.size() == 0) return;
    classes_ = aligned_ / period_ * (w_ / gcd(aligned_ / plane_.unit(), w_));
    add_boxes(boxes, memory, total);
  }

 private:
  //! Equivalent warps in the rows of a band.
  struct part {
    warp_grid grid;
    band items;
    index origin = 0;  //!< rows and columns count from this item
    bool equivalent = true;
    index row = 0;
    index column = 0;
    index stages[W] = {};     //!< by residue; the first one if equivalent
    index residue = 0;        //!< in the first row, of a warp at the origin's column
    index along = 0;          //!< added to the residue from one row to the next
    index repeat = 1;         //!< warps after which the residues repeat
    index to_next_warp = 0;   //!< added to the residue from one warp of a chunk to the next
    index to_next_chunk = 0;  //!< and from the last one to the next chunk
    bool same_in_chunk = true;
  };
  //! Stages of each of the rounds `first … last - 1`: a number, or what the warps of a part take.
  struct stretch {
    index first = 0;
    index last = 0;
    part const* source = nullptr;
    index number = 0;
  };
  template <class T>
  class list {
   public:
    constexpr list() = default;
    list(list const&) = delete;
    list& operator=(list const&) = delete;
    constexpr ~list() { delete[] data_; }
    constexpr void clear() { size_ = 0; }
    [[nodiscard]] constexpr int size() const { return size_; }
    constexpr T& operator[](int k) { return data_[k]; }
    constexpr T* begin() { return data_; }
    constexpr T* end() { return data_ + size_; }
    constexpr void add(T const& x) {
      if (size_ == capacity_) {
        T* const more = new T[static_cast<size_type>(2 * capacity_ + 8)];
        for (int k = 0; k < size_; ++k) more[k] = data_[k];
        delete[] data_;
        data_ = more;
        capacity_ = 2 * capacity_ + 8;
      }
      data_[size_++] = x;
    }
    //! Adds to a list in ascending order, unless it is there.
    constexpr void add_in_order(T const& x) {
      int k = size_;
      for (; k > 0 && x < data_[k - 1]; --k) {
      }
      if (k > 0 && data_[k - 1] == x) return;
      add(x);
      for (int l = size_ - 1; l > k; --l) data_[l] = data_[l - 1];
      data_[k] = x;
    }

   private:
    T* data_ = nullptr;
    int size_ = 0;
    int capacity_ = 0;
  };

  plane_type& plane_;
  index w_;
  index first_;
  index period_;
  index aligned_;  //!< the items after which all warps begin at the same places of rounds again
  RoundTime round_time_;
  index classes_ = 1;  //!< number of rounds after which the residues repeat
  list<part> parts_;
  list<stretch> stretches_;  //!< in the current row, and in the round that the row before ends in
  list<index> ends_;
  struct place_of_line {
    index item = 0;  //!< in a row
    index slope = 0;
    friend constexpr bool operator==(place_of_line const&, place_of_line const&) = default;
    friend constexpr bool operator<(place_of_line const& a, place_of_line const& b) {
      return a.item < b.item || (a.item == b.item && a.slope < b.slope);
    }
  };
  list<place_of_line> lines_;

  //! Adds the warps that begin at each place of a column. False if there are too many places, or
  //! the warps of one are no grid.
  [[nodiscard]] constexpr bool add_places(box_on_plane const& box, list<box_on_plane>& boxes) {
    warp_grid const& grid = box.grid;
    index const unit = plane_.unit();
    index const chunks = unit / gcd(grid.chunk, unit);
    index const warps = grid.warps == 1 ? 1 : unit / gcd(grid.step, unit);
    if (chunks > max_places || warps > max_places) return false;
    for (index k = 0; k < smaller(chunks, grid.chunks); ++k)
      for (index v = 0; v < smaller(warps, grid.warps); ++v) {
        box_on_plane split = box;
        split.grid.first =
            checked_add(grid.first, checked_add(checked_multiply(grid.chunk, k), grid.step * v));
        split.grid.step = checked_multiply(grid.step, warps);
        split.grid.chunk = checked_multiply(grid.chunk, chunks);
        split.grid.chunks = (grid.chunks - k - 1) / chunks + 1;
        split.grid.warps = (grid.warps - v - 1) / warps + 1;
        split.place = split.grid.first % unit;
        if (split.grid.chunks > 1) aligned_ = lcm(aligned_, split.grid.chunk);
        boxes.add(split);
      }
    return true;
  }

  //! Makes the chunks of a grid rounds; false if they are none.
  [[nodiscard]] constexpr bool by_rounds(warp_grid& grid) const {
    if (grid.first >= first_ + period_) return false;
    if (grid.chunk == period_) return true;
    if (grid.warps > 1) return false;
    grid.step = grid.chunk;
    grid.warps = smaller(grid.chunks, ceil_divide(period_, grid.chunk));
    if (grid.chunks % grid.warps != 0) return false;
    grid.chunks /= grid.warps;
    return grid.chunks == 1 || period_ % grid.chunk == 0;
  }
  //! Adds the rounds where the stages of a warp depend on nothing but its place in a column: those
  //! of a round depend on the place of its first item. False if they depend on more.
  [[nodiscard]] constexpr bool add_by_places(round_group<W> const& group, search& memory,
                                             access_cost& total) {
    index const unit = plane_.unit();
    index const classes = unit / gcd(period_, unit);
    index chunks = 0;
    index times = 0;
    number_list stages;  // of a class of rounds
    stages.reserve(classes);
    for (index k = 0; k < classes; ++k) stages[k] = 0;
    number_list stages_at;  // of a warp by its place, or -1
    stages_at.reserve(unit);
    for (int b = 0; b < group.boxes; ++b) {
      box_on_plane const box = plane_.on_plane(group.box[b], memory);
      if (memory.exhausted()) return false;
      warp_grid grid = box.grid;
      if (!by_rounds(grid) || (b > 0 && grid.chunks != chunks)) return false;
      index const cycle = grid.warps == 1 ? 1 : unit / gcd(grid.step, unit);
      chunks = grid.chunks;
      times = box.plane.round_volume();
      for (index place = 0; place < unit; ++place) stages_at[place] = -1;
      for (index k = 0; k < smaller(classes, grid.chunks); ++k)
        for (index v = 0; v < smaller(cycle, grid.warps); ++v) {
          index const place = (grid.first + period_ % unit * k + grid.step % unit * v) % unit;
          if (stages_at[place] < 0 && !plane_.find_stages_at(place, box, memory, stages_at[place]))
            return false;
          stages[k] = checked_add(
              stages[k], checked_multiply(stages_at[place], (grid.warps - v - 1) / cycle + 1));
        }
    }
    for (index k = 0; k < smaller(classes, chunks); ++k)
      add_rounds(stages[k], checked_multiply(times, (chunks - k - 1) / classes + 1), total);
    return true;
  }

  constexpr void add_boxes(list<box_on_plane>& boxes, search& memory, access_cost& total) {
    parts_.clear();
    refinement needed;
    for (box_on_plane const& box : boxes) {
      auto const add_part = [&](band const& items, index origin, stages_by_residue<W> const& s) {
        part p{box.grid, items, origin, s.equivalent, s.row, s.column};
        for (index r = 0; r < (s.equivalent ? 1 : w_); ++r) p.stages[r] = s.at(r);
        if (!s.equivalent) add_residues(p);
        parts_.add(p);
      };
      needed = plane_.for_each_equivalent(box, memory, add_part);
      if (memory.exhausted()) return;
      if (needed.kind != refinement::nothing) break;
    }
    if (needed.kind == refinement::nothing) return walk(boxes[0].plane.round_volume(), total);
    list<box_on_plane> half[2];
    for (box_on_plane const& box : boxes) {
      int halves = 0;
      plane_.for_each_half(box, needed, memory,
                           [&](box_on_plane const& h) { half[halves++].add(h); });
    }
    for (list<box_on_plane>& h : half)
      if (h.size() > 0 && !memory.exhausted()) add_boxes(h, memory, total);
  }

  //! Adds the rounds of all rows, each `times` times.
  constexpr void walk(index times, access_cost& total) {
    list<index> edges;
    for (part const& p : parts_) {
      edges.add_in_order(p.items.first);
      edges.add_in_order(p.items.last);
    }
    stretches_.clear();
    list<part const*> here;
    for (int e = 0; e + 1 < edges.size(); ++e) {
      here.clear();
      for (part const& p : parts_)
        if (p.items.first <= edges[e] && p.items.last > edges[e]) here.add(&p);
      index const end = edges[e + 1];
      index const period = rows_of_period(here, (end - edges[e]) / 4);
      for (index row = edges[e]; row < end;) {
        if (period == 0) {
          add_rows(here, row, end, times, total);
          break;
        }
        index const periods = equivalent_periods(here, row, end, period);
        if (periods < 4) {
          index const next = row + smaller(end - row, period / 4 + 1);
          add_rows(here, row, next, times, total);
          row = next;
        } else {
          // The first period begins in a round of other rows.
          add_rows(here, row, row + period, times, total);
          row += period;
          add_periods(here, row, period, periods - 1, times, total);
          row += (periods - 1) * period;
        }
      }
    }
    for (stretch const& s : stretches_) add_rounds(s.number, times, total);
  }
  constexpr void add_rows(list<part const*>& here, index row, index end, index times,
                          access_cost& total) {
    for (; row < end; ++row) {
      for (part const* p : here) add_stretches(*p, row);
      if (stretches_.size() > 1) add_row(row, times, total);
    }
  }

  //! The number of rows after which all parts are cut off at the same places of rounds again, with
  //! warps of the same residues; 0 if there are more than `max_rows`.
  [[nodiscard]] constexpr index rows_of_period(list<part const*>& here, index max_rows) const {
    index rows = 1;
    auto const take = [&](index step, index modulus) {  // step * rows becomes a multiple of it
      index const wanted = modulus / gcd(step, modulus);
      index const more = wanted / gcd(rows, wanted);
      rows = rows > max_rows / more ? 0 : rows * more;
      return rows != 0;
    };
    for (part const* p : here)
      for (line const* side : {&p->items.low, &p->items.high}) {
        if (side->slope <= 0 || !take(side->slope, aligned_)) return 0;
        index const columns = (side->slope - plane_.items_of_row()) / plane_.unit();
        for (part const* q : here)  // the residues at this line
          if (!q->equivalent &&
              (!take(q->row, w_) || !take(q->column * floor_modulo(columns, w_), w_)))
            return 0;
      }
    return rows;
  }
  //! The number of such periods from a row on, in each of which two lines of different slopes are
  //! so far apart that nothing changes between them but the number of whole rounds.
  [[nodiscard]] constexpr index equivalent_periods(list<part const*>& here, index row, index end,
                                                   index period) {
    lines_.clear();
    for (part const* p : here)
      for (line const* side : {&p->items.low, &p->items.high})
        lines_.add_in_order({side->at(row), side->slope});
    index rows = (end - row) / period * period;
    index const apart = checked_multiply(classes_ + 5, period_);
    for (int k = 0; k < lines_.size(); ++k) {
      bool const last = k + 1 == lines_.size();
      place_of_line next = lines_[last ? 0 : k + 1];
      if (last) next.item = checked_add(next.item, next.slope);  // in the row after
      index const growth = next.slope - lines_[k].slope;
      if (growth == 0) continue;
      index const more = next.item - lines_[k].item - apart;
      if (more < 0) return 0;
      if (growth < 0) rows = smaller(rows, more / -growth);
    }
    return rows / period;
  }
  //! Adds `periods` periods, at least 3, from a row on. The cost of a period grows by the same
  //! amount from one to the next.
  constexpr void add_periods(list<part const*>& here, index row, index period, index periods,
                             index times, access_cost& total) {
    access_cost const at_first = total;
    index const open_at_first = stretches_.size() == 0 ? 0 : stretches_[0].first;
    add_rows(here, row, row + period, times, total);
    access_cost const at_second = total;
    add_rows(here, row + period, row + 2 * period, times, total);
    access_cost const at_end = total;
    index const left = periods - 2;
    auto const add = [&](index access_cost::* figure) {
      index const last = at_end.*figure - at_second.*figure;
      index const growth = last - (at_second.*figure - at_first.*figure);
      // the sum of last + k growth for k = 1 ... left
      index const ends = checked_add(checked_multiply(2, last), checked_multiply(growth, left + 1));
      total.*figure = checked_add(total.*figure, left % 2 == 0 ? checked_multiply(left / 2, ends)
                                                               : checked_multiply(left, ends / 2));
    };
    add(&access_cost::rounds);
    add(&access_cost::stages);
    add(&access_cost::time);
    if (stretches_.size() == 0) return;
    // the round that continues in the next row moves by the same distance in each period
    index const moved = (stretches_[0].first - open_at_first) / 2 * left;
    stretches_[0].first += moved;
    stretches_[0].last += moved;
  }

  constexpr void add_stretches(part const& p, index row) {
    index const begin = p.grid.before(p.items.low.at(row));
    index const end = p.grid.before(p.items.high.at(row));
    if (begin >= end) return;
    index const first = (p.grid.begin(begin) - first_) / period_;
    index const last = (p.grid.begin(end - 1) - first_) / period_;
    if (first == last)
      return stretches_.add({first, first + 1, nullptr, amount(p, row, begin, end)});
    stretches_.add({first, first + 1, nullptr, amount(p, row, begin, warps_before(p, first + 1))});
    if (last > first + 1) stretches_.add({first + 1, last, &p, 0});
    stretches_.add({last, last + 1, nullptr, amount(p, row, warps_before(p, last), end)});
  }
  //! The warps of a part's box before a round.
  [[nodiscard]] constexpr index warps_before(part const& p, index round) const {
    return p.grid.before(first_ + round * period_);
  }

  //! Sets the numbers that the residues of a part's warps depend on.
  constexpr void add_residues(part& p) const {
    index const unit = plane_.unit();
    p.along = floor_modulo(p.row - p.column * (plane_.items_of_row() / unit), w_);
    p.residue = -p.along * floor_modulo(p.origin / plane_.items_of_row(), w_);
    index const along_chunk = p.column * floor_modulo(p.grid.chunk / unit, w_) % w_;
    p.repeat = checked_multiply(w_ / gcd(along_chunk, w_), p.grid.warps);
    p.to_next_warp = p.grid.warps == 1 ? 0 : p.column * floor_modulo(p.grid.step / unit, w_) % w_;
    p.to_next_chunk = floor_modulo(along_chunk - (p.grid.warps - 1) % w_ * p.to_next_warp, w_);
    p.same_in_chunk = p.to_next_warp == 0;
  }
  //! The stages that the warps `begin … end - 1` of a part's box take in a row.
  [[nodiscard]] constexpr index amount(part const& p, index row, index begin, index end) const {
    if (begin >= end) return 0;
    if (p.equivalent) return checked_multiply(end - begin, p.stages[0]);
    index const count = end - begin;
    index const periods = count < p.repeat ? 0 : count / p.repeat;
    index const rest = count - periods * p.repeat;
    index const chunk = begin / p.grid.warps;
    index in_chunk = begin - chunk * p.grid.warps;
    index const item = p.grid.first + chunk * p.grid.chunk + in_chunk * p.grid.step;
    index residue = floor_modulo(p.residue + p.along * floor_modulo(row, w_) +
                                     p.column * floor_modulo((item - p.origin) / plane_.unit(), w_),
                                 w_);
    index sum = 0;
    for (index done = 0; done < smaller(count, p.repeat);) {
      index const left = smaller(count, p.repeat) - done;
      index const next = p.same_in_chunk ? smaller(left, p.grid.warps - in_chunk) : 1;
      index const warps = periods * next + smaller(next, larger(rest - done, 0));
      sum = checked_add(sum, checked_multiply(warps, p.stages[residue]));
      done += next;
      in_chunk += next;
      bool const ends = in_chunk == p.grid.warps;
      if (ends) in_chunk = 0;
      residue += ends ? p.to_next_chunk : p.to_next_warp;
      if (residue >= w_) residue -= w_;
    }
    return sum;
  }

  //! Adds the rounds of a row, but for the last one, which may go on in the next row.
  constexpr void add_row(index row, index times, access_cost& total) {
    ends_.clear();
    index open = 0;
    for (stretch const& s : stretches_) {
      ends_.add_in_order(s.first);
      ends_.add_in_order(s.last);
      open = larger(open, s.last - 1);
    }
    ends_.add_in_order(open);
    auto const stages = [&](index round) {
      index sum = 0;
      for (stretch const& s : stretches_) {
        if (s.first > round || s.last <= round) continue;
        index const own = s.source == nullptr
                              ? s.number
                              : amount(*s.source, row, warps_before(*s.source, round),
                                       warps_before(*s.source, round + 1));
        sum = checked_add(sum, own);
      }
      return sum;
    };
    for (int e = 0; e + 2 < ends_.size(); ++e)
      for (index k = 0; k < smaller(classes_, ends_[e + 1] - ends_[e]); ++k)
        add_rounds(stages(ends_[e] + k),
                   checked_multiply(times, (ends_[e + 1] - ends_[e] - 1 - k) / classes_ + 1),
                   total);
    stretch const last{open, open + 1, nullptr, stages(open)};
    stretches_.clear();
    stretches_.add(last);
  }

  constexpr void add_rounds(index stages, index count, access_cost& total) const {
    if (stages == 0) return;
    constexpr bool counts_stages = has_stages(Conflict);
    index const time = round_time_(stages);
    total.rounds = checked_add(total.rounds, count);
    total.stages =
        checked_add(total.stages, checked_multiply(count, counts_stages ? stages : time));
    total.time = checked_add(total.time, checked_multiply(count, time));
  }
};

}  // namespace mmm::detail
