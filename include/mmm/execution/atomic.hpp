// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/execution/access.hpp>

#include <cstdint>

//! Atomic updates of words: no other access to the word happens between the read and the write.
namespace mmm {
namespace detail {

//! A type of words that every interpretation can update atomically.
template <class T>
concept atomic_word =
    __is_trivially_copyable(T) && (sizeof(T) == 4 || sizeof(T) == 8) && alignof(T) == sizeof(T);

template <class T>
using atomic_bits =
    conditional_t<sizeof(T) == 4, std::uint32_t, unsigned long long>;  // as atomicAdd has them

//! The update operations: the new value of a word as a function of its old value and the operands.
//! Reports print `name`.
struct add_update {
  static constexpr char const* name = "atomic_add";
  template <class T>
  MMM_HOST_DEVICE constexpr T operator()(T const& old, T const& x) const {
    return static_cast<T>(old + x);
  }
};
struct min_update {
  static constexpr char const* name = "atomic_min";
  template <class T>
  MMM_HOST_DEVICE constexpr T operator()(T const& old, T const& x) const {
    return x < old ? x : old;
  }
};
struct max_update {
  static constexpr char const* name = "atomic_max";
  template <class T>
  MMM_HOST_DEVICE constexpr T operator()(T const& old, T const& x) const {
    return old < x ? x : old;
  }
};
struct exchange_update {
  static constexpr char const* name = "atomic_exchange";
  template <class T>
  MMM_HOST_DEVICE constexpr T operator()(T const&, T const& x) const {
    return x;
  }
};
struct compare_exchange_update {
  static constexpr char const* name = "atomic_compare_exchange";
  template <class T>
  MMM_HOST_DEVICE constexpr T operator()(T const& old, T const& expected, T const& x) const {
    using bits = atomic_bits<T>;
    return __builtin_bit_cast(bits, old) == __builtin_bit_cast(bits, expected) ? x : old;
  }
};

#if defined(__CUDA_ARCH__)
//! An atomic update on a device: by the device's own instruction where there is one, otherwise by a
//! loop of compare-and-exchange.
template <class Update, class T, class... X>
__device__ inline T update_on_device(Update const& update, T& word, X const&... x) {
  using bits = atomic_bits<T>;
  using number = conditional_t<sizeof(T) == 4, int, long long>;
  auto* const target = reinterpret_cast<bits*>(&word);
  constexpr bool whole = integral<T>;
  constexpr bool least = is_same_v<Update, min_update>;
  auto const as_bits = [](T const& value) { return __builtin_bit_cast(bits, value); };
  auto const as_word = [](auto value) { return __builtin_bit_cast(T, value); };
  if constexpr (is_same_v<Update, add_update> && whole) {
    return as_word(atomicAdd(target, as_bits(x)...));
  } else if constexpr (is_same_v<Update, add_update> && floating_point<T>) {
    return atomicAdd(&word, x...);
  } else if constexpr ((least || is_same_v<Update, max_update>) && whole) {
    using ordered = conditional_t<is_signed_v<T>, number, bits>;
    auto* const ordered_at = reinterpret_cast<ordered*>(&word);
    if constexpr (least)
      return as_word(atomicMin(ordered_at, static_cast<ordered>(x)...));
    else
      return as_word(atomicMax(ordered_at, static_cast<ordered>(x)...));
  } else if constexpr (is_same_v<Update, exchange_update>) {
    return as_word(atomicExch(target, as_bits(x)...));
  } else if constexpr (is_same_v<Update, compare_exchange_update>) {
    return as_word(atomicCAS(target, as_bits(x)...));
  } else {
    bits old = *reinterpret_cast<bits volatile*>(target);
    while (true) {
      bits const found = atomicCAS(target, old, as_bits(update(as_word(old), x...)));
      if (found == old) return as_word(old);
      old = found;
    }
  }
}
#endif

//! Updates a word that other threads may update at the same time and returns its old value. It
//! orders no other access.
MMM_NO_SIDE_CHECK
template <class Update, class T, class... X>
MMM_HOST_DEVICE inline T update_word(Update const& update, T& word, X const&... x) {
  static_assert(atomic_word<T>,
                "mmm: an atomic update is of a word of 4 or 8 bytes, trivially copyable");
#if defined(__CUDA_ARCH__)
  return update_on_device(update, word, x...);
#else
  T old;
  __atomic_load(&word, &old, __ATOMIC_RELAXED);
  T wanted = update(old, x...);
  while (!__atomic_compare_exchange(&word, &old, &wanted, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    wanted = update(old, x...);
  return old;
#endif
}

//! A word in memory, or an interpretation's reference to one.
template <class Word>
concept maybe_atomic = derived_from<remove_cvref_t<Word>, interpreted> ||
                       (is_lvalue_reference_v<Word> && plain_value<remove_reference_t<Word>>);

MMM_NO_SIDE_CHECK
template <class Update, plain_value T, class... X>
MMM_HOST_DEVICE inline T update_atomically(Update const& update, T& word, X const&... x) {
  static_assert(!is_const_v<T>, "mmm: a write to an array of constants");
  return update_word(update, word, static_cast<T>(x)...);
}
MMM_NO_SIDE_CHECK
template <class Update, plain_value T, class... X>
MMM_HOST_DEVICE inline void update_atomically_if(bool condition, Update const& update, T& word,
                                                 X const&... x) {
  if (condition) static_cast<void>(update_atomically(update, word, x...));
}

}  // namespace detail

#define MMM_DETAIL_ATOMIC(name, update)                                                        \
  MMM_NO_SIDE_CHECK                                                                            \
  template <detail::maybe_atomic Word, class X>                                                \
  MMM_HOST_DEVICE constexpr auto name(Word&& word, X&& x) {                                    \
    using detail::update_atomically;                                                           \
    return update_atomically(update{}, static_cast<Word&&>(word), static_cast<X&&>(x));        \
  }                                                                                            \
  MMM_NO_SIDE_CHECK                                                                            \
  template <class Condition, detail::maybe_atomic Word, class X>                               \
  MMM_HOST_DEVICE constexpr void name##_if(Condition const& condition, Word&& word, X&& x) {   \
    using detail::update_atomically_if;                                                        \
    update_atomically_if(condition, update{}, static_cast<Word&&>(word), static_cast<X&&>(x)); \
  }

//! **Atomic updates.** `mmm::atomic_add(a[e], x)` adds x to the word and returns its old value. No
//! other update interferes, so threads may update one word in the same step without a race.
//! `mmm::atomic_add_if(condition, a[e], x)` does so where the condition holds, and returns nothing.
//! Words have 4 or 8 bytes and are trivially copyable.
//!
//! Cost: one access, in one round. A bank of a DMM makes one update at a time, to the same word or
//! to different ones; on a UMM, BPRAM and PRAM an update costs as much as a write (docs/model.md,
//! "Atomic updates"). The order of updates is not determined, so sums of floating-point numbers may
//! differ in rounding.
MMM_DETAIL_ATOMIC(atomic_add, detail::add_update)
//! Stores the smaller one of the word and x. Otherwise as mmm::atomic_add.
MMM_DETAIL_ATOMIC(atomic_min, detail::min_update)
//! Stores the larger one of the word and x. Otherwise as mmm::atomic_add.
MMM_DETAIL_ATOMIC(atomic_max, detail::max_update)
//! Stores x. Otherwise as mmm::atomic_add.
MMM_DETAIL_ATOMIC(atomic_exchange, detail::exchange_update)
#undef MMM_DETAIL_ATOMIC

//! Stores x if the word has the bytes of `expected`. Otherwise as mmm::atomic_add.
MMM_NO_SIDE_CHECK
template <detail::maybe_atomic Word, class Expected, class X>
MMM_HOST_DEVICE constexpr auto atomic_compare_exchange(Word&& word, Expected&& expected, X&& x) {
  using detail::update_atomically;
  return update_atomically(detail::compare_exchange_update{}, static_cast<Word&&>(word),
                           static_cast<Expected&&>(expected), static_cast<X&&>(x));
}

}  // namespace mmm
