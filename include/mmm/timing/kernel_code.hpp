// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

//! The instructions of kernels, counted (benchmark/instructions).
namespace mmm {

//! What a kernel's machine code asks of the schedulers, in instructions of a warp.
struct kernel_code {
  char const* kernel = "";  //!< the algorithm's name and the kind of machine: "sum/hmm"
  index variant = 0;        //!< of several kernels of one algorithm
  index registers = 32;     //!< of a thread
  double per_warp = 20;     //!< for each warp of a launch
  double per_step = 10;     //!< for each warp and parallel-for
  double per_item = 20;     //!< for each warp and 32 items of a parallel-for
  double per_global = 5;    //!< for each request to the global memory, in addition
  double per_shared = 2;    //!< for each request to a shared memory, in addition
  double per_word = 0;      //!< for each word of such a request
  // of all instructions, the part
  double integers = 0.4;  //!< that are additions, comparisons and logic
  double multiplies =
      0.2;              //!< that are multiplications, of integers or floats, or additions of floats
  double floats = 0.1;  //!< of these, those of floats
  double special = 0.01;  //!< that are conversions and reciprocals
  double clocks = 2.5;    //!< from one of a warp's to its next, as assembled
};

}  // namespace mmm
