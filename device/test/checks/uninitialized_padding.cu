// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: a record's number is summed that nobody has written. The twin brings the records to shared
// memory by asynchronous copies, padding and all, and by bytes.
#include "chosen.hpp"

#include <cuda_pipeline.h>

constexpr int n = 32;
struct alignas(16) record {
  char letter;
  int number;
  short few;
};

__global__ void fill(record* all, int numbered) {
  int const t = static_cast<int>(threadIdx.x);
  all[t].letter = 'a';
  if (t < numbered) all[t].number = t;
  all[t].few = 1;
}

__global__ void add(record const* all, record* copies, int* out) {
  __shared__ record tile[n];
  int const t = static_cast<int>(threadIdx.x);
  __pipeline_memcpy_async(&tile[t], &all[t], sizeof(record));  // finding: uninitialized
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  record const mine = tile[n - 1 - t];
  for (int k = 0; k < static_cast<int>(sizeof(record)); ++k)
    reinterpret_cast<char*>(&copies[t])[k] = reinterpret_cast<char const*>(&tile[t])[k];
  out[t] = mine.number + mine.letter + mine.few;
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  record* all;
  int *out, host[n];
  cudaMalloc(&all, 2 * n * sizeof(record));
  cudaMalloc(&out, sizeof host);
  fill<<<1, n>>>(all, bad ? n - 1 : n);
  add<<<1, n>>>(all, all + n, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(all);
  cudaFree(out);
  return status(bad, host[n - 1] == 'a' + 1);
}
