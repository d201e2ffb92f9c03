// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "catch.hpp"

#include <device/runtime/launch_progress.hpp>

#include <cstdlib>
#include <string>

namespace {

using std::chrono::milliseconds;

//! The text that is written while blocks end, one each 500 milliseconds, for a number of seconds.
std::string written(bool terminal, int seconds) {
  char* text = nullptr;
  std::size_t bytes = 0;
  std::FILE* const file = open_memstream(&text, &bytes);
  {
    device::runtime::launch_progress p("fill(int*), launch 3", {}, terminal, file);
    auto const blocks = static_cast<std::uint64_t>(2 * seconds);
    for (std::uint64_t k = 1; k <= blocks; ++k)
      p.update(device::runtime::launch_progress::time_point(milliseconds(500 * k)), k, blocks,
               1'000'000 * k);
  }
  std::fclose(file);
  std::string const found(text, bytes);
  std::free(text);
  return found;
}

}  // namespace

TEST_CASE("a short launch writes no progress") {
  CHECK(written(true, 2).empty());
  CHECK(written(false, 2).empty());
}

TEST_CASE("a long launch writes its progress") {
  std::string const line =
      "mmm-run: fill(int*), launch 3: 4 of 200 blocks, 2.0 M instructions of warps/s, 98 s left";
  std::string const file = written(false, 100);
  CHECK(file.substr(0, line.size() + 1) == line + "\n");
  CHECK(std::count(file.begin(), file.end(), '\n') == 2);  // after 2 and after 62 seconds
  std::string const terminal = written(true, 100);
  CHECK(terminal.substr(0, line.size() + 1) == "\r" + line);
  CHECK(std::count(terminal.begin(), terminal.end(), '\n') == 0);
  CHECK(std::count(terminal.begin(), terminal.end(), '\r') == 98 + 2);  // the last two clear it
  CHECK(terminal.back() == '\r');
}
