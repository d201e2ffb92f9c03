// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/execution/arguments.hpp>

//! The properties of programs that their kernels and launches depend on.
namespace mmm::detail {

//! The maximum number of threads in a block of a program's kernel: the program's own
//! `max_block_threads`, so that every thread has the registers it needs, or 1024, which every
//! device can run.
template <class Program>
[[nodiscard]] MMM_HOST_DEVICE constexpr int max_block_threads() {
  using limiting = typename limiting_program<Program>::type;
  if constexpr (requires { limiting::max_block_threads; })
    return static_cast<int>(limiting::max_block_threads);
  else
    return 1024;
}

//! The largest word type among a kernel's arguments, the first one if there are several.
template <class Word, class... Arguments>
struct largest_word : type_identity<Word> {};
template <class Word, class Argument, class... Arguments>
struct largest_word<Word, Argument, Arguments...> : largest_word<Word, Arguments...> {};
template <class Word, class Argument, class... Arguments>
requires(sizeof(typename Argument::value_type) > sizeof(Word))
struct largest_word<Word, Argument, Arguments...>
    : largest_word<typename Argument::value_type, Arguments...> {};

//! The number of blocks of a program's kernel that a multiprocessor must have room for: the
//! program's own `blocks_side_by_side<Word>()` for arguments of words of this type or smaller ones,
//! or one. (Without a number ptxas chooses one and may spill.)
template <class Program, class... Arguments>
[[nodiscard]] constexpr int blocks_side_by_side() {
  using limiting = typename limiting_program<Program>::type;
  using word = typename largest_word<char, Arguments...>::type;
  if constexpr (requires { limiting::template blocks_side_by_side<word>(); })
    return static_cast<int>(limiting::template blocks_side_by_side<word>());
  else
    return 1;
}

//! True for a program whose blocks always have the maximum number of threads. Where there are as
//! many items, a thread then has exactly one, and the compiler knows it.
template <class Program>
[[nodiscard]] MMM_HOST_DEVICE constexpr bool fills_blocks() {
  using limiting = typename limiting_program<Program>::type;
  if constexpr (requires { limiting::fills_blocks; })
    return limiting::fills_blocks;
  else
    return false;
}

//! True for a program whose tiles the device itself assigns to its multiprocessors, in their order,
//! as soon as one has room. Blocks that take their tiles themselves drift apart, and so do the
//! addresses that are in use at a time.
template <class Program>
[[nodiscard]] constexpr bool assigns_tiles() {
  if constexpr (requires { Program::assigns_tiles; })
    return Program::assigns_tiles;
  else
    return false;
}

}  // namespace mmm::detail
