// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches each of the counted kernels once and nothing else, to be run under a profiler. Exit
// status 77 without a CUDA device.
#include <mmm/mmm.cuh>

#include "counted.hpp"

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
  } catch (std::exception const& e) {
    std::fprintf(stderr, "mmm_gpu_counted: %s\n", e.what());
    return 1;
  }
  return 0;
}
