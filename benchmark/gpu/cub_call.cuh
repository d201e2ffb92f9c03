// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "device.cuh"

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace bench {

//! A function of CUB and the memory that it asks for, which it gets when this is made. If it
//! refuses then, runs throw: the contender is left out, with the reason.
class cub_call {
 public:
  using call = std::function<cudaError_t(void*, std::size_t&)>;
  explicit cub_call(call run) : run_(std::move(run)) {
    try {
      check(run_(nullptr, bytes_), "CUB", "asking for memory");
      room_ = std::make_shared<buffer<char>>(static_cast<index>(bytes_));
    } catch (std::exception const& e) {
      refused_ = e.what();
    }
  }
  void operator()() const {
    if (room_ == nullptr) throw std::runtime_error(refused_);
    std::size_t bytes = bytes_;
    check(run_(room_->begin(), bytes), "CUB", "a contender");
  }

 private:
  call run_;
  std::size_t bytes_ = 0;
  std::shared_ptr<buffer<char>> room_{};
  std::string refused_{};
};

}  // namespace bench
