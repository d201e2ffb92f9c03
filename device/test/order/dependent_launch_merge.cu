// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: of three kernels in a row, as of CUB's merge sort (cccl issues 3131 and 5297, pull request
// 5456), the last reads what the one before it writes before it waits. That the one before does not
// trigger it only makes the error less likely: a kernel's end does, before its writes are visible.
// says: cudaGridDependencySynchronize
#include "ordered.hpp"

__global__ void sort_blocks(int* keys) {
  cudaGridDependencySynchronize();
  keys[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  cudaTriggerProgrammaticLaunchCompletion();
}

__global__ void partition(int const* keys, int* begins) {
  cudaGridDependencySynchronize();
  if (threadIdx.x == 0) begins[blockIdx.x] = keys[blockIdx.x * blockDim.x];
}

__global__ void merge(int const* begins, int* keys, bool bad) {
  if (!bad) cudaGridDependencySynchronize();
  int const begin = begins[blockIdx.x];  // finding: race
  if (bad) cudaGridDependencySynchronize();
  keys[blockIdx.x * blockDim.x + threadIdx.x] += begin;
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  int *const keys = make_array(), *const begins = make_array();
  launch_early(nullptr, sort_blocks, keys);
  launch_early(nullptr, partition, keys, begins);
  launch_early(nullptr, merge, begins, keys, bad);
  bool const right = holds(keys, 2);
  cudaFree(keys);
  cudaFree(begins);
  return status(bad, right);
}
