// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/report/limits.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace device::report {

//! The figures of a run, kernel by kernel and line by line, as a file keeps them for later runs.
struct baseline {
  struct of_line {
    std::string file{};
    std::uint32_t line = 0;
    std::string text{};  //!< of the source; empty if it could not be read
    figure_values figures{};
  };
  struct of_kernel {
    std::string name{};  //!< demangled
    std::uint64_t launches = 0;
    figure_values figures{};
    std::vector<of_line> lines{};  //!< those that are known, with libraries inlined there
  };
  std::vector<of_kernel> kernels{};
};

//! A baseline as JSON: an object with a kernel's lines each in a line of text.
[[nodiscard]] std::string json_text(baseline const&);
//! Reads it. Throws device::unsupported that begins with "baseline NAME: " and says what is
//! accepted.
[[nodiscard]] baseline parse_baseline(std::string const& text, std::string const& name);
//! Reads a file.
[[nodiscard]] baseline read_baseline(std::string const& path);

//! The growth in percent that each figure is permitted.
using tolerances = std::array<double, limited_figures>;
//! 5 for instructions and lanes, and 10 for registers, which differ between compilers; 0 for all
//! else.
[[nodiscard]] tolerances default_tolerances();
//! "3", "3%", "lanes=10", "3,instructions=7.5": percent of all figures, then of those named. Throws
//! device::unsupported that says what is accepted.
[[nodiscard]] tolerances parse_tolerances(std::string_view);

//! A figure that grew by more than is tolerated.
struct growth {
  std::string kernel{};  //!< its name now
  std::string file{};    //!< empty and 0: of the whole kernel
  std::uint32_t line = 0;
  limited_figure figure{};
  std::uint64_t before = 0, now = 0;
};

struct comparison {
  std::vector<growth> grown{};
  std::vector<std::string> gone{};     //!< kernels of the baseline that did not run
  std::vector<std::string> unknown{};  //!< kernels that the baseline lacks
  //! Kernels with machine code in one of the two runs only: their resources are not compared.
  std::vector<std::string> without_resources{};
};

//! Compares a run with an earlier one. Kernels are the same by name or else by the text of their
//! lines, lines by their text; in both names of variables and types count for nothing. A kernel's
//! figure is compared as a whole. Where it has not grown, a line's transfers are compared besides,
//! if it has no more requests than before: growth that is not explained by lines that are gone.
[[nodiscard]] comparison compare(baseline const& before, baseline const& now, tolerances const&);

//! A table of what grew; empty if nothing did.
[[nodiscard]] std::string table_text(comparison const&);

//! A line's text without spaces and comments, each name replaced by the number of its first use:
//! two lines that differ in names only have the same.
[[nodiscard]] std::string shape_of(std::string_view line);

}  // namespace device::report
