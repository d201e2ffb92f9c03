// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

namespace replay {

//! A regular file's bytes in memory without a copy of them, where the system can do so. Takes half
//! the time of reading or less.
//! If the file becomes shorter or cannot be read later, the program ends with a message and the
//! status of other failures.
class file_map {
 public:
  //! Maps what is in the file now. Otherwise nothing is mapped: if it is no regular file, is empty,
  //! or the system refuses. The file's position stays where it is.
  //! \param name of the file, for the message.
  file_map(std::FILE* file, std::string const& name);
  ~file_map();
  file_map(file_map const&) = delete;
  file_map& operator=(file_map const&) = delete;

  //! The file; empty if it is not mapped. A page before and after it may be read, too, whatever is
  //! there.
  [[nodiscard]] std::string_view bytes() const { return bytes_; }

 private:
  std::string_view bytes_;
  void* all_ = nullptr;  //!< with the pages before and after
  std::size_t size_of_all_ = 0;
};

}  // namespace replay
