// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/machine/access_kind.hpp>

#include <device/decode/operation.hpp>

#include <cstddef>
#include <cstdint>

namespace device {

struct launch;
struct block;
struct warp;

using mmm::access_kind;  // of PTX's load (read), store (write) and atomic (update)

//! One request of a warp to one memory.
struct memory_access {
  block* of_block;
  warp* of_warp;
  operation const* op;
  access_kind kind;
  device::space where;  //!< global, shared or local
  int bytes;            //!< of each lane, all elements of a vector together
  lane_mask active;
  std::uint64_t const*
      //! [32]; global: the address; shared: from the start of the block's shared memory; local:
      //! from the start of the thread's
      address;
  strength order;
  device::scope reach;
  bool changes = true;  //!< of an atomic: whether it changed memory in any lane
  //! Of a store: what lane t writes, at values + t * bytes; null if not said. Lanes that write the
  //! same value to one place are no race.
  std::byte const* values = nullptr;
};

//! Sees what warps do. Every call comes from the thread that executes the warp; with more than one
//! host thread, each has observers of its own (launch_options::workers), merged at the end.
class observer {
 public:
  virtual ~observer() = default;
  virtual void begin(launch const&) {}
  virtual void end(launch const&) {}
  virtual void begin(block&) {}
  virtual void end(block&) {}
  //! Before the access happens, its lanes' addresses having been found valid; `before` of an
  //! atomic, too.
  virtual void access(memory_access const&) {}
  //! Warp-wide synchronisation of lanes (bar.warp.sync, shfl.sync, …): they see each other's
  //! accesses afterwards only for bar.warp.sync; `memory` says so.
  virtual void warp_sync(warp&, lane_mask /*members*/, bool /*memory*/) {}
  //! A warp's lanes arrive at a barrier of the block; then, once for each barrier, it is complete.
  virtual void barrier_arrive(warp&, operation const&, int /*barrier*/, lane_mask) {}
  virtual void barrier_complete(block&, int /*barrier*/) {}
  //! fence, membar: by the active lanes.
  virtual void fence(warp&, operation const&, strength, device::scope) {}
  //! Lanes exit.
  virtual void exit(warp&, lane_mask) {}
};

}  // namespace device
