// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/execution/mpi/datatype.hpp>
#include <mmm/execution/mpi/failure.hpp>
#include <mmm/execution/nodes.hpp>

#include <mpi.h>

#include <cstddef>
#include <vector>

//! Messages between MPI's processes that are under way at the same time.
namespace mmm::detail {

//! Rejects a piece of an array that is not within it.
inline void reject_outside(index first, index count, index words, index node, char const* verb) {
  if (first < 0 || count < 0 || first > words || count > words - first)
    throw_out_of_range(failure_text("mmm: words ", first, " to ", first + count - 1, " are ", verb,
                                    ", of ", words, " at node ", node));
}

//! Messages that have been started. Their memory must last until `wait`; the destructor waits, too.
class started_messages {
 public:
  explicit started_messages(MPI_Comm communicator, int tag)
      : communicator_(communicator), tag_(tag) {}
  started_messages(started_messages const&) = delete;
  started_messages& operator=(started_messages const&) = delete;
  ~started_messages() { static_cast<void>(completed()); }

  //! Sends `rows` rows of `words` words each, which begin `pitch` words apart.
  template <class T>
  void send(index receiver, T const* first, index words, index rows = 1, index pitch = 0) {
    mpi_rectangle const all = rectangle_type(rows, words, pitch, sizeof(T));
    demand_success("MPI_Isend",
                   MPI_Isend(first, all.count, all.type.get(), static_cast<int>(receiver), tag_,
                             communicator_, new_request()));
  }
  template <class T>
  void receive(index sender, T* first, index words, index rows = 1, index pitch = 0) {
    mpi_rectangle const all = rectangle_type(rows, words, pitch, sizeof(T));
    demand_success("MPI_Irecv",
                   MPI_Irecv(first, all.count, all.type.get(), static_cast<int>(sender), tag_,
                             communicator_, new_request()));
  }
  void wait() { demand_success("MPI_Waitall", completed()); }

 private:
  [[nodiscard]] MPI_Request* new_request() { return &requests_.emplace_back(MPI_REQUEST_NULL); }
  [[nodiscard]] int completed() {
    if (requests_.empty()) return MPI_SUCCESS;
    int const code =
        MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    requests_.clear();
    return code;
  }

  MPI_Comm communicator_;
  int tag_;
  std::vector<MPI_Request> requests_{};
};

}  // namespace mmm::detail
