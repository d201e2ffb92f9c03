// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A CUDA program that does not use this library; docs/without-a-gpu.md runs it without a GPU.
#include <cstdio>
#include <vector>

// [kernel]
constexpr int side = 32;

__global__ void transpose(float const* in, float* out, int n) {
  __shared__ float tile[side][side];
  int const column = blockIdx.x * side + threadIdx.x;
  int const row = blockIdx.y * side + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[row * n + column];
  __syncthreads();
  int const out_column = blockIdx.y * side + threadIdx.x;
  int const out_row = blockIdx.x * side + threadIdx.y;
  out[out_row * n + out_column] = tile[threadIdx.x][threadIdx.y];
}
// [/kernel]

int main() {
  constexpr int n = 256;
  std::vector<float> host(n * n);
  for (int k = 0; k < n * n; ++k) host[k] = static_cast<float>(k);
  float* in = nullptr;
  float* out = nullptr;
  if (cudaMalloc(&in, n * n * sizeof(float)) != cudaSuccess ||
      cudaMalloc(&out, n * n * sizeof(float)) != cudaSuccess) {
    std::fprintf(stderr, "transpose: no memory: %s\n", cudaGetErrorString(cudaGetLastError()));
    return 1;
  }
  cudaMemcpy(in, host.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
  transpose<<<dim3(n / side, n / side), dim3(side, side)>>>(in, out, n);
  cudaMemcpy(host.data(), out, n * n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaError_t const state = cudaGetLastError();
  cudaFree(in);
  cudaFree(out);
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < n; ++column)
      if (host[row * n + column] != static_cast<float>(column * n + row)) {
        std::fprintf(stderr, "transpose: wrong at (%d, %d): %s\n", row, column,
                     cudaGetErrorString(state));
        return 1;
      }
  std::printf("transposed %d x %d\n", n, n);
  return 0;
}
