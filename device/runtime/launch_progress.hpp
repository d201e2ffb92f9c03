// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <string>

namespace device::runtime {

//! Lines on stderr while a launch takes long: after two seconds, then each second on a terminal,
//! where one line is written over, and each minute elsewhere.
class launch_progress {
 public:
  using time_point = std::chrono::steady_clock::time_point;
  //! \param name of the kernel and its launch, "fill(int*), launch 0"
  launch_progress(std::string name, time_point begin, bool terminal, std::FILE* to)
      : name_(std::move(name)), begin_(begin), latest_(begin), terminal_(terminal), to_(to) {}
  //! Ends the line on a terminal.
  ~launch_progress();
  launch_progress(launch_progress const&) = delete;
  launch_progress& operator=(launch_progress const&) = delete;

  //! \param ended blocks of all `blocks`; \param operations of warps in them. Any thread may call
  //! it.
  void update(time_point now, std::uint64_t ended, std::uint64_t blocks, std::uint64_t operations);

 private:
  std::string name_;
  time_point begin_;
  time_point latest_;  //!< of the lines
  bool terminal_;
  std::FILE* to_;
  std::mutex writing_{};
  std::size_t width_ = 0;  //!< of the line on the terminal
};

}  // namespace device::runtime
