// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace tool {

//! A table of numbers in row-major order; a plain sequence is one row. All of them are finite.
struct numbers {
  std::vector<double> values;
  mmm::index rows = 1;
  mmm::index columns = 0;
  std::string format;  //!< the format that the file was read as, in words
};

//! Reads numbers from a file, by its extension:
//!
//! | extension | contents |
//! |---|---|
//! | .npy | NumPy array of integers or floating-point numbers, any byte order; a table if 2-D |
//! | .bin .f32 | little-endian 32-bit floating point |
//! | .f64 | little-endian 64-bit floating point |
//! | .dat | text if it is text, otherwise as .f64 (the EEG recording of matplotlib's sample data) |
//! | pictures (image_extensions) | grey values 0 … 255, a table |
//! | anything else | text: numbers between white space, commas or semicolons; `#`: a comment |
//!
//! Lines of equal length make a table. Text is UTF-8, with or without a byte order mark.
//!
//! Throws failure if the file is unreadable, empty, larger than largest_file, cut off, malformed or
//! has numbers that are not finite: the message names the file, the place and what is accepted.
[[nodiscard]] numbers read_numbers(std::filesystem::path const& file);

//! Side of the largest square in a table; of a sequence, of the largest square that its first
//! numbers fill.
[[nodiscard]] mmm::index largest_square(numbers const& from);

//! The square of the given side in the middle of a table; of a sequence, its first `side * side`
//! numbers.
//! `side` is at most largest_square(from).
[[nodiscard]] std::vector<double> middle_square(numbers const& from, mmm::index side);

}  // namespace tool
