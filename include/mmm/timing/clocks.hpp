// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

//! Clocks by the resource that they are spent on, and how clocks of several resources overlap.
namespace mmm::detail {

[[nodiscard]] constexpr double larger_of(double a, double b) { return a < b ? b : a; }
[[nodiscard]] constexpr double smaller_of(double a, double b) { return a < b ? a : b; }
[[nodiscard]] constexpr double as_double(index n) { return static_cast<double>(n); }

//! The square root of `x`; 0 for `x <= 0`. (std::sqrt is not constexpr in C++20.)
[[nodiscard]] constexpr double square_root(double x) {
  if (x <= 0) return 0;
  double root = 1;
  while (root * root < x) root *= 2;
  while (root * root > 4 * x) root /= 2;
  for (int k = 0; k < 6; ++k) root = (root + x / root) / 2;
  return root;
}

//! The time of two activities that overlap in part: between the longer of the two and their sum.
[[nodiscard]] constexpr double overlapped(double a, double b) { return square_root(a * a + b * b); }

//! Clocks by resource. The first six count a multiprocessor's throughput, the others the stalls of
//! one warp.
struct resource_clocks {
  double issue = 0;             //!< instructions of the schedulers
  double shared_banks = 0;      //!< wavefronts of the shared memory
  double global_memory = 0;     //!< transfers of the global memory
  double tensor_cores = 0;      //!< products of matrices in registers
  double l2_cache = 0;          //!< transfers of the level-2 cache, and from it to multiprocessors
  double partial_sectors = 0;   //!< the level-2 cache changes sectors that a request stores in part
  double memory_stall = 0;      //!< a warp waits for its loads of the global memory
  double dependency_stall = 0;  //!< a warp waits for its instructions and loads of shared memory
  double barrier_stall = 0;     //!< a warp waits at barriers of its block

  //! Clocks of the multiprocessor if no warp stalls. Tensor cores work while instructions are
  //! issued.
  [[nodiscard]] constexpr double throughput() const {
    return larger_of(larger_of(overlapped(issue, shared_banks), tensor_cores),
                     larger_of(global_memory, l2_cache) + partial_sectors);
  }
  //! Clocks of one warp if every resource is free.
  [[nodiscard]] constexpr double latency() const {
    return memory_stall + dependency_stall + barrier_stall;
  }
  //! The clocks of a multiprocessor for `waves` waves of `side_by_side` such blocks each: stalls of
  //! blocks side by side coincide.
  [[nodiscard]] constexpr resource_clocks of_blocks(double side_by_side, double waves) const {
    double const blocks = side_by_side * waves;
    return {issue * blocks,        shared_banks * blocks,    global_memory * blocks,
            tensor_cores * blocks, l2_cache * blocks,        partial_sectors * blocks,
            memory_stall * waves,  dependency_stall * waves, barrier_stall * waves};
  }
  constexpr resource_clocks& operator+=(resource_clocks const& x) {
    issue += x.issue;
    shared_banks += x.shared_banks;
    global_memory += x.global_memory;
    tensor_cores += x.tensor_cores;
    l2_cache += x.l2_cache;
    partial_sectors += x.partial_sectors;
    memory_stall += x.memory_stall;
    dependency_stall += x.dependency_stall;
    barrier_stall += x.barrier_stall;
    return *this;
  }
};

}  // namespace mmm::detail
