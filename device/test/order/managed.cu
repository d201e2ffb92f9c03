// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: the host reads managed memory that a kernel writes, and has not waited.
// finds: write_to
#include "ordered.hpp"

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  int* a;
  cudaMallocManaged(&a, length * sizeof(int));
  write_to<<<length / 256, 256>>>(a, 2);
  if (!bad) cudaDeviceSynchronize();
  bool const read = static_cast<int volatile*>(a)[length - 1] == 2;
  bool const right = holds(a, 2) && read;
  cudaFree(a);
  return status(bad, right);
}
