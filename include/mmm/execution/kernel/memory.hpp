// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/execution/vec.hpp>
#include <mmm/machine/machine.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <memory>
#include <type_traits>

//! The memory of a kernel's threads: arrays, the caller's sequences, registers.
MMM_BODIES_BEGIN
namespace mmm {
namespace detail {

//! A proxy for a word in a kernel: a conversion to its `value_type` reads the word, an assignment
//! writes it.
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
namespace detail {
//! A compile error with a readable text: an atomic update of a word that is converted when it is
//! read and written.
template <class Update, proxied Word, class... X>
MMM_HOST_DEVICE constexpr auto update_atomically(Update const&, Word const&, X const&...) {
  static_assert(never<Word>,
                "mmm: an atomic update needs words of the program's type, at a pointer: pass the "
                "sequence by mmm::updates, or update an array of the program's own");
  return typename Word::value_type{};
}
template <class Update, proxied Word, class X>
MMM_HOST_DEVICE constexpr void update_atomically_if(bool, Update const& how, Word const& word,
                                                    X const& x) {
  static_cast<void>(update_atomically(how, word, x));
}
}  // namespace detail
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

//! A pointer to the caller's words that is aligned for wide accesses; the launch has checked the
//! alignment.
template <class T>
struct aligned_pointer {
  using value_type = std::remove_cv_t<T>;
  using difference_type = std::ptrdiff_t;
  T* first;
  [[nodiscard]] MMM_HOST_DEVICE constexpr T& operator*() const { return *first; }
  [[nodiscard]] MMM_HOST_DEVICE friend constexpr aligned_pointer operator+(aligned_pointer a,
                                                                           difference_type n) {
    return {a.first + n};
  }
};
template <class Iterator>
inline constexpr bool is_aligned_pointer = false;
template <class T>
inline constexpr bool is_aligned_pointer<aligned_pointer<T>> = true;

//! The type of the words that an iterator points to, where it is a pointer or an aligned_pointer.
template <class Iterator>
struct stored_word {
  using type = void;
};
template <class T>
struct stored_word<T*> : std::remove_cv<T> {};
template <class T>
struct stored_word<aligned_pointer<T>> : std::remove_cv<T> {};

template <class Value, class Iterator>
inline constexpr bool points_to = std::is_same_v<typename stored_word<Iterator>::type, Value>;

//! An iterator whose word i is computed from word i of another iterator.
template <class Iterator>
concept is_made_of_words = requires(Iterator const& it) {
  it.with_first(it.first);
  Iterator::made(it.position, *it.first);
};

//! Loads V words at once, from a multiple of V words. It does not use a class's copy constructor,
//! which would copy member by member.
template <class T, index V>
[[nodiscard]] MMM_HOST_DEVICE inline vec<T, V> loaded_at_once(T const* source) {
  using words = vec<T, V>;
  if constexpr (std::is_arithmetic_v<T> || sizeof(words) % 4 != 0 || alignof(words) % 4 != 0) {
    return *reinterpret_cast<words const*>(source);
  } else {
    constexpr auto parts = static_cast<index>(sizeof(words) / 4);
    auto const bits = *reinterpret_cast<vec<std::uint32_t, parts> const*>(source);
    words x;
    std::memcpy(static_cast<void*>(&x), &bits, sizeof(words));
    return x;
  }
}

//! Converts V words to words of another type.
template <class To, class From, index V>
[[nodiscard]] MMM_HOST_DEVICE constexpr vec<To, V> converted(vec<From, V> const& x) {
  if constexpr (std::is_same_v<To, From>)
    return x;
  else
    return make_vec<V>([&](index k) { return static_cast<To>(x[k]); });
}

//! A reference to a caller's word that is not a `Value&`, or to V of them (V = plain_word: one
//! word). The word is read when its value is used, so that load_if reads nothing where its
//! condition is false, and is converted from the iterator's type. V words are one access where they
//! are aligned for it, otherwise V accesses. With a const `Value` it is read only.
template <class Value, class Iterator, index V>
class kernel_reference : public kernel_proxy {
  using word = std::remove_const_t<Value>;
  using stored = typename stored_word<Iterator>::type;
  static constexpr bool points = !std::is_void_v<stored>;

 public:
  using value_type = words_of<word, V>;
  MMM_HOST_DEVICE constexpr explicit kernel_reference(Iterator it) : iterator_(it) {}

  MMM_NO_SIDE_CHECK MMM_HOST_DEVICE constexpr operator value_type() const {
    if constexpr (V == plain_word) {
      return static_cast<word>(*iterator_);
    } else {
      if constexpr (points)
        if (aligned()) return converted<word>(loaded_at_once<stored, V>(place()));
      if constexpr (is_made_of_words<Iterator>)
        if constexpr (is_aligned_pointer<decltype(Iterator::first)>) {
          auto const x = loaded_at_once<typename stored_word<decltype(Iterator::first)>::type, V>(
              iterator_.first.first + iterator_.position);
          return make_vec<V>([&](index k) { return Iterator::made(iterator_.position + k, x[k]); });
        }
      return make_vec<V>([&](index k) { return static_cast<word>(*moved(k)); });
    }
  }
  MMM_NO_SIDE_CHECK MMM_HOST_DEVICE constexpr void operator=(value_type const& x) const
  requires(!std::is_const_v<Value>)
  {
    if constexpr (V == plain_word) {
      write(iterator_, x);
    } else {
      if constexpr (points)
        if (aligned()) {
          *reinterpret_cast<vec<stored, V>*>(place()) = converted<stored>(x);
          return;
        }
      unroll<V>([&](index k) { write(moved(k), x[k]); });
    }
  }

 private:
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto place() const {
    if constexpr (is_aligned_pointer<Iterator>)
      return iterator_.first;
    else
      return iterator_;
  }
  [[nodiscard]] MMM_HOST_DEVICE bool aligned() const {
    if constexpr (is_aligned_pointer<Iterator>)
      return true;
    else
      return reinterpret_cast<std::uintptr_t>(iterator_) % alignof(vec<stored, V>) == 0;
  }
  MMM_NO_SIDE_CHECK [[nodiscard]] MMM_HOST_DEVICE constexpr Iterator moved(index k) const {
    return iterator_ + static_cast<std::iter_difference_t<Iterator>>(k);
  }
  MMM_NO_SIDE_CHECK MMM_HOST_DEVICE static constexpr void write(Iterator const& target,
                                                                word const& x) {
    if constexpr (points)
      *target = static_cast<stored>(x);
    else
      *target = x;
  }
  Iterator iterator_;
};

//! A caller's sequence in vectors of V words, with proxies as references.
template <class Value, class Iterator, index V = plain_word>
class kernel_references {
 public:
  using value_type = words_of<std::remove_const_t<Value>, V>;
  MMM_HOST_DEVICE constexpr explicit kernel_references(Iterator first) : first_(first) {}

  MMM_NO_SIDE_CHECK [[nodiscard]] MMM_HOST_DEVICE constexpr kernel_reference<Value, Iterator, V>
  operator[](index i) const {
    return kernel_reference<Value, Iterator, V>(moved(i));
  }
  //! A member, since nvcc refuses a constexpr friend where an iterator of Thrust's is no literal.
  MMM_NO_SIDE_CHECK [[nodiscard]] MMM_HOST_DEVICE constexpr kernel_references operator+(
      index n) const {
    return kernel_references(moved(n));
  }
  template <index W>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto wide() const {
    return kernel_references<Value, Iterator, W>(first_);
  }

 private:
  MMM_NO_SIDE_CHECK [[nodiscard]] MMM_HOST_DEVICE constexpr Iterator moved(index i) const {
    return first_ + static_cast<std::iter_difference_t<Iterator>>(V == plain_word ? i : V * i);
  }
  Iterator first_;
};

//! An iterator over words in memory, which knows its value type. The program's own words (`Own`)
//! and those of an aligned_pointer are aligned for wide accesses; for others each access checks the
//! alignment.
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
    using words = std::conditional_t<std::is_const_v<T>, vec<value_type, V> const, vec<T, V>>;
    if constexpr (Own)
      return kernel_array<words, true>(reinterpret_cast<words*>(first_));
    else
      return kernel_references<T, T*, V>(first_);
  }

 private:
  T* first_ = nullptr;
};

//! The iterator of a caller's sequence that a program reads.
template <class Value, class Iterator>
[[nodiscard]] MMM_HOST_DEVICE constexpr auto kernel_source(Iterator first) {
  if constexpr (points_to<Value, Iterator> && is_aligned_pointer<Iterator>)
    return kernel_array<Value const, true>(first.first);
  else if constexpr (points_to<Value, Iterator>)
    return kernel_array<Value const, false>(first);
  else
    return kernel_references<Value const, Iterator>(first);
}
//! The iterator of a caller's sequence that a program writes.
template <class Value, class Iterator>
[[nodiscard]] MMM_HOST_DEVICE constexpr auto kernel_target(Iterator first) {
  if constexpr (points_to<Value, Iterator> && is_aligned_pointer<Iterator>)
    return kernel_array<Value, true>(first.first);
  else if constexpr (points_to<Value, Iterator>)
    return kernel_array<Value, false>(first);
  else
    return kernel_references<Value, Iterator>(first);
}

//! True if a program updates the caller's words in place, as they have the program's type. Other
//! words are updated in a copy.
template <class Argument>
inline constexpr bool changed_where_it_is =
    Argument::use == argument_use::update &&
    points_to<typename Argument::value_type, decltype(Argument::out)>;

//! True if a kernel copies the caller's words to memory of its own, and back.
template <class Argument>
inline constexpr bool is_copied = false;
template <class Value, argument_use Use, class In, class Out>
requires(Use == argument_use::update || Use == argument_use::work)
inline constexpr bool is_copied<array_argument<Value, Use, In, Out>> =
    !changed_where_it_is<array_argument<Value, Use, In, Out>>;
//! Throws std::logic_error for words that a kernel would copy to where the program changes them.
template <class Argument>
constexpr void demand_in_place([[maybe_unused]] Argument const& x) {
  if constexpr (requires { requires Argument::use == argument_use::update; })
    if (!x.in_place)
      throw_logic_error(failure_text("mmm: a program with phases changes words in their place"));
}

//! The alignment of a kernel's arrays, in bytes: 256, which are whole rows of banks and whole
//! address groups.
inline constexpr index array_alignment = 256;

[[nodiscard]] MMM_HOST_DEVICE constexpr index array_bytes(index n, index word) {
  return ceil_divide(n * word, array_alignment) * array_alignment;
}

//! Allocates arrays from a block of memory, one after the other.
class kernel_memory {
 public:
  MMM_HOST_DEVICE constexpr explicit kernel_memory(std::byte* first) : next_(first) {}
  template <class T>
  [[nodiscard]] MMM_HOST_DEVICE T* take(index n) {
    T* const first = reinterpret_cast<T*>(next_);
    next_ += array_bytes(n, sizeof(T));
    return first;
  }

 private:
  std::byte* next_;
};

//! Copies the words that the caller gave with `x` to `a`, in a parallel-for of `on`'s threads.
template <class On, class Argument, class Array>
MMM_HOST_DEVICE inline void copy_in(On const& on, Argument const& x, Array a) {
  using value = typename Argument::value_type;
  if constexpr (!std::is_same_v<decltype(Argument::in), no_sequence>) {
    auto in = kernel_source<value>(x.in);
    on.each(x.given, [=](auto i) { a[i] = in[i]; });
  }
}
//! Copies all words of `a` back to the caller's, in a parallel-for of `on`'s threads.
template <class On, class Argument, class Array>
MMM_HOST_DEVICE inline void copy_out(On const& on, Argument const& x, Array a) {
  auto out = kernel_target<typename Argument::value_type>(x.out);
  on.each(x.words, [=](auto i) { out[i] = a[i]; });
}

}  // namespace detail
}  // namespace mmm
MMM_BODIES_END
