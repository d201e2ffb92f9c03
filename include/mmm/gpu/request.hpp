// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/gpu/access.hpp>
#include <mmm/gpu/rules.hpp>
#include <mmm/machine/service.hpp>

#include <cstdint>

//! One warp's request to the memory of a real GPU, given by its byte addresses: the figures that a
//! profiler counts for it, and the lanes that collide.
namespace mmm::gpu {

//! Figures that a profiler counts for requests to shared memory.
struct shared_cost {
  index requests = 0;  //!< warp-wide instructions with an active lane
  //! passes through the memory, each of one word per bank: memory_l1_wavefronts_shared
  index wavefronts = 0;
  index ideal = 0;  //!< wavefronts without conflicts: one per phase with an active lane
  //! Wavefronts beyond the ideal: "bank conflicts".
  [[nodiscard]] constexpr index excessive() const { return wavefronts - ideal; }
  friend constexpr bool operator==(shared_cost const&, shared_cost const&) = default;
};

//! Figures that a profiler counts for requests to global memory.
struct global_cost {
  index requests = 0;  //!< warp-wide instructions with an active lane
  //! distinct aligned 32 bytes of each request: memory_l2_theoretical_sectors_global
  index sectors = 0;
  index lines = 0;  //!< distinct aligned 128 bytes of each request
  friend constexpr bool operator==(global_cost const&, global_cost const&) = default;
};

//! A view of the byte addresses of a warp's lanes, lane by lane: an array, or anything that has
//! them as `data()` and `size()`, such as std::array, std::vector and std::span.
class address_view {
 public:
  constexpr address_view(index const* first, mmm::detail::size_type count)
      : first_(first), count_(count) {}
  template <mmm::detail::size_type N>
  constexpr address_view(index const (&list)[N]) : address_view(list, N) {}  // NOLINT: a list
  template <class List>
  requires requires(List const& list) {
    { list.data() } -> mmm::detail::convertible_to<index const*>;
    { list.size() } -> mmm::detail::convertible_to<mmm::detail::size_type>;
  }
  constexpr address_view(List const& list)  // NOLINT: a list of addresses is one
      : address_view(list.data(), list.size()) {}

  [[nodiscard]] constexpr mmm::detail::size_type size() const { return count_; }
  [[nodiscard]] constexpr index operator[](int lane) const { return first_[lane]; }

 private:
  index const* first_;
  mmm::detail::size_type count_;
};

//! Global memory moves sectors, four to a line.
inline constexpr index sector_bytes = 32;
inline constexpr index line_bytes = 128;

//! One phase of a request to shared memory.
struct phase_cost {
  lane_mask lanes = 0;   //!< active lanes
  index wavefronts = 0;  //!< different words requested of the worst bank
  //! a bank with as many requests; for wide accesses, the first bank of the lanes' first words
  int worst_bank = 0;
  lane_mask colliding = 0;  //!< the first lane for each of those words
};

//! A request to shared memory, phase by phase.
struct shared_request {
  int phases = 0;  //!< with an active lane
  phase_cost phase[phase_table::max_phases] = {};

  [[nodiscard]] constexpr shared_cost cost() const {
    shared_cost sum{phases > 0, 0, phases};
    for (int p = 0; p < phases; ++p) sum.wavefronts += phase[p].wavefronts;
    return sum;
  }
  //! The number of the phase that takes longest, the first of them; 0 without phases.
  [[nodiscard]] constexpr int worst_number() const {
    int found = 0;
    for (int p = 1; p < phases; ++p)
      if (phase[p].wavefronts > phase[found].wavefronts) found = p;
    return found;
  }
  //! The phase that takes longest, as worst_number.
  [[nodiscard]] constexpr phase_cost const& worst() const { return phase[worst_number()]; }
};

namespace detail {

//! Calls `use(t)` for every lane of a set, in order. Consecutive lanes are visited faster.
template <class Use>
constexpr void for_each_lane(lane_mask lanes, Use use) {
  if (lanes == 0) return;
  int const first = mmm::detail::countr_zero(lanes);
  int const last = max_lanes - mmm::detail::countl_zero(lanes);
  if (lanes >> first == all_lanes(last - first)) {
    for (int t = first; t < last; ++t) use(t);
  } else {
    for (; lanes != 0; lanes &= lanes - 1) use(mmm::detail::countr_zero(lanes));
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
    case 32:
      mmm::detail::reject("a byte address of a 32-byte access", address, "a multiple of 32");
    default:
      mmm::detail::reject("a byte address of a 16-byte access", address, "a multiple of 16");
  }
}

//! The service of banks of 4 bytes for the lanes of one phase. An aligned wide access requests as
//! much of each of its neighbouring banks, so that the first one stands for them all: units are as
//! wide as the access, and there are as many queues as accesses fit side by side.
template <bank_rules Rules>
[[nodiscard]] constexpr mmm::detail::service banks_for(warp_access const& a) {
  if (a.bytes > 16)
    mmm::detail::reject("the bytes that a lane accesses in shared memory", a.bytes, "16 or fewer");
  index const unit = mmm::detail::larger(4, a.bytes);
  return {unit, index{4} * Rules::banks / unit};
}

//! The upper limit of lanes and of queues of a request to shared memory.
template <bank_rules Rules>
inline constexpr int max_queues = Rules::banks < Rules::lanes ? Rules::lanes : Rules::banks;

//! True if every active lane's neighbour `lane ^ distance` is inactive or has the same address.
template <class Address>
[[nodiscard]] constexpr bool pairs_agree(int lanes, int distance, Address const& address,
                                         lane_mask active) {
  for (int t = 0; t < lanes; ++t) {
    int const other = t ^ distance;
    if (other > t && (active >> t & 1) != 0 && (active >> other & 1) != 0 &&
        address(t) != address(other))
      return false;
  }
  return true;
}

//! Calls `use` with a request's phases. Two neighbouring phases are one where the rules merge pairs
//! and the lanes of every pair ask for the same address.
template <bank_rules Rules, class Address, class Use>
[[nodiscard]] constexpr auto with_phases(warp_access const& a, Address const& address,
                                         lane_mask active, Use use) {
  if (Rules::merges_pairs(a) && (pairs_agree(Rules::lanes, 1, address, active) ||
                                 pairs_agree(Rules::lanes, 2, address, active))) {
    phase_table table = Rules::phases(a);
    for (int p = 0; p < table.phases; p += 2)
      table.lanes[p / 2] = table.lanes[p] | table.lanes[p + 1];
    table.phases /= 2;
    return use(table);
  }
  return use(Rules::phases(a));
}

//! True if each of some numbers is `stride` greater than the one before. Time: O(count).
[[nodiscard]] constexpr bool has_stride(index const* number, int count, index stride) {
  if (count >= 3 && number[2] - number[1] != stride) return false;  // as most that have none
  index differs = 0;
  for (int t = 1; t < count; ++t) differs |= (number[t] - number[t - 1]) ^ stride;
  return differs == 0;
}

//! Counts a request to shared memory whose lane t gives address `address(t)`, which is aligned.
template <bank_rules Rules, class Address>
[[nodiscard]] constexpr shared_cost count_shared(warp_access const& a, Address const& address,
                                                 lane_mask active) {
  mmm::detail::service const by = banks_for<Rules>(a);
  return with_phases<Rules>(a, address, active, [&](phase_table const& table) {
    shared_cost sum;
    for (int p = 0; p < table.phases; ++p) {
      index unit[max_lanes];
      int count = 0;
      for_each_lane(table.lanes[p] & active, [&](int t) { unit[count++] = address(t); });
      if (count == 0) continue;
      by.make_units(unit, count);
      sum.requests = 1;
      ++sum.ideal;
      // Most requests have one stride.
      index const stride = count > 1 ? unit[1] - unit[0] : 0;
      if (has_stride(unit, count, stride)) {
        sum.wavefronts +=
            stride == 0 ? 1 : mmm::detail::max_lanes_of_a_queue(by.queues(), stride, count);
        continue;
      }
      sum.wavefronts += mmm::detail::count_stages_of_units<max_queues<Rules>>(
          by, unit, count, mmm::detail::shared_unit_table<max_queues<Rules>>{});
    }
    return sum;
  });
}

//! Explains a request to shared memory whose lane t gives address `address(t)`, which is aligned:
//! phase by phase, with the lanes that collide.
template <bank_rules Rules, class Address>
[[nodiscard]] constexpr shared_request explain_shared(warp_access const& a, Address const& address,
                                                      lane_mask active) {
  mmm::detail::service const by = banks_for<Rules>(a);
  return with_phases<Rules>(a, address, active, [&](phase_table const& table) {
    shared_request result;
    for (int p = 0; p < table.phases; ++p) {
      int numbers[max_lanes] = {};
      int count = 0;
      for_each_lane(table.lanes[p] & active, [&](int t) { numbers[count++] = t; });
      if (count == 0) continue;
      auto const longest = mmm::detail::longest_queue_of<max_queues<Rules>>(
          by, count, [&](int k) { return address(numbers[k]); });
      phase_cost& phase = result.phase[result.phases++];
      phase.lanes = table.lanes[p] & active;
      phase.wavefronts = longest.stages;
      phase.worst_bank = static_cast<int>(longest.queue * (Rules::banks / by.queues()));
      for (int k = 0; k < longest.stages; ++k)
        phase.colliding |= lane_mask{1} << numbers[longest.place[k]];
    }
    return result;
  });
}

//! Aligned pieces of `bytes` bytes that `count` addresses touch, `first, first + stride, …`.
[[nodiscard]] constexpr index affine_pieces(index bytes, index first, index stride, int count) {
  if (stride >= bytes || stride <= -bytes) return count;
  mmm::detail::service const by(bytes, 1);
  index const last = first + stride * (count - 1);
  return by.unit(mmm::detail::larger(first, last)) - by.unit(mmm::detail::smaller(first, last)) + 1;
}

inline constexpr int sectors_of_a_line = line_bytes / sector_bytes;

//! A bit for each line of which a sector is touched; bit k of `touched` is sector k.
[[nodiscard]] constexpr std::uint64_t lines_of(std::uint64_t touched) {
  static_assert(sectors_of_a_line == 4);
  std::uint64_t const pairs = touched | touched >> 1;
  return (pairs | pairs >> 2) & 0x1111111111111111U;
}

//! The sectors and lines of a request whose lane t gives address `address(t)`, which is aligned.
template <class Address>
[[nodiscard]] constexpr global_cost count_global(Address const& address, lane_mask active) {
  constexpr mmm::detail::service sectors(sector_bytes, 1);
  constexpr mmm::detail::service by_line(sectors_of_a_line, 1);
  index unit[max_lanes];
  int count = 0;
  for_each_lane(active, [&](int t) { unit[count++] = address(t); });
  if (count == 0) return {};

  index const stride = count > 1 ? unit[1] - unit[0] : 0;
  if (has_stride(unit, count, stride))
    return {1, affine_pieces(sector_bytes, unit[0], stride, count),
            affine_pieces(line_bytes, unit[0], stride, count)};

  sectors.make_units(unit, count);
  // Most requests that are left touch sectors near each other: the 64 around the first one are
  // bits.
  index const origin = (unit[0] - 32) & -index{sectors_of_a_line};
  index reach = 0;
  for (int t = 0; t < count; ++t) reach |= unit[t] - origin;
  if (reach >= 0 && reach < 64) {
    std::uint64_t touched = 0;
    for (int t = 0; t < count; ++t) touched |= std::uint64_t{1} << (unit[t] - origin);
    return {1, mmm::detail::popcount(touched), mmm::detail::popcount(lines_of(touched))};
  }

  index line[max_lanes];
  for (int t = 0; t < count; ++t) line[t] = unit[t];
  by_line.make_units(line, count);
  // The touched sectors of each line, at the first lane in the line.
  std::uint8_t touched[max_lanes] = {};
  global_cost sum{1, 0, 0};
  mmm::detail::shared_unit_table<max_lanes>{}.visit(line, count, [&](int t, int first) {
    std::uint8_t& of_line = touched[first];
    auto const sector = static_cast<unsigned>(unit[t] & (sectors_of_a_line - 1));
    sum.sectors += ~(of_line >> sector) & 1;
    sum.lines += first == t ? 1 : 0;
    of_line = static_cast<std::uint8_t>(of_line | 1U << sector);
  });
  return sum;
}

//! The lanes that give an address.
template <bank_rules Rules>
[[nodiscard]] constexpr lane_mask lanes_of(warp_access const& a) {
  phase_table const& table = Rules::phases(a);
  lane_mask all = 0;
  for (int p = 0; p < table.phases; ++p) all |= table.lanes[p];
  return all;
}

//! The addresses of a warp's active lanes.
struct lane_addresses {
  lane_mask active = 0;
  index bits = 0;  //!< of all the addresses
  index address[max_lanes] = {};
  constexpr index operator()(int t) const { return address[t]; }
};

//! True if one of some addresses, whose bits are or-ed, is negative or is one that no GPU accepts
//! for this width.
[[nodiscard]] constexpr bool is_refused(warp_access const& a, index bits) {
  return bits < 0 || (bits & (a.bytes - 1)) != 0;
}
//! Refuses addresses as require_aligned.
constexpr void require_aligned(warp_access const& a, lane_addresses const& addresses) {
  if (is_refused(a, addresses.bits))
    for_each_lane(addresses.active, [&](int t) { require_aligned(a, addresses(t)); });
}

//! The active lanes that have an address in a list, which may be shorter than a warp. Refuses
//! addresses as require_aligned.
constexpr lane_mask checked_lanes(warp_access const& a, int lanes, address_view addresses,
                                  lane_mask active) {
  if (addresses.size() > static_cast<mmm::detail::size_type>(lanes))
    mmm::detail::reject("the number of a warp's addresses", static_cast<index>(addresses.size()),
                        "the lanes of a warp, or fewer");
  active &= all_lanes(static_cast<int>(addresses.size()));
  index bits = 0;
  for_each_lane(active, [&](int t) { bits |= addresses[t]; });
  if (is_refused(a, bits)) for_each_lane(active, [&](int t) { require_aligned(a, addresses[t]); });
  return active;
}

//! Refuses matrix accesses: they access shared memory only.
constexpr void require_lanewise(warp_access const& a) {
  if (a.of_matrices())
    mmm::detail::reject("the matrices of an access to global memory", a.matrices, "none");
}

}  // namespace detail

//! The request of one warp to shared memory, phase by phase.
//!
//! \param a the access, as load<16>. \param addresses bytes from the start of shared memory, lane
//! by lane; missing lanes are inactive. \param active the lanes that take part; the addresses of
//! others are ignored. std::invalid_argument (a compile error in a constant expression) for
//! an address that is negative or no multiple of the access's bytes, and for more addresses than
//! lanes. Time: O(lanes) without conflicts, O(lanes^2) at most.
template <bank_rules Rules = nvidia>
[[nodiscard]] constexpr shared_request explain_shared(warp_access const& a, address_view addresses,
                                                      lane_mask active = ~lane_mask{0}) {
  active = detail::checked_lanes(a, Rules::lanes, addresses, active & detail::lanes_of<Rules>(a));
  return detail::explain_shared<Rules>(a, [&](int t) { return addresses[t]; }, active);
}

//! Figures that a profiler counts for the request of one warp to shared memory; parameters, errors
//! and time as explain_shared.
template <bank_rules Rules = nvidia>
[[nodiscard]] constexpr shared_cost shared_request_cost(warp_access const& a,
                                                        address_view addresses,
                                                        lane_mask active = ~lane_mask{0}) {
  active = detail::checked_lanes(a, Rules::lanes, addresses, active & detail::lanes_of<Rules>(a));
  return detail::count_shared<Rules>(a, [&](int t) { return addresses[t]; }, active);
}

//! Figures that a profiler counts for the request of one warp to global memory (NVIDIA, compute
//! capability 6.0 and later): the aligned sectors of 32 bytes and lines of 128 bytes that the
//! active lanes touch, whatever their order (CUDA C++ Best Practices Guide, 9.2.1). Parameters,
//! errors and time as explain_shared.
template <bank_rules Rules = nvidia>
[[nodiscard]] constexpr global_cost global_request_cost(warp_access const& a,
                                                        address_view addresses,
                                                        lane_mask active = ~lane_mask{0}) {
  detail::require_lanewise(a);
  active = detail::checked_lanes(a, Rules::lanes, addresses, active);
  return detail::count_global([&](int t) { return addresses[t]; }, active);
}

}  // namespace mmm::gpu
