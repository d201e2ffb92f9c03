// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/host_array.hpp>
#include <mmm/layout/layout.hpp>

//! Laws of layouts and swizzles, looked through over a whole shape: for `static_assert`s on layouts
//! of one's own.
namespace mmm {

//! No two elements share a word, and none lies outside of `words()`. Time: O(rows * columns +
//! words).
template <layout L>
[[nodiscard]] constexpr bool is_injective(L const& l) {
  detail::host_array<char> taken(l.words());
  for (index row = 0; row < l.rows(); ++row)
    for (index column = 0; column < l.columns(); ++column) {
      index const word = l(row, column);
      if (word < 0 || word >= l.words() || taken[word] != 0) return false;
      taken[word] = 1;
    }
  return true;
}

//! Injective, and every word is an element: nothing is wasted.
template <layout L>
[[nodiscard]] constexpr bool is_bijective(L const& l) {
  return l.words() == l.rows() * l.columns() && is_injective(l);
}

//! `f(f(i)) == i` for all `0 <= i < count`, with `f(i)` among them.
template <class F>
[[nodiscard]] constexpr bool is_involution(F const& f, index count) {
  for (index i = 0; i < count; ++i) {
    index const there = f(i);
    if (there < 0 || there >= count || f(there) != i) return false;
  }
  return true;
}

//! Two layouts of one shape put every element into the same word: what one stores, the other loads.
template <layout Store, layout Load>
[[nodiscard]] constexpr bool same_places(Store const& store, Load const& load) {
  if (store.rows() != load.rows() || store.columns() != load.columns()) return false;
  for (index row = 0; row < store.rows(); ++row)
    for (index column = 0; column < store.columns(); ++column)
      if (store(row, column) != load(row, column)) return false;
  return true;
}

}  // namespace mmm
