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

//! The maker of an access that its thread does not wait for; none: the thread itself.
enum class asynchronous : std::uint8_t {
  none,
  copy,     //!< cp.async
  bulk,     //!< cp.async.bulk, with tensor maps or without
  multiply  //!< wgmma.mma_async
};

//! How the addresses of a request's active lanes follow each other.
enum class lane_pattern : std::uint8_t {
  any,          //!< not known
  consecutive,  //!< all lanes are active, and each one's bytes follow those of the lane before
  strided,      //!< all lanes are active, each as far behind the lane before; neither of the others
  uniform       //!< they are equal
};

//! One request of a warp to one memory.
struct memory_access {
  block* of_block;
  warp* of_warp;
  operation const* op;
  access_kind kind;
  device::space where;  //!< global, shared or local
  int bytes;            //!< of each lane, all elements of a vector together
  lane_mask active;
  //! of 32 lanes; in global memory the address, in shared memory the offset in the block's, in
  //! local memory the offset in the thread's
  std::uint64_t const* address;
  strength order;
  device::scope reach;
  bool changes = true;  //!< for an atomic: it changed memory in some lane
  //! the bytes that a store writes, those of lane t at values + t * bytes; null if not known. Lanes
  //! that write the same value to one place are no race.
  std::byte const* values = nullptr;
  //! the block whose shared memory it is; null: of_block's
  block* owner = nullptr;
  asynchronous by = asynchronous::none;
  //! not negative: the addresses are all parts of this lane's copy
  int issuer = -1;
  //! false: no request to count, as another access of the instruction stands for it
  bool counted = true;
  lane_pattern pattern = lane_pattern::any;
  //! [begin, end): the bytes that the active lanes reach, with those between; both 0: not known
  std::uint64_t begin = 0, end = 0;
};

//! Is notified of accesses, barriers and exits of warps. Every call comes from the host thread that
//! executes the warp; with several, each has observers of its own (launch::workers), merged at the
//! end.
class observer {
 public:
  virtual ~observer() = default;
  virtual void begin(launch const&) {}
  virtual void end(launch const&) {}
  virtual void begin(block&) {}
  virtual void end(block&) {}
  //! Called before the access, after its lanes' addresses were found valid.
  virtual void access(memory_access const&) {}
  //! Called before each operation of a warp with warp::followed; `active`: the lanes for which its
  //! guard holds, or none. A warp-wide instruction is announced once more when its lanes have come
  //! together (`together`).
  virtual void executes(warp&, operation const&, lane_mask /*active*/, bool /*together*/) {}
  //! A warp-wide instruction (bar.warp.sync, shfl.sync, …) has synchronised its lanes. `memory`:
  //! they see each other's accesses afterwards, which only bar.warp.sync provides.
  virtual void warp_sync(warp&, lane_mask /*members*/, bool /*memory*/) {}
  //! Lanes of a warp arrive at a barrier of the block.
  virtual void barrier_arrive(warp&, operation const&, int /*barrier*/, lane_mask) {}
  //! All threads that a barrier waits for have arrived.
  virtual void barrier_complete(block&, int /*barrier*/) {}
  //! The lanes' asynchronous accesses since the last call are a group, of which they wait later.
  virtual void commit(warp&, asynchronous, lane_mask) {}
  //! All groups of the lanes are complete, but the `pending` newest ones.
  virtual void wait(warp&, asynchronous, lane_mask, std::uint64_t /*pending*/) {}
  //! fence.proxy.async: what the active lanes know of is visible to asynchronous accesses.
  virtual void proxy_fence(warp&) {}
  //! Lanes of a warp arrive at the barrier of the cluster. `releases`: those that wait see all that
  //! the lanes did; otherwise (.relaxed) what they fenced.
  virtual void cluster_arrive(warp&, lane_mask, bool /*releases*/) {}
  //! Lanes of a warp go on after all threads of the cluster have arrived at its barrier.
  virtual void cluster_wait(warp&, lane_mask) {}
  //! The active lanes execute a fence or membar.
  virtual void fence(warp&, operation const&, strength, device::scope) {}
  //! The active lanes execute griddepcontrol: wait, or launch_dependents.
  virtual void grid_control(warp&, bool /*waits*/) {}
  //! A lane launches a kernel (launch_origin::number), which will know what the lane knows.
  virtual void launches(warp&, int /*lane*/, std::uint64_t /*number*/) {}
  //! Lanes exit.
  virtual void exit(warp&, lane_mask) {}
};

}  // namespace device
