// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: an array is freed before the kernel that reads it by a texture.
#include "chosen.hpp"

__global__ void copy(cudaTextureObject_t in, float* out) {
  out[threadIdx.x] = tex1D<float>(in, static_cast<float>(threadIdx.x));  // finding: free
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  constexpr int n = 64;
  float *out, host[n];
  for (int i = 0; i < n; ++i) host[i] = static_cast<float>(i);
  cudaArray_t in;
  cudaChannelFormatDesc const channels = cudaCreateChannelDesc<float>();
  cudaMallocArray(&in, &channels, n);
  cudaMalloc(&out, n * sizeof(float));
  cudaMemcpy2DToArray(in, 0, 0, host, n * sizeof(float), n * sizeof(float), 1,
                      cudaMemcpyHostToDevice);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = in;
  cudaTextureDesc how{};
  cudaTextureObject_t texture;
  cudaCreateTextureObject(&texture, &resource, &how, nullptr);
  if (bad) cudaFreeArray(in);
  copy<<<1, n>>>(texture, out);
  cudaMemcpy(host, out, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaDestroyTextureObject(texture);
  if (!bad) cudaFreeArray(in);
  cudaFree(out);
  return status(bad, host[n - 1] == n - 1);
}
