// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace device::ptx {

//! The tokens that a character of PTX can be part of, as bits.
enum character : std::uint8_t {
  word_start = 1,  //!< letters, `_`, `$`, `%`
  word_part = 2,   //!< letters, digits, `_`, `$`
  digit = 4,       //!< 0 to 9
  brace_stop = 8,  //!< what matters when braces are matched: `{`, `}`, `/`, `"`, newline
};

inline constexpr std::array<std::uint8_t, 256> character_table = [] {
  std::array<std::uint8_t, 256> table{};
  auto const entry = [&](char c) -> std::uint8_t& { return table[static_cast<unsigned char>(c)]; };
  for (char c = 'a'; c <= 'z'; ++c) entry(c) = word_start | word_part;
  for (char c = 'A'; c <= 'Z'; ++c) entry(c) = word_start | word_part;
  for (char c = '0'; c <= '9'; ++c) entry(c) = word_part | digit;
  entry('_') = entry('$') = word_start | word_part;
  entry('%') = word_start;
  for (char const c : {'{', '}', '/', '"', '\n'})
    entry(c) = static_cast<std::uint8_t>(entry(c) | brace_stop);
  return table;
}();

[[nodiscard]] constexpr bool is(char c, character kind) {
  return (character_table[static_cast<unsigned char>(c)] & kind) != 0;
}

//! An integer or floating-point literal.
struct literal {
  std::uint64_t bits = 0;
  std::uint8_t float_bits = 0;  //!< 0: an integer; 32 or 64 otherwise
  bool is_unsigned = false;     //!< ends in `U`, or is above the greatest signed integer
};

//! Reads PTX text token by token, on demand: what a token is depends on what the parser expects.
class lexer {
 public:
  struct position {
    char const* next;
    std::uint32_t line;
  };

  explicit lexer(std::string_view text, std::uint32_t line = 1)
      : next_(text.data()), end_(text.data() + text.size()), line_(line) {}

  //! The next character after spaces and comments; 0 at the end.
  [[nodiscard]] char peek() {
    if (next_ != end_ && static_cast<unsigned char>(*next_) > ' ' && *next_ != '/') return *next_;
    skip_space();
    return next_ == end_ ? '\0' : *next_;
  }
  //! The character after the one that peek() gave, spaces included; 0 at the end.
  [[nodiscard]] char second() const { return end_ - next_ < 2 ? '\0' : next_[1]; }
  //! The character right here, without skipping anything; 0 at the end.
  [[nodiscard]] char here() const { return next_ == end_ ? '\0' : *next_; }

  [[nodiscard]] bool accept(char c) {
    if (peek() != c || next_ == end_) return false;
    ++next_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail(std::string{"expected `"} + c + '`');
  }

  //! A name: `foo`, `%r1`, `$L__BB0_1`, `_`.
  [[nodiscard]] std::string_view word() {
    if (!is(peek(), word_start)) fail("expected a name");
    char const* const begin = next_++;
    while (next_ != end_ && is(*next_, word_part)) ++next_;
    return {begin, static_cast<std::size_t>(next_ - begin)};
  }

  //! A directive or modifier: `.name` without its dot. `::` is part of it.
  [[nodiscard]] std::string_view dotted();
  //! Skips the next token and returns true if it is the directive `name`.
  [[nodiscard]] bool accept_dotted(std::string_view name);

  //! `42`, `0x1F`, `017`, `0b11`, `7U`, `0f3F800000`, `0d…`, `1.5e3`. No sign.
  [[nodiscard]] literal number();
  //! A decimal integer without a sign that fits 32 bits.
  [[nodiscard]] std::uint32_t small_number();
  //! The text between two quotes.
  [[nodiscard]] std::string_view quoted();
  //! The text between `{`, which has been taken, and its `}`, which is taken, too. Does not look at
  //! tokens.
  [[nodiscard]] std::string_view braced();
  //! Skips `(…)` with all that is in it.
  void skip_parentheses();

  [[nodiscard]] std::uint32_t line() const { return line_; }
  //! The latest comment of those that compilers write around inline assembly was the first one.
  [[nodiscard]] bool in_inline_assembly() const { return in_inline_assembly_; }
  [[nodiscard]] position where() const { return {next_, line_}; }
  void go_back(position p) {
    next_ = p.next;
    line_ = p.line;
  }

  //! Throws device::unsupported with the line and the next token.
  [[noreturn]] void fail(std::string const& why) const;
  //! Fails like fail(why), at a token that has been taken.
  [[noreturn]] void fail(std::string const& why, std::string_view token) const;

 private:
  char const* next_;
  char const* end_;
  std::uint32_t line_;
  bool in_inline_assembly_ = false;

  void skip_space();
  void skip_comment();
};

}  // namespace device::ptx
