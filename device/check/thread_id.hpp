// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace device::check {

//! Counts what orders accesses: what happens between two synchronisations of anybody has the same
//! time. 0: never.
using time_stamp = std::uint32_t;

//! A thread of a launch: 20 bits of its block's number, 5 of its warp's, 5 of its lane's. Blocks
//! whose numbers differ by a multiple of 2^20 are taken for one: races between them are not seen.
//!
//! The two bits above are those of device::asynchronous: what a thread lets others do for it
//! (copies, multiplications) is done by threads of their own, whose accesses nobody knows of before
//! they are waited for.
using thread_id = std::uint32_t;

inline constexpr std::uint32_t block_bits = 20;
inline constexpr std::uint32_t asynchronous_shift = 10 + block_bits;

[[nodiscard]] constexpr std::uint32_t block_id(std::uint64_t number) {
  return static_cast<std::uint32_t>(number) & ((1U << block_bits) - 1);
}
[[nodiscard]] constexpr thread_id first_thread(std::uint32_t block, std::uint32_t warp) {
  return block << 10 | warp << 5;
}
//! The thread that does what `t` does not wait for.
[[nodiscard]] constexpr thread_id helper_of(thread_id t, std::uint32_t asynchronous_kind) {
  return t | asynchronous_kind << asynchronous_shift;
}
//! 0 for a thread of the kernel.
[[nodiscard]] constexpr std::uint32_t asynchronous_kind_of(thread_id t) {
  return t >> asynchronous_shift;
}
[[nodiscard]] constexpr thread_id without_kind(thread_id t) {
  return t & ((1U << asynchronous_shift) - 1);
}
[[nodiscard]] constexpr std::uint32_t block_of(thread_id t) { return t >> 10; }
[[nodiscard]] constexpr std::uint32_t warp_of(thread_id t) { return t >> 5 & 31; }
[[nodiscard]] constexpr std::uint32_t lane_of(thread_id t) { return t & 31; }
[[nodiscard]] constexpr bool same_warp(thread_id a, thread_id b) { return ((a ^ b) >> 5) == 0; }
[[nodiscard]] constexpr bool same_block(thread_id a, thread_id b) { return ((a ^ b) >> 10) == 0; }

}  // namespace device::check
