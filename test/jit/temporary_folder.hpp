// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <catch.hpp>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

//! Files of tests, in folders that are removed at the end.
namespace jit_tests {

//! A folder of its own, removed at the end.
struct temporary_folder {
  std::filesystem::path path;
  temporary_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "mmm_disk_cache.XXXXXX").string();
    if (::mkdtemp(name.data()) != nullptr) path = name;
    REQUIRE_FALSE(path.empty());
  }
  temporary_folder(temporary_folder const&) = delete;
  temporary_folder& operator=(temporary_folder const&) = delete;
  ~temporary_folder() { std::filesystem::remove_all(path); }
  [[nodiscard]] std::ptrdiff_t files() const {
    return std::distance(std::filesystem::directory_iterator(path),
                         std::filesystem::directory_iterator());
  }
};

inline std::string read(std::filesystem::path const& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
inline void write(std::filesystem::path const& file, std::string const& text) {
  std::ofstream(file, std::ios::binary) << text;
}

}  // namespace jit_tests
