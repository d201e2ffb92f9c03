// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/execution/kernel/cuda_error.cuh>
#include <mmm/execution/kernel/mapped_results.cuh>
#include <mmm/execution/kernel/memory.hpp>
#include <mmm/execution/kernel/scratch_pool.cuh>

#include <cstddef>
#include <cstring>
#include <string>
#include <utility>
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
//! launch. Small results are written to pinned memory of the host (mapped_results).
class stand_ins {
 public:
  explicit stand_ins(launch_memory& memory) : memory_(memory) {}

  template <class T>
  [[nodiscard]] T* written(host_memory<T> const& host) {
    auto const bytes = host.count * static_cast<index>(sizeof(T));
    std::byte* const first = memory_.take(bytes);
    written_.push_back({host.data, first, static_cast<std::size_t>(bytes), false});
    return reinterpret_cast<T*>(first);
  }
  //! The stand-in for a result, which a kernel does not read: memory of the host if it is small.
  template <class T>
  [[nodiscard]] T* result(host_memory<T> const& host) {
    auto const bytes = host.count * static_cast<index>(sizeof(T));
    index const end = mapped_ + array_bytes(bytes, 1);
    if (end > mapped_results::bytes) return written(host);
    if (memory_.is_measured()) return nullptr;
    auto const& block = mapped_results::of_this_thread();
    written_.push_back({host.data, block.host(mapped_), static_cast<std::size_t>(bytes), true});
    return reinterpret_cast<T*>(block.device(std::exchange(mapped_, end)));
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
  //! Waits for the results and copies them to their places on the host, if there are any.
  void bring_home() const {
    if (written_.empty() || memory_.is_measured()) return;
    for (copy const& r : written_)
      if (!r.mapped)
        cuda::check(
            cudaMemcpyAsync(r.host, r.written, r.bytes, cudaMemcpyDeviceToHost, memory_.stream()),
            "cudaMemcpyAsync", "the results of a kernel");
    cuda::check(cudaStreamSynchronize(memory_.stream()), "cudaStreamSynchronize",
                "waiting for a kernel");
    for (copy const& r : written_)
      if (r.mapped) std::memcpy(r.host, r.written, r.bytes);
  }

 private:
  struct copy {
    void* host;
    void const* written;  //!< where the kernel writes it
    std::size_t bytes;
    bool mapped;  //!< whether that is memory of the host, too (mapped_results)
  };
  launch_memory& memory_;
  index mapped_ = 0;  //!< bytes of mapped_results that are taken
  std::vector<copy> written_{};
};

}  // namespace mmm::detail
