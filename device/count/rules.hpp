// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/gpu/access.hpp>
#include <mmm/gpu/atomic.hpp>
#include <mmm/gpu/devices.hpp>
#include <mmm/gpu/request.hpp>
#include <mmm/gpu/rules.hpp>

#include <device/count/figures.hpp>

#include <cstdint>
#include <string_view>

//! The cost of a request by the library's rules (<mmm/gpu.hpp>), and of local memory, which the
//! library does not have.
namespace device::count {

//! The rules for requests to shared memory: mmm::gpu::nvidia, or mmm::gpu::nvidia_merging.
enum class bank_policy : std::uint8_t { nvidia, nvidia_merging };

//! The policy of a GPU of this compute capability (major * 10 + minor): merging where it was
//! measured, 7.0 to 8.0.
[[nodiscard]] constexpr bank_policy policy_of(int compute_capability) {
  return mmm::gpu::merges_by_measurement(compute_capability) ? bank_policy::nvidia_merging
                                                             : bank_policy::nvidia;
}
//! "nvidia", "nvidia_merging": the names that the library has.
[[nodiscard]] std::string_view name_of(bank_policy);

//! The access as the library calls it. `matrices` is 0 or, of ldmatrix and stmatrix, 1, 2 or 4. An
//! atomic stands for a store: no rule merges its phases.
[[nodiscard]] mmm::gpu::warp_access access_of(access_kind, int bytes, int matrices);

//! The addresses that stand for an atomic's on shared memory (mmm::gpu::separate_word).
void separate_words(std::uint64_t const* address, lane_mask active, std::uint64_t* separate);

//! One request each; `active` must not be 0. Addresses are aligned to the bytes of a lane, 1 to 16
//! (global: to 32).
[[nodiscard]] request_figures shared_request(bank_policy, access_kind, int bytes, int matrices,
                                             std::uint64_t const* address, lane_mask active);
[[nodiscard]] request_figures global_request(access_kind, int bytes, std::uint64_t const* address,
                                             lane_mask active);
//! Addresses are offsets in each thread's own local memory.
[[nodiscard]] request_figures local_request(int bytes, std::uint64_t const* address,
                                            lane_mask active);

}  // namespace device::count
