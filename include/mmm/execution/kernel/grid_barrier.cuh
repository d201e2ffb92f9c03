// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#if !defined(__CUDACC_RTC__)
#include <cooperative_groups.h>
#endif

//! The barrier of a whole grid, for kernels that are launched cooperatively.
namespace mmm::detail {

#if defined(__CUDACC_RTC__)
//! The barrier of cooperative_groups on its own word, without its headers, which take NVRTC longer
//! than most kernels do. The word lies behind the first one of the grid's workspace; its highest
//! bit flips when the last block arrives.
__device__ inline void synchronize_grid() {
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned high, low;
    asm("mov.u32 %0, %%envreg1;" : "=r"(high));
    asm("mov.u32 %0, %%envreg2;" : "=r"(low));
    auto* const word =
        reinterpret_cast<unsigned*>(static_cast<unsigned long>(high) << 32 | low) + 1;
    unsigned const own = blockIdx.x == 0 ? 0x80000000U - (gridDim.x - 1) : 1U;
    unsigned before, now;
    asm volatile("atom.add.release.gpu.u32 %0, [%1], %2;"
                 : "=r"(before)
                 : "l"(word), "r"(own)
                 : "memory");
    do asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(now) : "l"(word) : "memory");
    while (((before ^ now) & 0x80000000U) == 0);
  }
  __syncthreads();
}
#else
__device__ inline void synchronize_grid() { cooperative_groups::this_grid().sync(); }
#endif

}  // namespace mmm::detail
