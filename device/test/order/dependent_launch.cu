// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: a kernel that is launched programmatically reads before it waits.
// says: cudaGridDependencySynchronize
#include "ordered.hpp"

__global__ void first(int* a) {
  cudaTriggerProgrammaticLaunchCompletion();
  a[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

__global__ void second(int* a, bool bad) {
  if (!bad) cudaGridDependencySynchronize();
  int const old = a[blockIdx.x * blockDim.x + threadIdx.x];  // finding: race
  if (bad) cudaGridDependencySynchronize();
  a[blockIdx.x * blockDim.x + threadIdx.x] = old + 1;
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  cudaStream_t const s = make_stream();
  int* const a = make_array();
  first<<<length / 256, 256, 0, s>>>(a);
  launch_early(s, second, a, bad);
  bool const right = holds(a, 2);
  cudaFree(a);
  return status(bad, right);
}
