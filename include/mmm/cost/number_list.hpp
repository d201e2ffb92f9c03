// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>

namespace mmm::detail {

//! An array of numbers. Not std::vector, whose header costs a compiler more than this class.
class number_list {
 public:
  constexpr number_list() = default;
  number_list(number_list const&) = delete;
  number_list& operator=(number_list const&) = delete;
  constexpr ~number_list() { delete[] data_; }
  //! Makes room for `n` numbers, which are not set; those there were are lost.
  constexpr void reserve(index n) {
    if (n <= capacity_) return;
    delete[] data_;
    data_ = nullptr;
    data_ = new index[static_cast<size_type>(n)];
    capacity_ = n;
  }
  //! Adds a number to those that were appended before.
  constexpr void append(index number) {
    if (size_ == capacity_) {
      index const capacity = 2 * capacity_ + 8;
      auto* const data = new index[static_cast<size_type>(capacity)];
      for (index k = 0; k < size_; ++k) data[k] = data_[k];
      delete[] data_;
      data_ = data;
      capacity_ = capacity;
    }
    data_[size_++] = number;
  }
  //! The numbers that were appended.
  [[nodiscard]] constexpr index size() const { return size_; }
  constexpr index& operator[](index k) { return data_[k]; }
  constexpr index const& operator[](index k) const { return data_[k]; }

 private:
  index* data_ = nullptr;
  index capacity_ = 0;
  index size_ = 0;
};

//! prefix_sums_of_terms::repeated() of any class with `value` and `growth`.
template <class Sums>
[[nodiscard]] constexpr index sum_repeated(Sums const& sums, index n, index period, index times) {
  index const whole = n / period;
  index const rest = n % period;
  index sum = rest == 0 ? 0 : sums.value(rest) + (times == 0 ? 0 : times * sums.growth(rest));
  if (whole > 0) sum += whole * (sums.value(period) + times * sums.growth(period));
  return sum;
}
//! prefix_sums_of_terms::growing() of any class with `value` and `growth`.
template <class Sums>
[[nodiscard]] constexpr index sum_growing(Sums const& sums, index n, index period) {
  index const whole = n / period;
  index const rest = n % period;
  index sum = rest == 0 ? 0 : sums.value(rest) + (whole == 0 ? 0 : whole * sums.growth(rest));
  if (whole > 0)
    sum += whole * sums.value(period) +
           (whole == 1 ? 0 : whole * (whole - 1) / 2 * sums.growth(period));
  return sum;
}

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
    return sum_repeated(*this, n, period, times);
  }
  //! The sum of the first `n` terms, where those of each period have grown once more.
  [[nodiscard]] constexpr index growing(index n, index period) const {
    return sum_growing(*this, n, period);
  }
  //! The sum of the first `n` terms, as they are.
  [[nodiscard]] constexpr index value(index n) const { return value_[n]; }
  //! The sum of their growths.
  [[nodiscard]] constexpr index growth(index n) const { return growth_[n]; }

 private:
  number_list value_;
  number_list growth_;
  index terms_ = 0;
};

}  // namespace mmm::detail
