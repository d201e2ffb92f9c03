// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/gpu/devices.hpp>
#include <mmm/gpu/rules.hpp>
#include <mmm/trace/kernel_trace.hpp>
#include <mmm/trace/location.hpp>
#include <mmm/trace/run.hpp>
#include <mmm/trace/thread.hpp>

#include <concepts>
#include <type_traits>

//! Traces of kernels that run on the host.
namespace mmm::gpu {

//! The trace settings for a GPU: its shared memory, its largest block, its service of wide loads.
template <class Gpu>
[[nodiscard]] constexpr trace_settings trace_settings_of() {
  trace_settings settings;
  settings.merges_pairs = merges_by_measurement(Gpu::facts.compute_capability);
  settings.shared_bytes = Gpu::shared_bytes_per_block;
  settings.threads = Gpu::max_threads_per_block;
  return settings;
}

namespace detail {
template <class Body>
void call_body(void* body, traced_run& run) {
  thread t(run);
  (*static_cast<Body*>(body))(t);
}
}  // namespace detail

//! Runs a kernel's body for every thread of every block of a grid, as the GPU `Gpu` would, and
//! counts the memory requests of its warps, source line by source line.
//!
//! Each thread has its own flow of control: data-dependent loops, `if` and early returns behave as
//! in a kernel. Accesses of a warp's lanes at one place in the source, in the same rounds of the
//! same loops, are one request. A compiler may do better where it keeps values in registers or
//! combines loads.
//! Blocks run one after the other: a kernel whose blocks wait for later ones does not end.
//!
//! \param grid number of blocks. \param block number of threads in each. \param body called as
//! `body(thread&)`; it uses arrays of mmm::gpu::global and thread::shared. Its writes to them
//! remain.
//! \param settings limits of a block, and the errors to look for.
//! Errors: std::invalid_argument for sizes that no GPU has; std::runtime_error, with line, thread
//! and block, for accesses outside an array, misaligned ones, too much shared memory, threads that
//! wait for each other, and endless loops; exceptions of the body.
//! Time: proportional to the accesses, and to threads times barriers.
template <class Gpu, class Body>
requires std::invocable<Body&, thread&>
kernel_trace trace_grid(dim grid, dim block, Body&& body,
                        trace_settings const& settings = trace_settings_of<Gpu>(),
                        location site = location::current()) {
  using body_type = std::remove_reference_t<Body>;
  detail::traced_run run(settings, site.file_name(), grid, block, &detail::call_body<body_type>,
                         const_cast<void*>(static_cast<void const*>(&body)));
  return run.all_blocks();
}

//! Runs a kernel's body for every thread of one block, as trace_grid.
template <class Gpu, class Body>
requires std::invocable<Body&, thread&>
kernel_trace trace_block(dim block, Body&& body,
                         trace_settings const& settings = trace_settings_of<Gpu>(),
                         location site = location::current()) {
  return trace_grid<Gpu>(dim(1), block, body, settings, site);
}

}  // namespace mmm::gpu
