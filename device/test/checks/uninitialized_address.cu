// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: a thread takes an index from a word that nobody has written. The twin computes the same
// index, and uses another where the word is undefined.
#include "chosen.hpp"

constexpr int n = 64;

__global__ void gather(int const* index, int const* in, int* out, int defined) {
  int const t = static_cast<int>(threadIdx.x);
  int const k = index[t] & (n - 1);  // finding: uninitialized
  out[t] = in[t < defined ? k : t];
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  int *index, *in, *out, host[n];
  for (int i = 0; i < n; ++i) host[i] = n - 1 - i;
  cudaMalloc(&index, sizeof host);
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(index, host, sizeof host / 2, cudaMemcpyHostToDevice);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  gather<<<1, n>>>(index, in, out, bad ? n : n / 2);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(index);
  cudaFree(in);
  cudaFree(out);
  return status(bad, host[0] == 0);
}
