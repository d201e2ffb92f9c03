// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/machine/machine.hpp>

//! The machines of the tour: warps of 32 threads, as on NVIDIA GPUs, and latencies of a GPU's order
//! of magnitude.
namespace tour {

using pram = mmm::pram;
using bpram = mmm::bpram<32>;
using dmm = mmm::dmm<32, 16>;           // a shared memory
using umm = mmm::umm<32, 400>;          // a global memory
using hmm = mmm::hmm<16, 32, 16, 400>;  // 16 DMMs under one UMM

using small_dmm = mmm::dmm<4, 5>;  // small enough to follow every request

}  // namespace tour
