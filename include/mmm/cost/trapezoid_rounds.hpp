// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/cost/row_walk.hpp>
#include <mmm/cost/trapezoid_sums.hpp>
#include <mmm/index/trapezoid.hpp>

#include <initializer_list>

//! The time of one access to many trapezoids on address groups and several ports, where a round of
//! s stages takes s over the ports, rounded up.
//!
//! A row of at least as many items as there are threads has a share in the round that the row
//! before ends in, then rounds of its own, and leaves the rest to the next row. So a round is
//! charged to the row that it ends in: where the row begins in the round and at which address
//! decide what the row is charged, and these come again as in trapezoid_sums. Shorter rows are
//! visited one by one. docs/how-it-works.md has the proof.
namespace mmm::detail {

//! The times of an access at the addresses `base + row_step * row + column_step * column`, of
//! trapezoids whose items `threads` threads handle, `threads` in a round.
template <int W>
class trapezoid_rounds {
 public:
  constexpr trapezoid_rounds(index w, index threads, index ports, index row_step, index column_step)
      : w_(w),
        threads_(threads),
        ports_(ports),
        row_step_(row_step),
        column_step_(column_step),
        chunks_(w / gcd(threads, w)),
        items_(checked_multiply(threads, chunks_)),
        turn_(cycle_of_triangles(w, items_)),
        row_residue_(floor_modulo(row_step, w)),
        column_residue_(floor_modulo(column_step, w)),
        round_residue_(column_residue_ * (threads % w) % w),
        lengths_(row_walk<W>(w, {2, 2, 4}, row_step, column_step).separate()) {}

  //! Adds the stages of each round over the ports, rounded up, of the trapezoids first … last - 1.
  //! `shape(r)` and `base(r)` are affine in r; the stages are those that trapezoid_sums adds.
  //! Time: O(last - first) steps, and one for each row, or for each pair of residues modulo twice
  //! lcm(w, threads) if there are fewer; at most as many again.
  template <class Shape, class Base>
  constexpr void add(index first, index last, Shape const& shape, Base const& base, index& total) {
    index longest = 0;
    index rows = 0;
    for (index r = first; r < last; ++r) {
      if (shape(r).rows_in_use() == 0) continue;
      longest = larger(longest, shape(r).length(0));
      rows = checked_add(rows, shape(r).rows_in_use());
    }
    bool const all_separate = w_ == 1 || longest <= lengths_.below;
    top_ = all_separate ? INT64_MAX : lengths_.below - w_;
    separate_ = top_ >= threads_ ? 1 : lengths_.above;
    if (top_ < threads_) top_ = INT64_MAX;
    if (threads_ > rows / w_) separate_ = top_ = INT64_MAX;  // the tables would take longer
    long_ = larger(threads_, separate_);
    if (separate_ <= longest) examine_rounds();
    for (index k = 0; k < smaller(turn_, last - first); ++k)
      for (bool const whole : {false, true}) add_class(first + k, last, whole, shape, base, total);
  }

 private:
  index w_;
  index threads_;
  index ports_;
  index row_step_;
  index column_step_;
  index chunks_;  //!< rounds after which the residues are the same again
  index items_;   //!< of these rounds
  index turn_;    //!< after this many rows one shorter each the residues are the same again
  index row_residue_;
  index column_residue_;
  index round_residue_;  //!< what a round of one row adds to the address, modulo w
  typename row_walk<W>::separate_lengths lengths_;
  index separate_ = 0;  //!< the least length of separate rows
  index long_ = 0;      //!< that of separate rows that a round has at most two of
  index top_ = 0;       //!< longer rows are not separate, and are walked
  number_list shift_;   //!< what is added to the address of an item at that of the round's first
  number_list time_;    //!< by the number of stages
  number_list heads_;   //!< stages of a round's first items, by the address of the first of all
  number_list tails_;   //!< of the other ones, by the address of their first
  number_list joined_;  //!< of the other ones, if the row is that of the ones before
  number_list times_;   //!< of rounds in one row, by the address of the first
  prefix_sums_of_terms whole_;    //!< of rows of full length
  prefix_sums_of_terms shorter_;  //!< of the others, from the one of length long_ on

  [[nodiscard]] constexpr index residue(index address) const { return floor_modulo(address, w_); }
  //! The residue of the sum of two.
  [[nodiscard]] constexpr index sum_of(index a, index b) const {
    return a + b >= w_ ? a + b - w_ : a + b;
  }
  [[nodiscard]] constexpr index place(index address, index item) const {
    return address * (threads_ + 1) + item;
  }

  constexpr void examine_rounds() {
    bool const scattered = column_step_ >= w_;
    index const places = threads_ + 1;
    shift_.reserve(places);
    time_.reserve(places);
    heads_.reserve(checked_multiply(w_, places));
    tails_.reserve(w_ * places);
    joined_.reserve(w_ * places);
    for (index s = 0; s <= threads_; ++s) {
      shift_[s] = residue(-column_residue_ * (s % w_));
      time_[s] = ceil_divide(s, ports_);
    }
    for (index s = threads_; s >= 0; --s) {
      bool const begins = s % w_ == 0;  // a warp
      for (index a = 0; a < w_; ++a) {
        index const next = s == threads_ ? 0 : joined_[place(sum_of(a, column_residue_), s + 1)];
        bool const crosses = scattered || a < column_step_;  // into a group
        tails_[place(a, s)] = s < threads_ ? next + 1 : 0;
        joined_[place(a, s)] = s < threads_ ? next + (crosses || begins) : 0;
      }
    }
    for (index a = 0; a < w_; ++a)
      for (index s = 0; s <= threads_; ++s)
        heads_[place(a, s)] =
            tails_[place(a, 0)] - joined_[place(sum_of(a, (w_ - shift_[s]) % w_), s)];
    for (index a = 0; a < w_; ++a) heads_[place(a, 0)] = 0;
    times_.reserve(w_ * (chunks_ + 1));
    for (index a = 0; a < w_; ++a) {
      index address = a;
      times_[a * (chunks_ + 1)] = 0;
      for (index k = 0; k < chunks_; ++k) {
        times_[a * (chunks_ + 1) + k + 1] =
            times_[a * (chunks_ + 1) + k] + time_[tails_[place(address, 0)]];
        address = sum_of(address, round_residue_);
      }
    }
  }

  //! A number of items of a row in rounds.
  struct rounds_of {
    index cycles;  //!< of chunks_ rounds
    index rounds;  //!< more
    index items;   //!< more
  };
  [[nodiscard]] constexpr rounds_of in_rounds(index length) const {
    return {length / items_, length % items_ / threads_, length % threads_};
  }
  //! Adds what a long row is charged, and `growth` times what items_ more of its items are.
  //! \param start the row's first item in its round \param address of the item \param above what
  //! shift_ is added to for the address of the round's first item, if that is in the row before
  constexpr void examine(prefix_sums_of_terms& sums, rounds_of length, index start, index address,
                         index above, index growth) const {
    index sum = 0;
    length.rounds += start + length.items >= threads_;
    if (start > 0) {
      index const shift = shift_[start];
      sum = time_[heads_[place(sum_of(above, shift), start)] + tails_[place(address, start)]];
      address = sum_of(sum_of(address, round_residue_), shift);
      --length.rounds;
    }
    if (length.rounds < 0) {
      length.rounds += chunks_;
      --length.cycles;
    } else if (length.rounds >= chunks_) {
      length.rounds -= chunks_;
      ++length.cycles;
    }
    index const* const times = &times_[address * (chunks_ + 1)];
    sums.add(sum + length.cycles * times[chunks_] + times[length.rounds], growth * times[chunks_]);
  }
  //! Sets the times of rows 0 … count - 1 of full length.
  constexpr void examine_whole(index count, index length, index base) {
    whole_.clear(count);
    rounds_of const rounds = in_rounds(length);
    index const end = residue(column_residue_ * (length % w_) - row_residue_);
    index address = residue(base);
    index start = 0;
    for (index row = 0; row < count; ++row) {
      examine(whole_, rounds, start, address, sum_of(address, end), 1);
      if ((start += rounds.items) >= threads_) start -= threads_;
      address = sum_of(address, row_residue_);
    }
  }
  //! Sets the times of `count` rows of long_ items and more, the last of them, the first in order,
  //! where the row of length 1 would end at the item `end_item` and begin at `address`.
  constexpr void examine_shorter(index count, index end_item, index address) {
    shorter_.clear(count);
    if (count == 0) return;
    rounds_of rounds = in_rounds(long_);
    index start = floor_modulo(end_item - long_ * (long_ + 1) / 2, threads_);
    address = residue(address - row_residue_ * ((long_ - 1) % w_));
    index end = residue(column_residue_ * ((long_ + 1) % w_) - row_residue_);
    for (index k = 0; k < count; ++k) {
      examine(shorter_, rounds, start, address, sum_of(address, end), turn_ / items_);
      if (++rounds.items == threads_) {
        rounds.items = 0;
        if (++rounds.rounds == chunks_) {
          rounds.rounds = 0;
          ++rounds.cycles;
        }
      }
      if ((start -= rounds.items) < 0) start += threads_;
      if ((address -= row_residue_) < 0) address += w_;
      end = sum_of(end, column_residue_);
    }
  }

  //! The time of the rounds with the items `item … last - 1`, one by one; `item` begins a round.
  [[nodiscard]] constexpr index walk(trapezoid const& shape, index item, index last,
                                     index base) const {
    row_walk<W> rows(w_, shape, row_step_, column_step_);
    trapezoid::place position = item == 0 || item == last ? trapezoid::place{0, 0} : shape.at(item);
    index sum = 0;
    while (item < last) {
      index const next = smaller(last, item + threads_);
      sum += ceil_divide(rows.count(position, item, next, smaller(threads_, w_), base), ports_);
      item = next;
    }
    return sum;
  }
  //! The time of the rounds that end in the rows `row … end - 1`, which are separate, and of the
  //! last one's items if `all`. \param start the first item in its round, which has `stages` before
  [[nodiscard]] constexpr index visit(trapezoid const& shape, index row, index end, index start,
                                      index stages, bool all, index base) const {
    index address = residue(base + row_residue_ * (row % w_));
    index sum = 0;
    for (; row < end; ++row) {
      index left = start + shape.length(row);
      index own = stages + tails_[place(address, start)];
      index first = sum_of(address, shift_[start]);  // of the round, if the row had begun before
      for (; left >= threads_; left -= threads_) {
        sum += time_[own];
        first = sum_of(first, round_residue_);
        own = tails_[place(first, 0)];
      }
      start = left;
      stages =
          start == 0 ? 0 : own - joined_[place(sum_of(first, (w_ - shift_[start]) % w_), start)];
      address = sum_of(address, row_residue_);
    }
    return sum + (all ? time_[stages] : 0);
  }
  //! The time of the rounds that end in row `row` or after; see visit().
  [[nodiscard]] constexpr index rest(trapezoid const& shape, index row, index start, index stages,
                                     index base) const {
    index const rows = shape.rows_in_use();
    index const end = shape.columns < separate_
                          ? row
                          : larger(row, smaller(rows, shape.diagonal - separate_ + 1));
    if (row == rows && start == 0) return 0;
    index sum = 0;
    if (row < end || end == rows) sum = visit(shape, row, end, start, stages, end == rows, base);
    if (end == rows) return sum;
    return sum + walk(shape, shape.items_before(end) / threads_ * threads_, shape.items(), base);
  }
  //! The time of all rounds; of rows of full length once where the rounds come again.
  [[nodiscard]] constexpr index all(trapezoid const& shape, index base) const {
    if (shape.length(0) == 1) return walk(shape, 0, shape.items(), base);  // a column
    index const turn = lcm(threads_ / gcd(shape.columns, threads_), w_ / gcd(row_residue_, w_));
    index const turns = shape.full_rows() / turn;
    if (turns < 2) return rest(shape, 0, 0, 0, base);
    index const once = shape.columns < separate_ ? walk(shape, 0, turn * shape.columns, base)
                                                 : visit(shape, 0, turn, 0, 0, false, base);
    return turns * once + rest(shape, turns * turn, 0, 0, base);
  }

  //! Adds the trapezoids first, first + turn_, … before `last`: those that have full rows, or not.
  template <class Shape, class Base>
  constexpr void add_class(index first, index last, bool whole, Shape const& shape,
                           Base const& base, index& total) {
    auto const each = [&](auto const& visit) {
      for (index r = first; r < last; r += smaller(turn_, last - r)) {
        trapezoid const here = shape(r);
        if (here.rows_in_use() > 0 && (here.diagonal >= here.columns) == whole) visit(r, here);
      }
    };
    index max_whole = 0;
    index max_shorter = 0;
    each([&](index, trapezoid const& here) {
      index const full = here.full_rows();
      if (here.length(0) < long_) return;
      max_whole = larger(max_whole, full);
      if (here.rows_in_use() > full) max_shorter = larger(max_shorter, here.length(full));
    });
    bool examined = false;
    index columns = 0;    // of the trapezoid that was examined
    index last_long = 0;  // lengths of rows where the rest was found
    index shortest = 0;
    index found = 0;
    each([&](index r, trapezoid const& here) {
      if (here.length(0) < long_ || here.length(0) == 1) {
        total = checked_add(total, all(here, base(r)));
        return;
      }
      if (!examined) {
        examined = true;
        columns = here.columns;
        examine_whole(smaller(max_whole, items_), columns, base(r));
        index const shorter = whole ? columns - 1 : here.diagonal;
        examine_shorter(smaller(larger(max_shorter - long_ + 1, 0), turn_),
                        (here.diagonal - shorter) * columns + shorter * (shorter + 1) / 2,
                        base(r) + row_step_ * (here.diagonal - 1));
      }
      index const full = here.full_rows();
      index const rows = here.rows_in_use();
      // the rows that are walked: with them are all of full length
      index const over = here.length(0) <= top_ ? 0 : smaller(rows, here.diagonal - top_);
      if (over == rows) {
        total = checked_add(total, walk(here, 0, here.items(), base(r)));
        return;
      }
      index const end = smaller(rows, larger(full, here.diagonal - long_ + 1));  // of long rows
      index const length = here.length(end - 1);
      index sum = 0;
      if (over > 0)
        sum = walk(here, 0, here.items_before(over) / threads_ * threads_, base(r));
      else if (full > 0)
        sum = whole_.repeated(full, items_, (here.columns - columns) / items_);
      if (end > larger(over, full)) {
        sum += shorter_.growing(here.length(larger(over, full)) - long_ + 1, turn_);
        if (length > long_) sum -= shorter_.growing(length - long_, turn_);
      }
      if (end == full || last_long != length || shortest != here.length(rows - 1)) {
        last_long = end == full ? 0 : length;
        shortest = here.length(rows - 1);
        index const start = here.items_before(end) % threads_;
        index const address = base(r) + row_step_ * (end - 1) + column_step_ * (length - start);
        found = rest(here, end, start, heads_[place(residue(address), start)], base(r));
      }
      total = checked_add(total, checked_add(sum, found));
    });
  }
};

}  // namespace mmm::detail
