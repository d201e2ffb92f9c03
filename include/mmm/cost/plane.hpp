// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/cost/access_in_boxes.hpp>
#include <mmm/cost/closed_form.hpp>
#include <mmm/cost/idle_rounds.hpp>
#include <mmm/cost/line_sums.hpp>
#include <mmm/cost/number_list.hpp>
#include <mmm/cost/request.hpp>
#include <mmm/cost/residue_histogram.hpp>
#include <mmm/cost/search.hpp>
#include <mmm/cost/warp_grid.hpp>
#include <mmm/index/box.hpp>
#include <mmm/index/plane.hpp>
#include <mmm/machine/machine.hpp>

//! Sums over warps that cut the rows of a matrix anywhere, where neither side nor threads divide.
//!
//! Item s is in row `s / m` and column `s % m`. In these two dimensions, in place of chunks and
//! warps, the quotients by m are linear, so that an expression has a normal form over few parts of
//! the plane of rows and columns, whatever m is. Where a condition holds on one side of a diagonal,
//! it cuts the plane along this line, and not a box into rows. A part is a few bands of rows
//! between two lines; how many warps begin in a band is the difference of two sums of quotients
//! along its lines (cost/line_sums.hpp).
namespace mmm::detail {

//! The sums over the plane of rows and columns for one access.
template <conflict Conflict, class Width>
class plane_sums {
  static constexpr int W = Width::max_lanes;
  using warp_stages = stages_by_residue<W>;
  using runs_in_rows = active_runs<192>;

 public:
  using examination = detail::examination<W>;

  //! \param items_of_row the plane's m.
  //! \param unit the items of a column, a divisor of m. Warps that begin at the same place of a
  //! column are taken together. Unless it is a multiple of w, there must be w such places at most.
  constexpr plane_sums(Width const& width, examined_access<W> const& access, index items_of_row,
                       index unit)
      : width_(width),
        access_(access),
        sums_(width, access),
        items_of_row_(items_of_row),
        unit_(unit) {}

  //! Stages of all warps of a box; on a memory without conflicts, accesses.
  [[nodiscard]] constexpr index stages(warp_box<W> const& box, search& memory) {
    box_on_plane const found = on_plane(box, memory);
    if (memory.exhausted()) return 0;
    grid_ = found.grid;
    index const end = checked_add(grid_.first, checked_multiply(grid_.chunk, grid_.chunks));
    index const apart =  // between two such places
        gcd(grid_.warps == 1 ? grid_.chunk : gcd(grid_.chunk, width_.width()), unit_);
    index sum = 0;
    for (place_ = grid_.first % apart; place_ < unit_; place_ += apart)
      for_each_rectangle(
          found.plane, first_column(grid_.first), first_column(end),
          [&](warp_box<W> const& part) { sum = checked_add(sum, stages_of_part(part, memory)); });
    place_ = 0;
    return sum;
  }

  //! The plane of a box, and the first items of its warps.
  struct box_on_plane {
    warp_box<W> plane;
    warp_grid grid;
    index place = 0;  //!< in a column, where all warps begin, if they were split by places
  };
  [[nodiscard]] constexpr box_on_plane on_plane(warp_box<W> const& box, search& memory) {
    bool of_items[max_dimensions] = {};
    box_on_plane found;
    found.grid = grid_of(width_.width(), box, of_items);
    index const places = unit_ / gcd(found.grid.chunk, unit_);  // in columns of few items
    if (!found.grid.known || items_of_row_ % unit_ != 0 ||
        (unit_ % width_.width() != 0 && places > width_.width()))
      memory.budget = -1;
    else
      found.plane = plane_box(box, of_items, box.lanes, unit_);
    return found;
  }

  //! Calls `visit(band of items, first item, stages)` for all parts of a plane in which the warps
  //! are equivalent; rows and columns count from the first item. Ends early with the refinement of
  //! a dimension of the rounds, if one is needed.
  template <class Visit>
  [[nodiscard]] constexpr refinement for_each_equivalent(box_on_plane const& box, search& memory,
                                                         Visit visit) {
    refinement of_rounds;
    place_ = box.place;
    index const end =
        checked_add(box.grid.first, checked_multiply(box.grid.chunk, box.grid.chunks));
    for_each_rectangle(
        box.plane, first_column(box.grid.first), first_column(end),
        [&](warp_box<W> const& part) { visit_equivalent(part, memory, of_rounds, visit); });
    place_ = 0;
    return of_rounds;
  }
  //! for_each_part() of a plane as a whole.
  template <class Visit>
  constexpr void for_each_half(box_on_plane const& box, refinement const& needed, search& memory,
                               Visit visit) const {
    for_each_part(box.plane, needed, memory,
                  [&](warp_box<W> const& part) { visit(box_on_plane{part, box.grid, box.place}); });
  }
  //! Sets the stages that every warp at a place of a column takes; false if they differ.
  [[nodiscard]] constexpr bool find_stages_at(index place, box_on_plane box, search& memory,
                                              index& stages) {
    stages = -1;
    bool equal = access_.everywhere;
    box.place = place;
    refinement const needed = for_each_equivalent(
        box, memory, [&](band const&, index, stages_by_residue<W> const& found) {
          equal = equal && found.equivalent && (stages < 0 || stages == found.at(0));
          stages = found.at(0);
        });
    return equal && !memory.exhausted() && needed.kind == refinement::nothing && stages >= 0;
  }
  [[nodiscard]] constexpr index width() const { return width_.width(); }
  [[nodiscard]] constexpr index items_of_row() const { return items_of_row_; }
  //! Items of a column.
  [[nodiscard]] constexpr index unit() const { return unit_; }

  //! The number of rounds in which some lane is active, among `rounds` rounds of `period` items
  //! each from `first` on, for all values of those dimensions of `box` that are not dimensions of
  //! the items.
  [[nodiscard]] constexpr index busy_rounds(warp_box<W> const& box, index first, index period,
                                            index rounds, search& memory) {
    bool of_items[max_dimensions] = {};
    static_cast<void>(grid_of(width_.width(), box, of_items));
    index const end = checked_add(first, checked_multiply(period, rounds));
    index const unit = unit_;
    if (unit_ > width_.width() || items_of_row_ % unit_ != 0 || first % unit_ != 0 ||
        period % unit_ != 0)
      unit_ = 1;
    warp_box<W> whole = plane_box(box, of_items, static_cast<int>(unit_), unit_);
    whole.slot[item_slot].origin = 0;
    index const busy = busy_in(whole, first, end, period, rounds, memory);
    unit_ = unit;
    return busy;
  }

 private:
  [[no_unique_address]] Width width_;
  examined_access<W> const& access_;
  box_sums<Conflict, Width> sums_;
  index items_of_row_;
  index unit_;       //!< items of a column
  index place_ = 0;  //!< in a column, where the warps begin
  warp_grid grid_{};

  //! The first item from `item` on that is at the warps' place of a column, less that place.
  [[nodiscard]] constexpr index first_column(index item) const {
    return floor_divide(item - place_ + unit_ - 1, unit_) * unit_;
  }

  //! A box with the other dimensions as they are, and the plane in place of those of the items.
  [[nodiscard]] constexpr warp_box<W> plane_box(warp_box<W> const& box,
                                                bool const (&of_items)[max_dimensions], int lanes,
                                                index unit) const {
    warp_box<W> plane;
    plane.lanes = lanes;
    plane.loops = box.loops;
    for (int d = 0; d < box.dimensions; ++d) {
      if (of_items[d]) continue;
      int const dimension = plane.add_dimension(box.extent[d], box.rounds[d]);
      for (int s = 0; s < slot_count; ++s)
        plane.slot[s].coefficient[dimension] = box.slot[s].coefficient[d];
    }
    for (int s = 0; s < slot_count; ++s)
      if (s != item_slot) plane.slot[s].origin = box.slot[s].origin;
    plane.plane.row = plane.add_dimension(1, false);
    plane.plane.column = plane.add_dimension(items_of_row_ / unit, false);
    plane.slot[item_slot].stride = 1;
    plane.slot[item_slot].coefficient[plane.plane.row] = items_of_row_;
    plane.slot[item_slot].coefficient[plane.plane.column] = unit;
    return plane;
  }

  //! The rectangles that the items `first … end - 1` are.
  template <class Visit>
  constexpr void for_each_rectangle(warp_box<W> const& plane, index first, index end,
                                    Visit visit) const {
    index const m = items_of_row_;
    for (index begin = first; begin < end;) {
      index const row = begin / m;
      bool const whole = begin % m == 0 && end - begin >= m;
      index const stop = whole ? end / m * m : smaller(end, (row + 1) * m);
      warp_box<W> part = plane;
      part.slot[item_slot].origin = begin + place_;
      part.extent[plane.plane.row] = whole ? (stop - begin) / m : 1;
      part.extent[plane.plane.column] = ((whole ? m : stop - begin) - 1) / unit_ + 1;
      visit(part);
      begin = stop;
    }
  }

  //! The values [first, last) of a dimension.
  [[nodiscard]] static constexpr warp_box<W> restricted(warp_box<W> box, int dimension, index first,
                                                        index last) {
    box.restrict_to(dimension, first, last);
    if (box.plane.has(dimension)) {
      index const moved = checked_multiply(
          dimension == box.plane.row ? box.plane.row_step : box.plane.column_step, first);
      box.plane.low = checked_subtract(box.plane.low, moved);
      box.plane.high = checked_subtract(box.plane.high, moved);
    }
    return box;
  }
  //! The part of a box on one side of a half-plane cut.
  [[nodiscard]] static constexpr warp_box<W> beside(warp_box<W> box, refinement const& cut,
                                                    bool above) {
    plane_region& plane = box.plane;
    if (!plane.strip) {
      index const row = checked_multiply(cut.row_step, box.extent[plane.row] - 1);
      index const column = cut.column_step * (box.extent[plane.column] - 1);
      plane.strip = true;
      plane.row_step = cut.row_step;
      plane.column_step = cut.column_step;
      plane.low = checked_add(smaller(row, 0), smaller(column, 0));
      plane.high = checked_add(larger(row, 0), larger(column, 0)) + 1;
    }
    (above ? plane.low : plane.high) = cut.value;
    return box;
  }

  //! Calls `visit` for the two parts of a box that a refinement makes, or for the one with a
  //! dimension more.
  template <class Visit>
  constexpr void for_each_part(warp_box<W> const& box, refinement const& needed, search& memory,
                               Visit visit) const {
    if (needed.kind == refinement::nothing || memory.depth == search::max_depth) {
      memory.budget = -1;
      return;
    }
    ++memory.depth;
    warp_box<W> split = box;
    if (needed.kind == refinement::half_plane) {
      visit(beside(box, needed, false));
      visit(beside(box, needed, true));
    } else if (sums_.divide(split, needed)) {
      visit(split);
    } else {
      visit(restricted(box, needed.dimension, 0, needed.value));
      visit(restricted(box, needed.dimension, needed.value, box.extent[needed.dimension]));
    }
    --memory.depth;
  }

  [[nodiscard]] constexpr examination examine(warp_box<W> const& box, search& memory) const {
    memory.keys.begin();
    examination const examined = access_.examine(box, memory);
    memory.keys.drop(memory.keys.end());
    return examined;
  }

  template <class Visit>
  constexpr void visit_equivalent(warp_box<W> const& box, search& memory, refinement& of_rounds,
                                  Visit& visit) const {
    band_list const bands = bands_of(box);
    if (bands.count == 0 || memory.exhausted() || of_rounds.kind != refinement::nothing) return;
    examination const examined = examine(box, memory);
    if (memory.exhausted() || examined.none) return;
    refinement needed = examined.needed;
    if (examined.covered) {
      warp_stages stages = stages_of_equivalent(
          box, examined, [&](int d) { return !box.plane.has(d) && !box.rounds[d]; });
      needed = stages.equivalent ? refinement{} : mixed_rounds(box, examined);
      if (needed.kind == refinement::nothing) {
        if (stages.row == 0 && stages.column == 0) stages.equivalent = true;
        for (int k = 0; k < bands.count; ++k)
          visit(band_of_items(box, bands.entry[k]), box.slot[item_slot].origin, stages);
        return;
      }
    }
    if (needed.kind != refinement::nothing && needed.kind != refinement::half_plane &&
        box.rounds[needed.dimension])
      of_rounds = needed;
    else
      for_each_part(box, needed, memory, [&](warp_box<W> const& part) {
        visit_equivalent(part, memory, of_rounds, visit);
      });
  }
  //! The refinement of a dimension of the rounds that changes the residues: a split or cut at their
  //! period, then a cut in the middle.
  [[nodiscard]] constexpr refinement mixed_rounds(warp_box<W> const& box,
                                                  examination const& examined) const {
    for (int d = 0; d < box.dimensions; ++d) {
      if (!box.rounds[d] || box.extent[d] == 1) continue;
      index const period = width_.width() / gcd(examined.address.coefficient[d], width_.width());
      if (period == 1) continue;
      index const whole = box.extent[d] / period * period;
      if (whole == 0 || box.extent[d] == period)
        return {refinement::cut, d, (box.extent[d] + 1) / 2};
      return whole == box.extent[d] ? refinement{refinement::split, d, period}
                                    : refinement{refinement::cut, d, whole};
    }
    return {};
  }

  [[nodiscard]] static constexpr band_list bands_of(warp_box<W> const& box) {
    return box.plane.bands(box.extent[box.plane.row], box.extent[box.plane.column]);
  }

  [[nodiscard]] constexpr index stages_of_part(warp_box<W> const& box, search& memory) const {
    band_list const bands = bands_of(box);
    if (bands.count == 0 || memory.exhausted()) return 0;
    examination const examined = examine(box, memory);
    if (memory.exhausted() || examined.none) return 0;
    if (examined.covered) return covered_stages(box, bands, examined, memory);
    index sum = 0;
    for_each_part(box, examined.needed, memory, [&](warp_box<W> const& part) {
      sum = checked_add(sum, stages_of_part(part, memory));
    });
    return sum;
  }

  //! The stages of the warps that begin in a box's bands, where all are equivalent.
  [[nodiscard]] constexpr index covered_stages(warp_box<W> const& box, band_list const& bands,
                                               examination const& examined, search& memory) const {
    warp_stages const stages =
        stages_of_equivalent(box, examined, [&](int d) { return !box.plane.has(d); });
    std::uint64_t begin[W] = {};
    for (int k = 0; k < bands.count; ++k)
      if (!count_warps(box, bands.entry[k], stages.row, stages.column, begin)) memory.budget = -1;
    index sum = 0;
    for (index r = 0; r < width_.width(); ++r) {
      auto const warps = static_cast<index>(begin[r] & INT64_MAX);
      if (warps != 0) sum = checked_add(sum, checked_multiply(warps, stages.at(r)));
    }
    return sum;
  }

  //! The stages that equivalent warps take, for all values of the dimensions `wanted(d)` together.
  template <class Wanted>
  [[nodiscard]] constexpr warp_stages stages_of_equivalent(warp_box<W> const& box,
                                                           examination const& examined,
                                                           Wanted wanted) const {
    constexpr bool by_groups = is(Conflict, conflict::groups);
    linear_form const residues = by_groups ? linear_form(examined.address) : linear_form{};
    warp_stages stages{residue_histogram(width_.width(), box, residues, wanted)};
    if constexpr (by_groups) {
      for (index r = 0; r < width_.width(); ++r) {
        stages.own[r] = sums_.warp_stages(box, examined, r);
        stages.equivalent = stages.equivalent && stages.own[r] == stages.own[0];
      }
      if (!stages.equivalent) {
        stages.row = floor_modulo(examined.address.coefficient[box.plane.row], width_.width());
        stages.column =
            floor_modulo(examined.address.coefficient[box.plane.column], width_.width());
      }
    } else {
      stages.own[0] = sums_.warp_stages(box, examined, 0);
    }
    return stages;
  }

  //! Adds the warps that begin in a band to those of the residue modulo w that `row * row number +
  //! column * column number` has there, modulo 2^63. False if there are too many classes of
  //! rows and chunks.
  [[nodiscard]] constexpr bool count_warps(warp_box<W> const& box, band const& b, index row,
                                           index column, std::uint64_t (&warps)[W]) const {
    index const w = width_.width();
    // between warps that are counted together: their columns have the same residue
    index apart = checked_multiply(unit_, w / gcd(column, w));
    if (grid_.warps > 1) apart = lcm(apart, w);
    // Chunks of one class are multiples of `apart` from each other.
    index const classes = apart / gcd(grid_.chunk, apart);
    index const period = checked_multiply(grid_.chunk, classes);
    index const start = box.slot[item_slot].origin - grid_.first;
    index const along = row - column * (items_of_row_ / unit_);  // moves the residue with the row
    constexpr index max_classes = 1 << 16;
    if (classes > max_classes) return false;
    number_list offsets;  // of the warps at this place, in the chunks of one period
    number_list taken;    // of how many each is the first
    linear_congruence const chunks(grid_.chunk, unit_);
    for (index v = 0; v < smaller(grid_.warps, apart / w + (w > apart)); ++v)
      for (index c = chunks.solve(floor_modulo(start - w * v, unit_)); c >= 0 && c < classes;
           c += chunks.period) {
        offsets.append(grid_.chunk * c + w * v);
        taken.append((grid_.warps - v - 1) / larger(apart / w, 1) + 1);
      }
    if (offsets.size() == 0) return true;
    bool const parallel = b.low.slope == b.high.slope;
    for (int edge = 0; edge < (parallel ? 1 : 2); ++edge) {
      line const& side = edge == 0 ? b.high : b.low;
      index const slope = checked_add(items_of_row_, checked_multiply(unit_, side.slope));
      index rows = apart / gcd(slope, apart);  // classes of rows
      rows *= w / gcd(along, w) / gcd(rows, w / gcd(along, w));
      index const first_rows = smaller(rows, b.last - b.first);
      if (first_rows > max_classes / offsets.size()) return false;
      for (index k = 0; k < first_rows; ++k) {
        index const first_row = b.first + k;
        index const count = (b.last - first_row - 1) / rows + 1;
        index const step = checked_multiply(slope, rows) / apart;
        index const item = start + items_of_row_ * first_row;
        for (index o = 0; o < offsets.size(); ++o) {
          index const offset = offsets[o];
          // the warps of a class before a line, in units of `apart` items
          auto const before = [&](line const& l) {
            index const position = item + unit_ * l.at(first_row) - offset;
            return floor_divide(position + apart - 1, apart) + period / apart;
          };
          auto const sum = [&](index origin) {
            return sum_taken(count, step, origin, period / apart, taken[o]);
          };
          index const high = before(side);
          std::uint64_t sums = 0;
          if (parallel) {
            index const low = before(b.low);
            if (low != high) sums = sum(high) - sum(low);
          } else {
            sums = edge == 0 ? sum(high) : 0 - sum(high);
          }
          // in the row's first warp of the class, or as far from it as a multiple of w
          index const place = floor_modulo(offset - item, apart) / unit_;
          warps[floor_modulo(row * first_row + column * place, w)] += sums;
        }
      }
    }
    return true;
  }

  //! Busy rounds of the items `first … end - 1`.
  [[nodiscard]] constexpr index busy_in(warp_box<W> const& plane, index first, index end,
                                        index period, index rounds, search& memory) const {
    runs_in_rows runs;
    refinement of_others;
    for_each_rectangle(plane, first, end, [&](warp_box<W> const& part) {
      if (of_others.kind == refinement::nothing) collect(part, memory, runs, of_others);
    });
    if (memory.exhausted()) return 0;
    if (of_others.kind != refinement::nothing) {
      if (!plane.rounds[of_others.dimension]) memory.budget = -1;
      index sum = 0;
      if (!memory.exhausted())
        for_each_part(plane, of_others, memory, [&](warp_box<W> const& part) {
          sum = checked_add(sum, busy_in(part, first, end, period, rounds, memory));
        });
      return sum;
    }
    if (runs.empty()) return 0;
    return checked_multiply(plane.round_volume(), rounds - runs.idle_rounds(first, period, rounds));
  }

  //! Collects the items where lanes are active, or else a refinement that another dimension needs.
  constexpr void collect(warp_box<W> const& box, search& memory, runs_in_rows& runs,
                         refinement& of_others) const {
    band_list const bands = bands_of(box);
    if (bands.count == 0 || memory.exhausted() || of_others.kind != refinement::nothing) return;
    examination const examined = examine(box, memory);
    if (memory.exhausted() || examined.none) return;
    if (!examined.active.uniform && examined.active.sure.empty()) {
      if (examined.needed.kind != refinement::nothing &&
          examined.needed.kind != refinement::half_plane &&
          !box.plane.has(examined.needed.dimension)) {
        of_others = examined.needed;
        return;
      }
      return for_each_part(box, examined.needed, memory, [&](warp_box<W> const& part) {
        collect(part, memory, runs, of_others);
      });
    }
    for (int k = 0; k < bands.count; ++k) {
      if (runs.full()) {
        memory.budget = -1;
        return;
      }
      runs.add(band_of_items(box, bands.entry[k]));
    }
  }

  //! A band of a box, by the rows of the whole plane and the numbers of the items.
  [[nodiscard]] constexpr band band_of_items(warp_box<W> const& box, band const& b) const {
    index const row = box.slot[item_slot].origin / items_of_row_;
    auto const items = [&](line const& l) {
      index const slope = checked_add(items_of_row_, checked_multiply(unit_, l.slope));
      return line{slope,
                  box.slot[item_slot].origin + unit_ * l.offset - checked_multiply(slope, row)};
    };
    return {row + b.first, row + b.last, items(b.low), items(b.high)};
  }
};

}  // namespace mmm::detail
