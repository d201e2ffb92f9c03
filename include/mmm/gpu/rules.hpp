// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/lane_set.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/gpu/access.hpp>

//! Rules by which real GPUs serve a warp's request to shared memory: in phases, and in each phase
//! one word per bank at a time.
//!
//! The phases are tables, not formulas: on some GPUs the lanes of a phase are not consecutive.
namespace mmm::gpu {

//! A set of lanes, lane t as bit t.
using lane_mask = mmm::detail::lane_word;
//! The lanes of the widest warp.
inline constexpr int max_lanes = 64;
//! All lanes of a warp of `lanes` lanes.
[[nodiscard]] constexpr lane_mask all_lanes(int lanes) { return mmm::detail::lowest_lanes(lanes); }

//! The phases of a request: sets of lanes that are served together.
struct phase_table {
  static constexpr int max_phases = 8;
  int phases = 0;
  lane_mask lanes[max_phases] = {};  //!< of each phase; a lane in none gives no address
};

//! `phases` phases of `lanes` consecutive lanes each.
[[nodiscard]] constexpr phase_table consecutive_phases(int phases, int lanes) {
  phase_table table;
  table.phases = phases;
  for (int p = 0; p < phases; ++p) table.lanes[p] = all_lanes(lanes) << (p * lanes);
  return table;
}

//! **Concept: bank rules.** How a GPU's shared memory serves the request of a warp.
//!
//! Minimal definition: `lanes` of a warp; `banks`, of 4 bytes each; `phases(access)`;
//! `merges_pairs(access)`.
//! Laws:
//! - no lane is in two phases;
//! - a phase costs as many wavefronts as some bank is asked for different words by the phase's
//!   active lanes;
//! - a request costs the sum over its phases, and a phase without an active lane costs nothing;
//! - where `merges_pairs`, two consecutive phases are one if every active lane has the same address
//!   as its neighbour `lane ^ 1`, or every one the same as `lane ^ 2`, where that is active.
//! Models: nvidia, nvidia_merging, amd_cdna3, amd_cdna4, amd_rdna3, amd_rdna4.
template <class R>
concept bank_rules = requires(warp_access a) {
  { R::lanes } -> mmm::detail::convertible_to<int>;
  { R::banks } -> mmm::detail::convertible_to<int>;
  { R::phases(a) } -> mmm::detail::convertible_to<phase_table>;
  { R::merges_pairs(a) } -> mmm::detail::same_as<bool>;
};

//! NVIDIA GPUs of compute capability 5.x to 9.x; assumed of 10.x and 12.x.
//!
//! 32 banks of 4 bytes: CUDA C++ Programming Guide, "Shared Memory" of compute capability 5.x. Up
//! to 4 bytes per lane in one phase; 8 bytes in two half-warps, 16 in four quarter-warps (CUTLASS,
//! implicit_gemm_convolution.md: a quarter-warp per phase; nvFuser, getPhaseSize; LDS.128 ideal 4
//! and worst 32 wavefronts, developer forum 359822). A matrix of ldmatrix or stmatrix is a phase of
//! the 8 lanes that give its rows (LeetCUDA's counters on compute capability 8.9).
struct nvidia {
  static constexpr int lanes = 32;
  static constexpr int banks = 32;
  static constexpr phase_table whole = consecutive_phases(1, 32);
  static constexpr phase_table halves = consecutive_phases(2, 16);
  static constexpr phase_table quarters = consecutive_phases(4, 8);
  static constexpr phase_table matrix = consecutive_phases(1, 8);
  static constexpr phase_table two_matrices = consecutive_phases(2, 8);
  [[nodiscard]] static constexpr phase_table const& phases(warp_access const& a) {
    if (a.of_matrices())
      return a.matrices == 1 ? matrix : a.matrices == 2 ? two_matrices : quarters;
    return a.bytes <= 4 ? whole : a.bytes == 8 ? halves : quarters;
  }
  [[nodiscard]] static constexpr bool merges_pairs(warp_access const&) { return false; }
};

//! The rules of nvidia, except that loads of 8 and 16 bytes are merged if pairs of lanes share
//! addresses: 8 bytes then take one phase and 16 take two, never one.
//!
//! Stated by NVIDIA for compute capability 7.0 to 7.5 (developer forum 77228), measured on A100
//! and, in part, Maxwell; on an H100 for loads, which merge so, and stores, which never merge
//! (docs/gpu-results.md). Not measured on 8.6, 8.9, 10.x and 12.x: hence it is not the default.
struct nvidia_merging : nvidia {
  [[nodiscard]] static constexpr bool merges_pairs(warp_access const& a) {
    return a.kind == instruction::load && a.bytes > 4;
  }
};

//! True for the GPUs whose requests the tools count by nvidia_merging, from 7.0 to 8.0, by their
//! compute capability, major * 10 + minor. Loads merge on 9.0, too (docs/gpu-results.md), which
//! predicted times include; there the tools count by nvidia, the figure of an assertion.
[[nodiscard]] constexpr bool merges_by_measurement(index compute_capability) {
  return compute_capability >= 70 && compute_capability <= 80;
}

//! An access served by rules other than mmm::gpu::nvidia, where an assertion takes an access:
//! `served_by<amd_cdna3, load<16>>`.
template <bank_rules Rules, static_access A>
struct served_by : A {
  using rules = Rules;
};

namespace detail {
//! The rules by which an access is served: those that it names, otherwise nvidia.
template <static_access A>
struct rules_of_access {
  using type = nvidia;
};
template <static_access A>
requires requires { typename A::rules; }
struct rules_of_access<A> {
  using type = typename A::rules;
};
template <static_access A>
using rules_of = typename rules_of_access<A>::type;

//! Refuses matrix accesses: only NVIDIA GPUs have them.
constexpr void reject_matrices(warp_access const& a) {
  if (a.of_matrices())
    mmm::detail::reject("the matrices of an access on an AMD GPU", a.matrices, "none");
}
//! Groups of four lanes, each of which begins at one of some first lanes.
template <class... First>
[[nodiscard]] constexpr lane_mask fours(First... first) {
  return ((lane_mask{0xF} << first) | ...);
}
}  // namespace detail

//! AMD CDNA3 (gfx942): 64 lanes, 32 banks. The phases of 16-byte loads are those of Triton's
//! SwizzleTest and of the ROCm article on bank conflicts; 16-byte stores take 8 consecutive
//! lanes (Composable Kernel, "LDS bank conflicts"); narrower ones as many consecutive lanes as the
//! banks serve.
struct amd_cdna3 {
  static constexpr int lanes = 64;
  static constexpr int banks = 32;
  [[nodiscard]] static constexpr phase_table phases(warp_access const& a) {
    detail::reject_matrices(a);
    if (a.bytes <= 4) return consecutive_phases(2, 32);
    if (a.bytes == 8) return consecutive_phases(4, 16);
    if (a.writes()) return consecutive_phases(8, 8);
    using detail::fours;
    return {8,
            {fours(0, 20), fours(4, 16), fours(8, 28), fours(12, 24),  //
             fours(32, 52), fours(36, 48), fours(40, 60), fours(44, 56)}};
  }
  [[nodiscard]] static constexpr bool merges_pairs(warp_access const&) { return false; }
};

//! AMD CDNA4 (gfx950): 64 lanes, 64 banks. The phases of 16-byte loads are those of Triton's
//! SwizzleTest; stores are assumed to have phases of 16 consecutive lanes, as on CDNA3.
struct amd_cdna4 {
  static constexpr int lanes = 64;
  static constexpr int banks = 64;
  [[nodiscard]] static constexpr phase_table phases(warp_access const& a) {
    detail::reject_matrices(a);
    if (a.bytes <= 4) return consecutive_phases(1, 64);
    if (a.bytes == 8) return consecutive_phases(2, 32);
    if (a.writes()) return consecutive_phases(4, 16);
    using detail::fours;
    return {
        4,
        {fours(0, 12, 20, 24), fours(4, 8, 16, 28), fours(32, 44, 52, 56), fours(36, 40, 48, 60)}};
  }
  [[nodiscard]] static constexpr bool merges_pairs(warp_access const&) { return false; }
};

//! AMD RDNA4 (gfx12), waves of 32 lanes. 32 banks: those of a pair of SIMDs (ISA guide, 12.1), so
//! in CU mode; assumed in WGP mode, too. 16-byte loads take 8 consecutive lanes (an engineer of AMD
//! in Triton's pull request 11365); stores and 8-byte accesses are assumed to be as on CDNA3.
struct amd_rdna4 {
  static constexpr int lanes = 32;
  static constexpr int banks = 32;
  [[nodiscard]] static constexpr phase_table phases(warp_access const& a) {
    detail::reject_matrices(a);
    return a.bytes <= 4 ? consecutive_phases(1, 32)
                        : consecutive_phases(a.bytes / 4, 128 / a.bytes);
  }
  [[nodiscard]] static constexpr bool merges_pairs(warp_access const&) { return false; }
};

//! AMD RDNA3 (gfx11), as RDNA4, but the phases of 16-byte loads are those of CDNA3's lower 32 lanes
//! (Triton, getSharedLdStTiles).
struct amd_rdna3 : amd_rdna4 {
  [[nodiscard]] static constexpr phase_table phases(warp_access const& a) {
    if (a.bytes < 16 || a.writes() || a.of_matrices()) return amd_rdna4::phases(a);
    using detail::fours;
    return {4, {fours(0, 20), fours(4, 16), fours(8, 28), fours(12, 24)}};
  }
};

}  // namespace mmm::gpu
