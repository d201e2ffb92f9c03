// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs one of the counted cases, whose number is the argument, under the device in software.
#include <mmm/mmm.cuh>

#include "cases.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

namespace {

float* ones() {
  std::vector<float> const host(instructions::most_words, 1.0F);
  float* device = nullptr;
  mmm::cuda::check(cudaMalloc(&device, host.size() * 4), "cudaMalloc", "an array");
  mmm::cuda::check(cudaMemcpy(device, host.data(), host.size() * 4, cudaMemcpyHostToDevice),
                   "cudaMemcpy", "an array");
  return device;
}

struct one_of_them {
  int wanted;
  int at = 0;

  template <class M, class Call, class... Model>
  void run(char const*, mmm::index, M const& machine, mmm::index p, Call const& call,
           Model const&...) {
    if (at++ != wanted) return;
    float* const arrays[] = {ones(), ones(), ones()};
    call(mmm::cuda::on(machine, mmm::threads(p)), arrays[0], arrays[1], arrays[2]);
    mmm::cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize", "a kernel to count");
    for (float* const array : arrays) static_cast<void>(cudaFree(array));
  }
};

}  // namespace

int main(int, char** arguments) {
  try {
    one_of_them run{std::atoi(arguments[1])};
    instructions::for_each_case(run);
  } catch (std::exception const& e) {
    std::fprintf(stderr, "instructions: %s\n", e.what());
    return 1;
  }
  return 0;
}
