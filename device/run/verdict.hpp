// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace run {

//! A temporary file in which libmmm_device.so reports its findings to mmm-run, a line each. The
//! file lives as long as this object.
class verdict_file {
 public:
  //! Creates the file. Throws tool::failure if it cannot be created.
  verdict_file();
  ~verdict_file();
  verdict_file(verdict_file const&) = delete;
  verdict_file& operator=(verdict_file const&) = delete;

  [[nodiscard]] std::string const& path() const { return path_; }

  struct verdict {
    std::optional<std::uint64_t> findings{};
    std::optional<std::uint64_t> exceeded{};
    std::optional<std::uint64_t> faults{};
    bool unsupported = false;
  };
  [[nodiscard]] verdict read() const;

 private:
  std::string path_;
};

}  // namespace run
