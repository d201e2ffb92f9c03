// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

#include <common/processor.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace replay {

//! The spelling of a list's numbers: digits, at most 16 of them.
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
  //! up to 16 bytes before the text and 64 after it. The time per number is a few cycles by
  //! AVX-512.
  [[nodiscard]] bool read(tool::processor by, std::string_view text, char mark, spelling how,
                          numbers& to) {
    return by >= tool::processor::avx512 ? read_by_avx512(text, mark, how, to)
                                         : read_anywhere(text, mark, how, to);
  }

 private:
  bool read_anywhere(std::string_view text, char mark, spelling how, numbers& to);
  bool read_by_avx512(std::string_view text, char mark, spelling how, numbers& to);
};

}  // namespace replay
