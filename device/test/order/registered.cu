// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: the host writes registered memory that a copy still reads.
#include "ordered.hpp"

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  cudaStream_t const s = make_stream();
  int* const a = make_array();
  static int source[4 * length];
  cudaHostRegister(source, sizeof source, 0);
  cudaMemcpyAsync(a, source + length, length * sizeof(int), cudaMemcpyDefault, s);
  if (!bad) cudaStreamSynchronize(s);
  source[length + 2000] = 5;
  bool const right = holds(a, 0);
  cudaHostUnregister(source);
  cudaFree(a);
  return status(bad, right);
}
