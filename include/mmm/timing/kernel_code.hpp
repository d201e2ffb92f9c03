// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

//! Instruction counts of kernels (benchmark/instructions).
namespace mmm {

//! The instructions of a kernel, of a warp each: how many it executes, and of which kinds.
struct kernel_code {
  char const* kernel = "";  //!< the algorithm's name and the kind of machine: "sum/hmm"
  index variant = 0;        //!< distinguishes kernels of one algorithm: variant_of
  index registers = 32;     //!< of a thread
  double per_warp = 20;     //!< for each warp of a launch
  double per_step = 10;     //!< for each warp and parallel-for
  double per_item = 20;     //!< for each warp and 32 items of a parallel-for
  double per_global = 5;    //!< for each request to the global memory, in addition to per_item
  double per_shared = 2;    //!< for each request to a shared memory, in addition to per_item
  double per_word = 0;      //!< for each word of such a request
  double integers = 0.4;    //!< share of additions, comparisons and logic of integers
  double multiplies = 0.2;  //!< share of multiplications, and of additions of floats
  double floats = 0.1;      //!< share of the latter two for floats; part of `multiplies`
  double special = 0.01;    //!< share of conversions and reciprocals
  double clocks = 2.5;      //!< from an instruction of a warp to its next, as assembled
  //! FFMA that read three registers outside the reuse cache, for each request to a shared memory
  double three_reads = 0;
  double path = 0;  //!< instructions that are executed at least once, by any warp; 0: not counted
};

}  // namespace mmm
