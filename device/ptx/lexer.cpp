// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/core/failure.hpp>
#include <device/ptx/lexer.hpp>

#include <bit>
#include <charconv>
#include <cstring>

namespace device::ptx {

void lexer::skip_space() {
  while (at_ != end_) {
    if (*at_ == '\n') {
      ++line_;
      ++at_;
    } else if (static_cast<unsigned char>(*at_) <= ' ') {
      ++at_;
    } else if (*at_ == '/' && (second() == '/' || second() == '*')) {
      skip_comment();
    } else {
      return;
    }
  }
}

void lexer::skip_comment() {
  if (second() == '/') {
    auto const* const newline =
        static_cast<char const*>(std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_)));
    at_ = newline ? newline : end_;
    return;
  }
  char const* const begin = at_;
  std::uint32_t const begin_line = line_;
  for (at_ += 2; end_ - at_ >= 2; ++at_) {
    if (*at_ == '\n') ++line_;
    if (at_[0] == '*' && at_[1] == '/') {
      at_ += 2;
      return;
    }
  }
  at_ = begin;
  line_ = begin_line;
  fail("a comment without an end");
}

std::string_view lexer::dotted() {
  if (peek() != '.' || !is(second(), word_part)) fail("expected a directive");
  char const* const begin = ++at_;
  for (;;) {
    while (at_ != end_ && is(*at_, word_part)) ++at_;
    if (end_ - at_ < 3 || at_[0] != ':' || at_[1] != ':' || !is(at_[2], word_part)) break;
    at_ += 2;
  }
  return {begin, static_cast<std::size_t>(at_ - begin)};
}

bool lexer::accept_dotted(std::string_view name) {
  if (peek() != '.') return false;
  auto const rest = std::string_view{at_ + 1, static_cast<std::size_t>(end_ - at_ - 1)};
  if (!rest.starts_with(name)) return false;
  if (rest.size() > name.size() && (is(rest[name.size()], word_part) || rest[name.size()] == ':'))
    return false;
  at_ += 1 + name.size();
  return true;
}

literal lexer::number() {
  if (!is(peek(), digit)) fail("expected a number");
  char const* const begin = at_;
  char const* last = at_;
  while (last != end_ && is(*last, word_part)) ++last;

  auto const integer = [&](char const* from, int base) {
    literal result;
    auto const [stop, error] = std::from_chars(from, last, result.bits, base);
    if (error == std::errc::result_out_of_range) fail("an integer above 64 bits");
    bool const suffix = stop != last && (*stop == 'U' || *stop == 'u');
    if (error != std::errc{} || stop + (suffix ? 1 : 0) != last) fail("not a number");
    result.is_unsigned = suffix || result.bits >> 63 != 0;
    at_ = last;
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
    at_ = stop;
    return {std::bit_cast<std::uint64_t>(value), 64, false};
  }
  bool const octal = *begin == '0' && last - begin > 1 && is(begin[1], digit);
  return integer(begin, octal ? 8 : 10);
}

std::uint32_t lexer::small_number() {
  if (!is(peek(), digit)) fail("expected an integer");
  std::uint32_t value = 0;
  auto const [stop, error] = std::from_chars(at_, end_, value);
  if (error != std::errc{} || (stop != end_ && is(*stop, word_part)))
    fail("expected a decimal integer of 32 bits");
  at_ = stop;
  return value;
}

std::string_view lexer::quoted() {
  if (peek() != '"') fail("expected a string");
  char const* const begin = ++at_;
  while (at_ != end_ && *at_ != '"' && *at_ != '\n') ++at_;
  if (here() != '"') fail("a string without an end");
  return {begin, static_cast<std::size_t>(at_++ - begin)};
}

std::string_view lexer::braced() {
  char const* const begin = at_;
  position const begin_position = where();
  for (int depth = 1; at_ != end_;) {
    if (!is(*at_, brace_stop)) {
      ++at_;
      continue;
    }
    switch (*at_) {
      case '\n':
        ++line_;
        ++at_;
        break;
      case '{':
        ++depth;
        ++at_;
        break;
      case '}':
        ++at_;
        if (--depth == 0) return {begin, static_cast<std::size_t>(at_ - 1 - begin)};
        break;
      case '"':
        static_cast<void>(quoted());
        break;
      default:
        if (second() == '/' || second() == '*')
          skip_comment();
        else
          ++at_;
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
    ++at_;
  }
}

void lexer::fail(std::string const& why) const {
  char const* stop = at_;
  if (stop != end_ && is(*stop, word_start)) ++stop;
  while (stop != end_ && stop - at_ < 40 && is(*stop, word_part)) ++stop;
  if (stop == at_ && stop != end_) ++stop;
  while (stop != end_ && stop - at_ < 40 && is(*stop, word_part)) ++stop;
  fail(why, {at_, static_cast<std::size_t>(stop - at_)});
}

void lexer::fail(std::string const& why, std::string_view token) const {
  std::string const shown =
      token.empty() ? std::string{"the end of the text"} : '`' + std::string{token} + '`';
  throw unsupported("PTX line " + std::to_string(line_) + ": at " + shown + ": " + why);
}

}  // namespace device::ptx
