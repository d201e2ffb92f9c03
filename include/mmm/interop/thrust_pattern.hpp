// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/layout/layout.hpp>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>

//! Index expressions and layouts as Thrust iterators: the access whose cost an assertion knows is
//! the access that a Thrust algorithm makes, on the host, on a simulated machine
//! (interop/thrust_policy.hpp) and on the device.
namespace mmm {

//! The addresses `e(0), e(1), …` as a random-access iterator over mmm::index: a map for
//! thrust::gather and scatter. Computed, so that reading it costs nothing. Host and device.
//! \param e an index expression in mmm::item.
template <expression E>
requires(!detail::in_trapezoid<E>)
[[nodiscard]] MMM_HOST_DEVICE inline auto index_map(E const& e) {
  return thrust::transform_iterator<E, thrust::counting_iterator<index>, index>(
      thrust::counting_iterator<index>(0), e);
}

//! The words `a[e(0)], a[e(1)], …` as a random-access iterator:
//! `thrust::copy(pattern, pattern + n, out)` reads them, `thrust::copy(x, x + n, pattern)` writes
//! them. Host and device.
//!
//! \param a an iterator to the array's first word. \param e an index expression in mmm::item.
//! Preconditions: `a[e(i)]` exists for every i that is dereferenced; nothing is checked.
//! Time of n words by p threads: `mmm::cost_of<M>(e, mmm::size(n), mmm::threads(p))`.
template <class Iterator, expression E>
requires(!detail::in_trapezoid<E>)
[[nodiscard]] MMM_HOST_DEVICE inline auto pattern_iterator(Iterator a, E const& e) {
  return thrust::make_permutation_iterator(a, index_map(e));
}

//! The words of a two-dimensional array as a layout stores them, in the order of rows: the i-th is
//! `a[l(i / columns, i % columns)]`. Otherwise as above, with the expression
//! `l(item / columns, item % columns)`.
template <class Iterator, layout L>
[[nodiscard]] MMM_HOST_DEVICE inline auto pattern_iterator(Iterator a, L const& l) {
  variable const i;  // mmm::item is not on the device
  return pattern_iterator(a, l(i / l.columns(), i % l.columns()));
}

}  // namespace mmm
