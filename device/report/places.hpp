// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/decode/operation.hpp>

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace device::report {

//! A line of a source file; 0 if the code was compiled without -lineinfo.
struct place {
  std::uint32_t file = 0;  //!< its number in a place_table; 0: unknown
  std::uint32_t line = 0;
  [[nodiscard]] bool known() const { return line != 0; }
  friend auto operator<=>(place const&, place const&) = default;
};

//! The origin of an instruction: its line, the line that its function is inlined at, and so on
//! outwards. At least one place.
using site = std::vector<place>;

//! The sites of all programs, each once, and the names of their files.
class place_table {
 public:
  //! Files below `folder` are named from there.
  explicit place_table(std::string folder);

  //! The number of the site of each operation of a program.
  [[nodiscard]] std::vector<std::uint32_t> const& sites_of(program const&);
  [[nodiscard]] site const& at(std::uint32_t number) const { return sites_[number]; }

  //! The name of a place's file as it is shown: below the folder, from there. Empty if unknown.
  [[nodiscard]] std::string const& file(place p) const { return shown_[p.file]; }
  //! The path as it was compiled, by which the file is read.
  [[nodiscard]] std::string const& path(place p) const { return paths_[p.file]; }
  //! The place of a site that the kernel's author wrote: the innermost one outside of the toolkit's
  //! and mmm's headers; the innermost one if there is none.
  [[nodiscard]] place own(site const&) const;
  //! "transpose.cu:12"; "no line" if unknown.
  [[nodiscard]] std::string text(place) const;
  //! A text whose paths are as they are shown.
  [[nodiscard]] std::string shown_in(std::string text) const;
  //! A path as it is shown.
  [[nodiscard]] std::string shown(std::string_view path) const;

 private:
  struct known_program {
    std::string name;  //!< another program may come to lie where one was
    std::vector<std::uint32_t> site_of;
  };
  [[nodiscard]] std::uint32_t file_number(std::string const& path);
  [[nodiscard]] std::uint32_t site_number(site);

  std::string folder_;
  std::vector<std::string> paths_;
  std::vector<std::string> shown_;
  std::vector<bool> of_libraries_;
  std::map<std::string, std::uint32_t> files_;
  std::vector<site> sites_;
  std::map<site, std::uint32_t> numbers_;
  std::unordered_map<program const*, known_program> programs_;
};

}  // namespace device::report
