// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "number_list.hpp"

#include "numbers.hpp"

namespace replay {

namespace {

//! The pieces of a text, at most `most` of them.
struct pieces {
  static constexpr std::size_t max_numbers = number_list::max_numbers;
  std::size_t count = 0;
  std::size_t shortest = 0;  //!< bytes of the shortest piece
  std::size_t longest = 0;
  std::array<digits, max_numbers + 64> piece;  //!< the first `count`

  //! Splits [begin, end) at the marks `mark`, up to `most` pieces; those after them, which are not
  //! in `count`, may be missing. Reads up to 64 bytes after `end`.
  MMM_ALWAYS_INLINE void split(char const* begin, char const* end, char mark) {
    digits* last = piece.data();
    for (char const* from = begin; from < end; from += 64) {
      std::uint64_t marks = bytes_equal(from, mark);
      if (end - from < 64) marks &= (std::uint64_t{1} << (end - from)) - 1;
      // Four at a time: how often is easier to predict than the number of marks.
      while (marks != 0)
        for (int k = 0; k < 4; ++k) {
          last->end = from + std::countr_zero(marks);
          last += marks != 0 ? 1 : 0;
          marks &= marks - 1;
        }
      if (last - piece.data() > static_cast<std::ptrdiff_t>(max_numbers)) break;
    }
    last++->end = end;
    count = static_cast<std::size_t>(last - piece.data());
    if (count > max_numbers) return;
    shortest = SIZE_MAX;
    longest = 0;
    for (std::size_t k = 0; k < count; ++k) {
      auto const length = static_cast<std::size_t>(piece[k].end - begin);
      piece[k].length = length;
      shortest = length < shortest ? length : shortest;
      longest = longest < length ? length : longest;
      begin = piece[k].end + 1;
    }
  }
  //! Appends empty pieces up to a multiple of 4.
  MMM_ALWAYS_INLINE std::size_t fill_up() {
    std::size_t all = count;
    while (all % 4 != 0) piece[all++] = {piece[0].end, 0};
    return all;
  }
};

//! Takes - off the texts that begin with it. Returns the numbers that have it.
std::uint32_t take_signs(pieces& texts) {
  std::uint32_t negative = 0;
  texts.shortest = SIZE_MAX;
  texts.longest = 0;
  for (std::size_t k = 0; k < texts.count; ++k) {
    std::size_t& length = texts.piece[k].length;
    bool const has_sign = length > 1 && *(texts.piece[k].end - length) == '-';
    negative |= std::uint32_t{has_sign} << k;
    length -= has_sign ? 1 : 0;
    texts.shortest = length < texts.shortest ? length : texts.shortest;
    texts.longest = texts.longest < length ? length : texts.longest;
  }
  return negative;
}

bool read_decimal(pieces& texts, mmm::index* numbers) {
  std::size_t const all = texts.fill_up();
  digits* const text = texts.piece.data();
  if (texts.longest <= 8) return read_digits(text, all, numbers);
  if (texts.longest > 16) return false;
  std::array<mmm::index, number_list::max_numbers> high;
  std::array<digits, number_list::max_numbers> first;
  for (std::size_t k = 0; k < all; ++k) {
    bool const is_long = text[k].length > 8;
    first[k] = is_long ? digits{text[k].end - 8, text[k].length - 8} : digits{text[k].end, 0};
    text[k].length = is_long ? 8 : text[k].length;
  }
  if (!read_digits(first.data(), all, high.data()) || !read_digits(text, all, numbers))
    return false;
  for (std::size_t k = 0; k < all; ++k) numbers[k] += high[k] * 100000000;
  return true;
}

}  // namespace

bool number_list::read_anywhere(std::string_view text, char mark, spelling how, numbers& to) {
  pieces texts;
  texts.split(text.data(), text.data() + text.size(), mark);
  if (texts.count > max_numbers || texts.longest > 18) return false;
  count = texts.count;
  empty = 0;
  if (texts.shortest == 0)
    for (std::size_t k = 0; k < texts.count; ++k)
      empty |= std::uint32_t{texts.piece[k].length == 0} << k;
  if (how == spelling::hexadecimal)
    return read_prefixed_hexadecimal(texts.piece.data(), texts.fill_up(), to.data());
  std::uint32_t const negative = how == spelling::decimal ? 0 : take_signs(texts);
  if (!read_decimal(texts, to.data())) return false;
  for (std::uint32_t left = negative; left != 0; left &= left - 1) {
    mmm::index& number = to[static_cast<std::size_t>(std::countr_zero(left))];
    if (number == 0) return false;
    number = -number;
  }
  return true;
}

}  // namespace replay
