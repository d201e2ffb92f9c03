// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <common/failure.hpp>
#include <common/text.hpp>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

namespace tool {

//! A file to write. It is opened before the work begins, so that nobody waits for a result that has
//! nowhere to go.
class output_file {
 public:
  output_file(char const* option, std::optional<std::filesystem::path> const& file)
      : option_(option), file_(file) {
    if (!file_) return;
    // an old file stays as it is until the work is done
    stream_.open(*file_, std::ios::binary | std::ios::app);
    if (!stream_) reject();
    stream_.close();
  }
  template <class Write>
  void write(Write write) {
    if (!file_) return;
    stream_.open(*file_, std::ios::binary | std::ios::trunc);
    if (stream_) write(stream_);
    stream_.close();
    if (!stream_) reject();
  }

 private:
  [[noreturn]] void reject() const {
    throw failure(std::string(option_) + " is " + shown_path(file_->string()) +
                  ", which cannot be written; accepted: a file in a folder "
                  "that exists and can be written");
  }
  char const* option_;
  std::optional<std::filesystem::path> file_;
  std::ofstream stream_;
};

}  // namespace tool
