// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: a block passes data to another by a flag, without a fence between the data and the flag.
// With weak memory some seeds also give a wrong result: exit status 1.
#include "chosen.hpp"

__global__ void hand_over(int* data, int volatile* flag, int* out, bool bad) {
  if (threadIdx.x != 0) return;
  for (int round = 1; round <= 20; ++round) {
    if (blockIdx.x == 0) {
      while (flag[1] != round - 1) {
      }
      __threadfence();
      data[round] = round * 3;  // finding: race
      if (!bad) __threadfence();
      flag[0] = round;
    } else {
      while (flag[0] != round) {
      }
      __threadfence();
      *out += data[round];  // finding: race
      __threadfence();
      flag[1] = round;
    }
  }
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  int *data, *flag, *out, result = 0;
  cudaMalloc(&data, 21 * sizeof(int));
  cudaMalloc(&flag, 2 * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(data, 0, 21 * sizeof(int));
  cudaMemset(flag, 0, 2 * sizeof(int));
  cudaMemset(out, 0, sizeof(int));
  hand_over<<<2, 32>>>(data, flag, out, bad);
  cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(data);
  cudaFree(flag);
  cudaFree(out);
  return status(false, result == 3 * 20 * 21 / 2);
}
