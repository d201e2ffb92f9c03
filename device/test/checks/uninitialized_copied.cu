// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: a sum takes words that nobody has written, from a copy of a copy of them. The twin copies
// them, word by word and through shared memory, and leaves them out of the sum.
#include "chosen.hpp"

constexpr int n = 64;

__global__ void fill(float* out) {
  int const t = static_cast<int>(threadIdx.x);
  if (t % 4 != 3) out[t] = 1;
}

__global__ void copy(float* to, float const* from) {
  int const t = static_cast<int>(threadIdx.x);
  to[t] = from[t];
}

__global__ void copy_through_tile(float* to, float const* from) {
  __shared__ float tile[n];
  int const t = static_cast<int>(threadIdx.x);
  tile[t] = from[t];
  __syncthreads();
  to[n - 1 - t] = tile[n - 1 - t];
}

__global__ void sum(float const* in, float* out, int count) {
  int const t = static_cast<int>(threadIdx.x);
  float s = 0;
  for (int k = 0; k < count; ++k) s += in[4 * t + k];  // finding: uninitialized
  out[t] = s;
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  float *words[3], *out, host[n / 4];
  for (float*& w : words) cudaMalloc(&w, n * sizeof(float));
  cudaMalloc(&out, sizeof host);
  fill<<<1, n>>>(words[0]);
  copy<<<1, n>>>(words[1], words[0]);
  copy_through_tile<<<1, n>>>(words[2], words[1]);
  sum<<<1, n / 4>>>(words[2], out, bad ? 4 : 3);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (float* const w : words) cudaFree(w);
  cudaFree(out);
  return status(bad, host[0] == 3);
}
