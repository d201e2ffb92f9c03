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
  auto const at = [&](char c) -> std::uint8_t& { return table[static_cast<unsigned char>(c)]; };
  for (char c = 'a'; c <= 'z'; ++c) at(c) = word_start | word_part;
  for (char c = 'A'; c <= 'Z'; ++c) at(c) = word_start | word_part;
  for (char c = '0'; c <= '9'; ++c) at(c) = word_part | digit;
  at('_') = at('$') = word_start | word_part;
  at('%') = word_start;
  for (char const c : {'{', '}', '/', '"', '\n'})
    at(c) = static_cast<std::uint8_t>(at(c) | brace_stop);
  return table;
}();

[[nodiscard]] constexpr bool is(char c, character what) {
  return (character_table[static_cast<unsigned char>(c)] & what) != 0;
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
    char const* at;
    std::uint32_t line;
  };

  explicit lexer(std::string_view text, std::uint32_t line = 1)
      : at_(text.data()), end_(text.data() + text.size()), line_(line) {}

  //! The next character after spaces and comments; 0 at the end.
  [[nodiscard]] char peek() {
    if (at_ != end_ && static_cast<unsigned char>(*at_) > ' ' && *at_ != '/') return *at_;
    skip_space();
    return at_ == end_ ? '\0' : *at_;
  }
  //! The character after the one that peek() gave, spaces included; 0 at the end.
  [[nodiscard]] char second() const { return end_ - at_ < 2 ? '\0' : at_[1]; }
  //! The character right here, without skipping anything; 0 at the end.
  [[nodiscard]] char here() const { return at_ == end_ ? '\0' : *at_; }

  [[nodiscard]] bool accept(char c) {
    if (peek() != c || at_ == end_) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail(std::string{"expected `"} + c + '`');
  }

  //! A name: `foo`, `%r1`, `$L__BB0_1`, `_`.
  [[nodiscard]] std::string_view word() {
    if (!is(peek(), word_start)) fail("expected a name");
    char const* const begin = at_++;
    while (at_ != end_ && is(*at_, word_part)) ++at_;
    return {begin, static_cast<std::size_t>(at_ - begin)};
  }

  //! A directive or modifier: `.name` without its dot. `::` is part of it.
  [[nodiscard]] std::string_view dotted();
  //! True if the next token is the directive of that name; takes it if so.
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
  [[nodiscard]] position where() const { return {at_, line_}; }
  void go_back(position p) {
    at_ = p.at;
    line_ = p.line;
  }

  //! Throws device::unsupported with the line and the next token.
  [[noreturn]] void fail(std::string const& why) const;
  //! Fails like fail(why), at a token that has been taken.
  [[noreturn]] void fail(std::string const& why, std::string_view token) const;

 private:
  char const* at_;
  char const* end_;
  std::uint32_t line_;

  void skip_space();
  void skip_comment();
};

}  // namespace device::ptx
