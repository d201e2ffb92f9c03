// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decoupled look-back of a kernel: no word is read that no tile has published.
#include <mmm/execution/kernel/look_back.hpp>

#include "catch.hpp"

#include <array>
#include <cstdint>
#include <cstring>

namespace {

using mmm::detail::look_back_states;
using mmm::detail::tile_flag;
using mmm::detail::tile_state;

//! A cleared state in memory that held other data before.
template <class T>
tile_state<T> cleared_state() {
  alignas(256) std::array<std::byte, 256> memory;
  memory.fill(std::byte{0xAB});
  look_back_states<T> const states(reinterpret_cast<tile_state<T>*>(memory.data()));
  states.clear(0);
  return states[0];
}

//! Counts the fences. On a single host thread a fence need not do anything.
struct counted_fence {
  int* count;
  void operator()() const { ++*count; }
};

}  // namespace

TEST_CASE("a cleared state is clear as far as one piece of it is read") {
  auto const one_piece = cleared_state<float>();
  std::uint64_t piece = 0;
  static_assert(sizeof(one_piece) >= sizeof(piece));
  std::memcpy(&piece, &one_piece, sizeof(piece));
  CHECK(piece == 0);
  CHECK(cleared_state<double>().flag == 0);
  CHECK(cleared_state<std::array<char, 3>>().packed == 0);
}

TEST_CASE("the value of a tile that has published nothing is not read") {
  int fences = 0;
  auto state = cleared_state<double>();
  auto const silent = mmm::detail::inspect_in_pieces(state, counted_fence{&fences});
  CHECK(silent.flag == tile_flag::invalid);
  CHECK(silent.value == 0);
  CHECK(fences == 0);

  mmm::detail::publish_in_pieces(state, tile_flag::aggregate, 2.5, counted_fence{&fences});
  CHECK(fences == 1);
  CHECK(mmm::detail::inspect_in_pieces(state, counted_fence{&fences}).value == 2.5);
  CHECK(fences == 2);
  mmm::detail::publish_in_pieces(state, tile_flag::prefix, 4.5, counted_fence{&fences});
  auto const last = mmm::detail::inspect_in_pieces(state, counted_fence{&fences});
  CHECK(last.flag == tile_flag::prefix);
  CHECK(last.value == 4.5);
}
