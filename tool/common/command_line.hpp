// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CLI/CLI.hpp>
#include <common/failure.hpp>
#include <common/nearest_name.hpp>
#include <common/text.hpp>

#include <string>
#include <vector>

namespace tool {

//! The failure of a command line that a program's options do not fit, with the option nearest to
//! the first that does not exist.
[[nodiscard]] inline failure unparsed(CLI::App const& app, CLI::ParseError const& e) {
  std::vector<std::string> options;
  for (CLI::Option const* option : app.get_options())
    for (std::string const& name : option->get_lnames()) options.push_back("--" + name);
  std::string nearest;
  for (std::string const& word : app.remaining())
    if (nearest.empty() && word.starts_with("--"))
      nearest = suggestion(word.substr(0, word.find('=')), options);
  return failure(shortened(e.what(), 160) + nearest + "; " + app.get_name() +
                 " --help lists the options");
}

}  // namespace tool
