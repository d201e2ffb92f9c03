// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/execution/kernel/cuda_error.cuh>
#include <mmm/execution/mpi/failure.hpp>

#include <cuda_runtime_api.h>
#include <mpi.h>
#include <nccl.h>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

//! Communicators of NCCL for the processes of MPI, and NCCL's errors as exceptions.
namespace mmm::nccl {

//! A failed call of NCCL: its name and the error.
class error : public std::runtime_error {
 public:
  //! \param detail NCCL's last message, or null.
  error(char const* call, ncclResult_t code, char const* detail = nullptr)
      : std::runtime_error(
            std::string("mmm: ") + call + " failed: " + ncclGetErrorString(code) +
            (detail != nullptr && *detail != 0 ? std::string(" (") + detail + ")" : std::string())),
        code_(code) {}
  [[nodiscard]] ncclResult_t code() const noexcept { return code_; }

 private:
  ncclResult_t code_;
};

}  // namespace mmm::nccl
namespace mmm::detail {

//! NCCL's communicator of the processes of a communicator of MPI. The latter owns it, as an
//! attribute: MPI_Comm_free ends it.
//!
//! An error that NCCL reports after a call, as of its network, aborts the communicator; the process
//! then sends and receives nothing more by NCCL.
class nccl_communicator {
 public:
  nccl_communicator(nccl_communicator const&) = delete;
  nccl_communicator& operator=(nccl_communicator const&) = delete;
  ~nccl_communicator() {
    if (handle_ != nullptr) static_cast<void>(ncclCommDestroy(handle_));
  }

  //! The one of `communicator`, made at the first call, which all its processes make, each with a
  //! current device of its own.
  //! Errors: mmm::nccl::error, on all processes, if NCCL fails on one.
  [[nodiscard]] static nccl_communicator& shared_by(MPI_Comm communicator) {
    void* known = nullptr;
    int found = 0;
    demand_success("MPI_Comm_get_attr", MPI_Comm_get_attr(communicator, key(), &known, &found));
    if (found != 0) return *static_cast<nccl_communicator*>(known);
    std::unique_ptr<nccl_communicator> made(new nccl_communicator(communicator));
    demand_success("MPI_Comm_set_attr", MPI_Comm_set_attr(communicator, key(), made.get()));
    return *made.release();
  }
  //! Errors: mmm::nccl::error if an error ended a communicator of this process before. It is called
  //! before the processes agree on an operation, so that none waits for this one.
  static void reject_after_abort() {
    if (abort_code() != ncclSuccess)
      throw nccl::error("an earlier message by NCCL", abort_code(), nullptr);
  }

  [[nodiscard]] ncclComm_t handle() const { return handle_; }
  //! The sends and receives of `body` as one group. `body(check)` gives `check` the name and the
  //! code of each call.
  template <class Body>
  void group(Body const& body) {
    ncclResult_t code = ncclGroupStart();
    char const* call = "ncclGroupStart";
    body([&](char const* name, ncclResult_t found) {
      if (code == ncclSuccess && found != ncclSuccess) {
        code = found;
        call = name;
      }
    });
    ncclResult_t const end = complete(ncclGroupEnd());
    check(call, code);
    check("ncclGroupEnd", end);
  }
  //! Throws mmm::nccl::error unless a call succeeded.
  void check(char const* call, ncclResult_t code) {
    if (code = complete(code); code != ncclSuccess)
      throw nccl::error(call, code, ncclGetLastError(handle_));
  }
  //! Waits for the work on a stream. Errors: mmm::nccl::error for those that NCCL finds meanwhile.
  void wait(cudaStream_t stream) {
    for (;;) {
      cudaError_t const state = cudaStreamQuery(stream);
      ncclResult_t found = ncclSuccess;
      check("ncclCommGetAsyncError", ncclCommGetAsyncError(handle_, &found));
      if (found != ncclSuccess && found != ncclInProgress) {
        nccl::error const failure("a message by NCCL", found, ncclGetLastError(handle_));
        abort_code() = found;
        static_cast<void>(ncclCommAbort(handle_));
        handle_ = nullptr;
        static_cast<void>(cudaStreamSynchronize(stream));
        throw failure;
      }
      if (state == cudaSuccess) return;
      if (state != cudaErrorNotReady)
        cuda::check(state, "cudaStreamQuery", "waiting for messages by NCCL");
      std::this_thread::yield();
    }
  }

 private:
  explicit nccl_communicator(MPI_Comm communicator) {
    int rank = 0;
    int processes = 0;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &processes);
    struct {
      ncclUniqueId id;
      ncclResult_t code;
    } first{};
    if (rank == 0) first.code = ncclGetUniqueId(&first.id);
    demand_success("MPI_Bcast", MPI_Bcast(&first, sizeof(first), MPI_BYTE, 0, communicator));
    check("ncclGetUniqueId", first.code);
    ncclResult_t const own = complete(ncclCommInitRank(&handle_, processes, first.id, rank));
    int const code = static_cast<int>(own);
    int of_all = 0;
    demand_success("MPI_Allreduce",
                   MPI_Allreduce(&code, &of_all, 1, MPI_INT, MPI_MAX, communicator));
    if (of_all == static_cast<int>(ncclSuccess)) return;
    nccl::error const failure(
        "ncclCommInitRank", static_cast<ncclResult_t>(of_all),
        own == ncclSuccess ? "on another process" : ncclGetLastError(nullptr));
    if (handle_ != nullptr) static_cast<void>(ncclCommAbort(handle_));
    handle_ = nullptr;
    throw failure;
  }
  //! The code of a call that may go on after its return, as NCCL_COMM_BLOCKING=0 has it.
  [[nodiscard]] ncclResult_t complete(ncclResult_t code) const {
    while (code == ncclInProgress) {
      std::this_thread::yield();
      ncclResult_t const asked = ncclCommGetAsyncError(handle_, &code);
      if (asked != ncclSuccess) return asked;
    }
    return code;
  }
  //! The number of the attribute, whose deletion ends the communicator.
  [[nodiscard]] static int key() {
    static int const made = [] {
      int number = MPI_KEYVAL_INVALID;
      demand_success("MPI_Comm_create_keyval",
                     MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &remove, &number, nullptr));
      return number;
    }();
    return made;
  }
  static int remove(MPI_Comm, int, void* communicator, void*) {
    delete static_cast<nccl_communicator*>(communicator);
    return MPI_SUCCESS;
  }
  [[nodiscard]] static ncclResult_t& abort_code() {
    static ncclResult_t code = ncclSuccess;
    return code;
  }

  ncclComm_t handle_ = nullptr;
};

}  // namespace mmm::detail
