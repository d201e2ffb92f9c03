// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/execute/warp.hpp>

//! Groups: the lanes of a warp that execute together, how they diverge and reconverge.
//!
//! A branch that lanes take differently makes two groups. They reconverge at the branch's immediate
//! post-dominator, where the first to arrive waits; a call's lanes reconverge when they return. A
//! group that waits for others (at a warp-wide instruction, at a barrier) lets the other groups of
//! its warp run, so that lanes may wait for each other.
namespace device {

//! Makes lanes ready to begin a kernel, with a new frame and room for it in local memory.
void start_warp(warp&, program const& kernel, lane_mask present);

//! Local memory that a thread can have; a GPU has half of it.
inline constexpr std::uint32_t max_local_bytes = 1U << 20;

//! Gives each lane that much local memory, if it has less; max_local_bytes at most.
void ensure_local(warp&, std::uint32_t bytes);

//! Makes a frame the current one: handlers read and write its registers.
void enter_frame(warp&, frame*);
[[nodiscard]] frame* new_frame(warp&, program const&, frame* caller);

//! Makes the ready group that has waited longest the current one. False if no group is ready.
[[nodiscard]] bool pick_group(warp&);
//! Stores the current group with the others of its warp: it waits at that instruction. The caller
//! has to pick another one.
lane_group& park_current(warp&, operation const&, lane_group::state_type, std::uint32_t pc,
                         lane_mask arriving);
//! Puts the current group behind the other ready ones, if there are any. The caller picks the next.
void rotate_groups(warp&);
//! Adds a ready group, or its lanes to a ready group with the same place and reconvergence point.
void add_ready(warp&, lane_group);
//! Lanes `leaving`, a part of those that are executed, go on at `pc` as a group of their own.
void split_off(warp&, lane_mask leaving, std::uint32_t pc);

//! Lanes `taken` of the current group continue at `target`, the others at `other`; they reconverge
//! at operation `reconverge`.
void diverge(warp&, lane_mask taken, std::uint32_t target, std::uint32_t other,
             std::uint32_t reconverge);
//! The current group has arrived at its reconvergence point.
void reconverge_group(warp&);
//! Lanes `callers` of the current group enter a frame, whose arguments have been copied; they
//! reconverge when they return.
void enter_call(warp&, frame*, lane_mask callers);
//! Lanes of the current group return from a device function, or end if it is a kernel.
void return_lanes(warp&, lane_mask);
//! Lanes of the current group end.
void end_lanes(warp&, lane_mask);
//! The lanes that wait at one of the warp's reconvergence points continue without those that have
//! not arrived. Returns the point as it was before: its `arrived` are the lanes that waited, none
//! if no point had any.
[[nodiscard]] reconvergence_point release_waiting(warp&);

//! The operation at which the current group reconverges with others; ptx::none if there is none.
[[nodiscard]] inline std::uint32_t reconvergence_pc(warp const& w) {
  return w.until != nullptr && !w.until->of_call ? w.until->pc : ptx::none;
}

}  // namespace device
