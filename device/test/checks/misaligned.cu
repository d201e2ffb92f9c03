// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: a load of four words from an address that is not a multiple of 16.
#include "chosen.hpp"

__global__ void sum4(int const* in, int* out, int first) {
  int const* const at = in + first + 4 * threadIdx.x;
  int4 const x = *reinterpret_cast<int4 const*>(at);  // finding: misaligned
  out[threadIdx.x] = x.x + x.y + x.z + x.w;
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  constexpr int n = 256;
  int *in, *out, host[n];
  for (int i = 0; i < n; ++i) host[i] = i;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMemcpy(in, host, n * sizeof(int), cudaMemcpyHostToDevice);
  sum4<<<1, 32>>>(in, out, bad ? 2 : 4);
  cudaMemcpy(host, out, 32 * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);
  return status(bad, host[0] == 4 + 5 + 6 + 7);
}
