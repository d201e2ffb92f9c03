// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/execution/kernel/cuda_error.cuh>

#include <cuda_runtime.h>

#include <cstddef>
#include <string>
#include <vector>

//! The measured device: its memory, events for timing, patterns to fill memory with, and checks
//! that run on the device.
namespace bench {

using mmm::index;
using mmm::cuda::check;

//! An array of n words in device memory.
template <class T>
class buffer {
 public:
  explicit buffer(index n) : count_(n) {
    check(cudaMalloc(&first_, bytes() > 0 ? bytes() : 1), "cudaMalloc",
          std::to_string(bytes()) + " bytes for a measurement");
  }
  buffer(buffer const&) = delete;
  buffer& operator=(buffer const&) = delete;
  ~buffer() { static_cast<void>(cudaFree(first_)); }

  [[nodiscard]] T* begin() const { return first_; }
  [[nodiscard]] T* end() const { return first_ + count_; }
  [[nodiscard]] index size() const { return count_; }
  [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(count_) * sizeof(T); }
  //! Sets every byte. The call waits for completion, so that any stream may use the memory next.
  void set(int byte) const {
    check(cudaMemset(first_, byte, bytes()), "cudaMemset", "memory for a measurement");
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize", "memory for a measurement");
  }
  //! Fills the array with a value that no kernel computes: not-a-number for floats, -1 for
  //! integers.
  void poison() const { set(0xFF); }
  //! Word i, when all kernels have finished.
  [[nodiscard]] T word(index i) const {
    T value;
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize", "a word of a result");
    check(cudaMemcpy(&value, first_ + i, sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy",
          "a word of a result");
    return value;
  }
  void assign(std::vector<T> const& from) const {
    check(cudaMemcpy(first_, from.data(), bytes(), cudaMemcpyHostToDevice), "cudaMemcpy",
          "words for a measurement");
  }

 private:
  T* first_ = nullptr;
  index count_;
};

template <class T, class Value>
__global__ void set_words(T* a, index n, Value value) {
  index const step = index{gridDim.x} * blockDim.x;
  for (index i = index{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step)
    a[i] = static_cast<T>(value(i));
}

//! Sets `a[i] = value(i)` for every i and waits for completion; `value` has a device operator().
template <class T, class Value>
void fill(buffer<T> const& a, Value value) {
  if (a.size() == 0) return;
  set_words<<<2048, 256>>>(a.begin(), a.size(), value);
  check(cudaGetLastError(), "a kernel", "filling memory");
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize", "filling memory");
}

template <class Wrong>
__global__ void count_wrong(index n, Wrong wrong, unsigned long long* count) {
  unsigned long long mine = 0;
  index const step = index{gridDim.x} * blockDim.x;
  for (index i = index{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step)
    mine += wrong(i) ? 1 : 0;
  if (mine > 0) atomicAdd(count, mine);
}

//! True if `wrong(i)` is false for every i below n.
template <class Wrong>
[[nodiscard]] bool none_wrong(index n, Wrong wrong) {
  buffer<unsigned long long> count(1);
  count.set(0);
  count_wrong<<<2048, 256>>>(n, wrong, count.begin());
  check(cudaGetLastError(), "a kernel", "checking a result");
  return count.word(0) == 0;
}

//! A predicate: word i differs from `expected(i)`.
template <class T, class Expected>
struct differs {
  T const* found;
  Expected expected;
  MMM_HOST_DEVICE bool operator()(index i) const {
    return !(found[i] == static_cast<T>(expected(i)));
  }
};
//! True if every word of `a` equals `expected(i)`.
template <class T, class Expected>
[[nodiscard]] bool is_all(buffer<T> const& a, Expected expected) {
  return none_wrong(a.size(), differs<T, Expected>{a.begin(), expected});
}

//! The values -3 … 3, repeated. A period sums to 0, so that every prefix-sum is small and exact in
//! any type.
struct small_periodic {
  MMM_HOST_DEVICE constexpr int operator()(index i) const { return static_cast<int>(i % 7) - 3; }
};
MMM_HOST_DEVICE constexpr int periodic_sum(index n) {
  int sum = 0;
  for (index k = 0; k < n % 7; ++k) sum += small_periodic()(k);
  return sum;
}

struct periodic_sums {
  MMM_HOST_DEVICE constexpr int operator()(index i) const { return periodic_sum(i + 1); }
};

//! Floats in [-1, 1) from a hash of the index: without a pattern, and equal in every run.
struct scattered {
  unsigned seed;
  MMM_HOST_DEVICE constexpr float operator()(index i) const {
    auto x =
        static_cast<unsigned long long>(i) * 0x9E3779B97F4A7C15ULL + seed * 0xD1B54A32D192ED03ULL;
    x = (x ^ (x >> 31)) * 0xBF58476D1CE4E5B9ULL;
    x ^= x >> 29;
    return static_cast<float>(x >> 40) / 8388608.0F - 1.0F;
  }
};

//! A CUDA event, recorded in a stream.
class event {
 public:
  event() { check(cudaEventCreate(&event_), "cudaEventCreate", "measuring time"); }
  event(event const&) = delete;
  event& operator=(event const&) = delete;
  ~event() { static_cast<void>(cudaEventDestroy(event_)); }
  void record(cudaStream_t stream) {
    check(cudaEventRecord(event_, stream), "cudaEventRecord", "measuring time");
  }
  //! Microseconds from `begin` to this event; waits until both have completed.
  [[nodiscard]] double since(event const& begin) const {
    check(cudaEventSynchronize(event_), "cudaEventSynchronize", "measuring time");
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin.event_, event_), "cudaEventElapsedTime",
          "measuring time");
    return static_cast<double>(milliseconds) * 1000;
  }

 private:
  cudaEvent_t event_{};
};

}  // namespace bench
