// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

//! Errors of kernels that are compiled at run time.
namespace mmm::jit {

//! A library, a header or a GPU that is missing, or a call of NVRTC or of the driver that failed.
//! `log()` is NVRTC's log of a compilation that failed, or the driver's of code that it refused.
class error : public std::runtime_error {
 public:
  explicit error(std::string const& message, std::string log = "")
      : std::runtime_error("mmm: " + message + (log.empty() ? "" : "\n" + log)),
        log_(std::move(log)) {}
  [[nodiscard]] std::string const& log() const noexcept { return log_; }

 private:
  std::string log_;
};

}  // namespace mmm::jit
