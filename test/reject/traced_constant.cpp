// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A traced kernel cannot write to an array of constants.
// expect: mmm: a write to an array of constants
#include <mmm/trace_kernel.hpp>

#include <vector>

#ifdef MMM_REJECT_CONTROL
using word = float;
#else
using word = float const;
#endif

void store(mmm::gpu::pointer<word> to) { to[0] = 1.0F; }
