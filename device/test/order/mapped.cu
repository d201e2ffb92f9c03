// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: the host writes mapped memory that a kernel writes, and has not waited.
// finds: write_to
#include "ordered.hpp"

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  cudaStream_t const s = make_stream();
  int *a, *on_device;
  cudaHostAlloc(&a, length * sizeof(int), cudaHostAllocMapped);
  cudaHostGetDevicePointer(&on_device, a, 0);
  write_to<<<length / 256, 256, 0, s>>>(on_device, 1);
  if (!bad) cudaStreamSynchronize(s);
  a[3] = 1;
  bool const right = holds(a, 1);
  cudaFreeHost(a);
  return status(bad, right);
}
