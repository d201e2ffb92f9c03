// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace run {

//! What the library in the program told: a file of lines, which lives as long as this object.
class verdict_file {
 public:
  //! Throws tool::failure if it cannot be made.
  verdict_file();
  ~verdict_file();
  verdict_file(verdict_file const&) = delete;
  verdict_file& operator=(verdict_file const&) = delete;

  [[nodiscard]] std::string const& path() const { return path_; }

  struct verdict {
    std::optional<std::uint64_t> findings{};
    std::optional<std::uint64_t> exceeded{};
    bool unsupported = false;
  };
  [[nodiscard]] verdict read() const;

 private:
  std::string path_;
};

}  // namespace run
