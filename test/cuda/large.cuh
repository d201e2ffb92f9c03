// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of up to 2^28 words, checked on the device against a formula: word i is i mod 7 - 3. A
// period sums to 0, so that every prefix-sum is exact in every type.
#pragma once

#include "device_side.cuh"
#include "session.hpp"

#include <cstddef>
#include <cstdio>

//! Shared by large.cu and large_long.cu.
namespace large_arrays {

using mmm::index;
using umm = mmm::umm<32, 400>;
using hmm = mmm::hmm<mmm::dynamic, 32, 29, 700, mmm::dynamic>;

MMM_HOST_DEVICE constexpr int word_at(index i) { return static_cast<int>(i % 7) - 3; }
MMM_HOST_DEVICE constexpr int prefix_sum_at(index i) {
  int sum = 0;
  for (index k = 0; k <= i % 7; ++k) sum += word_at(k);
  return sum;
}

inline unsigned blocks() { return checks::small_only() ? 32 : 1024; }

template <class T>
__global__ void fill(T* a, index n) {
  index const step = index{gridDim.x} * blockDim.x;
  for (index i = index{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step)
    a[i] = static_cast<T>(word_at(i));
}

template <bool Sums, class T>
__global__ void count_wrong(T const* a, index n, unsigned long long* wrong) {
  unsigned long long mine = 0;
  index const step = index{gridDim.x} * blockDim.x;
  for (index i = index{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step)
    mine += a[i] != static_cast<T>(Sums ? prefix_sum_at(i) : word_at(i)) ? 1 : 0;
  if (mine > 0) atomicAdd(wrong, mine);
}

template <bool Sums, class T>
unsigned long long wrong_words(checks::device_words<T> const& a, index n) {
  checks::device_words<unsigned long long> wrong(1);
  count_wrong<Sums><<<blocks(), 256>>>(a.begin(), n, wrong.begin());
  mmm::cuda::check(cudaGetLastError(), "a kernel", "counting wrong words");
  return wrong.on_host().front();
}

//! True if the device has room for `arrays` of n words each, and some more.
template <class T>
bool there_is_room(index n, index arrays) {
  std::size_t free = 0;
  std::size_t total = 0;
  mmm::cuda::check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo", "asking for room");
  bool const room =
      static_cast<std::size_t>(arrays * n) * sizeof(T) + (std::size_t{1} << 28) <= free;
  if (!room)
    std::printf("        left out: %lld words, for which the device has no room\n",
                static_cast<long long>(n));
  return room;
}

template <class T>
void large(index most) {
  index const d = checks::small_only() ? 8 : checks::multiprocessors();
  auto const on_umm = mmm::cuda::on<umm>(mmm::threads(d * 1024));
  auto const on_hmm = mmm::cuda::on(hmm(d, 8192), mmm::threads(d * 1024));
  for (index const n :
       {index{60001}, index{1} << 20, (index{1} << 24) - 3, index{1} << 28, (index{1} << 28) + 5}) {
    if (n > most || (checks::small_only() && n > 60001) || !there_is_room<T>(n, 3)) continue;
    CAPTURE(n);
    auto const sum = static_cast<T>(prefix_sum_at(n - 1));
    checks::device_words<T> a(static_cast<std::size_t>(n));
    fill<<<blocks(), 256>>>(a.begin(), n);
    CHECK(mmm::sum(on_umm, a.begin(), a.end()) == sum);
    CHECK(mmm::sum(on_hmm, a.begin(), a.end()) == sum);
    CHECK(mmm::contiguous(on_umm, a.begin(), a.end()) == sum);
    CHECK(mmm::contiguous(on_hmm, a.begin(), a.end()) == sum);
    CHECK(wrong_words<false>(a, n) == 0);
    checks::device_words<T> out(static_cast<std::size_t>(n));
    mmm::prefix_sums(on_hmm, a.begin(), a.end(), out.begin());
    CHECK(wrong_words<true>(out, n) == 0);
    CHECK(wrong_words<false>(a, n) == 0);
    mmm::prefix_sums(on_umm, a.begin(), a.end(), a.begin());
    CHECK(wrong_words<true>(a, n) == 0);
  }
}

}  // namespace large_arrays
