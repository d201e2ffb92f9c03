// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/execution/kernel/block_limits.hpp>
#include <mmm/execution/kernel/device_team.cuh>
#include <mmm/execution/kernel/halves.cuh>
#include <mmm/execution/kernel/kernel.hpp>
#include <mmm/execution/kernel/launch_shape.hpp>

#include <cstddef>

//! The kernels of programs: what runs on the device, without the launch. nvcc compiles them for
//! mmm::cuda::on, NVRTC for mmm::jit::on.
namespace mmm::detail {

//! Makes the number of threads of a block known to the compiler, where a program fixes it.
template <class Program>
__device__ inline void know_block_threads([[maybe_unused]] launch_shape& shape) {
  if constexpr (fills_blocks<Program>()) {
    shape.block_threads = max_block_threads<Program>();
    __builtin_assume(threadIdx.x < max_block_threads<Program>());
  }
}

template <class M, class Program, class... Arguments>
__global__ void __launch_bounds__(max_block_threads<Program>(),
                                  blocks_side_by_side<Program, Arguments...>())
    program_kernel(M m, launch_shape shape, std::byte* scratch, unsigned* arrivals, Program program,
                   Arguments... arguments) {
  extern __shared__ __align__(16) std::byte mmm_shared_memory[];
  know_block_threads<Program>(shape);
  __builtin_assume(shape.threads > 0);  // so that a single item needs no loop
  device_team team(mmm_shared_memory, scratch, arrivals);
  run_thread(m, shape, team, program, arguments...);
}

//! The kernel of one phase (each_phase), of those that run body number `Kernel`.
template <int Kernel, class M, class Program, class... Arguments>
__global__ void __launch_bounds__(max_block_threads<Program>(),
                                  blocks_side_by_side<Program, Arguments...>())
    program_phase(M m, launch_shape shape, std::byte* scratch, index phase, Program program,
                  Arguments... arguments) {
  extern __shared__ __align__(16) std::byte mmm_shared_memory[];
  know_block_threads<Program>(shape);
  phase_team<Kernel> team(mmm_shared_memory, scratch, phase);
  run_thread(m, shape, team, program, arguments...);
}

}  // namespace mmm::detail
