// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <common/failure.hpp>
#include <common/text.hpp>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <system_error>

namespace tool {

//! A file to write. It is opened before the work begins, so that nobody waits for a result that has
//! nowhere to go. An old file stays as it is until all of the new one is written; one that was not
//! there is removed again if nothing is written. Pipes and devices are written directly.
class output_file {
 public:
  output_file(char const* option, std::optional<std::filesystem::path> const& file)
      : option_(option), file_(file) {
    if (!file_) return;
    std::error_code error;
    created_ = !std::filesystem::exists(*file_, error);
    stream_.open(*file_, std::ios::binary | std::ios::app);
    if (!stream_) reject();
    stream_.close();
  }
  output_file(output_file const&) = delete;
  output_file& operator=(output_file const&) = delete;
  ~output_file() {
    std::error_code error;
    if (created_) std::filesystem::remove(*file_, error);
  }
  template <class Write>
  void write(Write write) {
    if (!file_) return;
    std::error_code error;
    bool const regular = std::filesystem::is_regular_file(*file_, error);
    std::filesystem::path target = *file_;
    if (regular) target += ".partial";
    stream_.open(target, std::ios::binary | std::ios::trunc);
    if (!stream_ && regular) {  // the folder takes no further file
      target = *file_;
      stream_.open(target, std::ios::binary | std::ios::trunc);
    }
    if (stream_) write(stream_);
    stream_.close();
    bool written = static_cast<bool>(stream_);
    if (target != *file_) {
      if (written) {
        auto const permissions = std::filesystem::status(*file_, error).permissions();
        std::filesystem::permissions(target, permissions, error);
        std::filesystem::rename(target, std::filesystem::canonical(*file_, error), error);
        written = !error;
      }
      if (!written) std::filesystem::remove(target, error);
    }
    if (!written) reject();
    created_ = false;
  }

 private:
  [[noreturn]] void reject() const {
    throw failure(std::string(option_) + " is " + shown_path(file_->string()) +
                  ", which cannot be written; accepted: a file in a folder "
                  "that exists and can be written");
  }
  char const* option_;
  std::optional<std::filesystem::path> file_;
  bool created_ = false;  //!< the file was not there, and is not written
  std::ofstream stream_;
};

}  // namespace tool
