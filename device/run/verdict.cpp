// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "verdict.hpp"

#include <common/failure.hpp>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace run {

verdict_file::verdict_file() {
  std::error_code failed;
  std::filesystem::path folder = std::filesystem::temp_directory_path(failed);
  if (failed) folder = "/tmp";
  path_ = (std::filesystem::absolute(folder) / "mmm-run-XXXXXX").string();
  int const file = mkstemp(path_.data());
  if (file < 0)
    throw tool::failure("no file can be made in " + folder.string() + ": " + std::strerror(errno));
  close(file);
}

verdict_file::~verdict_file() { unlink(path_.c_str()); }

verdict_file::verdict verdict_file::read() const {
  verdict found;
  std::ifstream file(path_);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string kind;
    std::uint64_t n = 0;
    words >> kind;
    if (kind == "unsupported")
      found.unsupported = true;
    else if (kind != "begun" && words >> n) {
      std::optional<std::uint64_t>& of_kind = kind == "findings" ? found.findings
                                              : kind == "faults" ? found.faults
                                                                 : found.exceeded;
      of_kind = std::max(of_kind.value_or(0), n);  // a program that forks ends more than once
    }
  }
  return found;
}

}  // namespace run
