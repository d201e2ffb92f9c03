// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

//! A kernel's body run on the host by simulated threads: every access counted for its line, races
//! and uninitialized reads found: docs/trace-a-kernel.md. Not part of <mmm/mmm.hpp>.

#include <mmm/report/kernel_trace_text.hpp>
#include <mmm/trace/kernel_trace.hpp>
#include <mmm/trace/pointer.hpp>
#include <mmm/trace/thread.hpp>
#include <mmm/trace/trace.hpp>
