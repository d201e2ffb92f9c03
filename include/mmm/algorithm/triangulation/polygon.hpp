// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/natural.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/iterator_types.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/cost/access.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/arguments.hpp>

//! The shared parts of triangulations of a polygon: the input, and table I of Nakano 2013b. The
//! result, and the search for it on data, are in algorithm/triangulation/polygon_triangulation.hpp.
MMM_BODIES_BEGIN
namespace mmm {

//! A chord of a polygon: it joins vertex `first` with vertex `last > first + 1`.
struct chord {
  index first;
  index last;
  friend constexpr bool operator==(chord const&, chord const&) = default;
};

//! The accesses of table I of Nakano 2013b, by loop and array: M[i][j], the diagonal M[i][i + r -
//! 1], the row M[i + r][j] below, M[i][j - r] before, the copy b of the diagonal, the new diagonal
//! M[i][i + r] and the weights c.
enum class table_access {
  a_entries,
  b_diagonal,
  c_diagonal,
  c_copy,
  d_entries,
  d_diagonal,
  d_below,
  e_entries,
  e_before,
  e_copy,
  f_diagonal,
  f_weights
};

//! The properties of an access that theorem 1 of Nakano 2013b depends on.
struct access_shape {
  index length;
  index fragmentation;
  friend constexpr bool operator==(access_shape const&, access_shape const&) = default;
};

//! The length and the fragmentation of an access of algorithm UMM-OPT at stage r, 1 <= r <= n - 2
//! (before the stages: any r). Exact where table I has bounds; for loop C the correct value, for i
//! = 1 … n - r. The fragmentation of b in loop E is less than printed: after a row of three words
//! or less the next one starts at a neighbour of the last word.
[[nodiscard]] constexpr access_shape loop_of_table(table_access which, index n, index r) {
  index const rows = n - r - 1;
  // rows of r entries; the r - 1 others are shorter by one each
  index const full = detail::larger(0, n - 2 * r);
  index const shorter = rows - full;
  index const entries = full * r + shorter * (n - r - 1 - full) - shorter * (shorter - 1) / 2;
  switch (which) {
    case table_access::a_entries:
      return {(n - 1) * (n - 2) / 2, n - 3};
    case table_access::b_diagonal:
      return {n - 1, n - 2};
    case table_access::c_diagonal:
      return {n - r, n - r - 1};
    case table_access::c_copy:
      return {n - r, 0};
    case table_access::e_copy:
      return {entries, r >= 4 ? detail::larger(0, n - r - 4) : 0};
    case table_access::f_diagonal:
    case table_access::f_weights:
      return {rows, rows - 1};
    default:
      return {entries, rows - 1};
  }
}

namespace detail {

//! The parameter of a triangulation. Errors: std::invalid_argument for fewer than 3 vertices.
struct polygon_size {
  natural n;  //!< vertices
  constexpr explicit polygon_size(size vertices) : n(vertices.count) {
    if (n < 3) reject("the number of vertices of a polygon", n, "3 or more");
  }
  //! The sums M[i][k] + M[k + 1][j] over all 1 <= i <= k < j < n: n (n - 1) (n - 2)/6.
  [[nodiscard]] constexpr natural sums() const { return n * (n - 1) / 2 * (n - 2) / 3; }
};

//! The largest value of a type, infinity if the type has one, without <limits>.
template <class Value>
struct largest_value {
  static_assert(
      never<Value>,
      "mmm: weights need std::numeric_limits, for their largest value; those that are no "
      "numbers of C++ also <mmm/algorithm/triangulation/weight_limits.hpp>, part of <mmm/mmm.hpp>");
};
template <floating_point Value>
struct largest_value<Value> {
  static constexpr Value value = static_cast<Value>(__builtin_huge_valf());
};
template <integral Value>
struct largest_value<Value> {
  static constexpr std::uint64_t ones = ~std::uint64_t{0} >> (64 - 8 * sizeof(Value));
  static constexpr auto value = static_cast<Value>(is_signed_v<Value> ? ones / 2 : ones);
};

//! A value that no sum of weights exceeds.
template <class Value>
[[nodiscard]] constexpr Value infinity_of() {
  return largest_value<Value>::value;
}

//! The weights of a polygon's chords, with 0 for the chord (0, n - 1), as the recurrence requires.
template <class Iterator>
struct polygon_weights {
  using value_type = iterator_value_t<Iterator>;
  using difference_type = pointer_difference;
  Iterator first;
  index last_edge;
  index position = 0;

  MMM_NO_SIDE_CHECK [[nodiscard]] MMM_HOST_DEVICE constexpr value_type operator[](
      difference_type i) const {
    auto const x =
        static_cast<value_type>(first[static_cast<iterator_difference_t<Iterator>>(position + i)]);
    return position + i == last_edge ? value_type{} : x;  // read all the same: the model counts it
  }
  [[nodiscard]] MMM_HOST_DEVICE constexpr value_type operator*() const { return (*this)[0]; }
  MMM_HOST_DEVICE constexpr polygon_weights& operator++() {
    ++position;
    return *this;
  }
  [[nodiscard]] MMM_HOST_DEVICE constexpr polygon_weights operator+(difference_type i) const {
    polygon_weights moved = *this;
    moved.position += i;
    return moved;
  }
};

//! The call form of triangulations: `Algorithm::problem` on data.
template <class Algorithm>
struct polygon_call {
  //! The triangulation of least weight of the polygon of n vertices whose chord (i, j), i < j,
  //! weighs `weights[i * n + j]`; edges and (0, n - 1) count as 0. The chords are found from the
  //! table afterwards, free of cost; for a kernel by another kernel, since the table stays in the
  //! device's memory. Precondition: sums of weights are values of their type.
  //! Errors: std::invalid_argument for fewer than 3 vertices and for a chord's weight that is not
  //! finite.
  template <class On, class Iterator>
  auto operator()(On on, Iterator weights, index n) const;
  //! Writes the least weight alone to `*weight`; nothing is returned, and a kernel does not wait.
  //! Precondition: weights are finite; this is not checked.
  template <class On, class Iterator, class Result>
  void operator()(On on, Iterator weights, index n, Result weight) const;
};

}  // namespace detail
}  // namespace mmm
MMM_BODIES_END
