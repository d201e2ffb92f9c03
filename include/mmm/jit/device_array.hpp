// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/jit/device.hpp>
#include <mmm/jit/libraries.hpp>

#include <cuda.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

//! Arrays in the GPU's memory, for programs that have no others.
namespace mmm::jit {

//! Values in the memory of the current GPU, which is given back at the end. Copies between the host
//! and the GPU wait for all that was launched on the default stream.
//! Errors: mmm::jit::error without a driver or a GPU, and where the GPU's memory does not suffice;
//! std::invalid_argument for a negative size.
template <class T>
class device_array {
  static_assert(std::is_trivially_copyable_v<T>,
                "mmm: values in the GPU's memory are trivially copyable");

 public:
  //! \param n number of values, which are undefined at first.
  explicit device_array(index n) : size_(n) {
    if (n < 0) mmm::detail::reject("the number of values of an array", n, "0 or more");
    if (n == 0) return;
    static_cast<void>(mmm::detail::checked_multiply(n, sizeof(T)));
    gpu_.driver.check(gpu_.driver.allocate_now(&first_, bytes()), "cuMemAlloc",
                      std::to_string(bytes()) + " bytes for an array");
  }
  explicit device_array(std::span<T const> values)
      : device_array(static_cast<index>(values.size())) {
    if (size_ != 0)
      gpu_.driver.check(gpu_.driver.copy_to_device(first_, values.data(), bytes()), "cuMemcpyHtoD",
                        "copying to the GPU");
  }
  explicit device_array(std::vector<T> const& values) : device_array(std::span<T const>(values)) {}
  device_array(device_array const&) = delete;
  device_array& operator=(device_array const&) = delete;
  ~device_array() {
    if (first_ != 0) static_cast<void>(gpu_.driver.free_now(first_));
  }

  [[nodiscard]] T* data() const {
    return reinterpret_cast<T*>(static_cast<std::uintptr_t>(first_));
  }
  [[nodiscard]] index size() const { return size_; }

  //! The values, on the host. Errors: also those of kernels before.
  [[nodiscard]] std::vector<T> copied() const {
    std::vector<T> values(static_cast<std::size_t>(size_));
    if (size_ != 0)
      gpu_.driver.check(gpu_.driver.copy_to_host(values.data(), first_, bytes()), "cuMemcpyDtoH",
                        "copying from the GPU");
    return values;
  }

 private:
  [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(size_) * sizeof(T); }

  detail::current_gpu gpu_;
  index size_;
  CUdeviceptr first_ = 0;
};

}  // namespace mmm::jit
