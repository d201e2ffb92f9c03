// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch_progress.hpp"

#include <algorithm>

namespace device::runtime {

launch_progress::~launch_progress() {
  if (width_ == 0) return;
  std::fprintf(to_, "\r%*s\r", static_cast<int>(width_), "");
  std::fflush(to_);
}

void launch_progress::update(time_point now, std::uint64_t ended, std::uint64_t blocks,
                             std::uint64_t operations) {
  using std::chrono::seconds;
  std::unique_lock const writes(writing_, std::try_to_lock);
  if (!writes || ended == blocks || now - begin_ < seconds(2)) return;
  if (latest_ != begin_ && now - latest_ < (terminal_ ? seconds(1) : seconds(60))) return;
  latest_ = now;
  double const elapsed = std::chrono::duration<double>(now - begin_).count();
  double const left = elapsed / static_cast<double>(ended) * static_cast<double>(blocks - ended);
  char text[256];
  int const length = std::snprintf(
      text, sizeof text,
      "mmm-run: %.120s: %llu of %llu blocks, %.1f M instructions of warps/s, %.0f s left",
      name_.c_str(), static_cast<unsigned long long>(ended),
      static_cast<unsigned long long>(blocks), static_cast<double>(operations) / elapsed / 1e6,
      left);
  if (terminal_) {
    std::fprintf(to_, "\r%-*s", static_cast<int>(width_), text);
    width_ = std::max(width_, static_cast<std::size_t>(std::max(0, length)));
  } else {
    std::fprintf(to_, "%s\n", text);
  }
  std::fflush(to_);
}

}  // namespace device::runtime
