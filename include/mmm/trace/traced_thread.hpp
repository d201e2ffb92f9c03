// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/gpu/rules.hpp>
#include <mmm/trace/fiber.hpp>
#include <mmm/trace/lane_flow.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

//! The threads of traced blocks.
namespace mmm::gpu::detail {

//! The exception that ends a waiting thread after the launch has failed: its destructors run,
//! nothing else.
struct thread_cancelled {};

//! The state of a thread.
enum class thread_state : std::uint8_t { ready, at_barrier, at_warp, ended };

//! A thread of a traced block.
struct traced_thread {
  explicit traced_thread(std::size_t stack) : own_fiber(stack) {}

  fiber own_fiber;
  thread_state state = thread_state::ended;
  bool begun = false;
  index number = 0;                 //!< number in its block
  index x = 0, y = 0, z = 0;        //!< index in its block
  std::vector<traced_access> list;  //!< accesses since its warp last synchronized
  lane_mask awaited = 0;            //!< at_warp: lanes that it waits for
  bool orders = false;            //!< at_warp: true for a barrier of the warp, which orders memory
  std::uint32_t waits_at = 0;     //!< place of the barrier
  std::uint32_t syncs = 0;        //!< barriers of its warp in which it took part
  std::size_t shared_arrays = 0;  //!< number of shared arrays that it has requested
  std::byte posted[16] = {};      //!< at_warp: the value for other lanes
  std::byte published[16] = {};   //!< value that it posted at synchronization `last_sync`
  std::uint64_t last_sync = 0;    //!< number of its warp's last synchronization, from 1
};

}  // namespace mmm::gpu::detail
