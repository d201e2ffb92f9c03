// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/decode/operation.hpp>
#include <device/execute/launch.hpp>
#include <device/execute/observer.hpp>

#include <algorithm>
#include <array>
#include <cstdint>

namespace device::count {

//! The cost of requests to one memory; README.md says how each figure is found.
struct access_figures {
  std::uint64_t requests = 0;  //!< warp-wide instructions with an active lane
  //! wavefronts of shared memory; sectors of 32 bytes of global and local memory
  std::uint64_t transfers = 0;
  std::uint64_t ideal = 0;       //!< the fewest transfers that such requests can take
  std::uint64_t lines = 0;       //!< of global memory: lines of 128 bytes
  std::uint64_t serialized = 0;  //!< of atomics: the most lanes at one address, of each request

  //! Transfers that another arrangement of the data would save.
  [[nodiscard]] constexpr std::uint64_t excess() const {
    return transfers - std::min(ideal, transfers);
  }
  constexpr access_figures& operator+=(access_figures const& other) {
    requests += other.requests;
    transfers += other.transfers;
    ideal += other.ideal;
    lines += other.lines;
    serialized += other.serialized;
    return *this;
  }
  friend constexpr bool operator==(access_figures const&, access_figures const&) = default;
};

//! One request that was seen, for pictures and messages.
struct costed_request {
  access_figures cost{};  //!< of this request alone; no requests: none was seen
  std::array<std::uint64_t, lanes> address{};
  lane_mask active = 0;
  int bytes = 0;            //!< of each lane
  int matrices = 0;         //!< of ldmatrix and stmatrix; 0 of other accesses
  std::uint64_t block = 0;  //!< its number in the grid
  dim3 block_index{0, 0, 0};
  std::uint32_t warp = 0;

  [[nodiscard]] bool any() const { return cost.requests != 0; }
  //! The worse request comes first; of equals, the first block's first warp, so that the number of
  //! workers does not matter.
  [[nodiscard]] bool worse_than(costed_request const& other) const {
    if (!other.any() || !any()) return any();
    std::uint64_t const mine = badness(cost);
    std::uint64_t const others = badness(other.cost);
    if (mine != others) return mine > others;
    return block != other.block ? block < other.block : warp < other.warp;
  }
  [[nodiscard]] static std::uint64_t badness(access_figures const& f) {
    return f.excess() + f.serialized - (f.serialized > 0);
  }
};

//! The requests of one operation to one memory.
struct operation_accesses {
  std::uint32_t operation = 0;  //!< operation::index in its program
  space where = space::global;  //!< global, shared or local
  access_kind kind = access_kind::read;
  access_figures sum{};
  costed_request worst{};

  void operator+=(operation_accesses const& other) {
    sum += other.sum;
    if (other.worst.worse_than(worst)) worst = other.worst;
  }
};

}  // namespace device::count
