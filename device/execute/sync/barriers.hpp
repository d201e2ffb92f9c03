// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/core/finding.hpp>
#include <device/execute/launch.hpp>

#include <string>

namespace device {

//! Completes every barrier of the block at which all remaining threads have arrived, after threads
//! of a warp have ended.
void finish_barriers(warp const& ended_in);

//! A finding if a part of a warp's threads waits at a barrier that all of them must reach together.
void report_partial_barriers(warp const&);

//! True if an operation that reaches a barrier waits for nobody: bar.arrive, as barriers.cpp
//! numbers it.
[[nodiscard]] inline bool only_arrives(operation const& op) { return (op.flags & 7) == 1; }

//! A message that names the instructions at which the threads of a deadlocked block wait.
[[nodiscard]] std::string waiting_text(block const&);

//! "the mbarrier at offset 64 of shared memory, …" of a lane that waits at an operation of the
//! current frame, with what has come and what has not; empty if the operation waits at none.
[[nodiscard]] std::string mbarrier_text(warp const&, operation const&, int lane);

//! "thread (x, y, z) of block (x, y, z)", for messages.
[[nodiscard]] std::string thread_text(block const&, warp const&, int lane);

//! Reports a finding at an operation of a warp's current program, through launch::report.
void report_finding(warp const&, operation const&, check_kind, std::string message);
//! Reports a finding at an operation of a frame's program.
void report_finding(block const&, frame const&, operation const&, check_kind, std::string message);

}  // namespace device
