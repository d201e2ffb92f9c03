// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "progress.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <system_error>
#include <utility>

namespace explore {

progress::progress(std::string work) : work_(std::move(work)) {
  try {
    reporter_ = std::thread([this] { report(); });
  } catch (std::system_error const&) {
    // the work does not depend on it
  }
}

progress::~progress() {
  {
    std::lock_guard const lock(mutex_);
    done_ = true;
  }
  changed_.notify_one();
  if (reporter_.joinable()) reporter_.join();
}

void progress::report() {
  bool const terminal = isatty(STDERR_FILENO) != 0;
  std::chrono::seconds const step(terminal ? 1 : 60);
  std::chrono::seconds passed(0);
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, step, [this] { return done_; })) {
    passed += step;
    std::fprintf(stderr, "%smmm-explore: %s: %lld s so far%s", terminal ? "\r" : "", work_.c_str(),
                 static_cast<long long>(passed.count()), terminal ? "" : "\n");
    std::fflush(stderr);
  }
  if (terminal && passed.count() != 0) std::fputs("\r\033[K", stderr);
}

}  // namespace explore
