// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts a body's instructions by its semicolons, independently of the parser.
#pragma once

#include <cstddef>
#include <sstream>
#include <string>
#include <string_view>

namespace ptx_text {

//! The text without comments, with spaces around punctuation.
inline std::string spaced(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string_view const rest = text.substr(i);
    if (rest.starts_with("//")) {
      i += rest.find('\n') == rest.npos ? rest.size() : rest.find('\n');
      out += ' ';
    } else if (rest.starts_with("/*")) {
      i += rest.find("*/") + 1;
    } else if (std::string_view{"{};(),:"}.find(text[i]) != std::string_view::npos) {
      out += std::string{' ', text[i], ' '};
    } else {
      out += text[i];
    }
  }
  return out;
}

//! The number of semicolons, without those of directives and empty statements.
inline std::size_t count_instructions(std::string_view body) {
  std::istringstream words{spaced(body)};
  std::size_t semicolons = 0;
  std::size_t others = 0;
  std::string before = ";";
  for (std::string word; words >> word; before = word) {
    if (word == ";" && before != ";") ++semicolons;
    // in the parameters of a prototype
    if (word[0] != '.' || before == "(" || before == ",") continue;
    std::string const first = word.substr(0, word.find('.', 1));
    for (char const* const directive :
         {".reg", ".param", ".local", ".shared", ".global", ".const", ".pragma", ".branchtargets",
          ".calltargets", ".callprototype"})
      if (first == directive) ++others;
  }
  return semicolons - others;
}

}  // namespace ptx_text
