// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/mpi/datatype.hpp>
#include <mmm/execution/mpi/failure.hpp>
#include <mmm/execution/nodes.hpp>

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

//! Messages between MPI's processes that are under way at the same time.
namespace mmm::detail {

//! A number for a message of `words` words, by whose sums over those sent and those expected the
//! processes compare them.
[[nodiscard]] constexpr std::uint64_t message_hash(index sender, index receiver, index words) {
  std::uint64_t hash = 0x9e3779b97f4a7c15;
  for (index const x : {sender, receiver, words}) {
    hash = (hash ^ static_cast<std::uint64_t>(x)) * std::uint64_t{0xbf58476d1ce4e5b9};
    hash ^= hash >> 29;
  }
  return hash;
}

//! Messages of a process whose memory MPI accesses: `send` and `receive` note them, and `start`
//! hands them to MPI. Their memory must last until `wait`; the destructor waits, too.
class host_messages {
 public:
  template <class Node>
  host_messages(Node const&, MPI_Comm communicator, int tag)
      : communicator_(communicator), tag_(tag) {}
  host_messages(host_messages const&) = delete;
  host_messages& operator=(host_messages const&) = delete;
  ~host_messages() {
    if (!requests_.empty()) static_cast<void>(completed());
  }

  //! Notes that `rows` rows of `words` words each, which begin `pitch` words apart, are sent.
  template <class T>
  void send(index receiver, T const* first, index words, index rows = 1, index pitch = 0) {
    noted_.push_back({const_cast<T*>(first), rectangle_type(rows, words, pitch, sizeof(T)),
                      static_cast<int>(receiver), true});
  }
  template <class T>
  void receive(index sender, T* first, index words, index rows = 1, index pitch = 0) {
    noted_.push_back(
        {first, rectangle_type(rows, words, pitch, sizeof(T)), static_cast<int>(sender), false});
  }
  //! Waits until the words that are sent are where MPI reads them. Copies that fail on one process
  //! alone fail here, before the processes agree to start.
  static void prepare() {}
  void start() {
    requests_.reserve(noted_.size());
    for (message const& x : noted_) {
      MPI_Request& request = requests_.emplace_back(MPI_REQUEST_NULL);
      if (x.sent)
        demand_success("MPI_Isend", MPI_Isend(x.first, x.all.count, x.all.type.get(), x.other, tag_,
                                              communicator_, &request));
      else
        demand_success("MPI_Irecv", MPI_Irecv(x.first, x.all.count, x.all.type.get(), x.other, tag_,
                                              communicator_, &request));
    }
  }
  void wait() {
    if (!requests_.empty()) demand_success("MPI_Waitall", completed());
  }
  //! Calls `use(i)` when the message is complete that was noted as number i, until all are.
  template <class Use>
  void wait_for_each(Use const& use) {
    for (std::size_t left = requests_.size(); left > 0; --left) {
      int complete = 0;
      demand_success("MPI_Waitany", MPI_Waitany(static_cast<int>(requests_.size()),
                                                requests_.data(), &complete, MPI_STATUS_IGNORE));
      use(static_cast<std::size_t>(complete));
    }
  }

 private:
  struct message {
    void* first;
    mpi_rectangle all;
    int other;
    bool sent;
  };
  [[nodiscard]] int completed() {
    int const code =
        MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    requests_.clear();
    return code;
  }

  MPI_Comm communicator_;
  int tag_;
  std::vector<message> noted_{};
  std::vector<MPI_Request> requests_{};
};

//! A broadcast of n words in memory that MPI accesses.
class host_broadcast {
 public:
  //! \param source the words on the process that sends them; null on the others.
  template <class Node, class T>
  host_broadcast(Node const&, [[maybe_unused]] T const* source, T* target, index n)
      : target_(target), all_(rectangle_type(1, larger(n, 1), larger(n, 1), sizeof(T))) {}
  //! Called where `target` has the words on the sender.
  void run(MPI_Comm communicator, index root) const {
    demand_success("MPI_Bcast", MPI_Bcast(target_, all_.count, all_.type.get(),
                                          static_cast<int>(root), communicator));
  }

 private:
  void* target_;
  mpi_rectangle all_;
};

}  // namespace mmm::detail
