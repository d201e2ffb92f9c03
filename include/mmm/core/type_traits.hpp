// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

//! The parts of <type_traits>, <concepts> and <bit> that the library needs, under the names of the
//! standard library. The three headers would be a fifth of the time to compile
//! <mmm/access.hpp>.
namespace mmm::detail {

template <class A, class B>
inline constexpr bool is_same_v = false;
template <class A>
inline constexpr bool is_same_v<A, A> = true;
template <class A, class B>
concept same_as = is_same_v<A, B>;

template <class T>
struct type_identity {
  using type = T;
};

template <class T>
struct remove_reference : type_identity<T> {};
template <class T>
struct remove_reference<T&> : type_identity<T> {};
template <class T>
struct remove_reference<T&&> : type_identity<T> {};
template <class T>
using remove_reference_t = typename remove_reference<T>::type;

template <class T>
struct remove_const : type_identity<T> {};
template <class T>
struct remove_const<T const> : type_identity<T> {};
template <class T>
using remove_const_t = typename remove_const<T>::type;

template <class T>
struct remove_cv : type_identity<T> {};
template <class T>
struct remove_cv<T const> : type_identity<T> {};
template <class T>
struct remove_cv<T volatile> : type_identity<T> {};
template <class T>
struct remove_cv<T const volatile> : type_identity<T> {};
template <class T>
using remove_cv_t = typename remove_cv<T>::type;
template <class T>
using remove_cvref_t = remove_cv_t<remove_reference_t<T>>;

template <bool Condition, class Then, class Else>
struct conditional : type_identity<Then> {};
template <class Then, class Else>
struct conditional<false, Then, Else> : type_identity<Else> {};
template <bool Condition, class Then, class Else>
using conditional_t = typename conditional<Condition, Then, Else>::type;

template <class T>
T&& declval() noexcept;  // never defined

using size_type = decltype(sizeof(int));  // std::size_t
using pointer_difference = decltype(static_cast<int*>(nullptr) - static_cast<int*>(nullptr));

template <class T>
inline constexpr bool is_const_v = false;
template <class T>
inline constexpr bool is_const_v<T const> = true;
//! Neither a function, nor a reference, nor void.
template <class T>
concept object = is_const_v<T const> && !is_same_v<remove_cv_t<T>, void>;
template <class T>
inline constexpr bool is_lvalue_reference_v = false;
template <class T>
inline constexpr bool is_lvalue_reference_v<T&> = true;

template <class T>
inline constexpr bool is_pointer_v = false;
template <class T>
inline constexpr bool is_pointer_v<T*> = true;
template <class T>
struct remove_pointer : type_identity<T> {};
template <class T>
struct remove_pointer<T*> : type_identity<T> {};
template <class T>
using remove_pointer_t = typename remove_pointer<T>::type;

//! A type that can be added to a pointer, and is neither a class nor an enumeration.
template <class T>
concept integral = !__is_class(T) && !__is_union(T) && !__is_enum(T) &&
                   requires(T* number, char const* first) { first + *number; };
template <class T>
concept floating_point = is_same_v<remove_cv_t<T>, float> || is_same_v<remove_cv_t<T>, double> ||
                         is_same_v<remove_cv_t<T>, long double>;
template <class T>
concept arithmetic = integral<T> || floating_point<T>;
template <class T>
inline constexpr bool is_signed_v = false;
template <arithmetic T>
inline constexpr bool is_signed_v<T> = static_cast<T>(-1) < static_cast<T>(0);
template <class T>
concept unsigned_integral = integral<T> && !is_signed_v<T>;

template <class From, class To>
concept convertible_to = requires(void (&take)(To)) {
  take(declval<From>());
  static_cast<To>(declval<From>());
};
template <class Derived, class Base>
concept derived_from =
    __is_base_of(Base, Derived) && convertible_to<Derived const volatile*, Base const volatile*>;
template <class T>
concept default_constructible = __is_constructible(T);
//! std::copyable without its check of the destructor, which every copyable object has.
template <class T>
concept copyable =
    is_same_v<T, remove_reference_t<T>> && __is_constructible(T, T) && __is_constructible(T, T&) &&
    __is_constructible(T, T const&) && __is_assignable(T&, T) && __is_assignable(T&, T&) &&
    __is_assignable(T&, T const&);

//! The type of `condition ? a : b` for an A and a B.
template <class A, class B>
using common_type_t = remove_cvref_t<decltype(false ? declval<A>() : declval<B>())>;

template <class F, class... Arguments>
using invoke_result_t = decltype(declval<F>()(declval<Arguments>()...));

//! For numbers of 64 bits. Of 0, which has no bit set, countr_zero and countl_zero are not defined.
[[nodiscard]] constexpr int countr_zero(unsigned long long n) { return __builtin_ctzll(n); }
[[nodiscard]] constexpr int countl_zero(unsigned long long n) { return __builtin_clzll(n); }
[[nodiscard]] constexpr int popcount(unsigned long long n) { return __builtin_popcountll(n); }

[[nodiscard]] constexpr bool is_constant_evaluated() noexcept {
  return __builtin_is_constant_evaluated();
}

}  // namespace mmm::detail
