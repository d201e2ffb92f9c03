// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>

#include <mpi.h>

#include <stdexcept>
#include <string>

//! The exceptions of programs on MPI's processes.
namespace mmm::mpi {

//! Another process failed during a call, and the call has ended on all processes.
//! `what()` has the message of the process with the lowest rank among those that failed. On a
//! process that failed itself, its own exception is nested (std::rethrow_if_nested).
class rank_failure : public std::runtime_error {
 public:
  rank_failure(index rank, std::string const& message)
      : std::runtime_error("mmm: process " + std::to_string(rank) + " failed: " + message),
        rank_(rank) {}
  //! The rank of the process that failed.
  [[nodiscard]] index rank() const { return rank_; }

 private:
  index rank_;
};

//! A function of MPI reported an error. `what()` names both.
class error : public std::runtime_error {
 public:
  error(char const* function, int code)
      : std::runtime_error(std::string("mmm: ") + function + ": " + text_of(code)), code_(code) {}
  //! The error code of MPI.
  [[nodiscard]] int code() const { return code_; }

 private:
  [[nodiscard]] static std::string text_of(int code) {
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    if (MPI_Error_string(code, text, &length) != MPI_SUCCESS)
      return "error " + std::to_string(code);
    return std::string(text, static_cast<std::size_t>(length));
  }
  int code_;
};

}  // namespace mmm::mpi
namespace mmm::detail {

//! Throws mmm::mpi::error unless a function of MPI succeeded.
inline void demand_success(char const* function, int code) {
  if (code != MPI_SUCCESS) throw mpi::error(function, code);
}

}  // namespace mmm::detail
