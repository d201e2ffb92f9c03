// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace replay {

//! What the numbers of a list look like: digits, at most 16 of them.
enum class spelling : std::uint8_t {
  decimal,
  decimal_or_negative,  //!< perhaps with - before them; -0 is none
  hexadecimal           //!< after 0x or 0X, and less than 2^63
};

//! Up to 32 numbers with a mark between two of them.
struct number_list {
  static constexpr std::size_t max_numbers = 32;

  using numbers = std::array<mmm::index, max_numbers>;

  std::size_t count = 0;
  std::uint32_t empty = 0;  //!< bit k: there is nothing where number k would be

  //! Reads a list into the first `count` of `to`, 0 where there is nothing; the others become
  //! anything. False if it is no list, or a longer one. An empty text has one empty number. Reads
  //! up to 16 bytes before the text and 64 after it. The time per number is a few cycles where the
  //! processor has AVX-512.
  [[nodiscard]] bool read(std::string_view text, char mark, spelling how, numbers& to) {
    return reader_of_this_processor(*this, text, mark, how, to);
  }

  //! The same, in two ways: for every processor, and for those that has_avx512() is true of.
  [[nodiscard]] static bool read_anywhere(number_list& list, std::string_view text, char mark,
                                          spelling how, numbers& to);
  [[nodiscard]] static bool read_by_avx512(number_list& list, std::string_view text, char mark,
                                           spelling how, numbers& to);
  [[nodiscard]] static bool has_avx512();

 private:
  using reader = bool (*)(number_list&, std::string_view, char, spelling, numbers&);
  static reader const reader_of_this_processor;
};

}  // namespace replay
