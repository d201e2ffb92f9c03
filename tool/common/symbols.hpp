// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <common/numbers.hpp>

#include <filesystem>

namespace tool {

//! The symbols of a text as numbers, and whether they are characters of the text.
struct symbols {
  numbers read;
  bool characters = false;
};

//! Reads the symbols of a text: in a file .txt, .fa, .fasta, .fna, .faa or without an extension
//! that begins with a letter, the bytes without line ends; in one that begins with `>`, FASTA with
//! one record, the bytes without line ends, blanks, the heading and lines that begin with `;`; in
//! any other file the numbers (read_numbers), a symbol each.
//!
//! Throws failure as read_numbers, and for a text without symbols, with control characters or
//! letters that are not ASCII, and for FASTA with several records.
[[nodiscard]] symbols read_symbols(std::filesystem::path const& file);

}  // namespace tool
