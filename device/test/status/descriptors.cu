// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product by wgmma of sm_90a whose descriptor of A is right (argument 0) or broken in one of
// eight ways (1 to 8). Tensor copies bring A: 64 rows of 64 halves, with a swizzle of 128 bytes or
// without.
#include "../checks/asynchronous.hpp"

#include <cudaTypedefs.h>
#include <cuda_fp16.h>

#include <cstdio>
#include <cstdlib>

__global__ void multiply(__grid_constant__ CUtensorMap const map, bool swizzled, unsigned start,
                         unsigned leading, unsigned stride, unsigned long long mode,
                         unsigned long long base, float* out) {
  extern __shared__ __align__(1024) unsigned char tile[];
  __shared__ unsigned long long full;
  if (threadIdx.x == 0) make_barrier(&full, 8192);
  __syncthreads();
  // Without a swizzle a box is 64 rows of 16 bytes.
  if (threadIdx.x == 0)
    for (int k = 0; k < (swizzled ? 1 : 8); ++k)
      asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
                   "[%0], [%1, {%2, "
                   "%3}], [%4];" ::"r"(shared_address(tile) + 1024U * static_cast<unsigned>(k)),
                   "l"(&map), "r"(8 * k), "r"(0), "r"(shared_address(&full))
                   : "memory");
  wait_for(&full);
  auto const descriptor = [&](unsigned at, unsigned lead, unsigned step, unsigned long long m) {
    auto const field = [](unsigned bytes) {
      return static_cast<unsigned long long>(bytes >> 4 & 0x3fff);
    };
    return field(shared_address(tile) + at) | field(lead) << 16 | field(step) << 32 | m << 62;
  };
  auto const a = descriptor(start, leading, stride, mode) | base << 49;
  auto const b = descriptor(0, swizzled ? 16 : 1024, swizzled ? 1024 : 128, swizzled ? 1 : 0);
  float d[4] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, 0, "
               "0;\nwgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, "
               "%2, %3}, %4, %5, p, 1, 1, 0, 0;\n}"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "l"(a), "l"(b));
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (unsigned k = 0; k < 4; ++k) out[threadIdx.x * 4 + k] = d[k];
}

int main(int count, char** values) {
  int const way = count == 2 ? std::atoi(values[1]) : -1;
  if (way < 0 || way > 8) {
    std::puts("argument: 0 to 8");
    return 9;
  }
  bool const swizzled = way != 3 && way != 4;
  unsigned start = 0, leading = swizzled ? 16 : 1024, stride = swizzled ? 1024 : 128;
  unsigned long long mode = swizzled ? 1 : 0, base = 0;
  if (way == 1) start = 0x30000;     // outside of shared memory
  if (way == 2) start = 128;         // in the second row of the swizzle's pattern
  if (way == 3) leading = 64;        // in the same box
  if (way == 4) leading = 0x3fff0;   // outside of shared memory
  if (way == 5) stride = 1024 / 16;  // divided by 16 twice
  if (way == 6) stride = 0x3fff0;    // outside of shared memory
  if (way == 7) mode = 2;            // 64 bytes
  if (way == 8) base = 1;
  void* found = nullptr;
  cudaDriverEntryPointQueryResult status{};
  cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault,
                                   &status);
  if (found == nullptr) return 8;
  __half host[64 * 64];
  for (int k = 0; k < 64 * 64; ++k) host[k] = __float2half(static_cast<float>(k * 7 % 11 - 5));
  void* in;
  float *out, result[512];
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof result);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  CUtensorMap map;
  cuuint64_t const sizes[] = {64, 64}, strides[] = {128};
  cuuint32_t const box[] = {swizzled ? 64U : 8U, 64}, steps[] = {1, 1};
  if (reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(found)(
          &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, in, sizes, strides, box, steps,
          CU_TENSOR_MAP_INTERLEAVE_NONE,
          swizzled ? CU_TENSOR_MAP_SWIZZLE_128B : CU_TENSOR_MAP_SWIZZLE_NONE,
          CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
    return 7;
  multiply<<<1, 128, 8192>>>(map, swizzled, start, leading, stride, mode, base, out);
  if (cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost) != cudaSuccess) return 0;
  cudaFree(in);
  cudaFree(out);
  if (way != 0) return 0;
  for (int t = 0; t < 128; ++t)
    for (int k = 0; k < 4; ++k) {
      int const row = t / 32 * 16 + t % 32 / 4 + k / 2 * 8, column = t % 4 * 2 + k % 2;
      float sum = 0;
      for (int l = 0; l < 16; ++l)
        sum += __half2float(host[row * 64 + l]) * __half2float(host[column * 64 + l]);
      if (result[t * 4 + k] != sum) {
        std::printf("(%d, %d) is %g instead of %g\n", row, column,
                    static_cast<double>(result[t * 4 + k]), static_cast<double>(sum));
        return 1;
      }
    }
  return 0;
}
