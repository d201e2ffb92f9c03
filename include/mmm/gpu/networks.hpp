// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/machine/cluster.hpp>

//! Networks that join GPUs: `mmm::gpu::cluster_of<mmm::gpu::h100, mmm::gpu::networks::nvlink_4, 8>`
//! is a mmm::cluster whose nodes are GPUs as machines.
//!
//! Bandwidths are those of data sheets and standards. Programs reach less: copies between two H100
//! by NVLink 4 were measured at 376 GB/s of 450 in one direction (github.com/NVIDIA/nccl, issue
//! 1264). Latencies are those with which NVIDIA's library of collectives predicts a step of a ring
//! of GPUs, a message with its synchronization (github.com/NVIDIA/nccl, src/graph/tuning.cc at
//! b6475625, `hwLat`, ring, protocol LL): neither data sheets nor the figures of one measurement.
//! Both are for orders of magnitude.
namespace mmm::gpu {

//! The figures of a network, of one GPU.
struct network_facts {
  index bandwidth_mb;  //!< in each direction, 10^6 bytes per second
  index latency_ns;    //!< of a message with its synchronization, nanoseconds
};

namespace networks {

//! NVLink 4 through NVSwitch, inside a server with H100 or H200. 18 links of 25 GB/s in each
//! direction, 900 GB/s in both (NVIDIA H100 Tensor Core GPU Architecture, 2022). Latency: NCCL's,
//! 0.6 microseconds.
struct nvlink_4 {
  static constexpr char const* name = "NVLink 4";
  static constexpr network_facts facts{.bandwidth_mb = 450000, .latency_ns = 600};
};

//! PCI Express 5.0 with 16 lanes: 32 GT/s for each lane and direction, 128 of 130 bits are data
//! (PCI Express Base Specification 5.0, 2019). Latency: NCCL's, 1.0 microseconds.
struct pcie_5 {
  static constexpr char const* name = "PCI Express 5.0 x16";
  static constexpr network_facts facts{.bandwidth_mb = index{32} * 16 * 128 * 1000 / 130 / 8,
                                       .latency_ns = 1000};
};

//! InfiniBand NDR, one port of 400 Gbit/s for each GPU, between servers (NVIDIA ConnectX-7 data
//! sheet). Latency: NCCL's for networks, 2.7 microseconds.
struct infiniband_ndr {
  static constexpr char const* name = "InfiniBand NDR 400 Gbit/s";
  static constexpr network_facts facts{.bandwidth_mb = 50000, .latency_ns = 2700};
};

//! Calls `visit(name, network)` for every network above, with its name in this namespace.
template <class Visit>
constexpr void for_each_network(Visit visit) {
  visit("nvlink_4", nvlink_4{});
  visit("pcie_5", pcie_5{});
  visit("infiniband_ndr", infiniband_ndr{});
}

}  // namespace networks

//! The gap of a network in time units of a GPU, for words of `word_bytes` bytes; in lowest terms.
//! \param clock_mhz time units per microsecond.
[[nodiscard]] constexpr gap gap_of(network_facts const& network, index clock_mhz,
                                   index word_bytes = 4) {
  index const time = mmm::detail::checked_multiply(clock_mhz, word_bytes);
  index const divisor = mmm::detail::gcd(time, network.bandwidth_mb);
  return {time / divisor, network.bandwidth_mb / divisor};
}

//! The latency of a network in time units of a GPU, rounded up.
[[nodiscard]] constexpr index latency_of(network_facts const& network, index clock_mhz) {
  return mmm::detail::ceil_divide(mmm::detail::checked_multiply(network.latency_ns, clock_mhz),
                                  1000);
}

//! K GPUs that a network joins, as a machine; words have 4 bytes, those of the GPU's memories.
//! \tparam GPU a machine with `clock_mhz`: mmm::gpu::h100.
//! \tparam Network one of mmm::gpu::networks, or any type with `facts`.
//! \tparam K number of GPUs, or mmm::dynamic.
template <class GPU, class Network, index K>
using cluster_of = cluster<K, gap_of(Network::facts, GPU::clock_mhz),
                           latency_of(Network::facts, GPU::clock_mhz), GPU>;

}  // namespace mmm::gpu
