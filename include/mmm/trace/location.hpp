// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#if __has_include(<source_location>)
#include <source_location>
#endif

//! A source location that the compiler fills in where a function is called.
namespace mmm::gpu {

#if defined(__cpp_lib_source_location)

using location = std::source_location;

#else

//! A source location like std::source_location, for compilers whose standard library has none.
class location {
 public:
  constexpr location() = default;
  [[nodiscard]] static constexpr location current(char const* file = __builtin_FILE(),
                                                  char const* function = __builtin_FUNCTION(),
                                                  std::uint_least32_t line = __builtin_LINE(),
                                                  std::uint_least32_t column = __builtin_COLUMN()) {
    location here;
    here.file_ = file;
    here.function_ = function;
    here.line_ = line;
    here.column_ = column;
    return here;
  }
  [[nodiscard]] constexpr char const* file_name() const { return file_; }
  [[nodiscard]] constexpr char const* function_name() const { return function_; }
  [[nodiscard]] constexpr std::uint_least32_t line() const { return line_; }
  [[nodiscard]] constexpr std::uint_least32_t column() const { return column_; }

 private:
  char const* file_ = "";
  char const* function_ = "";
  std::uint_least32_t line_ = 0;
  std::uint_least32_t column_ = 0;
};

#endif

}  // namespace mmm::gpu
