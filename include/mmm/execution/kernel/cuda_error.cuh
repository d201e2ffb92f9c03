// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

//! Errors of the CUDA runtime, as exceptions.
namespace mmm::cuda {

//! A failed call of the CUDA runtime: its name, its purpose and the error.
class error : public std::runtime_error {
 public:
  error(cudaError_t code, char const* call, std::string const& purpose)
      : std::runtime_error("mmm: " + purpose + ": " + call + " failed: " +
                           cudaGetErrorString(code) + " (" + cudaGetErrorName(code) + ")"),
        code_(code) {}
  [[nodiscard]] cudaError_t code() const noexcept { return code_; }

 private:
  cudaError_t code_;
};

//! Throws mmm::cuda::error unless `code` is success. An error that is not sticky is cleared in the
//! runtime.
inline void check(cudaError_t code, char const* call, std::string const& purpose) {
  if (code == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());
  throw error(code, call, purpose);
}

}  // namespace mmm::cuda
