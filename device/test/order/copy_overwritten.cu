// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: the host writes the source of a copy that has not ended.
// says: the host would have to wait for stream
#include "ordered.hpp"

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  cudaStream_t const s = make_stream();
  int *const a = make_array(), *const source = make_pinned();
  cudaMemcpyAsync(a, source, length * sizeof(int), cudaMemcpyDefault, s);
  if (!bad) cudaStreamSynchronize(s);
  source[0] = 5;
  cudaStreamSynchronize(s);
  bool const right = holds(a, 1);
  cudaFree(a);
  cudaFreeHost(source);
  return status(bad, right);
}
