// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/execution/kernel/memory.hpp>
#include <mmm/execution/look_back.hpp>
#include <mmm/execution/vec.hpp>

#include <cstdint>
#include <cstring>

//! The blocks of a kernel tell each other the totals of their tiles without a barrier: a tile
//! first says its own total, then, once it has looked back at the tiles before it, the total of all
//! up to itself.
MMM_BODIES_BEGIN
namespace mmm::detail {

//! A tile's announcement.
enum class tile_word : std::uint32_t {
  nothing,
  own,    //!< its own total
  prefix  //!< that of all tiles up to itself
};

template <class T>
struct tile_said {
  tile_word word;
  T value;
};

//! A tile's state in the global memory. Values are moved as words of 4 bytes, each in one piece.
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
  //! Nothing said. With a value of one word, what is read in one piece has a word of the value in
  //! it.
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

//! Says a value that has more than one word, before what it is.
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
//! Reads a tile's announcement; the value of one that has said nothing is not read, as nobody has
//! written it.
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

//! look_back by one thread, which goes from tile to tile. `said(state)` is what a tile has said,
//! `say(state, word, value)` says it.
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

//! A number that tiles tell each other, in a word of 8 bytes with what it is: the tile's own, or
//! the sum of those up to it. 0 where nothing has been said.
struct tile_sum {
  static constexpr index own = 1;
  static constexpr index prefix = 2;
  static constexpr int bits = 2;

  template <class T>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr index with(index what, T x) {
    return static_cast<index>(x) << bits | what;
  }
};

//! The sum of a number over the tiles before one. `sums` are those of the first tile, a tile's are
//! `stride` after those of the tile before; `said(word)` reads a word in one piece. Some tiles are
//! looked at at once, as each answer takes a latency.
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
