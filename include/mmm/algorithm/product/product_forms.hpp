// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/parameters.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/iterator_types.hpp>

#include <cstddef>
#include <initializer_list>
#include <type_traits>

//! Matrix products beyond c = a b of packed matrices: distances of rows, transposed factors, c =
//! alpha a b + beta c, batches.
MMM_BODIES_BEGIN
namespace mmm {

//! A matrix in memory as an operand of a product: row-major, its rows `pitch` words apart. If
//! `Transposed`, the operand is the transpose of the stored matrix.
template <class Iterator, bool Transposed>
struct matrix_operand {
  Iterator first;
  index pitch;
};
//! A row-major matrix whose rows begin `pitch` words apart.
template <class Iterator>
[[nodiscard]] constexpr matrix_operand<Iterator, false> matrix(Iterator first, index pitch) {
  return {first, pitch};
}
//! The transpose of a row-major matrix whose rows begin `pitch` words apart; this is how a
//! column-major matrix is given.
template <class Iterator>
[[nodiscard]] constexpr matrix_operand<Iterator, true> transposed(Iterator first, index pitch) {
  return {first, pitch};
}

//! The factor of the product, `c = alpha a b`; 1 by default.
template <class T>
struct alpha {
  T value;
  constexpr explicit alpha(T const& x) : value(x) {}
};
//! The factor of the previous c, `c = a b + beta c`. Without it, c is not read.
template <class T>
struct beta {
  T value;
  constexpr explicit beta(T const& x) : value(x) {}
};
//! A batch of `count` products of one shape; the matrices of each begin `left`, `right` and
//! `result` words after those of the product before. Errors: std::invalid_argument for negative
//! numbers.
struct batches {
  index count;
  index left;
  index right;
  index result;
  constexpr batches(index number, index left_apart, index right_apart, index result_apart)
      : count(number), left(left_apart), right(right_apart), result(result_apart) {
    if (count < 0) detail::reject("the number of products", count, "0 or more");
    for (index const apart : {left, right, result})
      if (apart < 0) detail::reject("the distance of matrices of a batch", apart, "0 or more");
  }
};

namespace detail {

//! The layout of matrices whose rows follow each other.
template <class Value>
struct packed_product {
  static constexpr bool left_transposed = false;
  static constexpr bool right_transposed = false;
  static constexpr bool is_batched = false;
  static constexpr bool is_packed = true;
  static constexpr bool has_beta = false;
  Value alpha = Value(1);

  [[nodiscard]] MMM_HOST_DEVICE static constexpr index count() { return 1; }
  //! Elements from one left, or right, factor of a batch to the next; 0 if there is one.
  [[nodiscard]] MMM_HOST_DEVICE static constexpr index left_apart() { return 0; }
  [[nodiscard]] MMM_HOST_DEVICE static constexpr index right_apart() { return 0; }
  [[nodiscard]] MMM_HOST_DEVICE static constexpr index left_pitch(product_shape const& shape) {
    return shape.inner;
  }
  [[nodiscard]] MMM_HOST_DEVICE static constexpr index right_pitch(product_shape const& shape) {
    return shape.columns;
  }
  [[nodiscard]] MMM_HOST_DEVICE static constexpr index result_pitch(product_shape const& shape) {
    return shape.columns;
  }
};

//! The layout of any other product: the places of the matrices, the factors and the batch.
template <bool LeftTransposed, bool RightTransposed, bool Batched, class Value, bool HasBeta>
struct placed_product {
  static constexpr bool left_transposed = LeftTransposed;
  static constexpr bool right_transposed = RightTransposed;
  static constexpr bool is_batched = Batched;
  static constexpr bool is_packed = false;
  static constexpr bool has_beta = HasBeta;
  index left;
  index right;
  index result;
  Value alpha;
  Value beta;
  batches all;

  [[nodiscard]] MMM_HOST_DEVICE constexpr index count() const { return all.count; }
  [[nodiscard]] MMM_HOST_DEVICE constexpr index left_apart() const {
    return Batched ? all.left : 0;
  }
  [[nodiscard]] MMM_HOST_DEVICE constexpr index right_apart() const {
    return Batched ? all.right : 0;
  }
  [[nodiscard]] MMM_HOST_DEVICE constexpr index left_pitch(product_shape const&) const {
    return left;
  }
  [[nodiscard]] MMM_HOST_DEVICE constexpr index right_pitch(product_shape const&) const {
    return right;
  }
  [[nodiscard]] MMM_HOST_DEVICE constexpr index result_pitch(product_shape const&) const {
    return result;
  }
};

template <class X>
inline constexpr bool is_operand = false;
template <class Iterator, bool Transposed>
inline constexpr bool is_operand<matrix_operand<Iterator, Transposed>> = true;
template <class X>
inline constexpr bool is_alpha = false;
template <class T>
inline constexpr bool is_alpha<alpha<T>> = true;
template <class X>
inline constexpr bool is_beta = false;
template <class T>
inline constexpr bool is_beta<beta<T>> = true;

//! True for a call that is more than a product of packed matrices.
template <class Left, class Right, class Result, class... Form>
inline constexpr bool is_placed =
    is_operand<Left> || is_operand<Right> || is_operand<Result> ||
    ((is_alpha<Form> || is_beta<Form> || std::is_same_v<Form, batches>) || ...);

//! The iterator with which an operand begins.
template <class X>
[[nodiscard]] constexpr auto first_of(X const& x) {
  if constexpr (is_operand<X>)
    return x.first;
  else
    return x;
}
template <class X>
using first_of_t = decltype(first_of(std::declval<X const&>()));
template <class X>
inline constexpr bool is_transposed = false;
template <class Iterator>
inline constexpr bool is_transposed<matrix_operand<Iterator, true>> = true;

//! The pitch of an operand whose rows in memory have `columns` words. Errors: std::invalid_argument
//! for a smaller pitch.
template <class X>
[[nodiscard]] constexpr index pitch_of(char const* name, X const& x, index columns) {
  if constexpr (is_operand<X>) {
    if (x.pitch < columns) reject(name, x.pitch, "as many words as a row has, or more");
    return x.pitch;
  } else {
    return columns;
  }
}
//! Number of words from the first to the last one of `rows` rows in each of a batch's matrices.
[[nodiscard]] constexpr index extent(index rows, index columns, index pitch, index count,
                                     index apart) {
  if (rows == 0 || columns == 0 || count == 0) return 0;
  return checked_add(checked_multiply(count - 1, apart),
                     checked_add(checked_multiply(rows - 1, pitch), columns));
}

template <class Value>
struct product_factors {
  Value alpha = Value(1);
  Value beta = Value();
  batches all{1, 0, 0, 0};
  constexpr void take(auto const& x) {
    using form = std::remove_cvref_t<decltype(x)>;
    if constexpr (is_alpha<form>)
      alpha = static_cast<Value>(x.value);
    else if constexpr (is_beta<form>)
      beta = static_cast<Value>(x.value);
    else if constexpr (std::is_same_v<form, batches>)
      all = x;
  }
};

//! The places of a product's matrices and the factors of the product.
template <class Value, class Left, class Right, class Result, class... Form>
[[nodiscard]] constexpr auto placed_product_of(product_shape const& shape, Left const& a,
                                               Right const& b, Result const& c,
                                               Form const&... form) {
  static_assert(!is_transposed<Result>, "mmm: the result of a product is not transposed");
  product_factors<Value> factors;
  (factors.take(form), ...);
  constexpr bool has_beta = (is_beta<Form> || ...);
  constexpr bool is_batched = (std::is_same_v<Form, batches> || ...);
  return placed_product<is_transposed<Left>, is_transposed<Right>, is_batched, Value, has_beta>{
      pitch_of("the pitch of the left factor", a, is_transposed<Left> ? shape.rows : shape.inner),
      pitch_of("the pitch of the right factor", b,
               is_transposed<Right> ? shape.inner : shape.columns),
      pitch_of("the pitch of the result", c, shape.columns),
      factors.alpha,
      factors.beta,
      factors.all};
}

//! The words of a factor in the order of a packed matrix with `columns` columns.
template <class Iterator, bool Transposed>
struct packed_words {
  using value_type = iterator_value_t<Iterator>;
  using difference_type = std::ptrdiff_t;
  Iterator first;
  index columns;
  index pitch;
  index position = 0;

  [[nodiscard]] MMM_HOST_DEVICE constexpr index place() const {
    index const row = position / columns;
    index const column = position % columns;
    return Transposed ? column * pitch + row : row * pitch + column;
  }
  MMM_NO_SIDE_CHECK [[nodiscard]] MMM_HOST_DEVICE constexpr value_type operator*() const {
    return static_cast<value_type>(first[static_cast<iterator_difference_t<Iterator>>(place())]);
  }
  MMM_HOST_DEVICE constexpr packed_words& operator++() {
    ++position;
    return *this;
  }
  [[nodiscard]] MMM_HOST_DEVICE constexpr packed_words operator+(difference_type n) const {
    packed_words moved = *this;
    moved.position += n;
    return moved;
  }
};

//! A word of scaled_results, which are a copy: their type is complete only here.
template <class Results>
class scaled_word {
 public:
  MMM_HOST_DEVICE constexpr explicit scaled_word(Results const& results) : results_(results) {}
  MMM_NO_SIDE_CHECK MMM_HOST_DEVICE constexpr void operator=(
      typename Results::value_type const& x) const {
    using value = typename Results::value_type;
    using iterator = decltype(results_.first);
    using stored = iterator_value_t<iterator>;
    auto const place = static_cast<iterator_difference_t<iterator>>(
        results_.position / results_.columns * results_.pitch +
        results_.position % results_.columns);
    value y = results_.alpha * x;
    if constexpr (Results::has_beta)
      y = static_cast<value>(y + results_.beta * static_cast<value>(results_.first[place]));
    results_.first[place] = static_cast<stored>(y);
  }

 private:
  Results results_;
};

//! The words of c in this order; assigning x to one writes `alpha x + beta c`.
template <class Iterator, class Value, bool HasBeta>
struct scaled_results {
  static constexpr bool has_beta = HasBeta;
  using value_type = Value;
  using difference_type = std::ptrdiff_t;
  Iterator first;
  index columns;
  index pitch;
  Value alpha;
  Value beta;
  index position = 0;

  [[nodiscard]] MMM_HOST_DEVICE constexpr scaled_word<scaled_results> operator*() const {
    return scaled_word(*this);
  }
  MMM_HOST_DEVICE constexpr scaled_results& operator++() {
    ++position;
    return *this;
  }
  [[nodiscard]] MMM_HOST_DEVICE constexpr scaled_results operator+(difference_type n) const {
    scaled_results moved = *this;
    moved.position += n;
    return moved;
  }
};

}  // namespace detail
}  // namespace mmm
MMM_BODIES_END
