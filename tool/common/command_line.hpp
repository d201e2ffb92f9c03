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

//! Parses the arguments into the options of `app`. \return false where they ask for the help or the
//! version, which `text` then is. Throws tool::failure for what cannot be parsed.
[[nodiscard]] inline bool parse(CLI::App& app, int argc, char const* const* argv,
                                std::string& text) {
  try {
    app.parse(argc, argv);
    return true;
  } catch (CLI::CallForHelp const&) {
    text = app.help();
  } catch (CLI::CallForVersion const& e) {
    text = std::string(e.what()) + '\n';
  } catch (CLI::ParseError const& e) {
    throw unparsed(app, e);
  }
  return false;
}

}  // namespace tool
