// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <common/failure.hpp>
#include <common/file.hpp>
#include <common/text.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace tool {

namespace {

[[noreturn]] void reject(std::filesystem::path const& file, std::string const& reason) {
  throw failure("the file " + shown_path(file.string()) + " " + reason);
}

[[noreturn]] void reject_size(std::filesystem::path const& file) {
  reject(file, "is too large; accepted: up to " + std::to_string(largest_file >> 20) + " MiB");
}

}  // namespace

std::string file_contents(std::filesystem::path const& file) {
  namespace fs = std::filesystem;
  std::error_code unknown;
  if (fs::is_directory(file, unknown)) reject(file, "is a folder; accepted: a file with data");
  if (fs::is_regular_file(file, unknown) && fs::file_size(file, unknown) > largest_file && !unknown)
    reject_size(file);
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> const in(std::fopen(file.c_str(), "rb"),
                                                           std::fclose);
  if (!in) reject(file, std::string("cannot be read: ") + std::strerror(errno));
  std::setvbuf(in.get(), nullptr, _IONBF, 0);
  std::string all;
  constexpr std::size_t piece = std::size_t{1} << 20;
  for (std::size_t read = 0, more = piece; more != 0; read += more) {
    if (read > largest_file) reject_size(file);
    all.resize(read + piece);
    more = std::fread(all.data() + read, 1, piece, in.get());
    all.resize(read + more);
  }
  if (std::ferror(in.get()) != 0)
    reject(file, std::string("cannot be read: ") + std::strerror(errno));
  if (all.empty()) reject(file, "is empty; accepted: a file with data");
  return all;
}

}  // namespace tool
