// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/decode/context.hpp>
#include <device/execute/warp.hpp>

namespace device {

//! Lets groups go on that waited for lanes at a warp-wide instruction which have ended meanwhile.
void finish_warp_syncs(warp&);

//! A finding if lanes of a warp wait at a warp-wide instruction for others that went around it.
void report_absent_members(warp& w, lane_mask gone);

//! bar.warp.sync
void build_warp_barrier(ptx::instruction const&, decode::context&);

}  // namespace device
