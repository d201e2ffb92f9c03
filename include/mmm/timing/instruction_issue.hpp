// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/gpu/timing.hpp>
#include <mmm/timing/clocks.hpp>
#include <mmm/timing/kernel_code.hpp>

//! Instruction issue: the rate at which a multiprocessor's schedulers issue a kernel's
//! instructions, and the stall of one warp between two of its own.
namespace mmm::detail {

//! Clocks of a scheduler that register ports add to an FFMA that reads three registers outside the
//! reuse cache: it takes the ports twice. Where the units take as many clocks for a warp, none.
[[nodiscard]] constexpr double register_port_clocks(gpu::timing_facts const& timing) {
  double const of_units = larger_of(1, 32 * timing.schedulers / timing.float_lanes);
  return larger_of(0, timing.port_clocks - of_units);
}

//! Clocks in which each scheduler issues one instruction: 1, or more if the units for integers, for
//! products or for conversions are slower.
[[nodiscard]] constexpr double issue_interval(gpu::timing_facts const& timing,
                                              kernel_code const& code) {
  double const lanes = 32 * timing.schedulers;
  double const products =
      code.floats / timing.float_lanes +
      (code.multiplies - code.floats) / smaller_of(timing.integer_lanes, timing.float_lanes);
  return larger_of(1, lanes * larger_of(larger_of(code.integers / timing.integer_lanes, products),
                                        code.special / timing.special_lanes));
}

//! Clocks from an instruction of a warp to its next: the stalls that the assembler encodes, and
//! those for conversions and reciprocals, whose latency it does not know.
[[nodiscard]] constexpr double dependency_interval(gpu::timing_facts const& timing,
                                                   kernel_code const& code) {
  return code.clocks + code.special * timing.special_clocks;
}

//! The number of schedulers that have at least one of so many warps.
[[nodiscard]] constexpr double schedulers_in_use(gpu::timing_facts const& timing, index warps) {
  return smaller_of(timing.schedulers, as_double(warps));
}

}  // namespace mmm::detail
