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

//! A number by a period: `turns * period + rest`, for `0 <= rest < period`.
struct turns_and_rest {
  index turns;
  index rest;
  //! A number less.
  [[nodiscard]] constexpr turns_and_rest minus(index less, index period) const {
    turns_and_rest z{turns, rest - less};
    for (; z.rest < 0; z.rest += period) --z.turns;
    for (; z.rest >= period; z.rest -= period) ++z.turns;
    return z;
  }
  [[nodiscard]] constexpr turns_and_rest minus(turns_and_rest less, index period) const {
    return turns_and_rest{turns - less.turns, rest}.minus(less.rest, period);
  }
  //! The number of those integers below it, counted from 0, that are 0 … taken - 1 modulo the
  //! period.
  [[nodiscard]] constexpr index taken_below(index taken) const {
    return turns * taken + smaller(rest, taken);
  }
  //! 1 if it is such an integer, else 0.
  [[nodiscard]] constexpr index taken(index taken) const { return rest < taken; }
};

[[nodiscard]] constexpr turns_and_rest divided(index number, index period) {
  index const turns = floor_divide(number, period);
  return {turns, number - turns * period};
}

//! A set of numbers that grows, and the sum over all of them of what turns_and_rest has of
//! `z - number`.
class taken_below_differences {
 public:
  //! Forgets all numbers; there will be `capacity` of them at most.
  constexpr void start(index period, index capacity) {
    period_ = period;
    size_ = turns_ = sum_ = 0;
    shift_ = 0;
    while (period >> shift_ > capacity) ++shift_;
    index const buckets = (period >> shift_) + 1;
    block_shift_ = 0;
    while (buckets >> 2 * block_shift_ > 1) ++block_shift_;
    blocks_ = (buckets >> block_shift_) + 1;
    number_.reserve(capacity);
    next_.reserve(capacity);
    bucket_.reserve(3 * buckets);
    block_.reserve(2 * blocks_);
    for (index k = 0; k < buckets; ++k) {
      bucket_[3 * k] = bucket_[3 * k + 1] = 0;
      bucket_[3 * k + 2] = -1;
    }
    for (index k = 0; k < 2 * blocks_; ++k) block_[k] = 0;
    end_ = buckets;
  }
  //! Adds a number of 0 or more. Time: O(sqrt(capacity)).
  constexpr void insert(index number) {
    index const residue = number % period_;
    index const bucket = residue >> shift_;
    number_[size_] = residue;
    next_[size_] = bucket_[3 * bucket + 2];
    bucket_[3 * bucket + 2] = size_++;
    turns_ += number / period_;
    sum_ += residue;
    index const block = bucket >> block_shift_;
    index const end = smaller(end_, (block + 1) << block_shift_);
    for (index k = bucket + 1; k < end; ++k) {
      ++bucket_[3 * k];
      bucket_[3 * k + 1] += residue;
    }
    for (index k = block + 1; k < blocks_; ++k) {
      ++block_[2 * k];
      block_[2 * k + 1] += residue;
    }
  }
  //! The sum of `(z - number).taken(taken)`. Time: O(1), and the numbers with nearly the same
  //! residue.
  [[nodiscard]] constexpr index taken(turns_and_rest z, index taken) const {
    index const up = below_residue(z.rest + 1).count;
    if (z.rest >= taken) return up - below_residue(z.rest - taken + 1).count;
    return up + size_ - below_residue(z.rest + period_ - taken + 1).count;
  }
  //! The sum of `(z - number).taken_below(taken)`. Time: as taken().
  [[nodiscard]] constexpr index taken_below(turns_and_rest z, index taken) const {
    below const up = below_residue(z.rest + 1);
    index const above = size_ - up.count;  // their differences have a turn less
    index const turns = taken * (size_ * z.turns - turns_ - above);
    if (z.rest >= taken) {
      below const full = below_residue(z.rest - taken + 1);
      return turns + taken * (full.count + above) + z.rest * (up.count - full.count) -
             (up.residues - full.residues);
    }
    index const rest = z.rest + period_;
    below const full = below_residue(rest - taken + 1);
    return turns + z.rest * up.count - up.residues + taken * (full.count - up.count) +
           rest * (size_ - full.count) - (sum_ - full.residues);
  }

 private:
  //! The numbers whose residues are below one.
  struct below {
    index count;
    index residues;  //!< their sum
  };
  [[nodiscard]] constexpr below below_residue(index residue) const {
    if (residue >= period_) return {size_, sum_};
    index const bucket = residue >> shift_;
    index const block = bucket >> block_shift_;
    below found{block_[2 * block] + bucket_[3 * bucket],
                block_[2 * block + 1] + bucket_[3 * bucket + 1]};
    for (index k = bucket_[3 * bucket + 2]; k >= 0; k = next_[k]) {
      found.count += number_[k] < residue;
      found.residues += number_[k] < residue ? number_[k] : 0;
    }
    return found;
  }

  index period_ = 1;
  index size_ = 0;
  index turns_ = 0;      //!< sum of the numbers over the period, rounded down
  index sum_ = 0;        //!< of the residues
  int shift_ = 0;        //!< log2 of a bucket's residues
  int block_shift_ = 0;  //!< of a block's buckets
  index end_ = 0;
  index blocks_ = 0;
  number_list number_;  //!< residues
  number_list next_;    //!< in the same bucket
  number_list bucket_;  //!< residues before each in its block; their sum; its last number
  number_list block_;   //!< residues before each; their sum
};

//! Answers questions for the rows of 1 … count items, all questions at once.
template <int W>
class shorter_rows {
 public:
  using amount = typename warp_boundaries<W>::amount;

  constexpr shorter_rows(warp_boundaries<W> const& in, index row_step)
      : in_(in), turn_(in.w % 2 == 0 ? 2 * in.w : in.w) {
    index const w = in.w;
    for (index length = 0; length <= turn_; ++length) {
      triangle_rest_[length] = triangle(length) % w;
      row_rest_[length] = floor_modulo(row_step, w) * ((length + w - 1) % w) % w;
    }
    for (index k = 0; k < w; ++k) column_rest_[k] = in.column_residue * k % w;
    for (index c = 0; c < in.chunks; ++c) {
      chunk_warps_[c] = c * in.chunk / w;
      chunk_rest_[c] = c * in.chunk % w;
    }
  }

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
      for (index q = first[length]; q >= 0; q = next[q]) answers_[q] -= uncut(question(q));
      rows_[length % turn_].insert(triangle(length) / in_.w);
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
      sum += rows_of(q, length) *
             in_.growth(class_of(floor_modulo(q.end, in_.w), address_of(q, length), length));
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
  //! The residue of `a - b`, for two residues modulo w.
  [[nodiscard]] constexpr index difference(index a, index b) const {
    return a < b ? a - b + in_.w : a - b;
  }
  //! The residues of a row's first address and first item, and its class.
  [[nodiscard]] constexpr index address_of(question_of const& q, index length) const {
    return difference(q.address, row_rest_[length]);
  }
  [[nodiscard]] constexpr index item_rest(index end_rest, index length) const {
    return difference(end_rest, triangle_rest_[length]);
  }
  [[nodiscard]] constexpr index class_of(index end_rest, index address, index length) const {
    return difference(address, column_rest_[item_rest(end_rest, length)]);
  }
  [[nodiscard]] static constexpr index triangle(index length) { return length * (length + 1) / 2; }

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
  //! The boundaries in the rows that cut no group, and the rows that begin a warp and no group,
  //! where rows_ has all lengths below the question's.
  //! The boundaries in a row are those before its end, which is where a row begins that is an item
  //! shorter, less those before its own beginning.
  [[nodiscard]] constexpr index uncut(question_of const& q) const {
    index const w = in_.w;
    index const period = in_.items / w;
    index const warps = floor_divide(q.end, w);
    index const over = q.end - warps * w;
    turns_and_rest const up = divided(warps + 2, period);
    turns_and_rest const last = divided(triangle(q.count) / w, period);
    // Boundaries of the chunks c, c + chunks, … are before an item that is a triangle before the
    // end, if their numbers are below this less triangle / w.
    auto const number = [&](index c, index length) {
      index const x = over - chunk_rest_[c] - triangle_rest_[length];
      return up.minus(chunk_warps_[c] + (x <= -w ? 3 : x <= 0 ? 2 : 1), period);
    };
    index sum = 0;
    for (index length = 1; length <= smaller(turn_, q.count); ++length) {
      auto const& ends = rows_[length - 1];
      auto const& begins = rows_[length % turn_];
      bool const with_none = length == turn_;                  // begins has a row of length 0
      bool const with_last = (q.count - length) % turn_ == 0;  // and lacks the longest one
      index const address = address_of(q, length);
      in_.for_each_uncut(class_of(over, address, length), [&](index c) {
        turns_and_rest const z = number(c, length);
        sum += ends.taken_below(number(c, length - 1), in_.warps) -
               begins.taken_below(z, in_.warps) + with_none * z.taken_below(in_.warps) -
               with_last * z.minus(last, period).taken_below(in_.warps);
      });
      index const c = in_.chunk_at[item_rest(over, length)];
      if (address >= in_.column_step && c >= 0) {
        turns_and_rest const z = number(c, length);
        sum += begins.taken(z, in_.warps) - with_none * z.taken(in_.warps) +
               with_last * z.minus(last, period).taken(in_.warps);
      }
    }
    return sum;
  }

  warp_boundaries<W> const& in_;
  index turn_;  //!< lengths after which triangle() is the same modulo w
  index max_count_ = 0;
  number_list questions_;
  number_list answers_;
  index triangle_rest_[2 * W + 1] = {};  //!< by length, modulo w
  index row_rest_[2 * W + 1] =
      {};                      //!< the row step times a row's number from the last one, modulo w
  index column_rest_[W] = {};  //!< multiples of the column step modulo w
  index chunk_warps_[W] = {};  //!< of the items before a chunk
  index chunk_rest_[W] = {};   //!< and those over
  taken_below_differences rows_[2 * W];  //!< by length: triangle() over w
};

}  // namespace mmm::detail
