// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/execution/vec.hpp>
#include <mmm/machine/machine.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <type_traits>

//! What a kernel's threads hold: arrays, the caller's sequences, registers.
MMM_BODIES_BEGIN
namespace mmm {
namespace detail {

//! What stands for a word of a kernel's and is not one: it is read where a value of its
//! `value_type` is wanted, and written by assignment.
struct kernel_proxy : interpreted {};
template <class X>
concept proxied = std::derived_from<std::remove_cvref_t<X>, kernel_proxy>;

template <class X>
[[nodiscard]] MMM_HOST_DEVICE constexpr decltype(auto) unproxied(X const& x) {
  if constexpr (proxied<X>)
    return static_cast<typename X::value_type>(x);
  else
    return (x);
}

}  // namespace detail

template <detail::proxied Word>
[[nodiscard]] MMM_HOST_DEVICE constexpr auto load(Word const& word) {
  return static_cast<typename Word::value_type>(word);
}
template <detail::proxied Word, class Otherwise>
[[nodiscard]] MMM_HOST_DEVICE constexpr typename Word::value_type load_if(
    bool condition, Word const& word, Otherwise const& otherwise) {
  using value = typename Word::value_type;
  if (condition) return word;
  if constexpr (detail::is_vec<value> && !detail::is_vec<Otherwise>)
    return make_vec<value::words>(
        [&](index) { return static_cast<std::remove_cvref_t<decltype(value()[0])>>(otherwise); });
  else
    return static_cast<value>(otherwise);
}
template <detail::proxied Word, class X>
MMM_HOST_DEVICE constexpr void store_if(bool condition, Word const& word, X const& x) {
  if (condition) word = static_cast<typename Word::value_type>(detail::unproxied(x));
}
template <class X, class Y>
requires(detail::proxied<X> || detail::proxied<Y>)
[[nodiscard]] MMM_HOST_DEVICE constexpr auto operator+(X const& x, Y const& y) {
  return detail::unproxied(x) + detail::unproxied(y);
}
template <class X, class Y>
requires(detail::proxied<X> || detail::proxied<Y>)
[[nodiscard]] MMM_HOST_DEVICE constexpr auto operator-(X const& x, Y const& y) {
  return detail::unproxied(x) - detail::unproxied(y);
}
template <class X, class Y>
requires(detail::proxied<X> || detail::proxied<Y>)
[[nodiscard]] MMM_HOST_DEVICE constexpr auto operator*(X const& x, Y const& y) {
  return detail::unproxied(x) * detail::unproxied(y);
}
template <class X, class Y>
requires(detail::proxied<X> || detail::proxied<Y>)
[[nodiscard]] MMM_HOST_DEVICE constexpr auto operator/(X const& x, Y const& y) {
  return detail::unproxied(x) / detail::unproxied(y);
}

namespace detail {

template <class M>
inline constexpr bool is_one_dmm = false;
template <memory M>
inline constexpr bool is_one_dmm<M> = M::conflicts == conflict::banks;

//! V words of a sequence, which they are read from and written to one by one unless they lie as one
//! access wants them.
template <class View, index V>
class kernel_words : public kernel_proxy {
 public:
  using value_type = vec<typename View::value_type, V>;
  MMM_HOST_DEVICE constexpr explicit kernel_words(View first) : first_(first) {}

  [[nodiscard]] MMM_HOST_DEVICE constexpr operator value_type() const {
    if constexpr (requires { first_.data(); })
      if (aligned()) return *reinterpret_cast<value_type const*>(first_.data());
    return make_vec<V>([&](index k) { return static_cast<typename View::value_type>(first_[k]); });
  }
  MMM_HOST_DEVICE constexpr void operator=(value_type const& x) const {
    if constexpr (requires { first_.data(); })
      if (aligned()) {
        *reinterpret_cast<value_type*>(first_.data()) = x;
        return;
      }
    unroll<V>([&](index k) { first_[k] = x[k]; });
  }

 private:
  [[nodiscard]] MMM_HOST_DEVICE bool aligned() const {
    return reinterpret_cast<std::uintptr_t>(first_.data()) % alignof(value_type) == 0;
  }
  View first_;
};

//! A sequence V words at a time.
template <class View, index V>
class kernel_wide {
 public:
  using value_type = vec<typename View::value_type, V>;
  MMM_HOST_DEVICE constexpr explicit kernel_wide(View first) : first_(first) {}
  [[nodiscard]] MMM_HOST_DEVICE constexpr kernel_words<View, V> operator[](index i) const {
    return kernel_words<View, V>(first_ + V * i);
  }

 private:
  View first_;
};

//! Words in memory, as an iterator that knows its value type. The program's own (`Own`) begin where
//! wide accesses want them; of the caller's that is seen at each access.
template <class T, bool Own>
class kernel_array {
 public:
  using value_type = std::remove_cv_t<T>;
  kernel_array() = default;
  MMM_HOST_DEVICE constexpr explicit kernel_array(T* first) : first_(first) {}

  [[nodiscard]] MMM_HOST_DEVICE constexpr T& operator[](index i) const { return first_[i]; }
  [[nodiscard]] MMM_HOST_DEVICE constexpr T& operator*() const { return *first_; }
  [[nodiscard]] MMM_HOST_DEVICE constexpr T* data() const { return first_; }
  [[nodiscard]] MMM_HOST_DEVICE friend constexpr kernel_array operator+(kernel_array a, index n) {
    return kernel_array(a.first_ + n);
  }
  template <index V>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto wide() const {
    if constexpr (Own)
      return kernel_array<vec<T, V>, true>(reinterpret_cast<vec<T, V>*>(first_));
    else
      return kernel_wide<kernel_array, V>(*this);
  }

 private:
  T* first_ = nullptr;
};

//! A word of the caller's that is no `Value&`: it is looked at when it is used, so that what
//! load_if does not read is not looked at at all.
template <class Value, class Iterator>
class kernel_reference : public kernel_proxy {
 public:
  using value_type = Value;
  MMM_HOST_DEVICE constexpr explicit kernel_reference(Iterator it) : at_(it) {}
  MMM_NO_SIDE_CHECK MMM_HOST_DEVICE constexpr operator Value() const {
    return static_cast<Value>(*at_);
  }
  MMM_NO_SIDE_CHECK MMM_HOST_DEVICE constexpr void operator=(Value const& x) const { *at_ = x; }

 private:
  Iterator at_;
};

//! A sequence whose references are not `Value&`, or that has none.
template <class Value, class Iterator>
class kernel_references {
 public:
  using value_type = Value;
  MMM_HOST_DEVICE constexpr explicit kernel_references(Iterator first) : first_(first) {}

  MMM_NO_SIDE_CHECK [[nodiscard]] MMM_HOST_DEVICE constexpr kernel_reference<Value, Iterator>
  operator[](index i) const {
    return kernel_reference<Value, Iterator>(first_ +
                                             static_cast<std::iter_difference_t<Iterator>>(i));
  }
  MMM_NO_SIDE_CHECK [[nodiscard]] MMM_HOST_DEVICE friend constexpr kernel_references operator+(
      kernel_references a, index n) {
    return kernel_references(a.first_ + static_cast<std::iter_difference_t<Iterator>>(n));
  }
  template <index V>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto wide() const {
    return kernel_wide<kernel_references, V>(*this);
  }

 private:
  Iterator first_;
};

template <class Value, class Iterator>
inline constexpr bool points_to =
    std::is_pointer_v<Iterator> &&
    std::is_same_v<std::remove_cv_t<std::remove_pointer_t<Iterator>>, Value>;

//! A sequence of the caller's that a program reads.
template <class Value, class Iterator>
[[nodiscard]] MMM_HOST_DEVICE constexpr auto kernel_source(Iterator first) {
  if constexpr (points_to<Value, Iterator>)
    return kernel_array<std::remove_pointer_t<Iterator>, false>(first);
  else
    return kernel_references<Value, Iterator>(first);
}
//! A sequence of the caller's that a program writes.
template <class Value, class Iterator>
[[nodiscard]] MMM_HOST_DEVICE constexpr auto kernel_target(Iterator first) {
  if constexpr (points_to<Value, Iterator>)
    return kernel_array<Value, false>(first);
  else
    return kernel_references<Value, Iterator>(first);
}

//! What a program updates in the caller's own memory: words that are of its type. Others it updates
//! in a copy.
template <class Argument>
inline constexpr bool changed_where_it_is =
    Argument::use == argument_use::update &&
    points_to<typename Argument::value_type, decltype(Argument::out)>;

//! Where a kernel's arrays begin: at multiples of 256 bytes, which are whole rows of banks and
//! address groups.
inline constexpr index array_alignment = 256;

[[nodiscard]] MMM_HOST_DEVICE constexpr index array_bytes(index n, index word) {
  return ceil_divide(n * word, array_alignment) * array_alignment;
}

//! Gives out arrays from a block of memory, one after the other.
struct bump_allocator {
  std::byte* next;

  template <class T>
  [[nodiscard]] MMM_HOST_DEVICE T* take(index n) {
    T* const first = reinterpret_cast<T*>(next);
    next += array_bytes(n, sizeof(T));
    return first;
  }
};

//! The words of `x` that the caller has given, to `a`; a parallel-for of `on`'s threads.
template <class On, class Argument, class Array>
MMM_HOST_DEVICE inline void copy_in(On& on, Argument const& x, Array a) {
  using value = typename Argument::value_type;
  if constexpr (!std::is_same_v<decltype(Argument::in), no_sequence>) {
    auto in = kernel_source<value>(x.in);
    on.each(x.given, [=](auto i) { a[i] = in[i]; });
  }
}
//! The way back, of all words.
template <class On, class Argument, class Array>
MMM_HOST_DEVICE inline void copy_out(On& on, Argument const& x, Array a) {
  auto out = kernel_target<typename Argument::value_type>(x.out);
  on.each(x.words, [=](auto i) { out[i] = a[i]; });
}

}  // namespace detail
}  // namespace mmm
MMM_BODIES_END
