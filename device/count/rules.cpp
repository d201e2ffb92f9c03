// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rules.hpp"

#include <bit>

namespace device::count {

namespace {

using mmm::index;

//! The addresses as the library's rules take them: lane -> address.
struct lane_addresses {
  std::uint64_t const* address;
  [[nodiscard]] index operator()(int lane) const { return static_cast<index>(address[lane]); }
};

//! Groups of lanes by address; quicker where all lanes' addresses ascend, as most do.
mmm::gpu::address_groups group(std::uint64_t const* address, lane_mask active) {
  if (active == all_lanes) {
    bool ascending = true;
    for (int t = 1; t < lanes; ++t) ascending &= address[t] > address[t - 1];
    if (ascending) return {lanes, 1};
  }
  return mmm::gpu::group_by_address(lane_addresses{address}, active);
}

template <mmm::gpu::bank_rules Rules>
access_figures shared_by(mmm::gpu::warp_access const& a, std::uint64_t const* address,
                         lane_mask active) {
  mmm::gpu::shared_cost const cost = mmm::gpu::detail::count_shared<Rules>(
      a, lane_addresses{address}, active & mmm::gpu::detail::lanes_of<Rules>(a));
  return {static_cast<std::uint64_t>(cost.requests), static_cast<std::uint64_t>(cost.wavefronts),
          static_cast<std::uint64_t>(cost.ideal), 0, 0};
}

}  // namespace

std::string_view name_of(bank_policy p) {
  return p == bank_policy::nvidia_merging ? "nvidia_merging" : "nvidia";
}

mmm::gpu::warp_access access_of(access_kind kind, int bytes, int matrices) {
  using mmm::gpu::instruction;
  if (matrices != 0)
    return {kind == access_kind::read ? instruction::load_matrix : instruction::store_matrix, 16,
            matrices};
  return {kind == access_kind::read ? instruction::load : instruction::store, bytes, 0};
}

void separate_words(std::uint64_t const* address, lane_mask active, std::uint64_t* separate) {
  constexpr std::uint64_t row = 128;  // bytes: a word of every bank
  for (; active != 0; active &= active - 1) {
    auto const t = static_cast<unsigned>(std::countr_zero(active));
    separate[t] = address[t] % row + t * row;
  }
}

access_figures shared_request(bank_policy policy, access_kind kind, int bytes, int matrices,
                              std::uint64_t const* address, lane_mask active) {
  if (kind == access_kind::update) {
    std::array<std::uint64_t, lanes> separate;
    separate_words(address, active, separate.data());
    access_figures sum =
        shared_request(policy, access_kind::write, bytes, 0, separate.data(), active);
    sum.serialized = static_cast<std::uint64_t>(group(address, active).max_equal);
    return sum;
  }
  mmm::gpu::warp_access const a = access_of(kind, bytes, matrices);
  return policy == bank_policy::nvidia ? shared_by<mmm::gpu::nvidia>(a, address, active)
                                       : shared_by<mmm::gpu::nvidia_merging>(a, address, active);
}

access_figures global_request(access_kind kind, int bytes, std::uint64_t const* address,
                              lane_mask active) {
  mmm::gpu::global_cost const cost =
      mmm::gpu::detail::count_global(lane_addresses{address}, active);
  mmm::gpu::address_groups const groups = group(address, active);
  auto const asked =
      static_cast<std::uint64_t>(groups.distinct) * static_cast<std::uint64_t>(bytes);
  return {static_cast<std::uint64_t>(cost.requests), static_cast<std::uint64_t>(cost.sectors),
          (asked + mmm::gpu::sector_bytes - 1) / mmm::gpu::sector_bytes,
          static_cast<std::uint64_t>(cost.lines),
          kind == access_kind::update ? static_cast<std::uint64_t>(groups.max_equal) : 0};
}

access_figures local_request(int bytes, std::uint64_t const* address, lane_mask active) {
  // Word k of a thread lies beside word k of its neighbours. The words of a wide access are in rows
  // of their own, and since they are aligned, either all or none of them are in the rows of another
  // lane's: the sectors of the first word stand for those of all.
  std::array<std::uint64_t, lanes> place;
  for (lane_mask left = active; left != 0; left &= left - 1) {
    auto const t = static_cast<std::size_t>(std::countr_zero(left));
    place[t] = (address[t] / 4 * lanes + t) * 4 + address[t] % 4;
  }
  mmm::gpu::global_cost const cost =
      mmm::gpu::detail::count_global(lane_addresses{place.data()}, active);
  auto const words = static_cast<std::uint64_t>(bytes <= 4 ? 1 : bytes / 4);
  auto const asked =
      static_cast<std::uint64_t>(std::popcount(active)) * static_cast<std::uint64_t>(bytes);
  return {1, static_cast<std::uint64_t>(cost.sectors) * words,
          (asked + mmm::gpu::sector_bytes - 1) / mmm::gpu::sector_bytes,
          static_cast<std::uint64_t>(cost.lines) * words, 0};
}

}  // namespace device::count
