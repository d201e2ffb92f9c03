// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "library.hpp"

#include <common/failure.hpp>
#include <common/text.hpp>

#include <cstdlib>
#include <filesystem>
#include <vector>

namespace run {

namespace {

//! LD_PRELOAD is a list separated by colons or spaces: a path that has one cannot be preloaded.
std::string preloadable(std::filesystem::path const& library) {
  std::string path = std::filesystem::canonical(library).string();
  if (path.find_first_of(": ") != std::string::npos)
    throw tool::failure(path + " cannot be preloaded: its path has a space or a colon");
  return path;
}

}  // namespace

std::string find_library() {
  namespace fs = std::filesystem;
  std::error_code failed;
  if (char const* const chosen = std::getenv("MMM_RUN_LIBRARY");
      chosen != nullptr && *chosen != '\0') {
    if (!fs::is_regular_file(chosen, failed))
      throw tool::failure(std::string("MMM_RUN_LIBRARY is ") + tool::in_quotes(chosen) +
                          "; accepted: the path of libmmm_device.so");
    return preloadable(chosen);
  }
  fs::path const here = fs::canonical("/proc/self/exe").parent_path();
  std::string tried;
  for (char const* const folder : {"..", MMM_LIBRARY_FOLDER, "../lib/mmm", "."}) {
    fs::path const path = (here / folder / "libmmm_device.so").lexically_normal();
    if (fs::is_regular_file(path, failed)) return preloadable(path);
    tried += (tried.empty() ? "" : ", ") + path.parent_path().string();
  }
  throw tool::failure("libmmm_device.so is in none of " + tried +
                      "; MMM_RUN_LIBRARY in the environment may name it");
}

std::string folder_beside(std::string const& library, char const* name) {
  std::error_code failed;
  std::filesystem::path const folder = std::filesystem::path(library).parent_path() / name;
  return std::filesystem::is_directory(folder, failed) ? folder.string() : std::string{};
}

std::string file_beside(std::string const& library, char const* name) {
  std::error_code failed;
  std::filesystem::path const file = std::filesystem::path(library).parent_path() / name;
  return std::filesystem::is_regular_file(file, failed) ? file.string() : std::string{};
}

}  // namespace run
