// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A traced kernel cannot write to an array of constants, nor can plain arrays and pointers be
// traced.
// expect: mmm: a write to an array of constants
// expect(gcc): mmm: a traced array has no plain pointer: write mmm::gpu::device_pointer<float>
// expect(gcc): mmm: __shared__ T s\[n\] is MMM_SHARED\(T\[n\], s\)
// expect(clang): mmm: a traced array has no plain pointer: write mmm::gpu::device_pointer<float>
// expect(clang): mmm: __shared__ T s\[n\] is MMM_SHARED\(T\[n\], s\)
#include <mmm/trace_kernel.hpp>

#include <vector>

#if !defined(__CUDACC__)  // by which the other two are CUDA
#include <mmm/cuda_on_host.hpp>
#endif

#ifdef MMM_REJECT_CONTROL
using word = float;
#else
using word = float const;
#if !defined(__CUDACC__)
__global__ void kernel(float* to) {
  __shared__ float s[32];
  to[0] = s[0];
}
void trace(mmm::gpu::global_array<float> const& array) { kernel(array); }
#endif
#endif

void store(mmm::gpu::pointer<word> to) { to[0] = 1.0F; }
