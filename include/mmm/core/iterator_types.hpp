// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/type_traits.hpp>

//! The types of an iterator, as std::iter_value_t and std::iter_difference_t, without <iterator>.
namespace mmm::detail {

template <class Iterator>
struct iterator_value : type_identity<remove_cvref_t<decltype(*declval<Iterator const&>())>> {};
template <class T>
struct iterator_value<T*> : remove_cv<T> {};
template <class Iterator>
requires requires { typename Iterator::value_type; }
struct iterator_value<Iterator> : remove_cv<typename Iterator::value_type> {};
template <class Iterator>
requires(!requires { typename Iterator::value_type; }) &&
        requires { typename Iterator::element_type; }
struct iterator_value<Iterator> : remove_cv<typename Iterator::element_type> {};

//! A pointer's is its pointee, a class's its `value_type` or `element_type`, or else what `*`
//! gives.
template <class Iterator>
using iterator_value_t = typename iterator_value<remove_cvref_t<Iterator>>::type;

//! The difference of two of them.
template <class Iterator>
struct iterator_difference {
  using type = typename Iterator::difference_type;
};
template <class T>
struct iterator_difference<T*> {
  using type = pointer_difference;
};
template <class Iterator>
using iterator_difference_t = typename iterator_difference<remove_cvref_t<Iterator>>::type;

}  // namespace mmm::detail
