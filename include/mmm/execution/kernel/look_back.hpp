// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/execution/kernel/memory.hpp>
#include <mmm/execution/look_back.hpp>
#include <mmm/execution/vec.hpp>

#include <cstdint>
#include <cstring>

//! Decoupled look-back: a tile publishes its aggregate and, after it has inspected its
//! predecessors, its inclusive prefix. Blocks thus learn the totals of earlier tiles without a
//! barrier.
MMM_BODIES_BEGIN
namespace mmm::detail {

//! The status of a tile's value.
enum class tile_word : std::uint32_t {
  nothing,
  own,    //!< the total of the tile alone
  prefix  //!< the total of all tiles up to this one
};

template <class T>
struct tile_said {
  tile_word word;
  T value;
};

//! A tile's state in the global memory. Values are read and written as words of 4 bytes, each in
//! one access.
template <class T>
struct alignas(8) tile_state {
  static constexpr int words = (static_cast<int>(sizeof(T)) + 3) / 4;
  std::uint32_t flag;
  std::uint32_t own[words];
  std::uint32_t prefix[words];
};

//! The states of all tiles.
template <class T>
class look_back_states {
 public:
  using value_type = T;
  using state = tile_state<T>;
  MMM_HOST_DEVICE explicit look_back_states(state* first) : first_(first) {}
  //! Resets a tile's state: nothing is published. A value of one word is read in one access
  //! together with the flag, and is cleared, too.
  MMM_HOST_DEVICE void clear(index tile) const {
    first_[tile].flag = 0;
    if constexpr (state::words == 1) first_[tile].own[0] = 0;
  }
  [[nodiscard]] MMM_HOST_DEVICE state& operator[](index tile) const { return first_[tile]; }

 private:
  state* first_;
};

template <class T>
MMM_HOST_DEVICE inline void to_words(T const& value, std::uint32_t (&words)[tile_state<T>::words]) {
  words[tile_state<T>::words - 1] = 0;
  std::memcpy(words, &value, sizeof(T));
}
template <class T>
[[nodiscard]] MMM_HOST_DEVICE inline T from_words(
    std::uint32_t const (&words)[tile_state<T>::words]) {
  T value;
  std::memcpy(&value, words, sizeof(T));
  return value;
}

//! Publishes a value of more than one word: first its words, then its flag.
template <class T, class Fence>
MMM_HOST_DEVICE inline void say_in_pieces(tile_state<T>& state, tile_word what, T const& x,
                                          Fence const& fence) {
  std::uint32_t words[tile_state<T>::words];
  to_words(x, words);
  std::uint32_t volatile* const target = what == tile_word::own ? state.own : state.prefix;
  for (int k = 0; k < tile_state<T>::words; ++k) target[k] = words[k];
  fence();
  *const_cast<std::uint32_t volatile*>(&state.flag) = static_cast<std::uint32_t>(what);
}
//! Inspects a tile's state: its flag, then its value, which is not read unless it has been
//! published.
template <class T, class Fence>
[[nodiscard]] MMM_HOST_DEVICE inline tile_said<T> said_in_pieces(tile_state<T> const& state,
                                                                 Fence const& fence) {
  std::uint32_t words[tile_state<T>::words] = {};
  auto const what = static_cast<tile_word>(*const_cast<std::uint32_t const volatile*>(&state.flag));
  if (what != tile_word::nothing) {
    fence();
    std::uint32_t const volatile* const source =
        what == tile_word::prefix ? state.prefix : state.own;
    for (int k = 0; k < tile_state<T>::words; ++k) words[k] = source[k];
  }
  return {what, from_words<T>(words)};
}

//! The look-back by one thread, which inspects one tile after the other.
template <class States, class Operator, class T, class Said, class Say>
[[nodiscard]] MMM_HOST_DEVICE inline T look_back_alone(States const& states, index tile, T own,
                                                       Operator const& op, Said const& said,
                                                       Say const& say) {
  if (tile == 0) {
    say(states[0], tile_word::prefix, own);
    return own;
  }
  say(states[tile], tile_word::own, own);
  auto const wait_for = [&](index t) {
    tile_said<T> x = said(states[t]);
    while (x.word == tile_word::nothing) x = said(states[t]);
    return x;
  };
  index t = tile - 1;
  tile_said<T> x = wait_for(t);
  T before = x.value;
  while (x.word != tile_word::prefix) {
    x = wait_for(--t);
    before = static_cast<T>(op(x.value, before));
  }
  say(states[tile], tile_word::prefix, static_cast<T>(op(before, own)));
  return before;
}

//! A published number of a tile, in one word of 8 bytes with its flag: the tile's own number, or
//! the sum of the numbers up to it. The word is 0 until something is published.
struct tile_sum {
  static constexpr index own = 1;
  static constexpr index prefix = 2;
  static constexpr int bits = 2;

  template <class T>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr index with(index what, T x) {
    return static_cast<index>(x) << bits | what;
  }
};

//! The sum of a number over the tiles before one. `sums` points to the first tile's word; each
//! tile's is `stride` words after the one before. Several tiles are inspected at once, since each
//! read takes a latency.
template <class Said>
[[nodiscard]] MMM_HOST_DEVICE inline index sum_before(index const* sums, index stride, index tile,
                                                      Said const& said) {
  constexpr index at_once = sums_before_step::at_once;
  index sum = 0;
  bool found = tile == 0;
  while (!found) {
    index x[at_once];
    unroll<at_once>(
        [&](index k) { x[k] = tile > k ? said(sums[(tile - 1 - k) * stride]) : tile_sum::prefix; });
    bool waits = false;
    unroll<at_once>([&](index k) {
      waits = waits || x[k] == 0;
      if (waits || found) return;
      sum += x[k] >> tile_sum::bits;
      found = (x[k] & tile_sum::prefix) != 0;
      --tile;
    });
  }
  return sum;
}

}  // namespace mmm::detail
MMM_BODIES_END
