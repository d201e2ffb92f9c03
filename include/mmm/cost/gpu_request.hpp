// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/machine/gpu_access.hpp>
#include <mmm/machine/gpu_rules.hpp>

#include <bit>
#include <span>
#include <type_traits>

//! One warp's request to the memory of a real GPU, given by its byte addresses: what a profiler
//! counts for it, and why.
namespace mmm::gpu {

//! What a profiler counts for requests to shared memory.
struct shared_cost {
  index requests = 0;  //!< warp-wide instructions with an active lane
  //! passes through the memory, each a word per bank: memory_l1_wavefronts_shared
  index wavefronts = 0;
  index ideal = 0;  //!< the same, were there no conflict: one per phase with an active lane
  //! Wavefronts beyond the ideal: "bank conflicts".
  [[nodiscard]] constexpr index excessive() const { return wavefronts - ideal; }
  friend constexpr bool operator==(shared_cost const&, shared_cost const&) = default;
};

//! What a profiler counts for requests to global memory.
struct global_cost {
  index requests = 0;  //!< warp-wide instructions with an active lane
  //! distinct aligned 32 bytes of each request: memory_l2_theoretical_sectors_global
  index sectors = 0;
  index lines = 0;  //!< distinct aligned 128 bytes of each request
  friend constexpr bool operator==(global_cost const&, global_cost const&) = default;
};

inline constexpr index sector_bytes = 32;
inline constexpr index line_bytes = 128;

//! One phase of a request to shared memory.
struct phase_cost {
  lane_mask lanes = 0;   //!< active lanes
  index wavefronts = 0;  //!< different words asked of the worst bank
  //! a bank with that many; of wide accesses, the first bank of the lanes' first words
  int worst_bank = 0;
  lane_mask colliding = 0;  //!< the first lane for each of those words
};

//! A request to shared memory, phase by phase.
struct shared_request {
  int phases = 0;  //!< with an active lane
  phase_cost phase[phase_table::most_phases] = {};

  [[nodiscard]] constexpr shared_cost cost() const {
    shared_cost sum{phases > 0, 0, phases};
    for (int p = 0; p < phases; ++p) sum.wavefronts += phase[p].wavefronts;
    return sum;
  }
  //! The phase that takes longest; the first of them. Precondition: there is one.
  [[nodiscard]] constexpr phase_cost const& worst() const {
    int found = 0;
    for (int p = 1; p < phases; ++p)
      if (phase[p].wavefronts > phase[found].wavefronts) found = p;
    return phase[found];
  }
};

namespace detail {

//! The different units (words, sectors, …) that lanes ask for, in up to 64 queues, at most one new
//! unit per lane.
class unit_queues {
 public:
  //! Adds a unit to a queue; returns the queue's length if it is new, 0 if it was there.
  constexpr int add(index unit, int queue) {
    lane_mask const bit = lane_mask{1} << queue;
    int length = 1;
    if ((busy_ & bit) != 0) {
      for (int e = head_[queue];; e = next_[e], ++length) {
        if (unit_[e] == unit) return 0;
        if (next_[e] < 0) break;
      }
      ++length;
    }
    next_[used_] = (busy_ & bit) != 0 ? head_[queue] : static_cast<std::int8_t>(-1);
    busy_ |= bit;
    unit_[used_] = unit;
    head_[queue] = static_cast<std::int8_t>(used_++);
    return length;
  }
  [[nodiscard]] constexpr int size() const { return used_; }

 private:
  lane_mask busy_ = 0;
  int used_ = 0;
  std::int8_t head_[most_lanes];  // meaningful where busy
  std::int8_t next_[most_lanes];
  index unit_[most_lanes];
};

//! Calls `use(t)` for every lane of a set, in order; quicker where they follow each other.
template <class Use>
constexpr void for_each_lane(lane_mask lanes, Use use) {
  if (lanes == 0) return;
  int const first = std::countr_zero(lanes);
  int const last = most_lanes - std::countl_zero(lanes);
  if (lanes >> first == all_lanes(last - first)) {
    for (int t = first; t < last; ++t) use(t);
  } else {
    for (; lanes != 0; lanes &= lanes - 1) use(std::countr_zero(lanes));
  }
}

//! Refuses negative addresses, and those that no GPU accepts for this width.
constexpr void require_aligned(warp_access const& a, index address) {
  if (address < 0) mmm::detail::reject("a byte address", address, "0 or more");
  if ((address & (a.bytes - 1)) == 0) return;
  switch (a.bytes) {
    case 2:
      mmm::detail::reject("a byte address of a 2-byte access", address, "a multiple of 2");
    case 4:
      mmm::detail::reject("a byte address of a 4-byte access", address, "a multiple of 4");
    case 8:
      mmm::detail::reject("a byte address of an 8-byte access", address, "a multiple of 8");
    default:
      mmm::detail::reject("a byte address of a 16-byte access", address, "a multiple of 16");
  }
}

//! A lane's word on its way to a bank. Aligned wide accesses ask neighbouring banks alike, so that
//! the first word's bank stands for them all; the units are then as wide as the access.
template <int Banks>
struct unit_of_access {
  int shift;   //!< bytes to units
  int queues;  //!< a power of two
  constexpr explicit unit_of_access(warp_access const& a)
      : shift(a.bytes <= 4 ? 2 : std::countr_zero(static_cast<unsigned>(a.bytes))),
        queues(Banks * 4 >> shift) {}
  [[nodiscard]] constexpr index unit(index address) const { return address >> shift; }
  [[nodiscard]] constexpr int queue(index address) const {
    return static_cast<int>((address >> shift) & (queues - 1));
  }
  [[nodiscard]] constexpr int bank(int queue) const { return queue << (shift - 2); }
};

//! Whether every active lane's neighbour `lane ^ distance` is inactive or has the same address.
template <class At>
[[nodiscard]] constexpr bool pairs_agree(int lanes, int distance, At at, lane_mask active) {
  for (int t = 0; t < lanes; ++t) {
    int const other = t ^ distance;
    if (other > t && (active >> t & 1) != 0 && (active >> other & 1) != 0 && at(t) != at(other))
      return false;
  }
  return true;
}

//! Gives `use` the phases of a request: those of the rules, two of them as one where pairs are
//! merged.
template <bank_rules Rules, class At, class Use>
[[nodiscard]] constexpr auto with_phases(warp_access const& a, At at, lane_mask active, Use use) {
  if (Rules::merges_pairs(a) &&
      (pairs_agree(Rules::lanes, 1, at, active) || pairs_agree(Rules::lanes, 2, at, active))) {
    phase_table table = Rules::phases(a);
    for (int p = 0; p < table.phases; p += 2)
      table.lanes[p / 2] = table.lanes[p] | table.lanes[p + 1];
    table.phases /= 2;
    return use(table);
  }
  return use(Rules::phases(a));
}

//! The wavefronts of the lanes of one phase; a queue that is as long.
template <int Banks, class At>
[[nodiscard]] constexpr int count_wavefronts(unit_of_access<Banks> const& units, At at,
                                             lane_mask lanes, int& longest_queue) {
  if (!std::is_constant_evaluated()) {  // a look at whether there is a conflict at all
    lane_mask asked = 0;
    for_each_lane(lanes, [&](int t) { asked |= lane_mask{1} << units.queue(at(t)); });
    if (std::popcount(asked) == std::popcount(lanes)) {
      longest_queue = units.queue(at(std::countr_zero(lanes)));
      return 1;
    }
  }
  unit_queues queues;
  int longest = 0;
  for (; lanes != 0; lanes &= lanes - 1) {
    index const address = at(std::countr_zero(lanes));
    int const queue = units.queue(address);
    int const length = queues.add(units.unit(address), queue);
    if (length <= longest) continue;
    longest = length;
    longest_queue = queue;
  }
  return longest;
}

//! A request whose lane t gives address `at(t)`. Addresses must have been found to be aligned.
template <bank_rules Rules, class At>
[[nodiscard]] constexpr shared_cost count_shared(warp_access const& a, At at, lane_mask active) {
  unit_of_access<Rules::banks> const units(a);
  return with_phases<Rules>(a, at, active, [&](phase_table const& table) {
    shared_cost sum;
    for (int p = 0; p < table.phases; ++p) {
      if ((table.lanes[p] & active) == 0) continue;
      int queue = 0;
      sum.requests = 1;
      ++sum.ideal;
      sum.wavefronts += count_wavefronts(units, at, table.lanes[p] & active, queue);
    }
    return sum;
  });
}

//! The same, with the lanes that are in each other's way.
template <bank_rules Rules, class At>
[[nodiscard]] constexpr shared_request explain_shared(warp_access const& a, At at,
                                                      lane_mask active) {
  unit_of_access<Rules::banks> const units(a);
  return with_phases<Rules>(a, at, active, [&](phase_table const& table) {
    shared_request result;
    for (int p = 0; p < table.phases; ++p) {
      lane_mask const lanes = table.lanes[p] & active;
      if (lanes == 0) continue;
      int queue = 0;
      phase_cost& phase = result.phase[result.phases++];
      phase.lanes = lanes;
      phase.wavefronts = count_wavefronts(units, at, lanes, queue);
      phase.worst_bank = units.bank(queue);
      unit_queues seen;
      for (lane_mask left = lanes; left != 0; left &= left - 1) {
        int const t = std::countr_zero(left);
        if (units.queue(at(t)) == queue && seen.add(units.unit(at(t)), 0) != 0)
          phase.colliding |= left & (~left + 1);
      }
    }
    return result;
  });
}

//! The sectors and lines of a request whose lane t gives address `at(t)`. Addresses must have been
//! found to be aligned.
template <class At>
[[nodiscard]] constexpr global_cost count_global(At at, lane_mask active) {
  if (active == 0) return {};
  index last = at(std::countr_zero(active));
  global_cost ascending{1, 1, 1};  // right unless an address is below the one before
  index descents = 0;              // negative then
  for_each_lane(active, [&](int t) {
    index const address = at(t);
    index const changed = address ^ last;
    ascending.sectors += changed >= sector_bytes;
    ascending.lines += changed >= line_bytes;
    descents |= address - last;
    last = address;
  });
  if (descents >= 0) return ascending;
  unit_queues sectors;
  unit_queues lines;
  for (; active != 0; active &= active - 1) {
    index const address = at(std::countr_zero(active));
    index const sector = address / sector_bytes;
    if (sectors.add(sector, static_cast<int>(sector % most_lanes)) == 0) continue;
    index const line = address / line_bytes;
    static_cast<void>(lines.add(line, static_cast<int>(line % most_lanes)));
  }
  return {1, sectors.size(), lines.size()};
}

//! The lanes that give an address.
template <bank_rules Rules>
[[nodiscard]] constexpr lane_mask lanes_of(warp_access const& a) {
  phase_table const& table = Rules::phases(a);
  lane_mask all = 0;
  for (int p = 0; p < table.phases; ++p) all |= table.lanes[p];
  return all;
}

//! The active ones among some lanes, whose addresses are checked; the list of addresses may be
//! shorter than a warp.
constexpr lane_mask checked_lanes(warp_access const& a, int lanes, std::span<index const> addresses,
                                  lane_mask active) {
  if (addresses.size() > static_cast<std::size_t>(lanes))
    mmm::detail::reject("the number of a warp's addresses", static_cast<index>(addresses.size()),
                        "the lanes of a warp, or fewer");
  active &= all_lanes(static_cast<int>(addresses.size()));
  index bits = 0;
  for_each_lane(active, [&](int t) { bits |= addresses[static_cast<std::size_t>(t)]; });
  if (bits < 0 || (bits & (a.bytes - 1)) != 0)
    for_each_lane(active,
                  [&](int t) { require_aligned(a, addresses[static_cast<std::size_t>(t)]); });
  return active;
}

//! Matrix accesses are to shared memory.
constexpr void require_lanewise(warp_access const& a) {
  if (a.of_matrices())
    mmm::detail::reject("the matrices of an access to global memory", a.matrices, "none");
}

}  // namespace detail

//! The request of one warp to shared memory, phase by phase.
//!
//! \param a the access, as load<16>. \param addresses bytes from the start of shared memory, lane
//! by lane; missing lanes are inactive. \param active the lanes that take part; the addresses of
//! others are not looked at. std::invalid_argument (a compile error in a constant expression) for
//! an address that is negative or no multiple of the access's bytes, and for more addresses than
//! lanes. Time: O(lanes) without conflicts, O(lanes^2) at most.
template <bank_rules Rules = nvidia>
[[nodiscard]] constexpr shared_request explain_shared(warp_access const& a,
                                                      std::span<index const> addresses,
                                                      lane_mask active = ~lane_mask{0}) {
  active = detail::checked_lanes(a, Rules::lanes, addresses, active & detail::lanes_of<Rules>(a));
  return detail::explain_shared<Rules>(
      a, [&](int t) { return addresses[static_cast<std::size_t>(t)]; }, active);
}

//! What a profiler counts for the request of one warp to shared memory; parameters, errors, time as
//! explain_shared.
template <bank_rules Rules = nvidia>
[[nodiscard]] constexpr shared_cost shared_request_cost(warp_access const& a,
                                                        std::span<index const> addresses,
                                                        lane_mask active = ~lane_mask{0}) {
  active = detail::checked_lanes(a, Rules::lanes, addresses, active & detail::lanes_of<Rules>(a));
  return detail::count_shared<Rules>(
      a, [&](int t) { return addresses[static_cast<std::size_t>(t)]; }, active);
}

//! What a profiler counts for the request of one warp to global memory (NVIDIA, compute capability
//! 6.0 and later): the aligned sectors of 32 bytes and lines of 128 bytes that the active lanes
//! touch, whatever their order (CUDA C++ Best Practices Guide, 9.2.1). Parameters, errors and time
//! as explain_shared.
[[nodiscard]] constexpr global_cost global_request_cost(warp_access const& a,
                                                        std::span<index const> addresses,
                                                        lane_mask active = ~lane_mask{0}) {
  detail::require_lanewise(a);
  active = detail::checked_lanes(a, nvidia::lanes, addresses, active);
  return detail::count_global([&](int t) { return addresses[static_cast<std::size_t>(t)]; },
                              active);
}

}  // namespace mmm::gpu
