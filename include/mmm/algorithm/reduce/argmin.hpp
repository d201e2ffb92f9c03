// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/call/forms.hpp>
#include <mmm/algorithm/reduce/sum.hpp>
#include <mmm/core/accumulator.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/iterator_types.hpp>
#include <mmm/execution/access.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

//! The smallest and the largest value of a sequence and their places: folds of values that carry
//! their places.
MMM_BODIES_BEGIN
namespace mmm {

//! A value of a sequence and its place there, counted from 0.
template <class T>
struct located {
  T value;
  index place;
  friend bool operator==(located const&, located const&) = default;
};

namespace detail {

//! Four bytes after a value of four bytes, so that a pair has no padding byte, which nothing would
//! write.
template <bool Needed>
struct filler {};
template <>
struct filler<true> {
  std::uint32_t zero = 0;
};

//! A mmm::located in a fold; a small number is represented by its accumulator.
template <class T>
struct numbered : filler<sizeof(accumulator_t<T>) == 4> {
  accumulator_t<T> value;
  index place;

  numbered() = default;
  MMM_HOST_DEVICE constexpr numbered(T const& x, index i)
      : value(static_cast<accumulator_t<T>>(x)), place(i) {}
  MMM_HOST_DEVICE constexpr operator located<T>() const {  // NOLINT: is one
    return {static_cast<T>(value), place};
  }
};

//! The values of a sequence with their places. A kernel loads them as words of the sequence.
template <class Iterator>
struct numbered_words {
  using made_of = iterator_value_t<Iterator>;
  using value_type = numbered<made_of>;
  using difference_type = std::ptrdiff_t;
  Iterator first;
  index position = 0;

  //! Word i with its place, where x is word i of the sequence.
  template <class Word>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr value_type made(index i, Word const& x) {
    return {x, i};
  }
  template <class Other>
  [[nodiscard]] constexpr numbered_words<Other> with_first(Other const& other) const {
    return {other, position};
  }
  MMM_NO_SIDE_CHECK [[nodiscard]] MMM_HOST_DEVICE constexpr value_type operator*() const {
    using distance = iterator_difference_t<Iterator>;
    return {static_cast<iterator_value_t<Iterator>>(*(first + static_cast<distance>(position))),
            position};
  }
  MMM_HOST_DEVICE constexpr numbered_words& operator++() {
    ++position;
    return *this;
  }
  [[nodiscard]] MMM_HOST_DEVICE constexpr numbered_words operator+(difference_type n) const {
    numbered_words moved = *this;
    moved.position += n;
    return moved;
  }
};

//! The one of two values that comes first in an order, the first operand of equal values.
template <class Less>
struct first_in_sequence {
  template <class T>
  [[nodiscard]] MMM_HOST_DEVICE constexpr numbered<T> operator()(numbered<T> const& x,
                                                                 numbered<T> const& y) const {
    return Less{}(y.value, x.value) ? y : x;
  }
};

//! The one of two values that comes first in an order; of equal values the one with the smaller
//! place.
template <class Less>
struct first_in_order {
  //! The operator for a first operand with the smaller place: places are not compared.
  [[nodiscard]] MMM_HOST_DEVICE constexpr first_in_sequence<Less> in_sequence() const { return {}; }
  template <class T>
  [[nodiscard]] MMM_HOST_DEVICE constexpr numbered<T> operator()(numbered<T> const& x,
                                                                 numbered<T> const& y) const {
    Less const less{};
    bool const second = less(y.value, x.value) || (!less(x.value, y.value) && y.place < x.place);
    return second ? y : x;
  }
};
struct less_than {
  template <class T>
  [[nodiscard]] MMM_HOST_DEVICE constexpr bool operator()(T const& x, T const& y) const {
    return x < y;
  }
};
struct greater_than {
  template <class T>
  [[nodiscard]] MMM_HOST_DEVICE constexpr bool operator()(T const& x, T const& y) const {
    return y < x;
  }
};

//! The algorithm object behind mmm::argmin and its like: `Fold` over numbered words, with the costs
//! and bounds of `Fold`.
template <class Fold, class Less>
struct located_algorithm : sequence_call<located_algorithm<Fold, Less>> {
  static constexpr char const* name = std::is_same_v<Less, less_than> ? "argmin" : "argmax";
  static constexpr char const* paper = Fold::paper;
  static constexpr machine_kinds kinds = Fold::kinds;

  struct problem : Fold::problem {
    using Fold::problem::problem;

    template <class On, class In = no_data, class... Out>
    constexpr auto run(On& on, In first = {}, Out const&... out) const {
      using words = numbered_words<In>;
      if constexpr (std::is_same_v<In, no_data>)
        return Fold::problem::run(on, first, out...);
      else if constexpr (sizeof...(Out) > 0)
        return Fold::problem::run(on, words{first}, out..., first_in_order<Less>{});
      else
        return located<iterator_value_t<In>>(
            Fold::problem::run(on, words{first}, first_in_order<Less>{}));
    }
  };
};

}  // namespace detail

//! The smallest of n values and its place, `mmm::argmin(on, first, last)`: a mmm::located, the
//! first one of equal values. With an iterator after `last`, the result is written there and
//! nothing is returned. Errors: std::invalid_argument for no values. Time: that of mmm::sum.
inline constexpr detail::located_algorithm<std::remove_const_t<decltype(sum)>, detail::less_than>
    argmin{};
//! The largest of n values and its place, the first one of equal values; called as mmm::argmin.
inline constexpr detail::located_algorithm<std::remove_const_t<decltype(sum)>, detail::greater_than>
    argmax{};

}  // namespace mmm
MMM_BODIES_END
