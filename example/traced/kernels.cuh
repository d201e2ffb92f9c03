// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/cuda_on_host.hpp>

//! CUDA kernels as people write them, which nvcc compiles for a GPU, and a C++ compiler for a trace
//! on the host.
namespace kernels {

using mmm::gpu::device_pointer;

//! The sum of each block's elements, interleaved addressing (Harris, Optimizing Parallel Reduction
//! in CUDA, kernel 1).
__global__ void reduce1(device_pointer<int const> in, device_pointer<int> out) {
  MMM_SHARED(int[256], s);
  unsigned const t = threadIdx.x;
  s[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned h = 1; h < blockDim.x; h *= 2) {
    if (t % (2 * h) == 0) s[t] += s[t + h];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

// [reduce2]
//! Kernel 2: the active threads are the first ones, which brings bank conflicts.
__global__ void reduce2(device_pointer<int const> in, device_pointer<int> out) {
  MMM_SHARED(int[256], s);
  unsigned const t = threadIdx.x;
  s[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned h = 1; h < blockDim.x; h *= 2) {
    unsigned const i = 2 * h * t;
    if (i < blockDim.x) s[i] += s[i + h];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
// [/reduce2]

//! Kernel 3: sequential addressing, without conflicts.
__global__ void reduce3(device_pointer<int const> in, device_pointer<int> out) {
  MMM_SHARED(int[256], s);
  unsigned const t = threadIdx.x;
  s[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned h = blockDim.x / 2; h > 0; h /= 2) {
    if (t < h) s[t] += s[t + h];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

//! Kernel 4: the first addition while loading.
__global__ void reduce4(device_pointer<int const> in, device_pointer<int> out) {
  MMM_SHARED(int[256], s);
  unsigned const t = threadIdx.x;
  unsigned const i = blockIdx.x * blockDim.x * 2 + t;
  s[t] = in[i] + in[i + blockDim.x];
  __syncthreads();
  for (unsigned h = blockDim.x / 2; h > 0; h /= 2) {
    if (t < h) s[t] += s[t + h];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

//! The last steps of a reduction, in one warp.
__device__ inline void reduce_warp(device_pointer<int> s, unsigned t) {
  for (unsigned h = 32; h > 0; h /= 2) {
    int const sum = s[t] + s[t + h];
    __syncwarp();
    s[t] = sum;
    __syncwarp();
  }
}

//! Kernel 5: the last warp without barriers of the block.
__global__ void reduce5(device_pointer<int const> in, device_pointer<int> out) {
  MMM_SHARED(int[256], s);
  unsigned const t = threadIdx.x;
  unsigned const i = blockIdx.x * blockDim.x * 2 + t;
  s[t] = in[i] + in[i + blockDim.x];
  __syncthreads();
  for (unsigned h = blockDim.x / 2; h > 32; h /= 2) {
    if (t < h) s[t] += s[t + h];
    __syncthreads();
  }
  if (t < 32) reduce_warp(s, t);
  if (t == 0) out[blockIdx.x] = s[0];
}

//! Kernel 6: unrolled, the block's size being known.
template <unsigned Threads>
__global__ void reduce6(device_pointer<int const> in, device_pointer<int> out) {
  MMM_SHARED(int[Threads], s);
  unsigned const t = threadIdx.x;
  unsigned const i = blockIdx.x * Threads * 2 + t;
  s[t] = in[i] + in[i + Threads];
  __syncthreads();
  if constexpr (Threads >= 256) {
    if (t < 128) s[t] += s[t + 128];
    __syncthreads();
  }
  if constexpr (Threads >= 128) {
    if (t < 64) s[t] += s[t + 64];
    __syncthreads();
  }
  if (t < 32) reduce_warp(s, t);
  if (t == 0) out[blockIdx.x] = s[0];
}

//! Kernel 7: many elements for each thread.
__global__ void reduce7(device_pointer<int const> in, device_pointer<int> out, unsigned n) {
  MMM_SHARED(int[256], s);
  unsigned const t = threadIdx.x;
  int sum = 0;
  for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += blockDim.x * gridDim.x) sum += in[i];
  s[t] = sum;
  __syncthreads();
  for (unsigned h = blockDim.x / 2; h > 32; h /= 2) {
    if (t < h) s[t] += s[t + h];
    __syncthreads();
  }
  if (t < 32) reduce_warp(s, t);
  if (t == 0) out[blockIdx.x] = s[0];
}

//! How often each byte occurs: a histogram in shared memory for each block.
__global__ void histogram(device_pointer<unsigned char const> data, int n,
                          device_pointer<unsigned> bins) {
  MMM_SHARED(unsigned[256], own);
  own[threadIdx.x] = 0;
  __syncthreads();
  int const step = static_cast<int>(blockDim.x * gridDim.x);
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < n; i += step)
    atomicAdd(&own[data[i]], 1U);
  __syncthreads();
  unsigned const count = own[threadIdx.x];
  if (count != 0) atomicAdd(&bins[threadIdx.x], count);
}

//! Sums of neighbours: tiles of 16 x 16 with a halo, 18 elements wide. Blocks of 16 x 16 threads.
__global__ void stencil(device_pointer<float const> in, device_pointer<float> out, int side) {
  MMM_SHARED(float[18][18], tile);
  int const x = static_cast<int>(threadIdx.x);
  int const y = static_cast<int>(threadIdx.y);
  int const left = static_cast<int>(blockIdx.x) * 16 - 1;
  int const top = static_cast<int>(blockIdx.y) * 16 - 1;
  for (int row = y; row < 18; row += 16)
    for (int column = x; column < 18; column += 16) {
      int const r = top + row;
      int const c = left + column;
      bool const inside = r >= 0 && r < side && c >= 0 && c < side;
      tile[row][column] = inside ? in[r * side + c] : 0.0F;
    }
  __syncthreads();
  out[(top + 1 + y) * side + left + 1 + x] = tile[y][x + 1] + tile[y + 2][x + 1] + tile[y + 1][x] +
                                             tile[y + 1][x + 2] + tile[y + 1][x + 1];
}

//! A sparse matrix in compressed rows times a vector, a thread for each row.
__global__ void spmv(int rows, device_pointer<int const> start, device_pointer<int const> column,
                     device_pointer<float const> value, device_pointer<float const> x,
                     device_pointer<float> y) {
  int const row = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (row >= rows) return;
  float sum = 0;
  int const end = start[row + 1];
#pragma unroll 1
  for (int j = start[row]; j < end; ++j) {
    int const c = column[j];
    float const v = value[j];
    sum += v * x[c];
  }
  y[row] = sum;
}

//! How many of three bytes stand at each place of `texts` texts, which lie side by side, and 1 for
//! each text that does not end, by a zero, before `length`. A thread for each text.
__global__ void match_bytes(device_pointer<unsigned char const> text, int texts, int length,
                            device_pointer<unsigned char const> bytes, device_pointer<int> equal,
                            device_pointer<int> is_whole) {
  int const own = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
#pragma unroll 1
  for (int from = 0; from < length; ++from) {
    int k = 0;
#pragma unroll 1
    for (; k < 3; ++k) {
      int const c = text[(from + k) * texts + own];
      if (c == 0) return;
      if (c != bytes[k]) break;
    }
    equal[from * texts + own] = k;
  }
  is_whole[own] = 1;
}

//! Sorts each block's 256 keys, half of them threads: a bitonic sorting network in shared memory.
__global__ void bitonic_sort(device_pointer<unsigned> keys) {
  MMM_SHARED(unsigned[256], s);
  unsigned const t = threadIdx.x;
  unsigned const first = blockIdx.x * 256;
  s[t] = keys[first + t];
  s[t + 128] = keys[first + t + 128];
  for (unsigned size = 2; size <= 256; size *= 2)
    for (unsigned distance = size / 2; distance > 0; distance /= 2) {
      __syncthreads();
      unsigned const low = 2 * t - (t & (distance - 1));
      unsigned const a = s[low];
      unsigned const b = s[low + distance];
      bool const descending = (low & size) != 0;
      if ((a > b) != descending) {
        s[low] = b;
        s[low + distance] = a;
      }
    }
  __syncthreads();
  keys[first + t] = s[t];
  keys[first + t + 128] = s[t + 128];
}

//! Prefix-sums of each block's elements: shuffles within warps, then over the warps.
__global__ void warp_scan(device_pointer<int const> in, device_pointer<int> out) {
  MMM_SHARED(int[32], warp_sums);
  unsigned const t = threadIdx.x;
  unsigned const lane = t % 32;
  unsigned const i = blockIdx.x * blockDim.x + t;
  int sum = in[i];
  for (unsigned d = 1; d < 32; d *= 2) {
    int const other = __shfl_up_sync(0xFFFFFFFFU, sum, d);
    if (lane >= d) sum += other;
  }
  if (lane == 31) warp_sums[t / 32] = sum;
  __syncthreads();
  if (t < 32) {
    int total = 0;
    if (t < blockDim.x / 32) total = warp_sums[t];
    for (unsigned d = 1; d < 32; d *= 2) {
      int const other = __shfl_up_sync(0xFFFFFFFFU, total, d);
      if (t >= d) total += other;
    }
    warp_sums[t] = total;
  }
  __syncthreads();
  if (t >= 32) sum += warp_sums[t / 32 - 1];
  out[i] = sum;
}

}  // namespace kernels
