// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/cost/derived_rows.hpp>
#include <mmm/cost/examined_rows.hpp>
#include <mmm/cost/row_walk.hpp>
#include <mmm/cost/shorter_rows.hpp>
#include <mmm/cost/warp_boundaries.hpp>
#include <mmm/index/trapezoid.hpp>

#include <initializer_list>

//! Stages on address groups of one access to many trapezoids, whose shapes and addresses are affine
//! in the number of the trapezoid, for any number of threads.
//!
//! The stages of a row that is separate from those before depend on where it begins in a chunk, on
//! the residue of its first address, and on its length. Where a row begins is, modulo a number of
//! items after which both come again, the same for equal residues of the numbers of the trapezoid
//! and of the row, and each such number of items more in a row adds the same. So one row of each
//! pair of residues is examined, or, where these are many, the boundaries of warps in all rows are
//! counted. docs/how-it-works.md has the proof.
namespace mmm::detail {

//! The number of steps after which `k (k + 1)/2` and all multiples of k are the same as before,
//! modulo `w` and modulo `period`.
[[nodiscard]] constexpr index cycle_of_triangles(index w, index period) {
  index const both = lcm(w, period);
  return both % 2 == 0 ? checked_multiply(2, both) : both;
}

//! The stages of an access at the addresses `base + row_step * row + column_step * column`, of
//! trapezoids whose items `threads` threads handle.
template <int W>
class trapezoid_sums {
 public:
  //! \param max_examined rows of a class of trapezoids that are examined one by one, at most
  constexpr trapezoid_sums(index w, index threads, index row_step, index column_step,
                           index max_examined = 100)
      : in_(w, threads, column_step),
        row_step_(row_step),
        max_examined_(checked_multiply(max_examined, w)),
        turn_(cycle_of_triangles(w, in_.items)),
        row_residue_(floor_modulo(row_step, w)),
        separate_(row_walk<W>(w, {2, 2, 4}, row_step, column_step).separate()) {}

  //! Adds the stages of the trapezoids first … last - 1 to `total`; false if rows of all lengths
  //! may begin in groups of rows before. `shape(r)` and `base(r)` are affine in r.
  //! Time: O(last - first) steps, and one for each row, or for each pair of residues modulo twice
  //! lcm(w, threads) if there are fewer; where either are more than max_examined w in a trapezoid,
  //! instead as derived_rows for each trapezoid, or for each residue.
  template <class Shape, class Base>
  [[nodiscard]] constexpr bool add(index first, index last, Shape const& shape, Base const& base,
                                   index& total) {
    if (in_.column_step < 0) return false;
    for (index r = first; r < last && in_.scattered && in_.w > 1; ++r)
      if (!row_walk<W>(in_.w, shape(r), row_step_, in_.column_step).applies()) return false;
    if (separate_.below == 0 && separate_.above == INT64_MAX) return false;
    index rows = 0;
    for (index r = first; r < last; ++r) rows = larger(rows, shape(r).rows_in_use());
    auto const add_all = [&](auto& stages_of) {
      for (index k = 0; k < smaller(turn_, last - first); ++k)
        for (bool const whole : {false, true})
          add_class(first + k, last, whole, shape, base, stages_of, total);
    };
    if (smaller(rows, turn_) <= max_examined_) {
      examined_rows<W> examined(in_, row_step_, turn_);
      add_all(examined);
    } else {
      shorter_rows<W> shorter(in_, row_step_);
      derived_rows<W, true> asking(in_, row_step_, turn_, shorter);
      add_all(asking);
      shorter.answer();
      derived_rows<W, false> derived(in_, row_step_, turn_, shorter);
      add_all(derived);
    }
    return true;
  }
  //! Stages of one trapezoid to whose steps row_walk applies. Time: O(rows) steps at most, and rows
  //! of pairs of residues where rows are separate.
  [[nodiscard]] constexpr index stages(trapezoid const& shape, index base) {
    index total = 0;
    auto const same = [](auto const& x) { return [&](index) { return x; }; };
    return add(0, 1, same(shape), same(base), total)
               ? total
               : enumerate_first(shape, shape.rows_in_use(), base);
  }

 private:
  warp_boundaries<W> in_;
  index row_step_;
  index max_examined_;
  index turn_;  //!< after this many rows one shorter each the residues are the same again
  index row_residue_;
  typename row_walk<W>::separate_lengths separate_;

  //! Stages of the rows `row … end - 1` one by one.
  [[nodiscard]] constexpr index enumerate(trapezoid const& shape, index row, index end,
                                          index base) const {
    row_walk<W> walk(in_.w, shape, row_step_, in_.column_step);
    trapezoid::place position{row, 0};
    index item = shape.items_before(row);
    index const last = shape.items_before(end);
    index const period = smaller(in_.chunk, in_.w);
    index sum = 0;
    while (item < last) {
      index const next =
          in_.chunk <= in_.w ? last : smaller(last, (item / in_.chunk + 1) * in_.chunk);
      index const in_warp = item % in_.chunk % period;
      index const left = in_warp == 0 ? 0 : smaller(period - in_warp, next - item);
      sum += walk.count(position, item, next, period, base, left);
      item = next;
    }
    return sum;
  }
  //! Stages of the rows 0 … end - 1, row by row; those of full length once where they come again.
  [[nodiscard]] constexpr index enumerate_first(trapezoid const& shape, index end,
                                                index base) const {
    index const columns = shape.length(0);
    if (columns == 1 && row_step_ >= 0 && in_.w > 1)  // a column is a row
      return trapezoid_sums(in_.w, in_.chunk, 0, row_step_).enumerate({1, end, end}, 0, 1, base);
    index const turn = lcm(in_.items / gcd(columns, in_.items), in_.w / gcd(row_residue_, in_.w));
    index const turns = shape.full_rows() / turn;
    if (turns < 2 || columns == 1) return enumerate(shape, 0, end, base);
    return checked_add(checked_multiply(turns, enumerate(shape, 0, turn, base)),
                       enumerate(shape, turns * turn, end, base));
  }

  //! True if a trapezoid has rows of full length, and the others begin after them.
  [[nodiscard]] static constexpr bool has_whole(trapezoid const& shape) {
    return shape.diagonal >= shape.columns;
  }
  [[nodiscard]] constexpr bool separate(index length) const {
    return in_.w == 1 || length <= separate_.below || length >= separate_.above;
  }

  //! Adds the trapezoids first, first + turn_, … before `last`: those that have full rows, or not.
  template <class Shape, class Base, class Stages>
  constexpr void add_class(index first, index last, bool whole, Shape const& shape,
                           Base const& base, Stages& stages_of, index& total) {
    auto const each = [&](auto const& visit) {
      for (index r = first; r < last; r += smaller(turn_, last - r)) {
        trapezoid const here = shape(r);
        if (here.rows_in_use() > 0 && has_whole(here) == whole) visit(r, here);
      }
    };
    auto const add_found = [&](auto const& find) {
      if constexpr (!Stages::asks) total = checked_add(total, find());
    };
    index max_whole = 0;
    index max_shorter = 0;
    each([&](index, trapezoid const& here) {
      index const full = here.full_rows();
      if (here.length(0) == 1) return;
      if (separate(here.columns)) max_whole = larger(max_whole, full);
      if (here.rows_in_use() > full) max_shorter = larger(max_shorter, here.length(full));
    });
    bool begun = false;
    index columns = 0;  // of the trapezoid that the class began with
    index enumerated_low = 0;
    index enumerated_high = 0;
    index enumerated = 0;
    each([&](index r, trapezoid const& here) {
      index const full = here.full_rows();
      index const rows = here.rows_in_use();
      index const start = base(r);
      if (here.length(0) == 1) {
        add_found([&] { return enumerate_first(here, rows, start); });
        return;
      }
      if (!begun) {
        begun = true;
        columns = here.columns;
        index const shorter = whole ? columns - 1 : here.diagonal;
        stages_of.begin(max_whole, columns, start, max_shorter,
                        (here.diagonal - shorter) * columns + shorter * (shorter + 1) / 2,
                        start + row_step_ * (here.diagonal - 1));
      }
      // rows with these lengths are not separate
      index const longest = rows > full ? here.length(full) : 0;
      index const shortest = rows > full ? here.length(rows - 1) : 1;
      index const high = smaller(longest, separate_.above - 1);
      bool const whole_separate = full == 0 || separate(here.columns);
      index low = smaller(separate_.below, high) + 1;
      // nor are the rows in the warp that the last of them ends in
      low = larger(shortest, low - (low > 2 * in_.w ? 1 : in_.w));
      bool const some = in_.w > 1 && low <= high && (!whole_separate || separate_.below < high);
      if (!whole_separate)
        add_found(
            [&] { return enumerate_first(here, some ? here.diagonal - low + 1 : full, start); });
      else if (full > 0)
        add_found([&] { return stages_of.whole(full, (here.columns - columns) / in_.items); });
      if (rows == full) return;
      index sum = stages_of.shorter(longest) - stages_of.shorter(shortest - 1);
      if (some) sum -= stages_of.shorter(high) - stages_of.shorter(low - 1);
      add_found([&] { return sum; });
      if (!some || !whole_separate) return;
      add_found([&] {
        if (enumerated_low != low || enumerated_high != high) {
          enumerated_low = low;
          enumerated_high = high;
          enumerated = enumerate(here, here.diagonal - high, here.diagonal - low + 1, start);
        }
        return enumerated;
      });
    });
  }
};

}  // namespace mmm::detail
