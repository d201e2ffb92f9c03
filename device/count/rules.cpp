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
  for (; active != 0; active &= active - 1) {
    int const t = std::countr_zero(active);
    separate[t] =
        static_cast<std::uint64_t>(mmm::gpu::separate_word(static_cast<index>(address[t]), t));
  }
}

request_figures shared_request(bank_policy policy, access_kind kind, int bytes, int matrices,
                               std::uint64_t const* address, lane_mask active) {
  mmm::gpu::warp_access const a = access_of(kind, bytes, matrices);
  lane_addresses const lane_address{address};
  return policy == bank_policy::nvidia
             ? mmm::gpu::shared_figures<mmm::gpu::nvidia>(kind, a, lane_address, active)
             : mmm::gpu::shared_figures<mmm::gpu::nvidia_merging>(kind, a, lane_address, active);
}

request_figures global_request(access_kind kind, int bytes, std::uint64_t const* address,
                               lane_mask active) {
  return mmm::gpu::global_figures(kind, bytes, lane_addresses{address}, active);
}

request_figures local_request(int bytes, std::uint64_t const* address, lane_mask active) {
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
  index const words = bytes <= 4 ? 1 : bytes / 4;
  index const asked = index{std::popcount(active)} * bytes;
  return {1, cost.sectors * words, (asked + mmm::gpu::sector_bytes - 1) / mmm::gpu::sector_bytes,
          cost.lines * words, 0};
}

}  // namespace device::count
