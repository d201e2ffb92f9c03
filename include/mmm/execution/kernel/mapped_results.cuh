// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/execution/kernel/cuda_error.cuh>

#include <cstddef>

//! Pinned memory of the host that kernels write their small results to.
namespace mmm::detail {

//! A block of pinned memory, mapped into the address space of every device. A kernel's stores to it
//! are on the host when the kernel is done, without a copy.
class mapped_results {
 public:
  static constexpr index bytes = 4096;

  mapped_results() = default;
  mapped_results(mapped_results const&) = delete;
  mapped_results& operator=(mapped_results const&) = delete;
  ~mapped_results() {
    if (host_ != nullptr) static_cast<void>(cudaFreeHost(host_));
  }
  //! The block of this host thread, allocated at the first call. A call that returns a result waits
  //! for its kernel, so one block is enough for all calls of the thread.
  [[nodiscard]] static mapped_results& of_this_thread() {
    thread_local mapped_results block;
    if (block.host_ == nullptr) block.allocate();
    return block;
  }
  [[nodiscard]] std::byte const* host(index place) const { return host_ + place; }
  [[nodiscard]] std::byte* device(index place) const { return device_ + place; }

 private:
  void allocate() {
    void* host = nullptr;
    cuda::check(cudaHostAlloc(&host, static_cast<std::size_t>(bytes),
                              cudaHostAllocMapped | cudaHostAllocPortable),
                "cudaHostAlloc", "memory for results");
    host_ = static_cast<std::byte*>(host);
    void* device = nullptr;
    cuda::check(cudaHostGetDevicePointer(&device, host, 0), "cudaHostGetDevicePointer",
                "memory for results");
    device_ = static_cast<std::byte*>(device);
  }
  std::byte* host_ = nullptr;
  std::byte* device_ = nullptr;
};

}  // namespace mmm::detail
