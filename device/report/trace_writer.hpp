// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/execute/observer.hpp>
#include <device/report/output_file.hpp>

#include <mutex>
#include <string>

namespace device::report {

//! The file of a trace, which the writers of all workers share.
class trace_file {
 public:
  //! Begins the file, or goes on with that of another process.
  trace_file(std::string path, bool begin_empty);
  void append(std::string_view rows);

 private:
  output_file file_;
  std::mutex one_at_a_time_;
};

//! Writes one worker's requests to shared and global memory as mmm-replay reads them: a row each,
//! "space,op,bytes,addresses". That format has no local memory, which is left out, and no atomics,
//! which are written as stores of the same cost (on shared memory, each lane stores to a word of
//! its own in its bank).
class trace_writer final : public observer {
 public:
  explicit trace_writer(trace_file& to) : to_(to) {}
  void access(memory_access const&) override;
  //! Hands on what is left.
  void flush();

 private:
  trace_file& to_;
  std::string rows_;
};

}  // namespace device::report
