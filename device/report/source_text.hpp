// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace device::report {

//! The lines of source files, as far as they can be read.
class source_text {
 public:
  //! The line without its end; empty if there is none.
  [[nodiscard]] std::string_view line(std::string const& path, std::uint32_t number);
  //! The number of lines of the file; 0 if it cannot be read.
  [[nodiscard]] std::uint32_t lines(std::string const& path);

 private:
  [[nodiscard]] std::vector<std::string> const& read(std::string const& path);
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace device::report
