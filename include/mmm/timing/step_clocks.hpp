// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/gpu/devices.hpp>
#include <mmm/gpu/timing.hpp>
#include <mmm/timing/clocks.hpp>
#include <mmm/timing/instruction_issue.hpp>
#include <mmm/timing/kernel_code.hpp>
#include <mmm/timing/l2_misses.hpp>
#include <mmm/timing/scattered_sectors.hpp>
#include <mmm/timing/step_work.hpp>

//! The clocks of one step.
namespace mmm::detail {

//! Bytes that the global memory moves in a clock of the multiprocessors.
[[nodiscard]] constexpr double memory_bytes_per_clock(gpu::device_facts const& facts,
                                                      gpu::timing_facts const& timing) {
  return as_double(facts.bandwidth_gb) * 1000 / as_double(facts.clock_mhz) * timing.copy_share;
}

//! The clocks of a step, of one block that has a multiprocessor for itself while other blocks use
//! the other multiprocessors.
//! \param look_back_latencies are those of the level-2 cache that a tile waits; 0: no look-back
[[nodiscard]] constexpr resource_clocks clocks_of_step(
    gpu::device_facts const& facts, gpu::timing_facts const& timing, kernel_code const& code,
    l2_misses const& misses, step_bodies const& bodies, step_requests const& requests,
    double look_back_latencies) {
  index const groups = bodies.groups();
  index const warps = bodies.launched.warps;
  double const times = as_double(bodies.step.times);
  double const per_warp = as_double(bodies.per_warp());
  double const instructions = requests.instructions(code);
  double const interval = issue_interval(timing, code);
  double const ports =
      requests.shared_requests * code.three_reads * register_port_clocks(timing);  // of a body
  double const active = as_double(smaller(groups, facts.sms));  // multiprocessors
  double const share = active / as_double(groups);  // of all groups, those at the same time
  double const bytes = requests.global_bytes * share;
  resource_clocks s;
  s.issue =
      times *
      (interval * as_double(warps) * code.per_step / schedulers_in_use(timing, warps) +
       as_double(bodies.per_group()) * larger_of(interval * instructions, instructions + ports) /
           schedulers_in_use(timing, bodies.busy_warps()));
  s.shared_banks = requests.shared_stages / as_double(groups);
  s.global_memory = bytes * misses.memory_share / memory_bytes_per_clock(facts, timing);
  s.l2_cache = larger_of(bytes / timing.l2_bytes, bytes / active / timing.sm_bytes) +
               scattered_sector_clocks(timing, requests.scattered * share);
  s.partial_sectors = scattered_sector_clocks(timing, requests.partial_sectors * share);
  s.dependency_stall =
      times * ((code.per_step + per_warp * instructions) * dependency_interval(timing, code) +
               per_warp * ports);
  if (requests.loads_shared)
    s.dependency_stall += times * per_warp * as_double(facts.shared_latency);
  if (requests.loads_global)
    s.memory_stall =
        times * per_warp *
        (misses.load_share * timing.global_latency + (1 - misses.load_share) * timing.l2_latency);
  if (look_back_latencies > 0) s.memory_stall = times * look_back_latencies * timing.l2_latency;
  if (bodies.step.barrier && !bodies.step.machine_wide)
    s.barrier_stall = times * (timing.barrier_clocks + timing.barrier_of_warp * as_double(warps));
  return s;
}

}  // namespace mmm::detail
