// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/kernel/cuda_error.cuh>
#include <mmm/execution/kernel/scratch_pool.cuh>
#include <mmm/execution/mpi/memory.hpp>
#include <mmm/interop/mpi_device_memory.cuh>
#include <mmm/interop/mpi_device_messages.cuh>
#include <mmm/interop/nccl_communicator.cuh>

#include <cuda_runtime_api.h>
#include <mpi.h>
#include <nccl.h>

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

//! Messages between the device memories of MPI's processes by NCCL.
namespace mmm {
namespace detail {

//! Memory of the device for the words of a message, freed in the order of the stream.
class message_room {
 public:
  message_room(index bytes, cudaStream_t stream) : stream_(stream) {
    cuda::check(
        cudaMallocFromPoolAsync(&first_, static_cast<std::size_t>(bytes), scratch_pool(), stream),
        "cudaMallocFromPoolAsync", std::to_string(bytes) + " bytes for a message");
  }
  message_room(message_room&& x) noexcept : first_(x.first_), stream_(x.stream_) {
    x.first_ = nullptr;
  }
  message_room& operator=(message_room&&) = delete;
  ~message_room() {
    if (first_ != nullptr) static_cast<void>(cudaFreeAsync(first_, stream_));
  }
  [[nodiscard]] std::byte* first() const { return static_cast<std::byte*>(first_); }

 private:
  void* first_ = nullptr;
  cudaStream_t stream_;
};

//! Messages between arrays in device memory, as one group of ncclSend and ncclRecv, on a stream of
//! their own: kernels run meanwhile. NCCL sends consecutive bytes: the rows of a rectangle are
//! gathered in the sender's device memory, and distributed in the receiver's.
class nccl_messages {
 public:
  template <class Node>
  nccl_messages(Node const&, MPI_Comm communicator, int)
      : communicator_(communicator), stream_(copy_stream()) {
    nccl_communicator::reject_after_abort();
  }
  nccl_messages(nccl_messages const&) = delete;
  nccl_messages& operator=(nccl_messages const&) = delete;
  ~nccl_messages() {
    try {
      wait();
    } catch (...) {  // the operation has failed already, or its other messages are complete
    }
    if (!noted_.empty()) static_cast<void>(cudaStreamSynchronize(stream_));
  }

  template <class T>
  void send(index receiver, T const* first, index words, index rows = 1, index pitch = 0) {
    note(const_cast<T*>(first), words, rows, pitch, receiver, true);
  }
  template <class T>
  void receive(index sender, T* first, index words, index rows = 1, index pitch = 0) {
    note(first, words, rows, pitch, sender, false);
  }
  void prepare() const {
    for (message const& x : noted_)
      if (x.sent && x.room != x.array)
        staging::copy_rows(x.room, x.bytes, x.array, x.pitch, x.bytes, x.rows,
                           cudaMemcpyDeviceToDevice, stream_);
  }
  void start() {
    int processes = 0;
    MPI_Comm_size(communicator_, &processes);
    if (processes == 1) return;
    all_ = &nccl_communicator::shared_by(communicator_);
    all_->group([this](auto const& check) {
      for (message const& x : noted_) {
        auto const bytes = static_cast<std::size_t>(x.bytes * x.rows);
        if (x.sent)
          check("ncclSend", ncclSend(x.room, bytes, ncclUint8, x.other, all_->handle(), stream_));
        else
          check("ncclRecv", ncclRecv(x.room, bytes, ncclUint8, x.other, all_->handle(), stream_));
      }
    });
    for (message const& x : noted_)
      if (!x.sent && x.room != x.array)
        staging::copy_rows(x.array, x.pitch, x.room, x.bytes, x.bytes, x.rows,
                           cudaMemcpyDeviceToDevice, stream_);
  }
  void wait() const {
    if (all_ != nullptr) all_->wait(stream_);
  }

 private:
  struct message {
    std::byte* array;
    std::byte* room;  //!< of consecutive bytes: the array's, if they are
    index bytes;      //!< of a row
    index rows;
    index pitch;  //!< bytes
    int other;
    bool sent;
  };
  template <class T>
  void note(T* first, index words, index rows, index pitch, index other, bool sent) {
    index const bytes = checked_multiply(words, sizeof(T));
    index const total = checked_multiply(bytes, rows);
    auto* const array = reinterpret_cast<std::byte*>(first);
    std::byte* room = array;
    if (rows > 1 && pitch != words) room = rooms_.emplace_back(total, stream_).first();
    noted_.push_back({array, room, bytes, rows, checked_multiply(pitch, sizeof(T)),
                      static_cast<int>(other), sent});
  }

  MPI_Comm communicator_;
  cudaStream_t stream_;
  nccl_communicator* all_ = nullptr;
  std::vector<message_room> rooms_{};
  std::vector<message> noted_{};
};

//! A broadcast of n words in device memory.
class nccl_broadcast {
 public:
  //! \param source the words on the process that sends them; null on the others.
  template <class Node, class T>
  nccl_broadcast(Node const&, T const* source, T* target, index n)
      : words_(source != nullptr ? const_cast<T*>(source) : target),
        bytes_(static_cast<std::size_t>(checked_multiply(n, sizeof(T)))),
        stream_(copy_stream()) {
    nccl_communicator::reject_after_abort();
  }
  void run(MPI_Comm communicator, index root) const {
    nccl_communicator& all = nccl_communicator::shared_by(communicator);
    all.check("ncclBroadcast", ncclBroadcast(words_, words_, bytes_, ncclUint8,
                                             static_cast<int>(root), all.handle(), stream_));
    all.wait(stream_);
  }

 private:
  void* words_;
  std::size_t bytes_;
  cudaStream_t stream_;
};

}  // namespace detail
namespace mpi {

//! The memory of a process's GPU whose messages NCCL carries, for mmm::mpi::on. Exchanges are
//! groups of ncclSend and ncclRecv, broadcasts are ncclBroadcast. Reductions send their words in
//! this way, too, and fold them in the order of the ranks by the library's kernels: ncclReduce
//! chooses an order of its own. The small values of all_reduce, exclusive_scan and all_gather,
//! agreements and failures are MPI's.
//!
//! Each process has a GPU of its own, the current device, as NCCL demands. A communicator of NCCL
//! is made before the first message between the processes of a communicator of MPI, or of a group.
//! Errors: mmm::nccl::error, which names the call, on the process on which it fails; after one that
//! NCCL reports asynchronously (ncclCommGetAsyncError), NCCL's communicator is aborted and each
//! further message of the process by NCCL is refused, on all processes.
template <class Node>
struct nccl_memory : memory_of<Node> {
  static_assert(std::is_same_v<typename memory_of<Node>::messages, mmm::detail::device_messages>,
                "mmm: NCCL carries messages of mmm::cuda::on's nodes only");
  using messages = mmm::detail::nccl_messages;
  using broadcast = mmm::detail::nccl_broadcast;
};

}  // namespace mpi
}  // namespace mmm
