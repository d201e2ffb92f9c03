// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: memory is freed in a stream while another one may use it.
// says: cudaFreeAsync in stream
// finds: write_to
#include "ordered.hpp"

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  cudaStream_t const s = make_stream(), t = make_stream();
  int* a;
  cudaEvent_t const written = make_event();
  cudaMallocAsync(&a, length * sizeof(int), s);
  cudaStreamSynchronize(s);
  write_to<<<length / 256, 256, 0, t>>>(a, 1);
  cudaEventRecord(written, t);
  if (!bad) cudaStreamWaitEvent(s, written);
  cudaFreeAsync(a, s);
  cudaDeviceSynchronize();
  return status(bad, true);
}
