// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/index/warp_index.hpp>
#include <mmm/machine/access_kind.hpp>

//! Memory operations of a body besides `a[i]` and `a[i] = x`: here for plain values, as a kernel
//! uses them. Every interpretation of an index overloads the same names for its own references and
//! values.
namespace mmm {

//! A base class in this namespace, by which argument-dependent lookup finds `load`, `min` and the
//! rest whatever the interpretation's template arguments are.
struct interpretation {};

//! The last argument of a parallel-for that needs no barrier after it:
//! `on.each(n, body, mmm::no_barrier)`. Threads may run ahead, so up to the next barrier no thread
//! may use a word that another one writes. Synchronous time has no barriers and stays the same;
//! pipelined time waits at them; a simulation finds the races.
struct no_barrier_t {};
inline constexpr no_barrier_t no_barrier{};

namespace detail {
//! The default in place of mmm::no_barrier: a barrier follows the parallel-for.
struct barrier_follows {};
template <class T>
concept barrier_choice = same_as<T, no_barrier_t> || same_as<T, barrier_follows>;

//! A mark of an interpretation's references and values, which are not plain values.
struct interpreted : interpretation {};

template <class T>
concept plain_value = !derived_from<remove_cvref_t<T>, interpreted> && !expression<T> &&
                      !predicate<T> && !is_warp_index<T>;

template <class A, class B>
concept plain_numbers = arithmetic<A> && arithmetic<B> && !(integral<A> && integral<B>);
}  // namespace detail

//! The value of `a[e]` as a value of its own: `auto x = mmm::load(a[e])`. One access.
template <detail::plain_value T>
[[nodiscard]] MMM_HOST_DEVICE constexpr T load(T const& word) {
  return word;
}

//! `a[e]` where the condition holds, otherwise `otherwise` without an access:
//! `mmm::load_if(condition, a[e], 0)`.
template <detail::plain_value T, detail::plain_value U>
[[nodiscard]] MMM_HOST_DEVICE constexpr T load_if(bool condition, T const& word,
                                                  U const& otherwise) {
#if defined(__clang__) && !defined(__CUDA_ARCH__)
  // clang assumes that a reference can be read, and would read it before it tests the condition.
  if (!__builtin_is_constant_evaluated()) {
    T const* place = __builtin_addressof(word);
    asm("" : "+r"(place));
    return condition ? *place : static_cast<T>(otherwise);
  }
#endif
  return condition ? word : static_cast<T>(otherwise);
}

//! `a[e] = value` where the condition holds, otherwise no access:
//! `mmm::store_if(condition, a[e], x)`.
template <detail::plain_value T, detail::plain_value U>
MMM_HOST_DEVICE constexpr void store_if(bool condition, T&& word, U const& value) {
  if (condition) word = value;
}

//! `op(x, y)`, for a binary operator that need not know about interpretations.
template <class Op, detail::plain_value X, detail::plain_value Y>
[[nodiscard]] MMM_HOST_DEVICE constexpr auto apply(Op const& op, X const& x, Y const& y) {
  return op(x, y);
}

//! The smaller one of two numbers, as their common type if their types differ.
template <class A, class B>
requires detail::plain_numbers<A, B>
[[nodiscard]] MMM_HOST_DEVICE constexpr detail::common_type_t<A, B> min(A a, B b) {
  using common = detail::common_type_t<A, B>;
  return static_cast<common>(b) < static_cast<common>(a) ? static_cast<common>(b)
                                                         : static_cast<common>(a);
}

//! The larger one of two numbers, as their common type if their types differ.
template <class A, class B>
requires detail::plain_numbers<A, B>
[[nodiscard]] MMM_HOST_DEVICE constexpr detail::common_type_t<A, B> max(A a, B b) {
  using common = detail::common_type_t<A, B>;
  return static_cast<common>(a) < static_cast<common>(b) ? static_cast<common>(b)
                                                         : static_cast<common>(a);
}

namespace detail {
//! A temporary reference to a word, such as `a[e]` in a body.
template <class R>
concept updatable = !is_lvalue_reference_v<R> && derived_from<remove_cvref_t<R>, interpretation> &&
                    requires(R&& r) { static_cast<R&&>(r) = load(static_cast<R&&>(r)); };
}  // namespace detail

//! Compound assignment, `a[e] += x` and so on: a read and a write of the word.
#define MMM_DETAIL_UPDATE(op)                                                     \
  MMM_NO_SIDE_CHECK                                                               \
  template <class R, class X>                                                     \
  requires detail::updatable<R>                                                   \
  MMM_HOST_DEVICE constexpr void operator op##=(R&& word, X&& x) {                \
    static_cast<R&&>(word) = load(static_cast<R&&>(word)) op static_cast<X&&>(x); \
  }
MMM_DETAIL_UPDATE(+)
MMM_DETAIL_UPDATE(-)
MMM_DETAIL_UPDATE(*)
MMM_DETAIL_UPDATE(/)
MMM_DETAIL_UPDATE(%)
MMM_DETAIL_UPDATE(&)
MMM_DETAIL_UPDATE(|)
MMM_DETAIL_UPDATE(^)
#undef MMM_DETAIL_UPDATE

//! Converts a value to an address: `a[mmm::as_index(mmm::load(b[i]))]`.
template <detail::integral T>
[[nodiscard]] MMM_HOST_DEVICE constexpr index as_index(T x) {
  return static_cast<index>(x);
}

}  // namespace mmm
