// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

//! If Thrust is on the include path, the result of `*i` for an iterator `i` of a simulated memory
//! counts as a proxy reference for Thrust, so that Thrust's host algorithms (`transform`,
//! `for_each`, ...) may assign to it. Only the head of Thrust's namespace is included here.
#if __has_include(<thrust/detail/config/namespace.h>)

#include <mmm/execution/simulate/iterator.hpp>

#include <thrust/detail/config/namespace.h>

#include <type_traits>

THRUST_NAMESPACE_BEGIN
namespace detail {

template <typename T>
struct is_proxy_reference;

template <class T, class Recorder>
struct is_proxy_reference<mmm::detail::simulated_word_reference<T, Recorder>> : std::true_type {};

}  // namespace detail
THRUST_NAMESPACE_END

#endif
