// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: an array is deleted twice.
#include "chosen.hpp"

struct counted {
  long long* sum = nullptr;
  __device__ ~counted() {
    if (sum != nullptr) *sum += 1;
  }
};

__global__ void make_and_delete(long long* sum, bool bad) {
  auto* all = new counted[10];
  all[9].sum = sum;
  delete[] all;           // finding: free
  if (bad) delete[] all;  // finding: free
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  long long *sum, host = 0;
  cudaMalloc(&sum, sizeof host);
  cudaMemset(sum, 0, sizeof host);
  make_and_delete<<<1, 1>>>(sum, bad);
  cudaMemcpy(&host, sum, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(sum);
  return status(bad, host == 1);
}
