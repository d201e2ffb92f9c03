// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/mmm.cuh>

#include "support/kernel_checks.hpp"

#include <cstddef>
#include <vector>

namespace checks {

//! Words in GPU memory, with the interface of thrust::device_vector, whose header takes seconds to
//! compile.
template <class T>
class device_words {
 public:
  explicit device_words(std::size_t n) : count_(n) {
    if (n == 0) return;
    mmm::cuda::check(cudaMalloc(&first_, n * sizeof(T)), "cudaMalloc", "words for a test");
    mmm::cuda::check(cudaMemset(first_, 0, n * sizeof(T)), "cudaMemset", "words for a test");
  }
  template <class Iterator>
  device_words(Iterator first, Iterator last)
      : device_words(static_cast<std::size_t>(last - first)) {
    std::vector<T> const host(first, last);
    copy(first_, host.data(), cudaMemcpyHostToDevice);
  }
  device_words(device_words const&) = delete;
  device_words& operator=(device_words const&) = delete;
  ~device_words() { static_cast<void>(cudaFree(first_)); }

  [[nodiscard]] T* begin() { return first_; }
  [[nodiscard]] T const* begin() const { return first_; }
  [[nodiscard]] T* end() { return first_ + count_; }
  [[nodiscard]] T const* end() const { return first_ + count_; }
  [[nodiscard]] std::vector<T> on_host() const {
    std::vector<T> host(count_);
    copy(host.data(), first_, cudaMemcpyDeviceToHost);
    return host;
  }

 private:
  void copy(T* to, T const* from, cudaMemcpyKind kind) const {
    if (count_ > 0)
      mmm::cuda::check(cudaMemcpy(to, from, count_ * sizeof(T), kind), "cudaMemcpy",
                       "words of a test");
  }
  T* first_ = nullptr;
  std::size_t count_;
};

[[nodiscard]] inline index multiprocessors() {
  return mmm::detail::device_attribute(cudaDevAttrMultiProcessorCount, 0);
}

//! The side of the checks in test/support/kernel_checks.hpp whose kernels run on the GPU.
struct device_side {
  template <class T>
  using vector = device_words<T>;
  template <class T>
  static std::vector<T> words(device_words<T> const& v) {
    return v.on_host();
  }
};

}  // namespace checks
