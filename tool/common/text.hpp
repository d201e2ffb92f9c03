// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace tool {

//! The beginning of a text for a message: at most `most` characters, followed by `…` if the text is
//! longer. Bytes that are not printable ASCII characters become `?`.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t most = 60);

//! A path for a message: whole, with `?` for control characters; shortened(path) if it has more
//! than 4096 bytes, which no file's path has.
[[nodiscard]] std::string shown_path(std::string const& path);

//! shortened(text) between quotation marks.
[[nodiscard]] std::string in_quotes(std::string_view text);

//! Reads a whole number without a sign: decimal or, in base 16, hexadecimal with or without 0x.
//! False unless all of the text is one and fits into `Number`; a sign, a space, an exponent and an
//! empty text are refused. Linear in the text's length.
template <class Number>
[[nodiscard]] bool read_whole(std::string_view text, Number& value, int base = 10) {
  if (base == 16 && text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
    text.remove_prefix(2);
  if (text.empty() || text.front() == '-') return false;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc() && end == text.data() + text.size();
}

//! The text without the UTF-8 byte order mark at its start, if there is one; nothing if the text is
//! UTF-16 or UTF-32, by its byte order mark or because one of its first two bytes is zero.
[[nodiscard]] std::optional<std::string_view> utf8_text(std::string_view text);

//! The end of a message about text that utf8_text refuses.
inline constexpr char const* utf16_refused = "is UTF-16 or UTF-32 text; accepted: UTF-8";

}  // namespace tool
