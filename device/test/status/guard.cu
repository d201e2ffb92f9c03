// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels without waste. device_test.py makes regressions and refactorings of this text, and
// compares their figures with those of the original.
#include <cstdio>

// [kernels]
__global__ void transpose(float const* in, float* out) {
  __shared__ float tile[32][33];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void add_rows(float const* in, float* out) {
  float sum = 0;
  for (int k = 0; k < 32; ++k) sum += in[k * 32 + threadIdx.x];
  out[threadIdx.x] = sum;
}

__global__ void scale(float4 const* in, float4* out) {
  float4 v = in[threadIdx.x];
  v.x *= 2;
  out[threadIdx.x] = v;
}

__global__ void powers(float const* in, float* out) {
  float kept[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) kept[k] = in[k * 32 + threadIdx.x];
#pragma unroll
  for (int k = 0; k < 8; ++k) out[k * 32 + threadIdx.x] = kept[7 - k];
}

__global__ void count_all(float const* in, int* total) {
  int const mine = in[threadIdx.x] > 0;
  int const all = __reduce_add_sync(~0u, mine);
  if (threadIdx.x == 0) atomicAdd(total, all);
}
// [/kernels]

int main() {
  float* in = nullptr;
  float* out = nullptr;
  if (cudaMalloc(&in, 4096) != cudaSuccess || cudaMalloc(&out, 4096) != cudaSuccess) return 1;
  cudaMemset(in, 0, 4096);
  cudaMemset(out, 0, 4096);
  transpose<<<1, dim3(32, 32)>>>(in, out);
  add_rows<<<1, 32>>>(in, out);
  scale<<<1, 256>>>(reinterpret_cast<float4*>(in), reinterpret_cast<float4*>(out));
  powers<<<1, 32>>>(in, out);
  count_all<<<1, 32>>>(in, reinterpret_cast<int*>(out));
  std::printf("ran\n");
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
