// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/execution/kernel/cuda_error.cuh>
#include <mmm/execution/mpi/messages.hpp>

#include <mpi.h>
#if defined(OPEN_MPI) && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdlib>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

//! Messages between the device memories of MPI's processes: by MPI where it accesses device memory,
//! otherwise through pinned memory of the host.
namespace mmm::detail {

//! True if MPI accesses device memory ("CUDA-aware"). The environment variable MMM_CUDA_AWARE_MPI,
//! 0 or 1, decides; otherwise MPIX_Query_cuda_support, where MPI has it.
[[nodiscard]] inline bool asked_for_cuda_awareness() {
  if (char const* const given = std::getenv("MMM_CUDA_AWARE_MPI")) {
    std::string const text = given;
    if (text == "0" || text == "1") return text == "1";
    throw_invalid_argument(failure_text("mmm: the environment variable MMM_CUDA_AWARE_MPI is \"",
                                        given, "\"; accepted: 0, 1"));
  }
#if defined(MPIX_CUDA_AWARE_SUPPORT) && MPIX_CUDA_AWARE_SUPPORT
  return MPIX_Query_cuda_support() != 0;
#else
  return false;
#endif
}
//! The same, asked once.
[[nodiscard]] inline bool mpi_accesses_device_memory() {
  static bool const accesses = asked_for_cuda_awareness();
  return accesses;
}

//! The stream for copies beside kernels, one for each device, to the end of the process.
[[nodiscard]] inline cudaStream_t copy_stream() {
  static std::mutex one;
  static std::vector<std::pair<int, cudaStream_t>> streams;
  int device = 0;
  cuda::check(cudaGetDevice(&device), "cudaGetDevice", "looking for a CUDA device");
  std::lock_guard const lock(one);
  for (auto const& [of_device, stream] : streams)
    if (of_device == device) return stream;
  cudaStream_t made{};
  cuda::check(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking), "cudaStreamCreateWithFlags",
              "a stream for messages");
  streams.emplace_back(device, made);
  return made;
}

//! Pinned memory of the host for messages of a host thread. It keeps up to 64 MiB that are not in
//! use, for messages that are sent and for those that are received: mmm-run follows undefined bytes
//! through a copy to the host, and does not see that MPI overwrites them.
class pinned_memory {
 public:
  struct block {
    std::byte* first = nullptr;
    std::size_t bytes = 0;
  };
  pinned_memory() = default;
  pinned_memory(pinned_memory const&) = delete;
  pinned_memory& operator=(pinned_memory const&) = delete;
  ~pinned_memory() {
    for (block const& x : unused_) static_cast<void>(cudaFreeHost(x.first));
  }
  [[nodiscard]] static pinned_memory& of_this_thread(bool sent) {
    thread_local pinned_memory all[2];
    return all[sent ? 1 : 0];
  }
  //! A block of `bytes` bytes or more.
  [[nodiscard]] block take(std::size_t bytes) {
    std::size_t best = unused_.size();
    for (std::size_t i = 0; i < unused_.size(); ++i)
      if (unused_[i].bytes >= bytes &&
          (best == unused_.size() || unused_[i].bytes < unused_[best].bytes))
        best = i;
    if (best < unused_.size()) {
      block const found = std::exchange(unused_[best], unused_.back());
      unused_.pop_back();
      retained_ -= found.bytes;
      return found;
    }
    std::size_t rounded = std::size_t{1} << 16;
    while (rounded < bytes) rounded *= 2;
    if (rounded > max_retained) rounded = bytes;
    void* made = nullptr;
    cuda::check(cudaHostAlloc(&made, rounded, cudaHostAllocPortable), "cudaHostAlloc",
                std::to_string(rounded) + " bytes for messages");
    return {static_cast<std::byte*>(made), rounded};
  }
  void give_back(block const& x) {
    if (retained_ + x.bytes > max_retained) {
      static_cast<void>(cudaFreeHost(x.first));
      return;
    }
    unused_.push_back(x);
    retained_ += x.bytes;
  }

 private:
  static constexpr std::size_t max_retained = std::size_t{64} << 20;
  std::vector<block> unused_{};
  std::size_t retained_ = 0;
};

//! Pinned memory of some messages. It goes back when the copies from and to it are complete.
class staging {
 public:
  staging() = default;
  staging(staging const&) = delete;
  staging& operator=(staging const&) = delete;
  ~staging() {
    if (taken_.empty()) return;
    static_cast<void>(cudaStreamSynchronize(stream_));
    for (auto const& [block, sent] : taken_) pinned_memory::of_this_thread(sent).give_back(block);
  }
  //! \param sent whether the memory is for a message that is sent.
  [[nodiscard]] std::byte* take(index bytes, bool sent) {
    if (taken_.empty()) stream_ = copy_stream();
    taken_.reserve(taken_.size() + 1);
    auto const block = pinned_memory::of_this_thread(sent).take(static_cast<std::size_t>(bytes));
    taken_.emplace_back(block, sent);
    return block.first;
  }
  //! Starts to copy rows of `bytes` bytes each between the device and this memory.
  void copy(std::byte* target, index target_pitch, std::byte const* source, index source_pitch,
            index bytes, index rows, cudaMemcpyKind direction) const {
    copy_rows(target, target_pitch, source, source_pitch, bytes, rows, direction, stream_);
  }
  //! Waits for the copies.
  void finish() const {
    if (!taken_.empty())
      cuda::check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize",
                  "waiting for the copies of messages");
  }
  static void copy_rows(std::byte* target, index target_pitch, std::byte const* source,
                        index source_pitch, index bytes, index rows, cudaMemcpyKind direction,
                        cudaStream_t stream) {
    constexpr index max_pitch = 0x7fffffff;
    char const* const purpose = "copying the words of a message";
    auto const all = static_cast<std::size_t>(bytes);
    if (bytes == 0 || rows == 0) return;
    if (rows == 1 || (target_pitch == bytes && source_pitch == bytes)) {
      cuda::check(
          cudaMemcpyAsync(target, source, all * static_cast<std::size_t>(rows), direction, stream),
          "cudaMemcpyAsync", purpose);
    } else if (larger(target_pitch, source_pitch) <= max_pitch) {
      cuda::check(cudaMemcpy2DAsync(target, static_cast<std::size_t>(target_pitch), source,
                                    static_cast<std::size_t>(source_pitch), all,
                                    static_cast<std::size_t>(rows), direction, stream),
                  "cudaMemcpy2DAsync", purpose);
    } else {
      for (index row = 0; row < rows; ++row)
        cuda::check(cudaMemcpyAsync(target + row * target_pitch, source + row * source_pitch, all,
                                    direction, stream),
                    "cudaMemcpyAsync", purpose);
    }
  }

 private:
  cudaStream_t stream_{};
  std::vector<std::pair<pinned_memory::block, bool>> taken_{};
};

//! Messages between arrays in device memory. Words that are sent are copied before the processes
//! agree, and those that arrive at once, on a stream of their own: kernels run meanwhile.
class device_messages {
 public:
  template <class Node>
  device_messages(Node const& node, MPI_Comm communicator, int tag)
      : direct_(mpi_accesses_device_memory()), messages_(node, communicator, tag) {}

  template <class T>
  void send(index receiver, T const* first, index words, index rows = 1, index pitch = 0) {
    if (direct_) return messages_.send(receiver, first, words, rows, pitch);
    stage(first, words, rows, pitch, true);
    messages_.send(receiver, staged_.back().room, staged_.back().total());
  }
  template <class T>
  void receive(index sender, T* first, index words, index rows = 1, index pitch = 0) {
    if (direct_) return messages_.receive(sender, first, words, rows, pitch);
    stage(first, words, rows, pitch, false);
    messages_.receive(sender, staged_.back().room, staged_.back().total());
  }
  void prepare() {
    for (message const& x : staged_)
      if (x.sent)
        staging_.copy(x.room, x.bytes, x.device, x.pitch, x.bytes, x.rows, cudaMemcpyDeviceToHost);
    staging_.finish();
  }
  void start() { messages_.start(); }
  void wait() {
    if (direct_) return messages_.wait();
    messages_.wait_for_each([&](std::size_t i) {
      message const& x = staged_[i];
      if (!x.sent)
        staging_.copy(x.device, x.pitch, x.room, x.bytes, x.bytes, x.rows, cudaMemcpyHostToDevice);
    });
    staging_.finish();
  }

 private:
  struct message {
    std::byte* room;  //!< on the host
    std::byte* device;
    index bytes;  //!< of a row
    index rows;
    index pitch;  //!< bytes
    bool sent;
    [[nodiscard]] index total() const { return bytes * rows; }
  };
  template <class T>
  void stage(T const* first, index words, index rows, index pitch, bool sent) {
    index const bytes = checked_multiply(words, sizeof(T));
    std::byte* const room = staging_.take(checked_multiply(bytes, rows), sent);
    staged_.push_back({room, reinterpret_cast<std::byte*>(const_cast<T*>(first)), bytes, rows,
                       checked_multiply(pitch, sizeof(T)), sent});
  }

  bool direct_;
  staging staging_{};
  std::vector<message> staged_{};
  host_messages messages_;  // whose messages are complete before their memory goes back
};

//! A broadcast of n words in device memory.
class device_broadcast {
 public:
  //! \param source the words on the process that sends them; null on the others.
  template <class Node, class T>
  device_broadcast(Node const& node, T const* source, T* target, index n)
      : sends_(source != nullptr),
        bytes_(checked_multiply(n, sizeof(T))),
        words_(reinterpret_cast<std::byte*>(sends_ ? const_cast<T*>(source) : target)),
        staging_(),
        room_(is_staged() ? staging_.take(bytes_, sends_) : words_),
        message_(node, room_, room_, bytes_) {
    if (!is_staged() || !sends_) return;
    staging_.copy(room_, bytes_, words_, bytes_, bytes_, 1, cudaMemcpyDeviceToHost);
    staging_.finish();
  }
  void run(MPI_Comm communicator, index root) const {
    message_.run(communicator, root);
    if (!is_staged() || sends_) return;
    staging_.copy(words_, bytes_, room_, bytes_, bytes_, 1, cudaMemcpyHostToDevice);
    staging_.finish();
  }

 private:
  [[nodiscard]] bool is_staged() const { return bytes_ > 0 && !mpi_accesses_device_memory(); }

  bool sends_;
  index bytes_;
  std::byte* words_;  //!< the sender's source: its copy to the target may be under way
  staging staging_;
  std::byte* room_;
  host_broadcast message_;
};

}  // namespace mmm::detail
