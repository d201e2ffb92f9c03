// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <exception>
#include <stdexcept>
#include <string_view>

//! Code that the tools and the examples share: reading data and images, writing pictures, messages.
namespace tool {

//! Something the caller of a program gave cannot be used; `what()` names it and says what is
//! accepted.
struct failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

//! The message of an exception for a line that begins with the program's name: without the "mmm: "
//! of the library's.
[[nodiscard]] inline char const* message_of(std::exception const& e) {
  constexpr std::string_view prefix = "mmm: ";
  char const* const text = e.what();
  return std::string_view(text).starts_with(prefix) ? text + prefix.size() : text;
}

}  // namespace tool
