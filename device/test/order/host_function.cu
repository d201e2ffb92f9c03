// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: a stream uses what a host function of another one writes.
#include "ordered.hpp"

__global__ void write_to(int* a, int value) { a[blockIdx.x * blockDim.x + threadIdx.x] = value; }

__global__ void add_one(int* a) {
  a[blockIdx.x * blockDim.x + threadIdx.x] += 1;  // finding: race
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  cudaStream_t const s = make_stream(), t = make_stream();
  int* const a = make_pinned();
  cudaEvent_t written;
  cudaEventCreate(&written);
  cudaLaunchHostFunc(s, [](void* data) { static_cast<int volatile*>(data)[7] = 1; }, a);
  cudaEventRecord(written, s);
  if (!bad) cudaStreamWaitEvent(t, written);
  add_one<<<length / 256, 256, 0, t>>>(a);
  bool const right = holds(a, 2);
  cudaFreeHost(a);
  return status(bad, right);
}
