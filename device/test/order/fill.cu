// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: cudaMemset returns before the memory is filled.
// says: a fill in the legacy default stream
// finds: add_one
#include "ordered.hpp"

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  cudaStream_t const s = make_stream();
  int* const a = make_array();
  cudaMemset(a, 0, length * sizeof(int));
  if (!bad) cudaStreamSynchronize(cudaStreamLegacy);
  add_one<<<length / 256, 256, 0, s>>>(a);
  add_one<<<length / 256, 256, 0, s>>>(a);
  bool const right = holds(a, 2);
  cudaFree(a);
  return status(bad, right);
}
