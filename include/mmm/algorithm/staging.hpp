// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

namespace mmm::detail {

//! An array of the handle's own, filled with the n values from `first`, free of cost: the input is where it is needed
//! when an algorithm starts, as in the papers, and the user's data stays as it is.
template <class Value, class On, class Iterator>
[[nodiscard]] auto staged(On& on, Iterator first, index n) {
  auto const a = on.template allocate<Value>(n);
  for (index i = 0; i < n; ++i, ++first) a[i] = *first;
  return a;
}

//! The way back.
template <class Array, class Iterator>
void unstaged(Array a, Iterator first, index n) {
  using value = typename Array::value_type;
  for (index i = 0; i < n; ++i, ++first) *first = static_cast<value>(a[i]);
}

}  // namespace mmm::detail
