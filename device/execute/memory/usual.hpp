// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/execute/lane/lanewise.hpp>
#include <device/execute/memory/request.hpp>
#include <device/execute/memory/values.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

//! Addresses of loads and stores in the usual cases. The functions are always inlined, since their
//! callers are compiled for several processors (DEVICE_ISA).
namespace device::memory_access_detail {

//! The handler that `choose.operator()<Register>()` returns for registers of so many bytes, at
//! least as many as `Memory` has. Null for another number.
template <class Memory, class Choose>
[[nodiscard, gnu::always_inline]] inline handler for_register(int bytes, Choose const& choose) {
  if constexpr (sizeof(Memory) <= 2)
    if (bytes == 2) return choose.template operator()<std::uint16_t>();
  if constexpr (sizeof(Memory) <= 4)
    if (bytes == 4) return choose.template operator()<std::uint32_t>();
  if constexpr (sizeof(Memory) <= 8)
    if (bytes == 8) return choose.template operator()<std::uint64_t>();
  if constexpr (sizeof(Memory) == 16)
    if (bytes == 16) return choose.template operator()<wide>();
  return nullptr;
}

//! The argument for observers of a load, in the place of a store's values.
struct no_values {
  [[gnu::always_inline]] std::byte const* operator()() const { return nullptr; }
};

//! True if each lane's address is so far behind that of the lane before, modulo 2^32 or 2^64. The
//! expected addresses are sums: AVX2 has a slow product of 32 bits, and none of 64.
template <class Address>
[[nodiscard, gnu::always_inline]] inline bool have_stride(Address const* address, Address stride) {
  constexpr int width = 32 / sizeof(Address);
  using vector [[gnu::vector_size(32)]] = Address;
  vector expected{}, difference{};
  if constexpr (width == 8) {
    expected = vector{0, 1, 2, 3, 4, 5, 6, 7} * stride + address[0];
  } else {
    for (Address k = 0; k < width; ++k) expected[k] = address[0] + k * stride;
  }
  for (int t = 0; t < lanes; t += width) {
    vector found;
    std::memcpy(&found, address + t, sizeof found);
    difference |= found ^ expected;
    expected += width * stride;
  }
  Address all = 0;
  for (int k = 0; k < width; ++k) all |= difference[k];
  return all == 0;
}

//! The least and the greatest of all lanes' addresses, their pattern, and bits of which those below
//! a power of two are 0 if and only if all addresses are multiples of it.
template <class Address>
struct address_range {
  Address lowest, highest, bits;
  lane_pattern pattern = lane_pattern::any;

  //! Lanes that are not active have the address of one that is.
  [[gnu::always_inline]] address_range(Address const* address, Address bytes)
      : lowest(address[0]), highest(address[lanes - 1]), bits(address[0]) {
    Address const stride = address[1] - address[0];
    bool const falls = highest < lowest;
    Address const distance = falls ? Address{0} - stride : stride;
    // addresses that are farther apart wrap around
    if (distance <= std::numeric_limits<Address>::max() / lanes && have_stride(address, stride)) {
      if (falls) std::swap(lowest, highest);
      bits |= stride;
      pattern = stride == bytes ? lane_pattern::consecutive
                : stride == 0   ? lane_pattern::uniform
                                : lane_pattern::strided;
      return;
    }
    highest = lowest;
    for (int t = 1; t < lanes; ++t) {
      lowest = address[t] < lowest ? address[t] : lowest;
      highest = address[t] > highest ? address[t] : highest;
      bits |= address[t];
    }
  }
};

//! True if no two lanes reach one place, by the pattern of aligned addresses.
[[nodiscard, gnu::always_inline]] inline bool are_apart(lane_pattern p) {
  return p == lane_pattern::consecutive || p == lane_pattern::strided;
}

//! Gives lanes that are not active the address of the first active one.
template <class Address>
[[gnu::always_inline]] inline void fill_inactive(Address* address, lane_mask active) {
  Address const first = address[std::countr_zero(active) % lanes];
  for (int t = 0; t < lanes; ++t) address[t] = (active >> t & 1) != 0 ? address[t] : first;
}

//! For the usual case: all 32 lanes ask for neighbouring `bytes` of global memory. Where they
//! begin, the observers having been told; null if it is another case, or an error, with nothing
//! done.
[[nodiscard, gnu::always_inline]] inline std::byte* neighbours(warp& w, operation const& op,
                                                               access_kind kind,
                                                               std::uint64_t bytes) {
  if (w.active != all_lanes || op.a == no_slot) return nullptr;
  auto const* const base = w.source<std::uint64_t>(op.a);
  if (base[1] - base[0] != bytes || !have_stride(base, bytes)) return nullptr;
  std::uint64_t const begin = base[0] + op.immediate;
  if ((begin & (bytes - 1)) != 0 || !in_bounds(w, op, begin, bytes * lanes)) return nullptr;
  if (observed(w)) {
    alignas(64) std::uint64_t address[lanes];
    for (std::uint64_t t = 0; t < lanes; ++t) address[t] = begin + t * bytes;
    notify_lanes(w, op, space::global, kind, static_cast<int>(bytes), address,
                 lane_pattern::consecutive, begin, begin + lanes * bytes);
  }
  return reinterpret_cast<std::byte*>(begin);
}

//! The addresses of a request in one of the usual cases.
template <class Address>
struct usual_addresses {
  //! of all lanes; that of an active one for lanes that are not active
  alignas(64) Address address[lanes];
  lane_pattern pattern = lane_pattern::any;
};

//! For the next most usual case: lanes anywhere in one allocation of global memory. Gives the
//! lanes' addresses; false if it is another case, or an error, with nothing done. `values` is asked
//! for a store's values only if there are observers.
template <class Values = no_values>
[[nodiscard, gnu::always_inline]] inline bool global_addresses(warp& w, operation const& op,
                                                               access_kind kind,
                                                               std::uint64_t bytes,
                                                               usual_addresses<std::uint64_t>& to,
                                                               Values const& values = {}) {
  addresses_of(w, op, to.address);
  if (w.active != all_lanes) fill_inactive(to.address, w.active);
  address_range const range(to.address, bytes);
  if ((range.bits & (bytes - 1)) != 0 ||
      !in_bounds(w, op, range.lowest, range.highest - range.lowest + bytes))
    return false;
  to.pattern = range.pattern;
  if (observed(w))
    notify_lanes(w, op, space::global, kind, static_cast<int>(bytes), to.address, to.pattern,
                 range.lowest, range.highest + bytes,
                 are_apart(range.pattern) ? nullptr : values());
  return true;
}

//! For the usual case of shared memory: 32-bit addresses. Gives the lanes' offsets; false if it is
//! another case, or an error, with nothing done. `values` as above.
template <class Values = no_values>
[[nodiscard, gnu::always_inline]] inline bool shared_offsets(warp& w, operation const& op,
                                                             access_kind kind, std::uint32_t bytes,
                                                             usual_addresses<std::uint32_t>& to,
                                                             Values const& values = {}) {
  std::size_t const size = w.of_block->shared.size();
  if ((op.flags & base_of_4_bytes) == 0 || size < bytes) return false;
  auto const* const base = w.source<std::uint32_t>(op.a);
  auto const added = static_cast<std::uint32_t>(op.immediate);
  auto const last = static_cast<std::uint32_t>(size - bytes);
  for (int t = 0; t < lanes; ++t) to.address[t] = base[t] + added;
  if (w.active != all_lanes) fill_inactive(to.address, w.active);
  address_range const range(to.address, bytes);
  to.pattern = range.pattern;
  if (range.highest > last || (range.bits & (bytes - 1)) != 0) return false;
  if (observed(w)) {
    alignas(64) std::uint64_t address[lanes];
    for (int t = 0; t < lanes; ++t) address[t] = to.address[t];
    notify_lanes(w, op, space::shared, kind, static_cast<int>(bytes), address, to.pattern,
                 range.lowest, std::uint64_t{range.highest} + bytes,
                 are_apart(range.pattern) ? nullptr : values());
  }
  return true;
}

}  // namespace device::memory_access_detail
