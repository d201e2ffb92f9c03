// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "file_map.hpp"

#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace replay {

//! The lines of a file of any length, in a buffer of fixed length. A regular file is read where it
//! is mapped; the buffer then holds what is appended later, and a line that has no end.
class line_reader {
 public:
  //! Bytes that may be read before and after a line, whatever they are: words can be loaded across
  //! its ends.
  static constexpr std::size_t slack = 64;

  //! \param name of the file; "-" is the standard input. tool::failure if it cannot be opened.
  explicit line_reader(std::string const& name);

  //! The next line without its end (LF or CR LF), valid until the next call; false after the last.
  //! tool::failure if the file cannot be read or a line is longer than a mebibyte.
  bool next(std::string_view& line) {
    char const* const end = find_end();
    if (end == nullptr) return next_of_refilled(line);
    take(line, end);
    return true;
  }
  //! The text in the buffer after the line that was read last: perhaps nothing, perhaps many lines
  //! and a part of one. Valid as long as that line.
  [[nodiscard]] std::string_view buffered() const {
    return {begin_, static_cast<std::size_t>(end_ - begin_)};
  }
  //! Passes over buffered lines, `bytes` of them with their ends.
  void skip(std::size_t lines, std::size_t bytes) {
    number_ += lines;
    begin_ += bytes;
  }
  //! The number of the line that was read last, from 1.
  [[nodiscard]] std::size_t number() const { return number_; }

 private:
  [[nodiscard]] char const* find_end() const;
  [[noreturn]] void refuse_long_line() const;
  bool next_of_refilled(std::string_view& line);
  void take(std::string_view& line, char const* end);

  struct closer {
    void operator()(std::FILE* file) const {
      if (file != stdin) std::fclose(file);
    }
  };
  std::string name_;
  std::unique_ptr<std::FILE, closer> file_;
  file_map map_;
  std::vector<char> buffer_;     //!< once it is needed
  char const* begin_ = nullptr;  //!< of what is not yet read, in the buffer or the map
  char const* end_ = nullptr;
  std::size_t number_ = 0;
  bool finished_ = false;
};

}  // namespace replay
