// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: memory that no kernel has used is freed in a stream before it is allocated in another.
// says: cudaMallocAsync in stream
#include "ordered.hpp"

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  cudaStream_t const s = make_stream(), t = make_stream();
  cudaEvent_t const allocated = make_event();
  int* a;
  // An allocation and its free are no race where there is an order.
  cudaMalloc(&a, length * sizeof(int));
  cudaFree(a);
  cudaMalloc(&a, length * sizeof(int));
  cudaFreeAsync(a, s);
  for (cudaStream_t const u : {s, t, s}) {
    cudaMallocAsync(&a, length * sizeof(int), u);
    cudaFreeAsync(a, u);
  }
  cudaMallocAsync(&a, length * sizeof(int), s);
  cudaStreamSynchronize(s);
  cudaFree(a);
  cudaMallocAsync(&a, length * sizeof(int), s);
  cudaEventRecord(allocated, s);
  if (!bad) cudaStreamWaitEvent(t, allocated);
  cudaFreeAsync(a, t);
  bool const right = cudaDeviceSynchronize() == cudaSuccess;
  return status(bad, right);
}
