// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of the CUDA runtime that the library makes: the first one asks about the kernel and the
// device; each further one only allocates scratch memory in the order of the stream and launches,
// and with storage of the caller's it only launches.
#include <mmm/execution/kernel/cuda.cuh>
#include <mmm/fast.hpp>

#include "counted_calls.hpp"

#include <dlfcn.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <thread>

namespace {

int failures = 0;

//! Runs `call` and compares the calls of the runtime, which are forgotten.
template <class Call>
void expect(char const* what, std::map<std::string, int> const& expected, Call const& call) {
  counted_calls().clear();
  call();
  if (counted_calls() == expected) return;
  ++failures;
  std::printf("%s:\n", what);
  for (auto const& [name, count] : counted_calls()) std::printf("  %d %s\n", count, name.c_str());
}

using machine = mmm::hmm<4, 32, 29, 700, 12288>;
std::map<std::string, int> const launch{{"cudaLaunchCooperativeKernel", 1}};
std::map<std::string, int> const with_scratch{
    {"cudaLaunchCooperativeKernel", 1}, {"cudaMallocFromPoolAsync", 1}, {"cudaFreeAsync", 1}};

}  // namespace

int main() {
  mmm::index const n = 20000;
  float* a = nullptr;
  float* out = nullptr;
  void* storage = nullptr;
  cudaMalloc(&a, n * sizeof(float));
  cudaMemset(a, 0, n * sizeof(float));
  cudaMalloc(&out, sizeof(float));
  auto const on = mmm::cuda::on<machine>(mmm::threads(4 * 64));
  auto const sum = [&](auto const& with) { mmm::fastest::sum(with, a, a + n, out); };
  auto const scan = [&](auto const& with) { mmm::fastest::prefix_sums(with, a, a + n, a); };
  auto const product = [&](auto const& with) {
    mmm::fastest::matrix_multiply(with, a, a, mmm::product_shape(1, 1, 1), out);
  };
  mmm::index const bytes = on.storage_bytes([&](auto const& with) {
    sum(with);
    scan(with);
  });
  cudaMalloc(&storage, static_cast<std::size_t>(bytes));
  auto const stored = on.with_storage(storage, bytes);
  sum(on);
  scan(on);
  product(on);
  if (counted_calls()["cudaMemPoolCreate"] != 1) {
    ++failures;
    std::printf("%d pools for scratch memory\n", counted_calls()["cudaMemPoolCreate"]);
  }
  expect("a second sum",
         {{"cudaLaunchKernel", 1}, {"cudaMallocFromPoolAsync", 1}, {"cudaFreeAsync", 1}},
         [&] { sum(on); });
  expect("a second scan", with_scratch, [&] { scan(on); });
  expect("a second product", {{"cudaLaunchKernel", 1}}, [&] { product(on); });
  expect("a sum in storage", {{"cudaLaunchKernel", 1}}, [&] { sum(stored); });
  expect("a scan in storage", launch, [&] { scan(stored); });

  // A triangulation clears nothing, and brings home its chords alone.
  mmm::index const vertices = 60;
  int* weights = nullptr;
  int* weight = nullptr;
  cudaMalloc(&weights, vertices * vertices * sizeof(int));
  cudaMemset(weights, 1, vertices * vertices * sizeof(int));
  cudaMalloc(&weight, sizeof(int));
  auto const whole = [&] { static_cast<void>(mmm::triangulation_blocked(on, weights, vertices)); };
  auto const alone = [&] { mmm::triangulation_blocked(on, weights, vertices, weight); };
  whole();
  alone();
  expect("a triangulation",
         {{"cudaMallocFromPoolAsync", 3},
          {"cudaFreeAsync", 3},
          {"cudaLaunchCooperativeKernel", 1},
          {"cudaLaunchKernel", 1},
          {"cudaMemcpyAsync", 2},
          {"cudaStreamSynchronize", 1}},
         whole);
  expect("the weight of a triangulation",
         {{"cudaMallocFromPoolAsync", 1},
          {"cudaFreeAsync", 1},
          {"cudaLaunchCooperativeKernel", 1},
          {"cudaLaunchKernel", 1}},
         alone);
  cudaDeviceSynchronize();

  // Scratch memory is from the device's pool if the program has set one.
  std::thread([&] {
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    cudaMemPool_t own{};
    cudaMemPoolCreate(&own, &properties);
    cudaDeviceSetMemPool(0, own);
    scan(on);
    cudaDeviceSynchronize();
    std::uint64_t most = 0;
    cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemHigh, &most);
    if (most > 0) return;
    ++failures;
    std::printf("the program's pool was not used\n");
  }).join();
  for (void* first : {static_cast<void*>(a), static_cast<void*>(out), storage,
                      static_cast<void*>(weights), static_cast<void*>(weight)})
    cudaFree(first);
  std::printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
