// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

//! A kernel's body run on the host by simulated threads: every access counted for its line, races
//! and uninitialized reads found: docs/trace-a-kernel.md. Not part of <mmm/mmm.hpp>.

#include <mmm/report/kernel_trace_text.hpp>
#include <mmm/traced/kernel_trace.hpp>
#include <mmm/traced/pointer.hpp>
#include <mmm/traced/thread.hpp>
#include <mmm/traced/trace.hpp>
