// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/execute/warp.hpp>

//! The lanes of a warp that execute together, how they part and meet again.
//!
//! A branch that lanes take differently makes two groups. They meet at the branch's immediate
//! post-dominator, where the first to come waits; a call's lanes meet when they return. A group
//! that waits for others (at a warp-wide instruction, at a barrier) lets the other groups of its
//! warp run, so that lanes may wait for each other.
namespace device {

//! Makes lanes ready to begin a kernel. Its frame is new; local memory has room for it.
void start_warp(warp&, program const& kernel, lane_mask present);

//! Puts a frame's registers where handlers look.
void enter_frame(warp&, frame*);
[[nodiscard]] frame* new_frame(warp&, program const&, frame* caller);

//! Makes a ready group the current one; the longest waiting first. False if there is none.
[[nodiscard]] bool pick_group(warp&);
//! The current group stops to be current; another one is to be picked.
void park_current(warp&, lane_group::state_type, std::uint32_t pc, lane_mask arriving);
//! The current group gives way to others that are ready, if there are any.
void rotate_groups(warp&);
//! Adds a ready group; one at the same place with the same meeting takes it in.
void add_ready(warp&, lane_group);

//! Lanes `taken` of the current group go on at `target`, the others at `other`; they meet at
//! `reconverge`.
void part(warp&, lane_mask taken, std::uint32_t target, std::uint32_t other,
          std::uint32_t reconverge);
//! The current group has come to where it meets others.
void meet(warp&);
//! The lanes of the current group, `callers`, enter a frame whose arguments are there; they meet
//! when they return.
void enter_call(warp&, frame*, lane_mask callers);
//! Lanes of the current group return from a device function, or end if it is a kernel.
void return_lanes(warp&, lane_mask);
//! Lanes of the current group end.
void end_lanes(warp&, lane_mask);
//! The lanes that wait at one of the warp's meetings go on without those that have not come.
//! Returns the meeting as it was: `arrived` are those lanes, none if no lanes wait.
[[nodiscard]] reconvergence_point release_waiting(warp&);

//! The operation at which the current group meets others: an operation, or ptx::none.
[[nodiscard]] inline std::uint32_t reconvergence_pc(warp const& w) {
  return w.until != nullptr && !w.until->of_call ? w.until->pc : ptx::none;
}

}  // namespace device
