// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CLI/CLI.hpp>
#include <common/failure.hpp>
#include <common/nearest_name.hpp>
#include <common/text.hpp>

#include <string>
#include <vector>

namespace tool {

//! The failure of a command line that a program's options do not fit: the first option that does
//! not exist, with the nearest that does; otherwise what the parser says.
[[nodiscard]] inline failure unparsed(CLI::App const& app, CLI::ParseError const& e) {
  std::vector<std::string> options;
  for (CLI::Option const* option : app.get_options())
    for (std::string const& name : option->get_lnames()) options.push_back("--" + name);
  std::string const help = "; " + app.get_name() + " --help lists the options";
  for (std::string const& word : app.remaining())
    if (word.starts_with("--")) {
      std::string const option = word.substr(0, word.find('='));
      return failure(shortened(option) + " is no option of " + app.get_name() +
                     suggestion(option, options) + help);
    }
  return failure(shortened(e.what(), 160) + help);
}

//! Demands that no option is given with an empty text: that is a mistake, not the default.
inline void demand_values(CLI::App const& app) {
  for (CLI::Option const* option : app.get_options())
    if (option->count() > 0 && option->get_expected_max() > 0 && !option->results().empty() &&
        option->results().front().empty())
      throw failure(option->get_name() + " is empty; accepted: a value");
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
