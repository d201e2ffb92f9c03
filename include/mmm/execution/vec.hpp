// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/accumulator.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/integer_list.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/index/expression.hpp>

//! Vectors of words: the words of one wide access by a thread, and unrolled loops over them.
namespace mmm {

namespace detail {

//! The alignment of a vector: that of one access by a GPU's thread, which moves a power of two of
//! words, 16 bytes at most.
template <class Word, index V>
[[nodiscard]] constexpr size_type vec_alignment() {
  constexpr auto bytes = sizeof(Word) * static_cast<size_type>(V);
  constexpr bool machine_word =
      arithmetic<accumulator_t<Word>> && (V & (V - 1)) == 0;  // half-precision numbers, too
  return !machine_word ? alignof(Word) : bytes < 16 ? bytes : 16;
}

//! True for the operator() of a loop body whose parameter is a plain index, rather than a
//! static_index.
template <class Call>
inline constexpr bool is_call_with_index = false;
template <class F, class Result>
inline constexpr bool is_call_with_index<Result (F::*)(index)> = true;
template <class F, class Result>
inline constexpr bool is_call_with_index<Result (F::*)(index) const> = true;
template <class F>
concept takes_any_index = is_call_with_index<decltype(&remove_cvref_t<F>::operator())>;

MMM_NO_SIDE_CHECK
template <class F, index... K>
MMM_HOST_DEVICE constexpr void unrolled(F& f, integer_list<index, K...>) {
  (f(static_index<K>{}), ...);
}

}  // namespace detail

//! `V` neighbouring words, V >= 1; in a kernel one load or store of up to 16 bytes. `v[k]` is word
//! k, `0 <= k < V`. In a simulation a word holds the values of all lanes of a warp.
template <class Word, index V>
struct alignas(detail::vec_alignment<Word, V>()) vec {
  static_assert(V >= 1, "mmm: a vec has 1 word or more");
  static constexpr index words = V;
  Word word[V];

  [[nodiscard]] MMM_HOST_DEVICE constexpr Word& operator[](index k) { return word[k]; }
  [[nodiscard]] MMM_HOST_DEVICE constexpr Word const& operator[](index k) const { return word[k]; }
};

namespace detail {

//! The number of words that stands for a plain word: the reference is to a word rather than to a
//! vec.
inline constexpr index plain_word = 0;

//! The value type of a reference to V words.
template <class Word, index V>
using words_of = conditional_t<V == plain_word, Word, vec<Word, V>>;

template <class T>
struct vec_traits {
  static constexpr bool value = false;
};
template <class Word, index V>
struct vec_traits<vec<Word, V>> {
  static constexpr bool value = true;
  static constexpr index words = V;
};
template <class T>
concept is_vec = vec_traits<remove_cvref_t<T>>::value;

MMM_NO_SIDE_CHECK
template <class F, index... K>
[[nodiscard]] MMM_HOST_DEVICE constexpr auto collected(F const& f, integer_list<index, K...>) {
  using word = remove_cvref_t<decltype(f(static_index<0>{}))>;
  return vec<word, sizeof...(K)>{{f(static_index<K>{})...}};
}

}  // namespace detail

//! Calls `f(k)` for k = 0 … N - 1 in an unrolled loop: `mmm::unroll<4>([&](index k) { … })`. For a
//! body `[&](auto k) { … }`, `k` has a type that holds the index (`decltype(k)::value`). A body
//! with an index parameter is a loop that nvcc unrolls by itself, as calls written one by one take
//! it several times as long to compile.
MMM_NO_SIDE_CHECK
template <index N, class F>
MMM_HOST_DEVICE constexpr void unroll(F&& f) {
  static_assert(N >= 0, "mmm: a loop is unrolled 0 times or more");
  if constexpr (detail::takes_any_index<F>) {
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (index k = 0; k < N; ++k) f(k);
  } else {
    detail::unrolled(f, detail::make_integer_list<index, N>{});
  }
}

//! Makes the vec of `f(0) … f(V - 1)`, called in this order.
MMM_NO_SIDE_CHECK
template <index V, class F>
[[nodiscard]] MMM_HOST_DEVICE constexpr auto make_vec(F const& f) {
  return detail::collected(f, detail::make_integer_list<index, V>{});
}

//! **Wide accesses.** `wide<V>(a)[e]` are the words `V e … V e + V - 1` of the array `a` in one
//! access: a mmm::vec that is loaded and stored like a word. V is 1, 2, 4 or 8; `a` starts at a
//! multiple of V words from its array's start, else std::invalid_argument. Cost: one round, in
//! which a warp's words are served in the order of its lanes, w of them at a time (docs/model.md).
MMM_NO_SIDE_CHECK
template <index V, class Iterator>
[[nodiscard]] MMM_HOST_DEVICE constexpr auto wide(Iterator a) {
  static_assert(V == 1 || V == 2 || V == 4 || V == 8, "mmm: a wide access has 1, 2, 4 or 8 words");
  if constexpr (detail::is_pointer_v<Iterator>) {
    using word = detail::remove_pointer_t<Iterator>;
    using words = vec<detail::remove_const_t<word>, V>;
    return reinterpret_cast<detail::conditional_t<detail::is_const_v<word>, words const, words>*>(
        a);
  } else {
    return a.template wide<V>();
  }
}

//! `wide<V>(a)[e]` where the condition holds, otherwise V times `otherwise` without an access.
template <detail::plain_value Word, index V, detail::plain_value U>
[[nodiscard]] MMM_HOST_DEVICE constexpr vec<Word, V> load_if(bool condition,
                                                             vec<Word, V> const& words,
                                                             U const& otherwise) {
  if (condition) return words;
  if constexpr (detail::is_vec<U>)
    return otherwise;
  else
    return make_vec<V>([&](index) { return static_cast<Word>(otherwise); });
}

}  // namespace mmm
