// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: a texture's filter reads a texel that was never written. Its twin fetches at the centers
// of texels, where the neighbours have no weight.
#include "chosen.hpp"

__global__ void copy(cudaTextureObject_t in, float shift, float* out) {
  out[threadIdx.x] =
      tex1D<float>(in, static_cast<float>(threadIdx.x) + shift);  // finding: uninitialized
}

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  constexpr int n = 32;
  float *out, host[n];
  for (int i = 0; i < n; ++i) host[i] = static_cast<float>(i);
  cudaArray_t in;
  cudaChannelFormatDesc const channels = cudaCreateChannelDesc<float>();
  cudaMallocArray(&in, &channels, 2 * n);
  cudaMalloc(&out, n * sizeof(float));
  cudaMemcpy2DToArray(in, 0, 0, host, sizeof host, sizeof host, 1, cudaMemcpyHostToDevice);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = in;
  cudaTextureDesc how{};
  how.filterMode = cudaFilterModeLinear;
  how.addressMode[0] = cudaAddressModeClamp;
  cudaTextureObject_t texture;
  cudaCreateTextureObject(&texture, &resource, &how, nullptr);
  copy<<<1, n>>>(texture, bad ? 0.75F : 0.5F, out);
  cudaMemcpy(host, out, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaDestroyTextureObject(texture);
  cudaFreeArray(in);
  cudaFree(out);
  return status(bad, host[n - 1] == n - 1);
}
