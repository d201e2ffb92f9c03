// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: a thread decides by a word that nobody has written how far it counts. The twin loads that
// word, too, and compares it, but what it decides does not depend on it.
#include "chosen.hpp"

constexpr int n = 64;

__global__ void count(int const* in, int* out, int defined) {
  int const t = static_cast<int>(threadIdx.x);
  int const limit = in[t];
  int k = 0;
  if ((limit > 2) & (t < defined)) k = 3;
  if (t >= defined || k == 3) out[t] = t;
}

__global__ void count_all(int const* in, int* out) {
  int const t = static_cast<int>(threadIdx.x);
  int const limit = in[t];  // finding: uninitialized
  int k = 0;
  while (k < limit) ++k;
  out[t] = k > 2 ? t : 0;
}

int main(int count_of_arguments, char** arguments) {
  bool const bad = chosen_bad(count_of_arguments, arguments);
  int *in, *out, host[n];
  for (int& x : host) x = 3;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host / 2, cudaMemcpyHostToDevice);
  if (bad)
    count_all<<<1, n>>>(in, out);
  else
    count<<<1, n>>>(in, out, n / 2);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);
  return status(bad, host[n / 2 - 1] == n / 2 - 1);
}
