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

}  // namespace

symbols read_symbols(std::filesystem::path const& file) {
  if (!may_have_letters(file)) return {read_numbers(file)};
  std::string const contents = file_contents(file);
  auto const first = contents.find_first_not_of(" \t\r\n");
  bool const letters =
      first != std::string::npos &&
      (contents[first] == '>' || std::isalpha(static_cast<unsigned char>(contents[first])) != 0);
  if (!letters) return {read_numbers(file)};
  numbers read;
  bool fasta = false;
  std::string_view rest = contents;
  while (!rest.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.starts_with('>')) {
      fasta = true;
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
    throw failure("the file " + shown_path(file.string()) + " has no symbol after its headings");
  read.columns = static_cast<mmm::index>(read.values.size());
  read.format = fasta ? "FASTA" : "text";
  return {std::move(read), true};
}

}  // namespace tool
