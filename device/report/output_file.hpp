// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace device::report {

//! A file that a report is written to. Each write is complete when its call returns, however the
//! program ends.
class output_file {
 public:
  output_file() = default;
  //! Creates it, or opens it to append: empty, or with what other processes have written. Throws
  //! device::unsupported if that cannot be.
  explicit output_file(std::string path, bool begin_empty = true);
  output_file(output_file&&) noexcept;
  output_file& operator=(output_file&&) noexcept;
  ~output_file();

  [[nodiscard]] bool is_open() const { return file_ >= 0; }
  //! Throws device::unsupported if the text cannot be written.
  void append(std::string_view);
  //! Appends a text that replace_last may still replace. Where nothing can be replaced, as in a
  //! pipe, it is held back until the next one comes or `finish` is called.
  void append_last(std::string text);
  //! False, with nothing written, if another process has written since.
  [[nodiscard]] bool replace_last(std::string text);
  void finish();

 private:
  std::string path_;
  int file_ = -1;
  bool rewritable_ = false;
  std::int64_t last_ = 0;  //!< where the last text begins
  std::int64_t end_ = 0;   //!< and ends
  std::string held_;
};

}  // namespace device::report
