// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/core/failure.hpp>
#include <device/ptx/lexer.hpp>

#include <bit>
#include <charconv>
#include <cstring>

namespace device::ptx {

void lexer::skip_space() {
  while (next_ != end_) {
    if (*next_ == '\n') {
      ++line_;
      ++next_;
    } else if (static_cast<unsigned char>(*next_) <= ' ') {
      ++next_;
    } else if (*next_ == '/' && (second() == '/' || second() == '*')) {
      skip_comment();
    } else {
      return;
    }
  }
}

void lexer::skip_comment() {
  if (second() == '/') {
    auto const* const newline =
        static_cast<char const*>(std::memchr(next_, '\n', static_cast<std::size_t>(end_ - next_)));
    std::string_view const comment{next_, newline ? newline : end_};
    next_ += comment.size();
    if (comment.starts_with("// begin inline asm")) in_inline_assembly_ = true;
    if (comment.starts_with("// end inline asm")) in_inline_assembly_ = false;
    return;
  }
  char const* const begin = next_;
  std::uint32_t const begin_line = line_;
  for (next_ += 2; end_ - next_ >= 2; ++next_) {
    if (*next_ == '\n') ++line_;
    if (next_[0] == '*' && next_[1] == '/') {
      next_ += 2;
      return;
    }
  }
  next_ = begin;
  line_ = begin_line;
  fail("a comment without an end");
}

std::string_view lexer::dotted() {
  if (peek() != '.' || !is(second(), word_part)) fail("expected a directive");
  char const* const begin = ++next_;
  for (;;) {
    while (next_ != end_ && is(*next_, word_part)) ++next_;
    if (end_ - next_ < 3 || next_[0] != ':' || next_[1] != ':' || !is(next_[2], word_part)) break;
    next_ += 2;
  }
  return {begin, static_cast<std::size_t>(next_ - begin)};
}

bool lexer::accept_dotted(std::string_view name) {
  if (peek() != '.') return false;
  auto const rest = std::string_view{next_ + 1, static_cast<std::size_t>(end_ - next_ - 1)};
  if (!rest.starts_with(name)) return false;
  if (rest.size() > name.size() && (is(rest[name.size()], word_part) || rest[name.size()] == ':'))
    return false;
  next_ += 1 + name.size();
  return true;
}

literal lexer::number() {
  if (!is(peek(), digit)) fail("expected a number");
  char const* const begin = next_;
  char const* last = next_;
  while (last != end_ && is(*last, word_part)) ++last;

  auto const integer = [&](char const* first, int base) {
    literal result;
    auto const [stop, error] = std::from_chars(first, last, result.bits, base);
    if (error == std::errc::result_out_of_range) fail("an integer above 64 bits");
    bool const suffix = stop != last && (*stop == 'U' || *stop == 'u');
    if (error != std::errc{} || stop + (suffix ? 1 : 0) != last) fail("not a number");
    result.is_unsigned = suffix || result.bits >> 63 != 0;
    next_ = last;
    return result;
  };
  auto const exact_float = [&](int bits) {
    if (last - begin != 2 + bits / 4) fail("a hexadecimal floating-point number of another length");
    literal result = integer(begin + 2, 16);
    result.float_bits = static_cast<std::uint8_t>(bits);
    return result;
  };

  if (*begin == '0' && last - begin > 1) switch (begin[1]) {
      case 'x':
      case 'X':
        return integer(begin + 2, 16);
      case 'f':
      case 'F':
        return exact_float(32);
      case 'd':
      case 'D':
        return exact_float(64);
      case 'b':
      case 'B':
        return integer(begin + 2, 2);
      default:
        break;
    }
  bool const has_point = last != end_ && *last == '.';
  bool has_exponent = false;
  for (char const* c = begin; c != last; ++c) has_exponent = has_exponent || *c == 'e' || *c == 'E';
  if (has_point || has_exponent) {
    double value = 0;
    auto const [stop, error] = std::from_chars(begin, end_, value);
    if (error != std::errc{} || (stop != end_ && is(*stop, word_part))) fail("not a number");
    next_ = stop;
    return {std::bit_cast<std::uint64_t>(value), 64, false};
  }
  bool const octal = *begin == '0' && last - begin > 1 && is(begin[1], digit);
  return integer(begin, octal ? 8 : 10);
}

std::uint32_t lexer::small_number() {
  if (!is(peek(), digit)) fail("expected an integer");
  std::uint32_t value = 0;
  auto const [stop, error] = std::from_chars(next_, end_, value);
  if (error != std::errc{} || (stop != end_ && is(*stop, word_part)))
    fail("expected a decimal integer of 32 bits");
  next_ = stop;
  return value;
}

std::string_view lexer::quoted() {
  if (peek() != '"') fail("expected a string");
  char const* const begin = ++next_;
  while (next_ != end_ && *next_ != '"' && *next_ != '\n') ++next_;
  if (here() != '"') fail("a string without an end");
  return {begin, static_cast<std::size_t>(next_++ - begin)};
}

std::string_view lexer::braced() {
  char const* const begin = next_;
  position const begin_position = where();
  for (int depth = 1; next_ != end_;) {
    if (!is(*next_, brace_stop)) {
      ++next_;
      continue;
    }
    switch (*next_) {
      case '\n':
        ++line_;
        ++next_;
        break;
      case '{':
        ++depth;
        ++next_;
        break;
      case '}':
        ++next_;
        if (--depth == 0) return {begin, static_cast<std::size_t>(next_ - 1 - begin)};
        break;
      case '"':
        static_cast<void>(quoted());
        break;
      default:
        if (second() == '/' || second() == '*')
          skip_comment();
        else
          ++next_;
    }
  }
  go_back(begin_position);
  fail("a `{` without its `}`");
}

void lexer::skip_parentheses() {
  expect('(');
  for (int depth = 1; depth != 0;) {
    char const c = peek();
    if (c == '\0') fail("a `(` without its `)`");
    if (c == '(') ++depth;
    if (c == ')') --depth;
    ++next_;
  }
}

void lexer::fail(std::string const& why) const {
  char const* stop = next_;
  if (stop != end_ && is(*stop, word_start)) ++stop;
  while (stop != end_ && stop - next_ < 40 && is(*stop, word_part)) ++stop;
  if (stop == next_ && stop != end_) ++stop;
  while (stop != end_ && stop - next_ < 40 && is(*stop, word_part)) ++stop;
  fail(why, {next_, static_cast<std::size_t>(stop - next_)});
}

void lexer::fail(std::string const& why, std::string_view token) const {
  std::string const shown =
      token.empty() ? std::string{"the end of the text"} : '`' + std::string{token} + '`';
  throw unreadable_ptx("PTX line " + std::to_string(line_) + ": at " + shown + ": " + why);
}

}  // namespace device::ptx
