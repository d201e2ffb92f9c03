// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/gpu/access.hpp>
#include <mmm/gpu/request.hpp>
#include <mmm/gpu/rules.hpp>
#include <mmm/machine/access_kind.hpp>

#include <cstdint>

//! The cost of atomic updates (atomicAdd and its like), and the figures of any request, plain or
//! atomic, for reports by source line.
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
  if (active == 0) return {};
  // Most requests' addresses ascend and are then all different, or are all the same.
  bool ascending = true;
  index const first = address_of(mmm::detail::countr_zero(active));
  index differs = 0;
  index before = INT64_MIN;
  detail::for_each_lane(active, [&](int t) {
    index const address = address_of(t);
    ascending = ascending && address > before;
    differs |= address ^ first;
    before = address;
  });
  if (ascending) return {mmm::detail::popcount(active), 1};
  if (differs == 0) return {1, mmm::detail::popcount(active)};

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

//! The address that stands for an update of lane t in shared memory. A bank is assumed to make one
//! lane's update at a time, whether lanes share a word or not: each lane has a word of its own in
//! the bank of its address.
template <bank_rules Rules = nvidia>
[[nodiscard]] constexpr index separate_word(index address, int t) {
  constexpr index row = index{4} * Rules::banks;  // bytes: a word of every bank
  return address % row + t * row;
}

//! The cost of one warp's atomic update of `bytes` bytes a lane in shared memory: that of a store
//! whose lanes have words of their own in the same banks (separate_word).
//!
//! \param address_of the byte address of lane t. \param active the lanes that update; `address_of`
//! is called for no other. Time: O(lanes^2) at most.
template <bank_rules Rules = nvidia, class Address>
[[nodiscard]] constexpr shared_cost shared_atomic_cost(int bytes, Address const& address_of,
                                                       lane_mask active) {
  return detail::count_shared<Rules>(
      access_of(instruction::store, bytes),
      [&](int t) { return separate_word<Rules>(address_of(t), t); }, active);
}

//! The instruction of an access: "load", "store" or "atomic".
[[nodiscard]] constexpr char const* name_of(access_kind kind) {
  return kind == access_kind::read ? "load" : kind == access_kind::write ? "store" : "atomic";
}

//! Figures that a profiler counts for requests of one kind to one memory, whichever it is.
struct request_figures {
  index requests = 0;    //!< warp-wide instructions with an active lane
  index transfers = 0;   //!< wavefronts of shared memory, sectors of global memory
  index ideal = 0;       //!< minimum number of transfers for such requests
  index lines = 0;       //!< global memory: lines of 128 bytes
  index serialized = 0;  //!< atomics: most lanes at one address, summed over requests

  //! Transfers beyond the ideal, known as "bank conflicts" in shared memory.
  [[nodiscard]] constexpr index excessive() const { return transfers - ideal; }
  constexpr request_figures& operator+=(request_figures const& other) {
    requests += other.requests;
    transfers += other.transfers;
    ideal += other.ideal;
    lines += other.lines;
    serialized += other.serialized;
    return *this;
  }
  friend constexpr bool operator==(request_figures const&, request_figures const&) = default;
};

//! The figures of one warp's load, store or atomic update in shared memory.
//!
//! \param kind whether it is a load, a store or an update. \param a the access; of an update, the
//! store of as many bytes. \param address_of the byte address of lane t, a multiple of the access's
//! bytes. \param active the lanes that take part; `address_of` is called for no other. Time:
//! O(lanes^2) at most.
template <bank_rules Rules = nvidia, class Address>
[[nodiscard]] constexpr request_figures shared_figures(access_kind kind, warp_access const& a,
                                                       Address const& address_of,
                                                       lane_mask active) {
  bool const updates = kind == access_kind::update;
  shared_cost const cost =
      updates ? shared_atomic_cost<Rules>(a.bytes, address_of, active)
              : detail::count_shared<Rules>(a, address_of, active & detail::lanes_of<Rules>(a));
  return {cost.requests, cost.wavefronts, cost.ideal, 0,
          updates ? group_by_address(address_of, active).max_equal : 0};
}

//! The figures of one warp's access to global memory; parameters as shared_figures. The ideal is
//! the minimum number of sectors for the different addresses' bytes. Time: O(lanes).
template <class Address>
[[nodiscard]] constexpr request_figures global_figures(access_kind kind, int bytes,
                                                       Address const& address_of,
                                                       lane_mask active) {
  global_cost const cost = detail::count_global(address_of, active);
  // Addresses in sectors of their own differ.
  int const all = mmm::detail::popcount(active);
  address_groups const groups =
      cost.sectors == all ? address_groups{all, all != 0} : group_by_address(address_of, active);
  return {cost.requests, cost.sectors,
          (index{groups.distinct} * bytes + sector_bytes - 1) / sector_bytes, cost.lines,
          kind == access_kind::update ? groups.max_equal : 0};
}

}  // namespace mmm::gpu
