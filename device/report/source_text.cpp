// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source_text.hpp"

#include <filesystem>
#include <fstream>

namespace device::report {

namespace {
//! of a source file: more is none that people wrote
constexpr std::uintmax_t max_bytes = std::uintmax_t{16} << 20;
}  // namespace

std::vector<std::string> const& source_text::read(std::string const& path) {
  auto const [found, is_new] = files_.try_emplace(path);
  if (!is_new) return found->second;
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed) ||
      std::filesystem::file_size(path, failed) > max_bytes)
    return found->second;
  std::ifstream file(path, std::ios::binary);
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    found->second.push_back(std::move(line));
  }
  return found->second;
}

std::string_view source_text::line(std::string const& path, std::uint32_t number) {
  std::vector<std::string> const& all = read(path);
  return number == 0 || number > all.size() ? std::string_view{}
                                            : std::string_view{all[number - 1]};
}

std::uint32_t source_text::lines(std::string const& path) {
  return static_cast<std::uint32_t>(read(path).size());
}

}  // namespace device::report
