// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/cost/number_list.hpp>
#include <mmm/cost/warp_boundaries.hpp>

//! Stages of the rows of 1, 2, … items at the end of many trapezoids, where these rows are separate
//! (see row_walk) and their first items are as good as random.
//!
//! A row of m items begins m (m + 1)/2 items before the end of its trapezoid. So the boundaries of
//! warps before it depend on where the residue of m (m + 1)/2 is compared with that of the end: a
//! count of points below a line in both coordinates, m and the residue, by all lines at once in the
//! order of m.
namespace mmm::detail {

//! A set of numbers that grows, and the sum of `taken(z - number)` over all of them, where
//! taken(y) is the number of those integers below y, counted from 0, that are 0 … taken - 1 modulo
//! a period.
class taken_below_differences {
 public:
  //! Forgets all numbers; there will be `capacity` of them at most.
  constexpr void start(index period, index capacity) {
    period_ = period;
    size_ = 0;
    turns_ = 0;
    sum_ = 0;
    width_ = ceil_divide(period, larger(capacity, 1));
    buckets_ = ceil_divide(period, width_);
    block_ = 1;
    while (block_ * block_ < buckets_) ++block_;
    number_.reserve(capacity);
    next_.reserve(capacity);
    for (number_list* list : {&first_, &count_, &residues_, &block_count_, &block_residues_}) {
      list->reserve(buckets_ + 1);
      for (index k = 0; k <= buckets_; ++k) (*list)[k] = list == &first_ ? -1 : 0;
    }
  }
  //! Adds a number of 0 or more. Time: O(sqrt(capacity)).
  constexpr void insert(index number) {
    index const residue = number % period_;
    index const bucket = residue / width_;
    number_[size_] = residue;
    next_[size_] = first_[bucket];
    first_[bucket] = size_++;
    turns_ += number / period_;
    sum_ += residue;
    index const end = smaller(buckets_, (bucket / block_ + 1) * block_);
    for (index k = bucket + 1; k < end; ++k) {
      ++count_[k];
      residues_[k] += residue;
    }
    for (index k = bucket / block_ + 1; k * block_ < buckets_ + block_; ++k) {
      ++block_count_[k];
      block_residues_[k] += residue;
    }
  }
  //! The sum for `z`. Time: O(1), and the numbers with nearly the same residue.
  [[nodiscard]] constexpr index sum(index z, index taken) const {
    index const turns = floor_divide(z, period_);
    index const rest = z - turns * period_;
    below const all{size_, sum_};
    below const up = below_residue(rest + 1);
    index const above = size_ - up.count;
    index total = taken * (size_ * turns - turns_ - above) + rest * up.count - up.residues;
    if (rest >= taken) {
      below const full = below_residue(rest - taken + 1);
      total += taken * (full.count + above) - (rest * full.count - full.residues);
    } else {
      below const full = below_residue(rest + period_ - taken + 1);
      total += taken * (full.count - up.count) + (rest + period_) * (all.count - full.count) -
               (all.residues - full.residues);
    }
    return total;
  }

 private:
  //! The numbers whose residues are below one.
  struct below {
    index count;
    index residues;  //!< their sum
  };
  [[nodiscard]] constexpr below below_residue(index residue) const {
    if (residue >= period_) return {size_, sum_};
    index const bucket = residue / width_;
    below found{block_count_[bucket / block_] + count_[bucket],
                block_residues_[bucket / block_] + residues_[bucket]};
    if (bucket * width_ == residue) return found;
    for (index k = first_[bucket]; k >= 0; k = next_[k]) {
      found.count += number_[k] < residue;
      found.residues += number_[k] < residue ? number_[k] : 0;
    }
    return found;
  }

  index period_ = 1;
  index size_ = 0;
  index turns_ = 0;  //!< sum of the numbers over the period, rounded down
  index sum_ = 0;    //!< of the residues
  index width_ = 1;  //!< residues of a bucket
  index buckets_ = 0;
  index block_ = 1;          //!< buckets of a block
  number_list number_;       //!< residues
  number_list next_;         //!< in the same bucket
  number_list first_;        //!< of a bucket
  number_list count_;        //!< of residues before the bucket in its block
  number_list residues_;     //!< and their sum
  number_list block_count_;  //!< of residues before the block
  number_list block_residues_;
};

//! Answers questions for the rows of 1 … count items, all questions at once.
template <int W>
class shorter_rows {
 public:
  using amount = typename warp_boundaries<W>::amount;

  constexpr shorter_rows(warp_boundaries<W> const& in, index row_step)
      : in_(in), row_step_(floor_modulo(row_step, in.w)), turn_(in.w % 2 == 0 ? 2 * in.w : in.w) {}

  //! Asks for the rows of 1 … count items of a trapezoid in which the row of length 1 ends at the
  //! item `end` and begins at `address`. Returns the question's number.
  constexpr index ask(index count, index end, index address) {
    max_count_ = larger(max_count_, count);
    for (index const value : {count, end, floor_modulo(address, in_.w)}) questions_.append(value);
    return questions_.size() / 3 - 1;
  }
  //! Answers all questions. Time: O(w) steps for each, where a boundary of one chunk of a row's
  //! class cuts no group, and O(sqrt(c/w)) for each length up to the largest count c.
  constexpr void answer() {
    index const all = questions_.size() / 3;
    number_list first;  // question with a count
    number_list next;
    first.reserve(max_count_ + 1);
    next.reserve(all);
    for (index k = 0; k <= max_count_; ++k) first[k] = -1;
    for (index q = 0; q < all; ++q) {
      next[q] = first[questions_[3 * q]];
      first[questions_[3 * q]] = q;
      answers_.append(sum_without_chunks(question(q)));
    }
    if (in_.scattered) return;
    for (index k = 0; k < turn_; ++k) rows_[k].start(in_.items / in_.w, max_count_ / turn_ + 1);
    for (index length = 0; length <= max_count_; ++length) {
      for (index q = first[length]; q >= 0; q = next[q]) answers_[q] += uncut_before_ends(q);
      rows_[length % turn_].insert(length * (length + 1) / 2 / in_.w);
      for (index q = first[length]; q >= 0; q = next[q]) answers_[q] += uncut_before_begins(q);
    }
  }
  //! The answer to a question.
  [[nodiscard]] constexpr index stages(index number) const { return answers_[number]; }
  //! Stages that the rows 1 … count of a question take more where each has `turn / in.items` times
  //! in.items items more. Time: O(w) steps.
  [[nodiscard]] constexpr index growth(index number) const {
    question_of const q = question(number);
    index sum = 0;
    for (index length = 1; length <= smaller(turn_, q.count); ++length)
      sum += rows_of(q, length) * in_.growth(class_of(q, length));
    return sum;
  }

 private:
  struct question_of {
    index count;
    index end;
    index address;
  };
  [[nodiscard]] constexpr question_of question(index k) const {
    return {questions_[3 * k], questions_[3 * k + 1], questions_[3 * k + 2]};
  }
  //! The rows of this length, and of turn_ items more, 2 turn_ more, ….
  [[nodiscard]] constexpr index rows_of(question_of const& q, index length) const {
    return (q.count - length) / turn_ + 1;
  }
  [[nodiscard]] constexpr index address_of(question_of const& q, index length) const {
    return floor_modulo(q.address - row_step_ * ((length - 1) % in_.w), in_.w);
  }
  [[nodiscard]] static constexpr index triangle(index length) { return length * (length + 1) / 2; }
  [[nodiscard]] constexpr index class_of(question_of const& q, index length) const {
    index const item = floor_modulo(q.end - triangle(length), in_.w);
    return floor_modulo(address_of(q, length) - in_.column_residue * item, in_.w);
  }

  //! The groups, and one stage for each boundary, whether it cuts one or not.
  [[nodiscard]] constexpr index sum_without_chunks(question_of const& q) const {
    if (in_.scattered) return triangle(q.count);
    index sum = in_.before(q.end) - in_.before(q.end - triangle(q.count));
    for (index length = 1; length <= smaller(turn_, q.count); ++length) {
      index const rows = rows_of(q, length);
      index const groups = (address_of(q, length) + in_.column_step * (length - 1)) / in_.w + 1;
      sum += rows * groups + in_.column_step * (turn_ / in_.w) * (rows * (rows - 1) / 2);
    }
    return sum;
  }
  //! Boundaries of the chunks c, c + chunks, … before the item `end` - triangle(m), summed over
  //! the lengths m = length, length + turn_, … that are in rows_, and before `more` warps after it.
  [[nodiscard]] constexpr index in_chunks(index c, index end, index length, index more) const {
    index const rest = triangle(length) % in_.w;
    index const number = floor_divide(end - c * in_.chunk - rest + in_.w - 1, in_.w) + more;
    return rows_[length % turn_].sum(number, in_.warps);
  }
  //! Less the boundaries that cut no group, before the ends of rows. The end of a row is where one
  //! that is an item shorter begins.
  [[nodiscard]] constexpr index uncut_before_ends(index number) const {
    question_of const q = question(number);
    index sum = 0;
    for (index length = 1; length <= smaller(turn_, q.count); ++length)
      in_.for_each_uncut(class_of(q, length),
                         [&](index c) { sum -= in_chunks(c, q.end, length - 1, 0); });
    return sum;
  }
  //! The boundaries that cut no group, before the beginnings of rows, less the rows that begin a
  //! warp.
  [[nodiscard]] constexpr index uncut_before_begins(index number) const {
    question_of const q = question(number);
    index sum = 0;
    for (index length = 1; length <= smaller(turn_, q.count); ++length) {
      // rows_ has a row of length 0, too
      auto const before = [&](index c, index more) {
        index const own = in_chunks(c, q.end, length, more);
        if (length < turn_) return own;
        index const z = floor_divide(q.end - c * in_.chunk + in_.w - 1, in_.w) + more;
        index const period = in_.items / in_.w;
        return own - floor_divide(z, period) * in_.warps -
               smaller(floor_modulo(z, period), in_.warps);
      };
      in_.for_each_uncut(class_of(q, length), [&](index c) { sum += before(c, 0); });
      index const c = in_.chunk_at[floor_modulo(q.end - triangle(length), in_.w)];
      if (address_of(q, length) >= in_.column_step && c >= 0) sum -= before(c, 1) - before(c, 0);
    }
    return sum;
  }

  warp_boundaries<W> const& in_;
  index row_step_;
  index turn_;  //!< lengths after which triangle() is the same modulo w
  index max_count_ = 0;
  number_list questions_;
  number_list answers_;
  taken_below_differences rows_[2 * W];  //!< by length: triangle() over w
};

}  // namespace mmm::detail
