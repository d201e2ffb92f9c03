// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches each of the counted kernels once and nothing else, to be run under a profiler. Exit
// status 77 without a CUDA device.
#include <mmm/mmm.cuh>

#include "counted.hpp"
#include "patterns.hpp"

#include <cstdio>
#include <exception>
#include <vector>

namespace {

float* ones() {
  std::vector<float> const host(counted::words, 1.0F);
  float* device = nullptr;
  mmm::cuda::check(cudaMalloc(&device, host.size() * 4), "cudaMalloc", "an array");
  mmm::cuda::check(cudaMemcpy(device, host.data(), host.size() * 4, cudaMemcpyHostToDevice),
                   "cudaMemcpy", "an array");
  return device;
}

//! One warp's accesses of `Bytes` bytes, lane i at number `pattern(i)`. Loaded values are unused.
template <int Bytes, bool Store, class Pattern>
__global__ void accesses(Pattern pattern) {
  __shared__ float4 words[256];
  auto const number = static_cast<unsigned>(pattern(static_cast<counted::index>(threadIdx.x)));
  unsigned const at = static_cast<unsigned>(__cvta_generic_to_shared(words)) + number * Bytes;
#pragma unroll
  for (int k = 0; k < counted::repetitions; ++k) {
    float x = 0, y = 0, z = 0, w = 0;
    if constexpr (Store && Bytes == 16)
      asm volatile("st.volatile.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(at), "f"(x), "f"(y),
                   "f"(z), "f"(w));
    else if constexpr (Store)
      asm volatile("st.volatile.shared.v2.f32 [%0], {%1, %2};" ::"r"(at), "f"(x), "f"(y));
    else if constexpr (Bytes == 16)
      asm volatile("ld.volatile.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                   : "=f"(x), "=f"(y), "=f"(z), "=f"(w)
                   : "r"(at));
    else
      asm volatile("ld.volatile.shared.v2.f32 {%0, %1}, [%2];" : "=f"(x), "=f"(y) : "r"(at));
  }
}

}  // namespace

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("no CUDA device: skipped\n");
    return 77;
  }
  try {
    float* const arrays[] = {ones(), ones(), ones()};
    counted::for_each([&](char const*, auto const& machine, counted::index p, counted::index,
                          counted::index, auto const& call) {
      call(mmm::cuda::on(machine, mmm::threads(p)), arrays[0], arrays[1], arrays[2]);
      mmm::cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize", "a kernel to count");
    });
    for (float* const array : arrays) static_cast<void>(cudaFree(array));
    counted::for_each_pattern([](char const*, auto pattern) {
      accesses<16, false><<<1, 32>>>(pattern);
      accesses<8, false><<<1, 32>>>(pattern);
      accesses<16, true><<<1, 32>>>(pattern);
      accesses<8, true><<<1, 32>>>(pattern);
      mmm::cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize", "accesses to count");
    });
  } catch (std::exception const& e) {
    std::fprintf(stderr, "mmm_gpu_counted: %s\n", e.what());
    return 1;
  }
  return 0;
}
