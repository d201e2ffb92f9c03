// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "parse.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

//! The command line of `mmm-explore pattern`.
namespace explore::pattern {

//! The memory that serves the accesses.
enum class memory { dmm, umm, gpu_shared, gpu_global };

//! The user's request; every value is valid.
struct options {
  std::string text;  //!< the expression
  names known;
  std::vector<std::string> for_all;  //!< NAME=VALUES each
  memory where = memory::dmm;
  index width = 32;
  std::string gpu;  //!< its name, where `where` is one
  bool store = false;
  int bytes = 4;
  index items = 32;
  index threads = 32;
  bool threads_given = false;
  std::optional<std::filesystem::path> svg;
  std::optional<std::filesystem::path> html;
  bool json = false;

  [[nodiscard]] bool on_gpu() const {
    return where == memory::gpu_shared || where == memory::gpu_global;
  }
  //! All items are those of one warp.
  [[nodiscard]] bool one_warp() const {
    return items <= (on_gpu() ? 32 : width) && items <= threads;
  }
  [[nodiscard]] bool has_banks() const {
    return where == memory::dmm || where == memory::gpu_shared;
  }
};

//! True for letters, digits and _ without a digit first, but for the grammar's own words.
[[nodiscard]] bool is_name(std::string const& text);

//! Reads the arguments after `pattern`. False if they ask for help, which is in `help` then. Throws
//! tool::failure that names option, value and what is accepted.
[[nodiscard]] bool parse_options(int argc, char const* const* argv, options& o, std::string& help);

}  // namespace explore::pattern
