// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions, average active lanes and barriers. The expected counts are in expected_counts.py.
#include "access.cuh"

namespace {

using namespace counts;

template <int Count>
__device__ inline void fused(float& x) {
#pragma unroll
  for (int i = 0; i < Count; ++i) asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(x));
}

//! A kernel without branches: every existing thread executes every instruction.
__global__ void straight() {
  float x = 1;
  fused<200>(x);
}
//! A kernel in which `lanes` lanes of each warp execute almost all instructions.
__global__ void one_branch(int lanes) {
  float x = 1;
  if (static_cast<int>(threadIdx.x % 32) < lanes) fused<1000>(x);
}
//! A kernel in which `lanes` lanes execute one half of the instructions and the other lanes the
//! other half.
__global__ void two_branches(int lanes) {
  float x = 1;
  if (static_cast<int>(threadIdx.x % 32) < lanes) {
    fused<500>(x);
  } else {
    fused<501>(x);
  }
}
//! A kernel with five barriers.
__global__ void barriers() {
#pragma unroll
  for (int i = 0; i < 5; ++i) __syncthreads();
}

}  // namespace

int main() {
  straight<<<1, 64>>>();
  straight<<<3, 48>>>();
  straight<<<1, 16>>>();
  one_branch<<<1, 32>>>(8);
  one_branch<<<2, 64>>>(1);
  two_branches<<<1, 32>>>(8);
  barriers<<<3, 128>>>();
  barriers<<<1, 33>>>();
  return finish();
}
