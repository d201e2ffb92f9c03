// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

#if defined(__GLIBCXX__)
#include <bits/functexcept.h>
#elif !defined(__CUDACC_RTC__)
#include <stdexcept>
#endif

//! Exceptions of the standard library without its headers of exceptions and strings, which would
//! be the larger part of what <mmm/access.hpp> costs a compiler. libstdc++ declares functions that
//! throw.
namespace mmm::detail {

//! A text put together of texts and numbers, for an exception: 511 characters at most, the rest is
//! cut off.
class failure_text {
 public:
  template <class... Parts>
  explicit failure_text(Parts... parts) {
    (add(parts), ...);
    text_[length_] = '\0';
  }
  [[nodiscard]] char const* c_str() const { return text_; }

 private:
  static constexpr int capacity = 511;
  void add(char const* text) {
    while (*text != '\0' && length_ < capacity) text_[length_++] = *text++;
  }
  void add(std::uint64_t number) {
    char digits[21];  // of 2^64, and the end
    char* first = digits + 20;
    for (*first = '\0'; first == digits + 20 || number != 0; number /= 10)
      *--first = static_cast<char>('0' + number % 10);
    add(first);
  }
  void add(index number) {
    auto const bits = static_cast<std::uint64_t>(number);
    if (number < 0) add("-");
    add(number < 0 ? 0 - bits : bits);
  }

  int length_ = 0;
  char text_[capacity + 1];
};

#if defined(__GLIBCXX__)
[[noreturn]] inline void throw_invalid_argument(failure_text const& text) {
  std::__throw_invalid_argument(text.c_str());
}
[[noreturn]] inline void throw_length_error(failure_text const& text) {
  std::__throw_length_error(text.c_str());
}
[[noreturn]] inline void throw_out_of_range(failure_text const& text) {
  std::__throw_out_of_range(text.c_str());
}
[[noreturn]] inline void throw_overflow_error(failure_text const& text) {
  std::__throw_overflow_error(text.c_str());
}
[[noreturn]] inline void throw_logic_error(failure_text const& text) {
  std::__throw_logic_error(text.c_str());
}
[[noreturn]] inline void throw_runtime_error(failure_text const& text) {
  std::__throw_runtime_error(text.c_str());
}
#elif defined(__CUDACC_RTC__)
// NVRTC compiles device code only, which has no exceptions: the launch has refused what these name.
[[noreturn]] inline void throw_invalid_argument(failure_text const&) { __trap(); }
[[noreturn]] inline void throw_length_error(failure_text const&) { __trap(); }
[[noreturn]] inline void throw_out_of_range(failure_text const&) { __trap(); }
[[noreturn]] inline void throw_overflow_error(failure_text const&) { __trap(); }
[[noreturn]] inline void throw_logic_error(failure_text const&) { __trap(); }
[[noreturn]] inline void throw_runtime_error(failure_text const&) { __trap(); }
#else
[[noreturn]] inline void throw_invalid_argument(failure_text const& text) {
  throw std::invalid_argument(text.c_str());
}
[[noreturn]] inline void throw_length_error(failure_text const& text) {
  throw std::length_error(text.c_str());
}
[[noreturn]] inline void throw_out_of_range(failure_text const& text) {
  throw std::out_of_range(text.c_str());
}
[[noreturn]] inline void throw_overflow_error(failure_text const& text) {
  throw std::overflow_error(text.c_str());
}
[[noreturn]] inline void throw_logic_error(failure_text const& text) {
  throw std::logic_error(text.c_str());
}
[[noreturn]] inline void throw_runtime_error(failure_text const& text) {
  throw std::runtime_error(text.c_str());
}
#endif

//! Throws std::invalid_argument that names the argument, its value and what is accepted.
//! Out of the constexpr path: reached in a constant expression, it is the compile error.
[[noreturn]] inline void reject(char const* argument, index value, char const* accepted) {
  throw_invalid_argument(failure_text("mmm: ", argument, " is ", value, "; accepted: ", accepted));
}

//! Does the same for an unsigned value that an mmm::index does not hold.
[[noreturn]] inline void reject_unsigned(char const* argument, std::uint64_t value,
                                         char const* accepted) {
  throw_invalid_argument(failure_text("mmm: ", argument, " is ", value, "; accepted: ", accepted));
}

//! Throws std::length_error that names the quantity and says how much would have been needed.
[[noreturn]] inline void reject_length(char const* quantity, index needed, index available) {
  throw_length_error(
      failure_text("mmm: ", quantity, ": ", needed, " needed, ", available, " available"));
}

//! Throws std::overflow_error. In a constant expression, the compile error that names the
//! operation.
[[noreturn]] inline void reject_overflow(char const* operation) {
  throw_overflow_error(failure_text("mmm: a figure does not fit into 64 bits: ", operation));
}

}  // namespace mmm::detail
