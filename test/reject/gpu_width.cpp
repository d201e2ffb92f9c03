// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An instruction cannot access 12 bytes per lane: three floats need three accesses or padding to a
// vector of four.
// expect: mmm: a lane accesses 1, 2, 4, 8 or 16 bytes, and 32 of the global memory
// expect(gcc): access_bytes<12>
// expect(clang): access_bytes<12>
#include <mmm/gpu.hpp>

#ifdef MMM_REJECT_CONTROL
static_assert(mmm::gpu::wavefronts<mmm::gpu::load<4>>(mmm::item * 12) == 1);
#else
static_assert(mmm::gpu::wavefronts<mmm::gpu::load<12>>(mmm::item * 12) == 1);
#endif
