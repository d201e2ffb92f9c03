// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/cost/number_list.hpp>
#include <mmm/cost/shorter_rows.hpp>
#include <mmm/cost/warp_boundaries.hpp>

namespace mmm::detail {

//! The stages of the separate rows of trapezoids of one class, as examined_rows, without a step for
//! each row. All classes are visited twice, in the same order: at first to ask for the shorter
//! rows (`Asks`), and, when the questions are answered, to add up.
template <int W, bool Asks>
class derived_rows {
 public:
  static constexpr bool asks = Asks;

  constexpr derived_rows(warp_boundaries<W> const& in, index row_step, index turn,
                         shorter_rows<W>& shorter)
      : in_(in), row_step_(row_step), turn_(turn), shorter_(shorter) {}

  //! Begins a class, as examined_rows::begin(). Time: O(1).
  constexpr void begin(index, index length, index base, index, index end, index last_address) {
    length_ = length;
    base_ = base;
    end_ = end;
    last_address_ = last_address;
    known_ = 0;
  }
  //! Stages as those of examined_rows::whole(). Time: as warp_boundaries::equal_rows().
  [[nodiscard]] constexpr index whole(index count, index times) const {
    return sum_repeated(whole_rows{*this}, count, in_.items, times);
  }
  //! Stages as those of examined_rows::shorter().
  [[nodiscard]] constexpr index shorter(index count) {
    return sum_growing(rows_of_one_to{*this}, count, turn_);
  }

 private:
  struct whole_rows {
    derived_rows const& all;
    [[nodiscard]] constexpr index value(index count) const { return rows(count).stages; }
    [[nodiscard]] constexpr index growth(index count) const { return rows(count).growth; }
    [[nodiscard]] constexpr auto rows(index count) const {
      return all.in_.equal_rows(count, all.length_, all.base_, all.row_step_);
    }
  };
  struct rows_of_one_to {
    derived_rows& all;
    [[nodiscard]] constexpr index value(index count) const {
      index const question = all.question(count);
      if constexpr (Asks)
        return 0 * question;
      else
        return all.shorter_.stages(question);
    }
    [[nodiscard]] constexpr index growth(index count) const {
      index const question = all.question(count);
      if constexpr (Asks)
        return 0 * question;
      else
        return all.turn_ / all.in_.items * all.shorter_.growth(question);
    }
  };
  //! The number of the question for the rows of 1 … count items; those of a class that were asked
  //! before are not asked again.
  [[nodiscard]] constexpr index question(index count) {
    for (int k = 0; k < known_; ++k)
      if (known_count_[k] == count) return known_question_[k];
    if constexpr (Asks) shorter_.ask(count, end_, last_address_);
    if (known_ == max_known) known_ = 0;
    known_count_[known_] = count;
    known_question_[known_++] = questions_;
    return questions_++;
  }

  static constexpr int max_known = 8;
  warp_boundaries<W> const& in_;
  index row_step_;
  index turn_;
  shorter_rows<W>& shorter_;
  index length_ = 0;
  index base_ = 0;
  index end_ = 0;
  index last_address_ = 0;
  index questions_ = 0;
  int known_ = 0;
  index known_count_[max_known] = {};
  index known_question_[max_known] = {};
};

}  // namespace mmm::detail
