// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs one of the counted cases, whose number is the argument, under the device in software.
#include <mmm/mmm.cuh>

#include "cases.hpp"

#include <cuda_fp16.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

namespace {

template <class T>
T* copied(std::vector<T> const& host) {
  T* device = nullptr;
  mmm::cuda::check(cudaMalloc(&device, host.size() * sizeof(T)), "cudaMalloc", "an array");
  mmm::cuda::check(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice),
                   "cudaMemcpy", "an array");
  return device;
}
template <class T>
T* ones() {
  return copied(std::vector<T>(instructions::max_words, T(1.0F)));
}
std::uint32_t* keys() {
  std::vector<std::uint32_t> host(instructions::max_words);
  std::uint64_t state = 1;
  for (std::uint32_t& key : host) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    key = static_cast<std::uint32_t>(state >> 32);
  }
  return copied(host);
}

struct one_of_them {
  int wanted;
  int at = 0;

  template <class T>
  [[nodiscard]] T* copied(std::vector<T> const& host) const {
    return ::copied(host);
  }
  template <class M, class Call, class... Model>
  void run(char const*, mmm::index, M const& machine, mmm::index p, Call const& call,
           Model const&...) {
    run_on_ones<float>(machine, p, call);
  }
  template <class M, class Call, class... Model>
  void run_on_halves(char const*, mmm::index, M const& machine, mmm::index p, Call const& call,
                     Model const&...) {
    run_on_ones<__half>(machine, p, call);
  }
  template <class T, class M, class Call>
  void run_on_ones(M const& machine, mmm::index p, Call const& call) {
    if (at++ != wanted) return;
    T* const arrays[] = {ones<T>(), ones<T>(), ones<T>()};
    call(mmm::cuda::on(machine, mmm::threads(p)), arrays[0], arrays[1], arrays[2]);
    mmm::cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize", "a kernel to count");
    for (T* const array : arrays) static_cast<void>(cudaFree(array));
  }
  template <class M, class Call, class... Model>
  void run_on_keys(char const*, M const& machine, mmm::index p, Call const& call, Model const&...) {
    if (at++ != wanted) return;
    std::uint32_t* const arrays[] = {keys(), keys()};
    call(mmm::cuda::on(machine, mmm::threads(p)), arrays[0], arrays[1]);
    mmm::cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize", "a kernel to count");
    for (std::uint32_t* const array : arrays) static_cast<void>(cudaFree(array));
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
