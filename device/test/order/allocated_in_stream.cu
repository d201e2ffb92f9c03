// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: memory is used in another stream before it is allocated.
// says: cudaMallocAsync in stream
#include "ordered.hpp"

__global__ void write_to(int* a, int value) {
  a[blockIdx.x * blockDim.x + threadIdx.x] = value;  // finding: race
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  cudaStream_t const s = make_stream(), t = make_stream();
  int* a;
  cudaEvent_t allocated;
  cudaEventCreate(&allocated);
  cudaMallocAsync(&a, length * sizeof(int), s);
  cudaEventRecord(allocated, s);
  if (!bad) cudaStreamWaitEvent(t, allocated);
  write_to<<<length / 256, 256, 0, t>>>(a, 2);
  bool const right = holds(a, 2);
  cudaFree(a);
  return status(bad, right);
}
