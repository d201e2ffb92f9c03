// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <common/failure.hpp>
#include <common/file.hpp>
#include <common/symbols.hpp>
#include <common/text.hpp>

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>

namespace tool {

namespace {

bool may_have_letters(std::filesystem::path const& file) {
  std::string const extension = file.extension().string();
  std::string_view const known[] = {"", ".txt", ".fa", ".fasta", ".fna", ".faa"};
  return std::find(std::begin(known), std::end(known), extension) != std::end(known);
}

//! The numbers of a file that does not begin as a text.
numbers numbers_of(std::filesystem::path const& file) {
  try {
    return read_numbers(file);
  } catch (failure const& e) {
    throw failure(std::string(e.what()) + "; or a text that begins with a letter or >");
  }
}

}  // namespace

symbols read_symbols(std::filesystem::path const& file) {
  if (!may_have_letters(file)) return {read_numbers(file)};
  std::string const contents = file_contents(file);
  auto const first = contents.find_first_not_of(" \t\r\n");
  bool const fasta = first != std::string::npos && contents[first] == '>';
  bool const letters =
      first != std::string::npos && std::isalpha(static_cast<unsigned char>(contents[first])) != 0;
  if (!fasta && !letters) return {numbers_of(file)};
  numbers read;
  int records = 0;
  std::string_view rest = contents;
  while (!rest.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (fasta && line.starts_with('>')) {
      if (++records > 1)
        throw failure("the file " + shown_path(file.string()) +
                      " has several records; accepted: FASTA with one heading, a line that begins "
                      "with >");
      continue;
    }
    if (fasta && line.starts_with(';')) continue;  // a comment
    for (char const c : line) {
      if (fasta && c == ' ') continue;
      if (static_cast<unsigned char>(c) >= 128)
        throw failure(
            "the file " + shown_path(file.string()) +
            " has letters that are not ASCII; accepted: ASCII, whose bytes are the symbols");
      if (std::iscntrl(static_cast<unsigned char>(c)) != 0 && c != '\t')
        throw failure("the file " + shown_path(file.string()) +
                      " has control characters; accepted: a text, or numbers in another format");
      read.values.push_back(static_cast<unsigned char>(c));
    }
  }
  if (read.values.empty())
    throw failure("the file " + shown_path(file.string()) + " has no symbol after its heading");
  read.columns = static_cast<mmm::index>(read.values.size());
  read.format = fasta ? "FASTA" : "text";
  return {std::move(read), true};
}

}  // namespace tool
