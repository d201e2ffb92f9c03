// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/cost/row_walk.hpp>
#include <mmm/index/trapezoid.hpp>

#include <initializer_list>

//! Stages on address groups of one access to many trapezoids, whose shapes and addresses are affine
//! in the number of the trapezoid, for any number of threads.
//!
//! The stages of a row that is separate from those before depend on where it begins in a chunk, on
//! the residue of its first address, and on its length. Where a row begins is, modulo a number of
//! items after which both come again, the same for equal residues of the numbers of the trapezoid
//! and of the row, and each such number of items more in a row adds the same. So one row of each
//! pair of residues is examined. docs/how-it-works.md has the proof.
namespace mmm::detail {

//! The number of steps after which `k (k + 1)/2` and all multiples of k are the same as before,
//! modulo `w` and modulo `period`.
[[nodiscard]] constexpr index cycle_of_triangles(index w, index period) {
  index const both = lcm(w, period);
  return both % 2 == 0 ? checked_multiply(2, both) : both;
}

//! An array of numbers.
class number_list {
 public:
  constexpr number_list() = default;
  number_list(number_list const&) = delete;
  number_list& operator=(number_list const&) = delete;
  constexpr ~number_list() { delete[] data_; }
  //! Makes room for `n` numbers, which are not set.
  constexpr void reserve(index n) {
    if (n <= size_) return;
    delete[] data_;
    data_ = nullptr;
    data_ = new index[static_cast<size_type>(n)];
    size_ = n;
  }
  constexpr index& operator[](index k) { return data_[k]; }
  constexpr index const& operator[](index k) const { return data_[k]; }

 private:
  index* data_ = nullptr;
  index size_ = 0;
};

//! Sums of the first terms of a sequence. A term is a number and what it grows by.
class prefix_sums_of_terms {
 public:
  //! Forgets all terms; there will be `period` of them at most.
  constexpr void clear(index period) {
    value_.reserve(period + 1);
    growth_.reserve(period + 1);
    value_[0] = growth_[0] = 0;
    terms_ = 0;
  }
  constexpr void add(index value, index growth) {
    value_[terms_ + 1] = value_[terms_] + value;
    growth_[terms_ + 1] = growth_[terms_] + growth;
    ++terms_;
  }
  //! The sum of the first `n` terms, each grown `times` times, where terms come again after
  //! `period` of them.
  [[nodiscard]] constexpr index repeated(index n, index period, index times) const {
    index const whole = n / period;
    index const rest = n % period;
    if (whole == 0) return value_[rest] + times * growth_[rest];
    return whole * (value_[period] + times * growth_[period]) + value_[rest] +
           times * growth_[rest];
  }
  //! The sum of the first `n` terms, where those of each period have grown once more.
  [[nodiscard]] constexpr index growing(index n, index period) const {
    index const whole = n / period;
    index const rest = n % period;
    if (whole == 0) return value_[rest];
    return whole * value_[period] + whole * (whole - 1) / 2 * growth_[period] + value_[rest] +
           whole * growth_[rest];
  }

 private:
  number_list value_;
  number_list growth_;
  index terms_ = 0;
};

//! The stages of an access at the addresses `base + row_step * row + column_step * column`, of
//! trapezoids whose items `threads` threads handle.
template <int W>
class trapezoid_sums {
 public:
  constexpr trapezoid_sums(index w, index threads, index row_step, index column_step)
      : w_(w),
        row_step_(row_step),
        column_step_(column_step),
        chunk_(threads % w == 0 ? w : threads),
        warps_(ceil_divide(chunk_, w)),
        chunks_(w / gcd(chunk_, w)),
        items_(checked_multiply(chunk_, chunks_)),
        turn_(cycle_of_triangles(w, items_)),
        row_residue_(floor_modulo(row_step, w)),
        column_residue_(floor_modulo(column_step, w)),
        scattered_(column_step >= w),
        separate_(row_walk<W>(w, {2, 2, 4}, row_step, column_step).separate()),
        groups_of_items_(scattered_ ? items_ : column_step * (items_ / w)),
        cycles_(turn_ / items_),
        quick_(chunk_ + w <= (index{1} << 32) / (2 * w)),
        inverse_((index{1} << 32) / w + 1) {
    for (index e = 0; e < w_; ++e) {
      cut_[e][0] = 0;
      for (index c = 0; c < chunks_; ++c)
        cut_[e][c + 1] = static_cast<std::uint8_t>(
            cut_[e][c] +
            (!scattered_ && (e + column_residue_ * (c * (chunk_ % w_) % w_)) % w_ >= column_step_));
    }
  }

  //! Adds the stages of the trapezoids first … last - 1 to `total`; false if rows of all lengths
  //! may begin in groups of rows before. `shape(r)` and `base(r)` are affine in r.
  //! Time: O(last - first) steps, and one for each row, or for each pair of residues modulo twice
  //! lcm(w, threads) if there are fewer.
  template <class Shape, class Base>
  [[nodiscard]] constexpr bool add(index first, index last, Shape const& shape, Base const& base,
                                   index& total) {
    if (column_step_ < 0) return false;
    for (index r = first; r < last && scattered_ && w_ > 1; ++r)
      if (!row_walk<W>(w_, shape(r), row_step_, column_step_).applies()) return false;
    if (separate_.below == 0 && separate_.above == INT64_MAX) return false;
    for (index k = 0; k < smaller(turn_, last - first); ++k)
      for (bool const whole : {false, true}) add_class(first + k, last, whole, shape, base, total);
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
  index w_;
  index row_step_;
  index column_step_;
  index chunk_;   //!< items after which a warp begins in any case
  index warps_;   //!< of a chunk
  index chunks_;  //!< after which the residues are the same again
  index items_;   //!< of these chunks
  index turn_;    //!< after this many rows one shorter each the residues are the same again
  index row_residue_;
  index column_residue_;
  bool scattered_;  //!< a group for each item
  typename row_walk<W>::separate_lengths separate_;
  index groups_of_items_;  //!< that items_ items more in a row add
  index cycles_;           //!< turn_ in cycles of items_
  bool quick_;             //!< inverse_ divides numbers of a chunk's items by w
  index inverse_;          //!< a little more than 2^32 / w
  std::uint8_t cut_[W][W + 1] =
      {};                         //!< the chunks before one whose boundaries of warps cut a group
  prefix_sums_of_terms whole_;    //!< of rows of full length
  prefix_sums_of_terms shorter_;  //!< of the others, from the one of length 1 on

  //! The begin or end of a row: a chunk, modulo chunks_, and an item in it.
  struct edge {
    index chunk;
    index item;   //!< in the chunk
    index warps;  //!< that begin before it in the chunk
  };
  [[nodiscard]] constexpr edge edge_at(index chunk, index item) const {
    index const warps =
        quick_ ? ((item + w_ - 1) * inverse_) >> 32 : ceil_divide(item, w_);  // the same
    return {chunk, item, warps};
  }
  [[nodiscard]] constexpr edge edge_of(index item) const {
    index const rest = floor_modulo(item, items_);
    return edge_at(rest / chunk_, rest % chunk_);
  }

  //! Stages of a row from one edge to another, `whole` times items_ further if that is not the
  //! difference. \param address of the first item, modulo w \param class_of_row address less
  //! column_step times the item, modulo w \param groups of the row if it began where a group does
  [[nodiscard]] constexpr index stages(edge const& begin, edge const& end, index whole,
                                       index address, index class_of_row, index groups) const {
    if (scattered_) return groups;
    auto const& cut = cut_[class_of_row];
    index const before =
        warps_ * cut[begin.chunk] + (cut[begin.chunk + 1] - cut[begin.chunk]) * begin.warps;
    index const after = warps_ * (whole * cut[chunks_] + cut[end.chunk]) +
                        (cut[end.chunk + 1] - cut[end.chunk]) * end.warps;
    bool const begins_warp = begin.warps * w_ == begin.item;
    return groups + after - before - (begins_warp && address >= column_step_);
  }
  //! Stages that items_ items more in a row add.
  [[nodiscard]] constexpr index growth(index class_of_row) const {
    return groups_of_items_ + warps_ * cut_[class_of_row][chunks_];
  }

  //! Sets the stages of rows 0 … count - 1 of full length.
  constexpr void examine_whole(index count, index length, index base) {
    whole_.clear(count);
    index const periods = length / items_;
    index const chunks = length % items_ / chunk_;
    index const rest = length % items_ % chunk_;
    index const groups = column_step_ * (length - 1) / w_;
    index const over = column_step_ * (length - 1) % w_;
    index const step =
        floor_modulo(row_residue_ - column_residue_ * (length % w_), w_);  // of the class
    index address = floor_modulo(base, w_);
    index own = address;
    edge begin = edge_at(0, 0);
    for (index row = 0; row < count; ++row) {
      index item = begin.item + rest;
      index chunk = begin.chunk + chunks;
      index whole = periods;
      if (item >= chunk_) {
        item -= chunk_;
        ++chunk;
      }
      if (chunk >= chunks_) {
        chunk -= chunks_;
        ++whole;
      }
      edge const end = edge_at(chunk, item);
      whole_.add(stages(begin, end, whole, address, own,
                        scattered_ ? length : groups + 1 + (address + over >= w_)),
                 growth(own));
      begin = end;
      if ((address += row_residue_) >= w_) address -= w_;
      if ((own += step) >= w_) own -= w_;
    }
  }
  //! Sets the stages of rows of 1 … count items, the first of which ends at the item `end_item` of
  //! a trapezoid and begins at `address`.
  constexpr void examine_shorter(index count, index end_item, index address) {
    shorter_.clear(count);
    edge end = edge_of(end_item);
    address = floor_modulo(address, w_);
    index own = floor_modulo(address - column_residue_ * floor_modulo(end_item - 1, w_), w_);
    index periods = 0;  // of a row's length
    index chunks = 0;
    index rest = 0;
    index groups = 0;
    index over = -column_step_;
    index longer = 2 * column_residue_ % w_;  // the column step times the next length
    for (index length = 1; length <= count; ++length) {
      if (++rest == chunk_) {
        rest = 0;
        if (++chunks == chunks_) {
          chunks = 0;
          ++periods;
        }
      }
      over += column_step_;
      if (!scattered_ && over >= w_) {
        over -= w_;
        ++groups;
      }
      index item = end.item - rest;
      index chunk = end.chunk - chunks;
      index whole = periods;
      if (item < 0) {
        item += chunk_;
        --chunk;
      }
      if (chunk < 0) {
        chunk += chunks_;
        ++whole;
      }
      edge const begin = edge_at(chunk, item);
      shorter_.add(stages(begin, end, whole, address, own,
                          scattered_ ? length : groups + 1 + (address + over >= w_)),
                   cycles_ * growth(own));
      end = begin;
      // the row before is one item longer
      if ((address -= row_residue_) < 0) address += w_;
      if ((own -= row_residue_) < 0) own += w_;
      if ((own += longer) >= w_) own -= w_;
      if ((longer += column_residue_) >= w_) longer -= w_;
    }
  }

  //! Stages of the rows `row … end - 1` one by one.
  [[nodiscard]] constexpr index enumerate(trapezoid const& shape, index row, index end,
                                          index base) const {
    row_walk<W> walk(w_, shape, row_step_, column_step_);
    trapezoid::place position{row, 0};
    index item = shape.items_before(row);
    index const last = shape.items_before(end);
    index const period = smaller(chunk_, w_);
    index sum = 0;
    while (item < last) {
      index const next = chunk_ <= w_ ? last : smaller(last, (item / chunk_ + 1) * chunk_);
      index const in_warp = item % chunk_ % period;
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
    if (columns == 1 && row_step_ >= 0 && w_ > 1)  // a column is a row
      return trapezoid_sums(w_, chunk_, 0, row_step_).enumerate({1, end, end}, 0, 1, base);
    index const turn = lcm(items_ / gcd(columns, items_), w_ / gcd(row_residue_, w_));
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
    return w_ == 1 || length <= separate_.below || length >= separate_.above;
  }

  //! Adds the trapezoids first, first + turn_, … before `last`: those that have full rows, or not.
  template <class Shape, class Base>
  constexpr void add_class(index first, index last, bool whole, Shape const& shape,
                           Base const& base, index& total) {
    auto const each = [&](auto const& visit) {
      for (index r = first; r < last; r += smaller(turn_, last - r)) {
        trapezoid const here = shape(r);
        if (here.rows_in_use() > 0 && has_whole(here) == whole) visit(r, here);
      }
    };
    index max_whole = 0;
    index max_shorter = 0;
    each([&](index, trapezoid const& here) {
      index const full = here.full_rows();
      if (here.length(0) == 1) return;
      if (separate(here.columns)) max_whole = larger(max_whole, full);
      if (here.rows_in_use() > full) max_shorter = larger(max_shorter, here.length(full));
    });
    bool examined = false;
    index columns = 0;  // of the trapezoid that was examined
    index enumerated_low = 0;
    index enumerated_high = 0;
    index enumerated = 0;
    each([&](index r, trapezoid const& here) {
      index const full = here.full_rows();
      index const rows = here.rows_in_use();
      index const start = base(r);
      if (here.length(0) == 1) {
        total = checked_add(total, enumerate_first(here, rows, start));
        return;
      }
      if (!examined) {
        examined = true;
        columns = here.columns;
        examine_whole(smaller(max_whole, items_), columns, start);
        index const shorter = whole ? columns - 1 : here.diagonal;
        examine_shorter(smaller(max_shorter, turn_),
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
      low = larger(shortest, low - (low > 2 * w_ ? 1 : w_));
      bool const some = w_ > 1 && low <= high && (!whole_separate || separate_.below < high);
      if (!whole_separate) {
        index const end = some ? here.diagonal - low + 1 : full;
        total = checked_add(total, enumerate_first(here, end, start));
      } else if (full > 0) {
        total =
            checked_add(total, whole_.repeated(full, items_, (here.columns - columns) / items_));
      }
      if (rows == full) return;
      auto const stages_below = [&](index length) { return shorter_.growing(length, turn_); };
      index sum = stages_below(longest) - stages_below(shortest - 1);
      if (some) sum -= stages_below(high) - stages_below(low - 1);
      total = checked_add(total, sum);
      if (!some || !whole_separate) return;
      if (enumerated_low != low || enumerated_high != high) {
        enumerated_low = low;
        enumerated_high = high;
        enumerated = enumerate(here, here.diagonal - high, here.diagonal - low + 1, start);
      }
      total = checked_add(total, enumerated);
    });
  }
};

}  // namespace mmm::detail
