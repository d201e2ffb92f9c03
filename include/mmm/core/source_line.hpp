// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

namespace mmm {

//! A line of a program's source. As a default argument `here()` is the line of the call. It has no
//! header of the standard library, and kernels that do not look at it have nothing of it.
struct source_line {
  char const* file = "";
  int line = 0;  //!< from 1 on; 0 if it is not known

  [[nodiscard]] MMM_HOST_DEVICE static constexpr source_line here(
      char const* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
  }
  //! The file without its folders.
  [[nodiscard]] constexpr char const* file_name() const {
    char const* name = file;
    for (char const* c = file; *c != '\0'; ++c)
      if (*c == '/') name = c + 1;
    return name;
  }
  friend constexpr bool operator==(source_line const&, source_line const&) = default;
};

}  // namespace mmm
