// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/gpu/atomic.hpp>

#include <device/decode/operation.hpp>
#include <device/execute/launch.hpp>
#include <device/execute/observer.hpp>

#include <array>
#include <cstdint>

namespace device::count {

//! The cost of requests to one memory; of local memory, too, whose transfers are sectors. README.md
//! says how each figure is found.
using mmm::gpu::request_figures;

//! One request that was seen, for pictures and messages.
struct costed_request {
  request_figures cost{};  //!< of this request alone; no requests: none was seen
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
    mmm::index const mine = badness(cost);
    mmm::index const others = badness(other.cost);
    if (mine != others) return mine > others;
    return block != other.block ? block < other.block : warp < other.warp;
  }
  [[nodiscard]] static mmm::index badness(request_figures const& f) {
    return f.excessive() + f.serialized - (f.serialized > 0);
  }
};

//! The requests of one operation to one memory.
struct operation_accesses {
  std::uint32_t operation = 0;  //!< operation::index in its program
  space where = space::global;  //!< global, shared or local
  access_kind kind = access_kind::read;
  request_figures sum{};
  costed_request worst{};

  void operator+=(operation_accesses const& other) {
    sum += other.sum;
    if (other.worst.worse_than(worst)) worst = other.worst;
  }
};

}  // namespace device::count
