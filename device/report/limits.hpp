// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace device::report {

//! The figures that can be limited, of a kernel or a line: sums over the run, but for the resources
//! of a thread.
enum class limited_figure : std::uint8_t {
  shared_requests,
  shared_wavefronts,
  shared_excessive,
  global_requests,
  global_sectors,
  global_excess_sectors,
  local_requests,
  local_sectors,
  atomic_serialized,
  instructions,
  lanes,
  barriers,
  findings,
  registers,   //!< of a thread, by the machine code; of kernels only
  stack_bytes  //!< the same: arrays and spilled registers in local memory
};
inline constexpr std::size_t limited_figures = 15;
//! "shared_requests", …: the keys of a limits file.
[[nodiscard]] std::string_view name_of(limited_figure);

//! True for what the assembler chooses: it is known where the program has machine code.
[[nodiscard]] constexpr bool is_of_machine_code(limited_figure f) {
  return f == limited_figure::registers || f == limited_figure::stack_bytes;
}

//! The figures of a kernel or a line.
using figure_values = std::array<std::uint64_t, limited_figures>;
//! The most that is allowed of each figure; nothing: any number.
using allowance = std::array<std::optional<std::uint64_t>, limited_figures>;

//! The contents of a file of limits:
//!
//!     {"kernels": {"transpose*": {"shared_excessive": 0}},
//!      "lines": {"transpose.cu:12": {"global_excess_sectors": 100}},
//!      "default": {"findings": 0}}
//!
//! Each kernel is held against every pattern that matches its name, and against `default` if none
//! does. A line's figures include those of functions that are inlined there.
struct limits {
  struct of_line {
    std::string file{};  //!< a path, or its end after a `/`
    std::uint32_t line = 0;
    allowance allowed{};
  };
  //! pattern with `*` and `?`, what is allowed
  std::vector<std::pair<std::string, allowance>> kernels{};
  std::vector<of_line> lines{};
  std::optional<allowance> otherwise{};
};

//! Reads a file of limits. Throws device::unsupported that names file, key and what is accepted.
[[nodiscard]] limits read_limits(std::string const& path);
//! read_limits for a text; messages call it `name`.
[[nodiscard]] limits parse_limits(std::string const& text, std::string const& name);

}  // namespace device::report
