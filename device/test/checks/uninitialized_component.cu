// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: a sum takes a component of vectors that nobody has written. The twin only copies it, as it
// copies the padding of structures.
#include "chosen.hpp"

struct padded {
  char letter;
  int number;
};

__global__ void fill(float4* points, padded* records) {
  int const t = static_cast<int>(threadIdx.x);
  points[t].x = points[t].y = points[t].z = 1;
  records[t].letter = 'a';
  records[t].number = t;
}

__global__ void copy(float4* to, float4 const* from, padded* records, padded const* all) {
  int const t = static_cast<int>(threadIdx.x);
  to[t] = from[t];
  records[t] = all[t];
}

__global__ void sum_of_3(float const* points, float* out) {
  int const t = static_cast<int>(threadIdx.x);
  float4 const p = reinterpret_cast<float4 const*>(points)[t];
  out[t] = p.x + p.y + p.z;
}

__global__ void sum_of_4(float const* points, float* out) {
  int const t = static_cast<int>(threadIdx.x);
  float4 const p = reinterpret_cast<float4 const*>(points)[t];  // finding: uninitialized
  out[t] = p.x + p.y + p.z + p.w;
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  constexpr int n = 32;
  float4* points;
  padded* records;
  float *out, host[n];
  cudaMalloc(&points, 2 * n * sizeof(float4));
  cudaMalloc(&records, 2 * n * sizeof(padded));
  cudaMalloc(&out, n * sizeof(float));
  fill<<<1, n>>>(points, records);
  copy<<<1, n>>>(points + n, points, records + n, records);
  if (bad)
    sum_of_4<<<1, n>>>(reinterpret_cast<float*>(points), out);
  else
    sum_of_3<<<1, n>>>(reinterpret_cast<float*>(points), out);
  cudaMemcpy(host, out, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(points);
  cudaFree(records);
  cudaFree(out);
  return status(bad, host[0] == 3);
}
