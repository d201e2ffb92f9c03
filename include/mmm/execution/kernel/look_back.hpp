// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/execution/kernel/memory.hpp>
#include <mmm/execution/look_back.hpp>
#include <mmm/execution/vec.hpp>

#include <cstdint>
#include <cstring>

//! Decoupled look-back between the blocks of a kernel, without a barrier: a tile publishes its
//! aggregate and, after inspecting its predecessors, its inclusive prefix.
MMM_BODIES_BEGIN
namespace mmm::detail {

//! The kind of total that a tile has published.
enum class tile_flag : std::uint32_t {
  invalid,
  aggregate,  //!< the total of the tile alone
  prefix      //!< the total of all tiles up to it
};

template <class T>
struct tile_status {
  tile_flag flag;
  T value;
};

//! A tile's state in the global memory. Values are read and written as words of 4 bytes, each in
//! one access.
template <class T, int Words = (static_cast<int>(sizeof(T)) + 3) / 4>
struct alignas(8) tile_state {
  static constexpr int words = Words;
  std::uint32_t flag;
  std::uint32_t aggregate[words];
  std::uint32_t prefix[words];
};
//! The state of a tile with a value of one word: the flag below the value, in one access.
template <class T>
struct tile_state<T, 1> {
  static constexpr int words = 1;
  std::uint64_t packed;
};

//! The states of all tiles.
template <class T>
class look_back_states {
 public:
  using value_type = T;
  using state = tile_state<T>;
  MMM_HOST_DEVICE explicit look_back_states(state* first) : first_(first) {}
  //! Resets a tile to `invalid`.
  MMM_HOST_DEVICE void clear(index tile) const {
    if constexpr (state::words == 1)
      first_[tile].packed = 0;
    else
      first_[tile].flag = 0;
  }
  [[nodiscard]] MMM_HOST_DEVICE state& operator[](index tile) const { return first_[tile]; }
  //! The states from number `tiles` on.
  [[nodiscard]] MMM_HOST_DEVICE look_back_states operator+(index tiles) const {
    return look_back_states(first_ + tiles);
  }

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

//! A value of one word with its flag.
template <class T>
[[nodiscard]] MMM_HOST_DEVICE inline std::uint64_t packed_state(tile_flag flag, T const& x) {
  std::uint32_t words[1];
  to_words(x, words);
  return std::uint64_t{words[0]} << 32 | static_cast<std::uint32_t>(flag);
}
template <class T>
[[nodiscard]] MMM_HOST_DEVICE inline tile_status<T> unpacked_state(std::uint64_t packed) {
  std::uint32_t const words[1] = {static_cast<std::uint32_t>(packed >> 32)};
  return {static_cast<tile_flag>(static_cast<std::uint32_t>(packed)), from_words<T>(words)};
}

//! Publishes a value of more than one word: first the value, then its flag.
template <class T, class Fence>
MMM_HOST_DEVICE inline void publish_in_pieces(tile_state<T>& state, tile_flag flag, T const& x,
                                              Fence const& fence) {
  std::uint32_t words[tile_state<T>::words];
  to_words(x, words);
  std::uint32_t volatile* const target =
      flag == tile_flag::aggregate ? state.aggregate : state.prefix;
  for (int k = 0; k < tile_state<T>::words; ++k) target[k] = words[k];
  fence();
  *const_cast<std::uint32_t volatile*>(&state.flag) = static_cast<std::uint32_t>(flag);
}
//! Inspects a tile; the value of a tile that has published nothing is not read, since nothing has
//! written it.
template <class T, class Fence>
[[nodiscard]] MMM_HOST_DEVICE inline tile_status<T> inspect_in_pieces(tile_state<T> const& state,
                                                                      Fence const& fence) {
  std::uint32_t words[tile_state<T>::words] = {};
  auto const flag = static_cast<tile_flag>(*const_cast<std::uint32_t const volatile*>(&state.flag));
  if (flag != tile_flag::invalid) {
    fence();
    std::uint32_t const volatile* const source =
        flag == tile_flag::prefix ? state.prefix : state.aggregate;
    for (int k = 0; k < tile_state<T>::words; ++k) words[k] = source[k];
  }
  return {flag, from_words<T>(words)};
}

//! The look-back by one thread, which inspects one tile after the other.
template <class States, class Operator, class T, class Inspect, class Publish>
[[nodiscard]] MMM_HOST_DEVICE inline T look_back_alone(States const& states, index tile, T own,
                                                       Operator const& op, Inspect const& inspect,
                                                       Publish const& publish) {
  if (tile == 0) {
    publish(states[0], tile_flag::prefix, own);
    return own;
  }
  publish(states[tile], tile_flag::aggregate, own);
  auto const wait_for = [&](index t) {
    tile_status<T> x = inspect(states[t]);
    while (x.flag == tile_flag::invalid) x = inspect(states[t]);
    return x;
  };
  index t = tile - 1;
  tile_status<T> x = wait_for(t);
  T before = x.value;
  while (x.flag != tile_flag::prefix) {
    x = wait_for(--t);
    before = static_cast<T>(op(x.value, before));
  }
  publish(states[tile], tile_flag::prefix, static_cast<T>(op(before, own)));
  return before;
}

//! A number that a tile publishes in a word of 8 bytes, above its flag: the tile's own number, or
//! the sum over the tiles up to it. 0 where nothing has been published.
struct tile_sum {
  static constexpr int bits = 2;

  template <class T>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr index with(tile_flag flag, T x) {
    return static_cast<index>(x) << bits | static_cast<index>(flag);
  }
  [[nodiscard]] MMM_HOST_DEVICE static constexpr tile_status<index> status(index word) {
    return {static_cast<tile_flag>(word & 3), word >> bits};
  }
};

//! Publishes the k-th of several numbers in their states, or in words of tile_sum.
template <class Team, class T>
MMM_HOST_DEVICE inline void publish_number(Team& team, look_back_states<T> const& states, index k,
                                           tile_flag flag, T const& x) {
  team.publish(states[k], flag, x);
}
template <class Team, class Words, class T>
MMM_HOST_DEVICE inline void publish_number(Team& team, Words const& sums, index k, tile_flag flag,
                                           T const& x) {
  team.publish(sums[k], tile_sum::with(flag, x));
}
template <class Team, class T>
[[nodiscard]] MMM_HOST_DEVICE inline tile_status<T> inspect_number(
    Team& team, look_back_states<T> const& states, index k) {
  return team.inspect(states[k]);
}
template <class Team, class Words>
[[nodiscard]] MMM_HOST_DEVICE inline tile_status<index> inspect_number(Team& team,
                                                                       Words const& sums, index k) {
  return tile_sum::status(team.inspect(sums[k]));
}

//! The sum of a number over the tiles before one; `inspect(k)` is the status of tile k's number.
//! Several tiles are inspected at once, since each read takes a latency.
template <class T, class Inspect>
[[nodiscard]] MMM_HOST_DEVICE inline T sum_before(index tile, Inspect const& inspect) {
  constexpr index at_once = sums_before_step::at_once;
  T sum{};
  bool found = tile == 0;
  while (!found) {
    tile_status<T> x[at_once];
    unroll<at_once>([&](index k) {
      x[k] = tile > k ? inspect(tile - 1 - k) : tile_status<T>{tile_flag::prefix, T{}};
    });
    bool waits = false;
    unroll<at_once>([&](index k) {
      waits = waits || x[k].flag == tile_flag::invalid;
      if (waits || found) return;
      sum = static_cast<T>(x[k].value + sum);
      found = x[k].flag == tile_flag::prefix;
      --tile;
    });
  }
  return sum;
}

//! The thread of items first, first + step, … publishes these of a tile's n numbers.
template <class Team, class Sums, class Numbers>
MMM_HOST_DEVICE inline void publish_numbers(Team& team, Sums sums, index tile, Numbers own, index n,
                                            index first, index step) {
  using number = typename Sums::value_type;
  for (index j = first; j < n; j += step)
    publish_number(team, sums, tile * n + j, tile == 0 ? tile_flag::prefix : tile_flag::aggregate,
                   static_cast<number>(own[j]));
}
//! The thread sums these numbers of all earlier tiles, and publishes the sums with its tile's.
template <class Team, class Sums, class Numbers, class Results>
MMM_HOST_DEVICE inline void sum_numbers_before(Team& team, Sums sums, index tile, Numbers own,
                                               Results before, index n, index first, index step) {
  using number = typename Sums::value_type;
  for (index j = first; j < n; j += step) {
    auto const sum =
        sum_before<number>(tile, [&](index k) { return inspect_number(team, sums, k * n + j); });
    if (tile > 0)
      publish_number(team, sums, tile * n + j, tile_flag::prefix,
                     static_cast<number>(sum + static_cast<number>(own[j])));
    before[j] = static_cast<typename Results::value_type>(sum);
  }
}

}  // namespace mmm::detail
MMM_BODIES_END
