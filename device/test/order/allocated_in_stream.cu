// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: memory is used in another stream before it is allocated.
// says: cudaMallocAsync in stream
// finds: write_to
#include "ordered.hpp"

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  cudaStream_t const s = make_stream(), t = make_stream();
  int* a;
  cudaEvent_t const allocated = make_event();
  cudaMallocAsync(&a, length * sizeof(int), s);
  cudaEventRecord(allocated, s);
  if (!bad) cudaStreamWaitEvent(t, allocated);
  write_to<<<length / 256, 256, 0, t>>>(a, 2);
  bool const right = holds(a, 2);
  cudaFree(a);
  return status(bad, right);
}
