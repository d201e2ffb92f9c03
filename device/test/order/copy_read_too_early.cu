// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: the host reads the target of a copy that has not ended.
#include "ordered.hpp"

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  cudaStream_t const s = make_stream();
  int *const a = make_array(), *const target = make_pinned();
  cudaMemset(a, 0, length * sizeof(int));
  cudaDeviceSynchronize();
  cudaMemcpyAsync(target, a, length * sizeof(int), cudaMemcpyDefault, s);
  if (!bad) cudaStreamSynchronize(s);
  bool const right = static_cast<int volatile*>(target)[100] == 0;
  cudaStreamSynchronize(s);
  cudaFree(a);
  cudaFreeHost(target);
  return status(bad, right);
}
