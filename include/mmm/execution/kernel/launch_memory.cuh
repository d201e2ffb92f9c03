// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/execution/kernel/cuda_error.cuh>
#include <mmm/execution/kernel/memory.hpp>
#include <mmm/execution/kernel/scratch_pool.cuh>

#include <cstddef>
#include <string>
#include <vector>

//! Device memory of a launch: the arrays that programs allocate, and stand-ins for memory of the
//! host.
namespace mmm::detail {

//! Storage that a caller gives to launches, or a request to measure how much they need.
struct launch_storage {
  std::byte* first = nullptr;
  index bytes = -1;            //!< number of bytes; negative if the caller gives none
  index* measured = nullptr;   //!< if set, launches only store the maximum number of bytes here …
  index before = 0;            //!< … in addition to so many bytes used by others
  void const* room = nullptr;  //!< begin of the handle's own array for its programs
};

//! The memory of one launch: the caller's, or memory of scratch_pool(), which goes back in the
//! order of the stream. Its arrays begin at multiples of 256 bytes.
class launch_memory {
 public:
  launch_memory(launch_storage const& storage, cudaStream_t stream)
      : storage_(storage), stream_(stream) {}
  launch_memory(launch_memory const&) = delete;
  launch_memory& operator=(launch_memory const&) = delete;
  ~launch_memory() {
    for (void* const first : owned_) static_cast<void>(cudaFreeAsync(first, stream_));
  }

  [[nodiscard]] bool is_measured() const { return storage_.measured != nullptr; }
  [[nodiscard]] cudaStream_t stream() const { return stream_; }
  //! Takes memory for a launch. Errors: std::length_error if the caller has given less.
  [[nodiscard]] std::byte* take(index bytes) {
    if (bytes == 0) return nullptr;
    index const before = used_;
    used_ += array_bytes(bytes, 1);
    if (is_measured()) {
      *storage_.measured = larger(*storage_.measured, storage_.before + used_);
      return nullptr;
    }
    if (storage_.bytes >= 0) {
      if (used_ > storage_.bytes) reject_length("bytes of storage", used_, storage_.bytes);
      return storage_.first + before;
    }
    void* first = nullptr;
    cuda::check(
        cudaMallocFromPoolAsync(&first, static_cast<std::size_t>(bytes), scratch_pool(), stream_),
        "cudaMallocFromPoolAsync", std::to_string(bytes) + " bytes for a kernel");
    owned_.push_back(first);
    return static_cast<std::byte*>(first);
  }
  //! The caller's storage that has not been taken yet.
  [[nodiscard]] launch_storage rest() const {
    launch_storage left = storage_;
    left.before += used_;
    if (left.first != nullptr) left.first += used_;
    if (left.bytes >= 0) left.bytes -= used_;
    return left;
  }

 private:
  launch_storage storage_;
  cudaStream_t stream_;
  index used_ = 0;
  std::vector<void*> owned_{};
};

//! Stand-ins on the device for host memory that a kernel reads or writes, for the duration of a
//! launch.
class stand_ins {
 public:
  explicit stand_ins(launch_memory& memory) : memory_(memory) {}

  template <class T>
  [[nodiscard]] T* written(host_memory<T> const& host) {
    auto const bytes = host.count * static_cast<index>(sizeof(T));
    std::byte* const first = memory_.take(bytes);
    results_.push_back({host.data, first, static_cast<std::size_t>(bytes)});
    return reinterpret_cast<T*>(first);
  }
  template <class T>
  [[nodiscard]] T const* read(T const* host, index n) {
    auto const bytes = n * static_cast<index>(sizeof(T));
    std::byte* const first = memory_.take(bytes);
    if (n > 0 && !memory_.is_measured())
      cuda::check(cudaMemcpyAsync(first, host, static_cast<std::size_t>(bytes),
                                  cudaMemcpyHostToDevice, memory_.stream()),
                  "cudaMemcpyAsync", "a table for a kernel");
    return reinterpret_cast<T const*>(first);
  }
  //! Copies the results back to the host and waits for them, if there are any.
  void bring_home() const {
    if (results_.empty() || memory_.is_measured()) return;
    for (result const& r : results_)
      cuda::check(
          cudaMemcpyAsync(r.host, r.device, r.bytes, cudaMemcpyDeviceToHost, memory_.stream()),
          "cudaMemcpyAsync", "the results of a kernel");
    cuda::check(cudaStreamSynchronize(memory_.stream()), "cudaStreamSynchronize",
                "waiting for a kernel");
  }

 private:
  struct result {
    void* host;
    void const* device;
    std::size_t bytes;
  };
  launch_memory& memory_;
  std::vector<result> results_{};
};

}  // namespace mmm::detail
