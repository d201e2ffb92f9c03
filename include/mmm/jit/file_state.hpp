// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sys/stat.h>

#include <string>

//! Texts that tell whether a file has changed.
namespace mmm::jit::detail {

//! The size and the time of a file's contents; "absent" for a file that is not there.
[[nodiscard]] inline std::string file_state(std::string const& path) {
  struct ::stat found{};
  if (::stat(path.c_str(), &found) != 0 || !S_ISREG(found.st_mode)) return "absent";
  return std::to_string(found.st_size) + ' ' + std::to_string(found.st_mtim.tv_sec) + '.' +
         std::to_string(found.st_mtim.tv_nsec);
}

}  // namespace mmm::jit::detail
