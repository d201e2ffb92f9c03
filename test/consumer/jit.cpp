// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mmm::jit in a program of a user: the library's headers are where NVRTC will look for them.
// Without a driver the program starts, and an array is an error.
#include <mmm/jit.hpp>

#include <cstdio>
#include <vector>

int main() {
  mmm::jit::settings const given;
  try {
    static_cast<void>(mmm::jit::detail::checked_headers(given));
  } catch (mmm::jit::error const& e) {
    std::printf("%s\n", e.what());
    return 1;
  }
  try {
    std::vector<int> const values{1, 2, 3};
    return mmm::jit::device_array<int>(values).copied() == values ? 0 : 1;
  } catch (mmm::jit::error const& e) {
    std::printf("%s\n", e.what());
  }
}
