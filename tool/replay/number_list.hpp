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
  static constexpr std::size_t most = 32;

  std::size_t count = 0;
  std::uint32_t empty = 0;               //!< bit k: there is nothing where number k would be
  std::array<mmm::index, most> value{};  //!< of the first `count`; 0 where there is nothing

  //! Reads a list; false if it is none, or a longer one. An empty text has one empty number. Reads
  //! up to 16 bytes before the text and 64 after it. The time per number is a few cycles where the
  //! processor has AVX-512.
  [[nodiscard]] bool read(std::string_view text, char mark, spelling how) {
    return reader_of_this_processor(*this, text, mark, how);
  }

  //! The same, in two ways: for every processor, and for those that has_avx512() is true of.
  [[nodiscard]] static bool read_anywhere(number_list& to, std::string_view text, char mark,
                                          spelling how);
  [[nodiscard]] static bool read_by_avx512(number_list& to, std::string_view text, char mark,
                                           spelling how);
  [[nodiscard]] static bool has_avx512();

 private:
  using reader = bool (*)(number_list&, std::string_view, char, spelling);
  static reader const reader_of_this_processor;
};

}  // namespace replay
