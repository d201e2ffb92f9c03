// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/machine/memory_space.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

//! The stages of a parallel-for's requests in a simulation.
namespace mmm::detail {

//! The requests of one parallel-for on one DMM:
//! `stages[(chunk * warps + warp) * accesses + access]`.
template <int W>
struct step_record {
  using stage_count = std::conditional_t<(W < 4096), std::uint16_t, std::uint32_t>;  // 8 W at most
  index chunks = 0;
  index warps = 0;                    //!< warps in every chunk but the last
  index last_warps = 0;               //!< warps in the last chunk, the first ones
  std::vector<memory_space> space{};  //!< memory of every access of the body
  std::vector<stage_count> stages{};
  std::vector<index> sums{};  //!< after sum_up: over the warps, `sums[chunk * accesses + access]`
  bool shared_only = false;   //!< after sum_up: every access is to the shared memory
  bool global_only = false;   //!< after sum_up: every access is to the global memory
  bool no_empty = false;      //!< after sum_up: every request has a stage
  //! requests to peers: their stages at each of the `cluster` DMMs of the cluster, in the order of
  //! `stages`; `peer_sums` are those over the warps of a chunk
  index cluster = 0;
  bool cluster_waits = false;  //!< a barrier of the DMM's cluster follows
  std::vector<stage_count> peer_stages{};
  std::vector<index> peer_sums{};

  //! Computes the sums that the accounts need, so that the DMMs do so in parallel.
  void sum_up() {
    index const accesses_here = accesses();
    sums.assign(static_cast<std::size_t>(chunks * accesses_here), 0);
    index* sum = sums.data();
    for (index c = 0; c < chunks; ++c, sum += accesses_here) {
      auto const* of_warp = chunk_stages(c);
      for (index j = 0; j < warps_in(c); ++j, of_warp += accesses_here)
        for (index a = 0; a < accesses_here; ++a) sum[a] += of_warp[a];
    }
    if (cluster != 0) sum_up_peers();
    int empty = 0;
    for (stage_count const s : stages) empty |= s == 0 ? 1 : 0;
    no_empty = empty == 0;
    shared_only = global_only = true;
    for (memory_space const s : space) {
      shared_only &= s == memory_space::shared;
      global_only &= s == memory_space::global;
    }
  }
  //! The number of the body's accesses to peers among its first ones.
  [[nodiscard]] index peers_among(index first_accesses) const {
    index count = 0;
    for (index a = 0; a < first_accesses; ++a)
      count += space[static_cast<std::size_t>(a)] == memory_space::peer ? 1 : 0;
    return count;
  }
  //! The stages of a warp's access to peers, number `peer` of them, at the DMM of rank 0, 1, ….
  [[nodiscard]] stage_count const* stages_at_peers(index chunk, index warp, index peer) const {
    return peer_stages.data() + ((chunk * warps + warp) * peers_among(accesses()) + peer) * cluster;
  }

  void sum_up_peers() {
    index const peers = peers_among(accesses());
    peer_sums.assign(static_cast<std::size_t>(chunks * peers * cluster), 0);
    index* sum = peer_sums.data();
    for (index c = 0; c < chunks; ++c, sum += peers * cluster)
      for (index j = 0; j < warps_in(c); ++j)
        for (index k = 0; k < peers * cluster; ++k) sum[k] += stages_at_peers(c, j, 0)[k];
  }

  [[nodiscard]] index accesses() const { return static_cast<index>(space.size()); }
  [[nodiscard]] index warps_in(index chunk) const {
    return chunk == chunks - 1 ? last_warps : warps;
  }
  [[nodiscard]] stage_count const* chunk_stages(index chunk) const {
    return stages.data() + chunk * warps * accesses();
  }
};

}  // namespace mmm::detail
