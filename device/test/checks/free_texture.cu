// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: a texture object is destroyed before the kernel that reads by it.
#include "chosen.hpp"

__global__ void copy(cudaTextureObject_t in, int* out) {
  out[threadIdx.x] = tex1Dfetch<int>(in, static_cast<int>(threadIdx.x));  // finding: free
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  constexpr int n = 64;
  int *in, *out, host[n];
  for (int i = 0; i < n; ++i) host[i] = i;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, host, n * sizeof(int), cudaMemcpyHostToDevice);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear = {in, cudaCreateChannelDesc<int>(), n * sizeof(int)};
  cudaTextureDesc const how{};
  cudaTextureObject_t texture;
  cudaCreateTextureObject(&texture, &resource, &how, nullptr);
  if (bad) cudaDestroyTextureObject(texture);
  copy<<<1, n>>>(texture, out);
  cudaMemcpy(host, out, n * sizeof(int), cudaMemcpyDeviceToHost);
  if (!bad) cudaDestroyTextureObject(texture);
  cudaFree(in);
  cudaFree(out);
  return status(bad, host[n - 1] == n - 1);
}
