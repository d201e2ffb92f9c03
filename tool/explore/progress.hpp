// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace explore {

//! Says on stderr, as long as it lives, that work goes on and for how long it has: on a terminal
//! every second from the first on, in place; otherwise in a line a minute.
class progress {
 public:
  //! \param work what takes its time, for the message.
  explicit progress(std::string work);
  progress(progress const&) = delete;
  progress& operator=(progress const&) = delete;
  ~progress();

 private:
  void report();

  std::string work_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::thread reporter_;
};

}  // namespace explore
