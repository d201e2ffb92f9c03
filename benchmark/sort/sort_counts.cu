// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One sort of n random 4-byte keys, for benchmark/sort_counts.py, which counts its kernels'
// instructions and sectors: sort_counts CONTENDER N.
#include <mmm/mmm.cuh>

#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

namespace {

using keys = std::uint32_t*;
using values = std::uint32_t*;

struct arrays {
  keys in, out;
  values of_in, of_out;
  int n;
};

//! Calls a function of CUB with the memory that it asks for.
template <class Call>
void with_memory(Call const& call) {
  std::size_t bytes = 0;
  void* memory = nullptr;
  call(memory, bytes);
  mmm::cuda::check(cudaMalloc(&memory, bytes), "cudaMalloc", "CUB's memory");
  call(memory, bytes);
  mmm::cuda::check(cudaFree(memory), "cudaFree", "CUB's memory");
}

auto handle(mmm::index threads) {
  constexpr auto machine = mmm::hmm<132, 32, 29, 479, 58112>{};
  return mmm::cuda::on(machine, mmm::threads(132 * threads));
}

//! Three full blocks on each multiprocessor.
auto by_digits() {
  constexpr auto machine = mmm::hmm<396, 32, 29, 479, 19285>{};
  return mmm::cuda::on(machine, mmm::threads(396 * 320));
}

//! An order that a sort by digits does not know.
struct in_order {
  MMM_HOST_DEVICE bool operator()(std::uint32_t x, std::uint32_t y) const { return x < y; }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::string const contender = argv[1];
  auto const n = static_cast<std::size_t>(std::atoi(argv[2]));
  std::vector<std::uint32_t> host(n);
  std::uint64_t state = 1;
  for (std::uint32_t& key : host) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    key = static_cast<std::uint32_t>(state >> 32);
  }
  arrays a{nullptr, nullptr, nullptr, nullptr, static_cast<int>(n)};
  for (std::uint32_t** array : {&a.in, &a.out, &a.of_in, &a.of_out}) {
    mmm::cuda::check(cudaMalloc(array, n * 4), "cudaMalloc", "keys");
    mmm::cuda::check(cudaMemcpy(*array, host.data(), n * 4, cudaMemcpyHostToDevice), "cudaMemcpy",
                     "keys");
  }
  keys result = a.in;
  if (contender == "sort")
    mmm::sort(handle(512), a.in, a.in + n);
  else if (contender == "sort_pairs")
    mmm::sort_pairs(handle(512), a.in, a.in + n, a.of_in);
  else if (contender == "radix_sort")
    mmm::radix_sort(by_digits(), a.in, a.in + n);
  else if (contender == "radix_sort_pairs")
    mmm::radix_sort_pairs(by_digits(), a.in, a.in + n, a.of_in);
  else if (contender == "merge_sort")
    mmm::fastest::sort(handle(512), a.in, a.in + n, in_order{});
  else if (contender == "merge_sort_pairs")
    mmm::fastest::sort_pairs(handle(512), a.in, a.in + n, a.of_in, in_order{});
  else if (contender == "cub_radix_sort")
    with_memory([&](void* memory, std::size_t& bytes) {
      cub::DeviceRadixSort::SortKeys(memory, bytes, a.in, result = a.out, a.n);
    });
  else if (contender == "cub_radix_sort_pairs")
    with_memory([&](void* memory, std::size_t& bytes) {
      cub::DeviceRadixSort::SortPairs(memory, bytes, a.in, result = a.out, a.of_in, a.of_out, a.n);
    });
  else if (contender == "cub_merge_sort")
    with_memory([&](void* memory, std::size_t& bytes) {
      cub::DeviceMergeSort::SortKeys(memory, bytes, a.in, a.n, mmm::ascending{});
    });
  else if (contender == "cub_merge_sort_pairs")
    with_memory([&](void* memory, std::size_t& bytes) {
      cub::DeviceMergeSort::SortPairs(memory, bytes, a.in, a.of_in, a.n, mmm::ascending{});
    });
  else
    return 2;
  std::vector<std::uint32_t> sorted(n);
  mmm::cuda::check(cudaMemcpy(sorted.data(), result, n * 4, cudaMemcpyDeviceToHost), "cudaMemcpy",
                   "keys");
  std::sort(host.begin(), host.end());
  std::cout << (sorted == host ? "sorted\n" : "wrong\n");
  return sorted == host ? 0 : 1;
}
