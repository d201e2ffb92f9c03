// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/gpu/access.hpp>
#include <mmm/gpu/request.hpp>
#include <mmm/gpu/rules.hpp>

#include <cstdint>

//! The cost of atomic updates (atomicAdd and its like), compared to plain accesses.
namespace mmm::gpu {

//! The lanes of a request that share addresses.
struct address_groups {
  int distinct = 0;   //!< different addresses
  int max_equal = 0;  //!< lanes with the most frequent address: they take turns
};

//! Groups the active lanes of a request by address; lane t has `address_of(t)`. Time: O(lanes).
template <class Address>
[[nodiscard]] constexpr address_groups group_by_address(Address const& address_of,
                                                        lane_mask active) {
  constexpr unsigned places = 128;  // of a hash table for 64 addresses at most
  static_assert(max_lanes * 2 <= places);
  index key[places];
  std::uint8_t count[places];  // both meaningful where busy
  std::uint64_t busy[places / 64] = {};
  address_groups found;
  for (; active != 0; active &= active - 1) {
    index const address = address_of(mmm::detail::countr_zero(active));
    auto place =
        static_cast<unsigned>(static_cast<std::uint64_t>(address) * 0x9E3779B97F4A7C15U >> 57);
    auto const taken = [&] { return (busy[place / 64] >> place % 64 & 1) != 0; };
    while (taken() && key[place] != address) place = (place + 1) % places;
    if (!taken()) {
      busy[place / 64] |= std::uint64_t{1} << place % 64;
      key[place] = address;
      count[place] = 0;
      ++found.distinct;
    }
    ++count[place];
    if (count[place] > found.max_equal) found.max_equal = count[place];
  }
  return found;
}

//! The cost of one warp's atomic update of `bytes` bytes a lane in shared memory. A bank is assumed
//! to make one lane's update at a time, whether lanes share a word or not. A request therefore
//! costs as much as a store whose lanes have words of their own in the same banks.
//!
//! \param address_of the byte address of lane t. \param active the lanes that update; `address_of`
//! is called for no other. Time: O(lanes^2) at most.
template <bank_rules Rules = nvidia, class Address>
[[nodiscard]] constexpr shared_cost shared_atomic_cost(int bytes, Address const& address_of,
                                                       lane_mask active) {
  constexpr index row = index{4} * Rules::banks;  // bytes: a word of every bank
  return detail::count_shared<Rules>(
      access_of(instruction::store, bytes), [&](int t) { return address_of(t) % row + t * row; },
      active);
}

}  // namespace mmm::gpu
