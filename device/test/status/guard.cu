// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels without waste. regressions.py makes regressions and refactorings of this text, and
// device_test.py compares their figures with those of the original.
#include <cstdio>

// [kernels]
__global__ void transpose(float const* in, float* out) {
  __shared__ float tile[32][33];
  for (int row = threadIdx.x / 32; row < 32; row += 4)
    tile[row][threadIdx.x % 32] = in[row * 32 + threadIdx.x % 32];
  __syncthreads();
  for (int row = threadIdx.x / 32; row < 32; row += 4)
    out[row * 32 + threadIdx.x % 32] = tile[threadIdx.x % 32][row];
}

__global__ void add_rows(float const* in, float* out) {
  float sum = 0;
  for (int k = 0; k < 32; ++k) sum += in[k * 128 + threadIdx.x];
  out[threadIdx.x] = sum;
}

__global__ void scale(float const* in, float* out) {
  float4 v = reinterpret_cast<float4 const*>(in)[threadIdx.x];
  v.x *= 2;
  reinterpret_cast<float4*>(out)[threadIdx.x] = v;
}

__global__ void reverse(float const* in, float* out) {
  float kept[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) kept[k] = in[k * 128 + threadIdx.x];
#pragma unroll
  for (int k = 0; k < 8; ++k) out[k * 128 + threadIdx.x] = kept[7 - k];
}

__global__ void count_all(float const* in, float* out) {
  int const mine = in[threadIdx.x] > 0;
  int const all = __reduce_add_sync(~0u, mine);
  if (threadIdx.x % 32 == 0) atomicAdd(reinterpret_cast<int*>(out), all);
}

__global__ void __launch_bounds__(128) hold_many(float const* in, float* out) {
  float held[60];
#pragma unroll
  for (int k = 0; k < 60; ++k) held[k] = in[k * 128 + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 60; ++k) out[k * 128 + threadIdx.x] = held[59 - k] * held[k];
}

__global__ void load_striped(float const* in, float* out) {
  constexpr int items = 4;
  float sum = 0;
  for (int k = 0; k < items; ++k) sum += in[k * 128 + threadIdx.x];
  out[threadIdx.x] = sum;
}

__global__ void histogram(float const* in, float* out) {
  __shared__ unsigned bins[32];
  if (threadIdx.x < 32) bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[(threadIdx.x + static_cast<int>(in[threadIdx.x])) % 32], 1U);
  __syncthreads();
  if (threadIdx.x < 32) out[threadIdx.x] = static_cast<float>(bins[threadIdx.x]);
}

__global__ void two_results(float const* __restrict__ in, float* out) {
  out[threadIdx.x] = in[threadIdx.x] + 1;
  out[128 + threadIdx.x] = in[threadIdx.x] + 2;
}

__global__ void copy_values(float const* in, float* out) {
  using value = float;
  reinterpret_cast<value*>(out)[threadIdx.x] = reinterpret_cast<value const*>(in)[threadIdx.x];
}

__global__ void copy_tile(float const* in, float* out) {
  constexpr int pitch = 64;
  for (int row = threadIdx.x / 32; row < 16; row += 4)
    out[row * 64 + threadIdx.x % 32] = in[row * pitch + threadIdx.x % 32];
}

__global__ void norm_of_points(float const* in, float* out) {
  float const x = in[threadIdx.x];
  float const y = in[128 + threadIdx.x];
  float const z = in[256 + threadIdx.x];
  out[threadIdx.x] = x * x + y * y + z * z;
}

__global__ void pairs(float const* in, float* out) {
  __shared__ float item[256];
  item[threadIdx.x] = in[threadIdx.x];
  item[128 + threadIdx.x] = in[128 + threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = item[threadIdx.x] + item[128 + threadIdx.x];
}

__global__ void bytes(float const* in, float* out) {
  uchar4 const four = reinterpret_cast<uchar4 const*>(in)[threadIdx.x];
  out[threadIdx.x] = static_cast<float>(four.x + four.y + four.z + four.w);
}

__global__ void two_ways(float const* in, float* out) {
  float x = in[threadIdx.x];
  if (threadIdx.x / 32 % 2 == 0)
    for (int k = 0; k < 50; ++k) x = x * x + 1;
  else
    for (int k = 0; k < 50; ++k) x = x / 3 + sqrtf(x);
  out[threadIdx.x] = x;
}

__global__ void in_steps(float const* in, float* out) {
  __shared__ float item[128];
  float sum = 0;
  item[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int k = 0; k < 16; ++k) {
    sum += item[(threadIdx.x + k) % 128];
  }
  out[threadIdx.x] = sum;
}

__global__ void sum_of_warp(float const* in, float* out) {
  float sum = in[threadIdx.x];
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(~0u, sum, distance);
  if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = sum;
}

__global__ void search(float const* in, float* out) {
  int found = 0;
  for (int k = 0; k < 128; ++k) {
    if (in[k] == 0) {
      found = k;
      break;
    }
  }
  out[threadIdx.x] = static_cast<float>(found);
}

__global__ void polynomial(float const* in, float* out) {
  float x = in[threadIdx.x];
#pragma unroll 1
  for (int k = 0; k < 32; ++k) x += in[k * 128 + threadIdx.x];
  out[threadIdx.x] = x;
}

__global__ void accumulate(float const* in, float* out) {
  float sum = 0;
  for (int k = 0; k < 16; ++k) {
    sum += in[k * 128 + threadIdx.x];
  }
  out[threadIdx.x] = sum;
}
// [/kernels]

int main() {
  constexpr unsigned bytes_of_each = 65536;
  float* in = nullptr;
  float* out = nullptr;
  if (cudaMalloc(&in, bytes_of_each) != cudaSuccess ||
      cudaMalloc(&out, bytes_of_each) != cudaSuccess)
    return 1;
  cudaMemset(in, 0, bytes_of_each);
  cudaMemset(out, 0, bytes_of_each);
  transpose<<<1, 128>>>(in, out);
  add_rows<<<1, 128>>>(in, out);
  scale<<<1, 128>>>(in, out);
  reverse<<<1, 128>>>(in, out);
  count_all<<<1, 128>>>(in, out);
  hold_many<<<1, 128>>>(in, out);
  load_striped<<<1, 128>>>(in, out);
  histogram<<<1, 128>>>(in, out);
  two_results<<<1, 128>>>(in, out);
  copy_values<<<1, 128>>>(in, out);
  copy_tile<<<1, 128>>>(in, out);
  norm_of_points<<<1, 128>>>(in, out);
  pairs<<<1, 128>>>(in, out);
  bytes<<<1, 128>>>(in, out);
  two_ways<<<1, 128>>>(in, out);
  in_steps<<<1, 128>>>(in, out);
  sum_of_warp<<<1, 128>>>(in, out);
  search<<<1, 128>>>(in, out);
  polynomial<<<1, 128>>>(in, out);
  accumulate<<<1, 128>>>(in, out);
  std::printf("ran\n");
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
