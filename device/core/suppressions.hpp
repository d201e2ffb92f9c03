// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/core/finding.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace device {

//! True if a pattern with `*` (any text) and `?` (any character) is the whole text.
[[nodiscard]] bool matches(std::string_view pattern, std::string_view text);

//! Findings that are not to be reported, in the form of the sanitizers' files: a line
//! `check:pattern` for each, empty lines, and comments that begin with `#`. A check is a name of
//! name_of(check_kind), or `all`. A pattern is part of the name of a function (the kernel, or an
//! inlined function on the path of either side) or of a file on these paths; `*` and `?` stand for
//! any text and any character.
class suppressions {
 public:
  //! Adds a text's lines. Throws device::unsupported "suppressions NAME: line N is …" that says
  //! what is accepted.
  void add(std::string_view text, std::string const& name);
  //! Adds those of what is known of the toolkit's own headers (default_suppressions). They match
  //! findings of which both sides are in these headers, finding::in_toolkit.
  void add_defaults();
  //! Adds a file's lines. Throws device::unsupported if it cannot be read, as well.
  void add_file(std::string const& path);

  //! True if some line matches the finding; counts it.
  [[nodiscard]] bool suppress(finding const&);
  //! "mmm-run: suppressed 2 times by race:pattern (file, line 3)", a line for each that matched.
  [[nodiscard]] std::string report() const;

 private:
  struct rule {
    std::string check;    //!< or "all"
    std::string pattern;  //!< as it was written
    std::string within;   //!< with a `*` on both sides
    std::string origin;   //!< "file, line 3"
    bool in_toolkit;      //!< matches findings within the toolkit's headers only
    std::uint64_t count = 0;
  };
  [[nodiscard]] bool matches_path(rule const&, std::vector<source_line> const&);
  [[nodiscard]] std::string const& demangled(std::string const& function);

  std::vector<rule> rules_{};
  std::map<std::string, std::string> demangled_{};
};

//! The lines that hold without being asked for.
[[nodiscard]] std::string_view default_suppressions();

}  // namespace device
