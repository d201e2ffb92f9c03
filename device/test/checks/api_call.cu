// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: a copy is longer than its destination, and the program does not look at the result.
// finding: api
#include "chosen.hpp"

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  constexpr int n = 64;
  int *array, host[n] = {};
  cudaMalloc(&array, n * sizeof(int));
  cudaMemset(array, 0, n * sizeof(int));
  cudaMemcpy(array, host, (bad ? n + 100 : n) * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(host, array, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(array);
  return status(bad, host[0] == 0);
}
