// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Networks of GPUs: their figures in time units, by hand.
#include <mmm/cluster.hpp>
#include <mmm/gpu/devices.hpp>
#include <mmm/gpu/networks.hpp>

#include "catch.hpp"

#include <stdexcept>
#include <string>

namespace {

using mmm::gap;
using mmm::index;
using namespace mmm::gpu::networks;
using mmm::gpu::cluster_of;

template <class GPU, class Network>
constexpr bool has(gap const& g, index latency) {
  constexpr cluster_of<GPU, Network, 8> m;
  static_assert(m.nodes() == 8 && m.message_overhead() == 0);
  return m.network_gap() == g && m.network_latency() == latency;
}

// Data sheets, each direction: 900/2 GB/s; 64 GB/s times 128/130; 400 Gbit/s.
static_assert(nvlink_4::facts.bandwidth_mb == 900000 / 2);
static_assert(pcie_5::facts.bandwidth_mb == 63015);  // 63015.38…
static_assert(infiniband_ndr::facts.bandwidth_mb == 400000 / 8);

// 1980 MHz: a word of 4 bytes is 4/450000 of a microsecond, 7920/450000 = 11/625 time units.
static_assert(has<mmm::gpu::h100, nvlink_4>(gap(11, 625), 1188));
static_assert(has<mmm::gpu::h200, nvlink_4>(gap(11, 625), 1188));
static_assert(has<mmm::gpu::h100, pcie_5>(gap(528, 4201), 1980));
static_assert(has<mmm::gpu::h100, infiniband_ndr>(gap(99, 625), 5346));
// 1965 MHz, 1410 MHz, 1530 MHz, of which 0.6 microseconds are 1179, 846 and 918 time units.
static_assert(has<mmm::gpu::b200, nvlink_4>(gap(131, 7500), 1179));
static_assert(has<mmm::gpu::a100, pcie_5>(gap(376, 4201), 1410));
static_assert(has<mmm::gpu::v100, infiniband_ndr>(gap(153, 1250), 4131));

static_assert(mmm::gpu::gap_of(nvlink_4::facts, 1980, 8) == gap(22, 625));
static_assert(mmm::gpu::gap_of({.bandwidth_mb = 1, .latency_ns = 1}, 1000) == gap(4000, 1));
static_assert(mmm::gpu::latency_of({.bandwidth_mb = 1, .latency_ns = 1}, 1980) == 2);
static_assert(mmm::gpu::latency_of({.bandwidth_mb = 1, .latency_ns = 1000}, 1980) == 1980);

// A network's time unit is its GPU's: 450 MB in one direction take a millisecond and the latency.
constexpr index sent = mmm::exchange_time(cluster_of<mmm::gpu::h100, nvlink_4, 2>(), 112500000, 1);
static_assert(sent == 1980000 + 1188);

}  // namespace

TEST_CASE("every network is listed under its name", "[networks]") {
  std::string names;
  for_each_network([&](char const* name, auto const& network) {
    names += std::string(name) + ", ";
    CHECK(std::string(network.name) != "");
    CHECK(network.facts.bandwidth_mb > 0);
    CHECK(network.facts.latency_ns > 0);
  });
  CHECK(names == "nvlink_4, pcie_5, infiniband_ndr, ");
}

TEST_CASE("the number of GPUs may be a value", "[networks]") {
  using any = cluster_of<mmm::gpu::h100, nvlink_4, mmm::dynamic>;
  CHECK(any(3).nodes() == 3);
  CHECK(any(3).network_gap() == gap(11, 625));
  CHECK_THROWS_WITH(any(0), Catch::Matchers::Contains("the number of nodes is 0"));
}

TEST_CASE("a quicker network sums more quickly, and more GPUs do for large sizes", "[networks]") {
  STATIC_REQUIRE(sent == 1981188);
  auto const time = [](auto const& m, index n) {
    return mmm::cost_of(m, mmm::sum, mmm::size(n), mmm::threads(132 * 256 * m.nodes())).time;
  };
  index const large = index{1} << 30;
  index const one = time(cluster_of<mmm::gpu::h100, nvlink_4, 1>(), large);
  index const nvlink = time(cluster_of<mmm::gpu::h100, nvlink_4, 8>(), large);
  index const ndr = time(cluster_of<mmm::gpu::h100, infiniband_ndr, 8>(), large);
  CHECK(nvlink < ndr);
  CHECK(ndr < one);
  CHECK(7 * nvlink < one);
  CHECK(one < 9 * nvlink);
  // 100 words are summed more quickly by one GPU.
  CHECK(time(cluster_of<mmm::gpu::h100, nvlink_4, 1>(), 100) <
        time(cluster_of<mmm::gpu::h100, nvlink_4, 8>(), 100));
}
