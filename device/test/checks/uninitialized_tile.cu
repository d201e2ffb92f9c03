// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: a block multiplies all rows of a tile, of which it has filled a part, and stores all
// results. The twin stores those of the rows that it has filled.
#include "chosen.hpp"

constexpr int n = 16;

__global__ void multiply(float const* a, float const* b, float* out, int rows, int stored) {
  __shared__ float left[n][n], right[n][n];
  int const i = static_cast<int>(threadIdx.y), j = static_cast<int>(threadIdx.x);
  if (i < rows) left[i][j] = a[i * n + j];
  right[i][j] = b[i * n + j];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += left[i][k] * right[k][j];  // finding: uninitialized
  if (i < stored) out[i * n + j] = sum;
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  float *a, *b, *out, host[n * n];
  for (float& x : host) x = 1;
  cudaMalloc(&a, sizeof host);
  cudaMalloc(&b, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemset(out, 0, sizeof host);
  cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemcpy(b, host, sizeof host, cudaMemcpyHostToDevice);
  multiply<<<1, dim3(n, n)>>>(a, b, out, 10, bad ? n : 10);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (float* const p : {a, b, out}) cudaFree(p);
  return status(bad, host[0] == n);
}
