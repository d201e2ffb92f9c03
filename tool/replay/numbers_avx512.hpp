// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "number_list.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

#include <array>
#include <cstdint>
#include <cstring>

#define REPLAY_AVX512 \
  __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt")))

//! Decimal numbers, 32 at a time, by AVX-512 (tool::processor::avx512).
namespace replay {

//! The lower half of a vector. Forms with a mask stand where g++ 12 takes those without one for the
//! use of a variable that has no value.
REPLAY_AVX512 inline __m256i lower_half(__m512i all) {
  return _mm512_maskz_extracti64x4_epi64(0xF, all, 0);
}

//! The digits of eight texts of eight bytes; `wrong` collects the bytes that are none.
template <int Base>
REPLAY_AVX512 inline __m512i digits_of(__m512i text, __mmask64 kept, __mmask64& wrong) {
  __m512i const nine = _mm512_set1_epi8(9);
  __m512i digit = _mm512_sub_epi8(text, _mm512_set1_epi8('0'));
  __mmask64 right = _mm512_cmple_epu8_mask(digit, nine);
  if constexpr (Base == 16) {
    __m512i const letter =
        _mm512_sub_epi8(_mm512_or_si512(text, _mm512_set1_epi8(0x20)), _mm512_set1_epi8('a'));
    __mmask64 const is_letter = _mm512_cmple_epu8_mask(letter, _mm512_set1_epi8(5));
    digit = _mm512_mask_add_epi8(digit, is_letter, letter, _mm512_set1_epi8(10));
    right |= is_letter;
  }
  wrong |= kept & ~right;
  return _mm512_maskz_mov_epi8(kept, digit);
}

//! Eight decimal numbers of eight digits each.
REPLAY_AVX512 inline __m512i number_of(__m512i digit) {
  __m512i const two = _mm512_maddubs_epi16(digit, _mm512_set1_epi16(1 << 8 | 10));
  __m512i const four = _mm512_madd_epi16(two, _mm512_set1_epi32(1 << 16 | 100));
  return _mm512_add_epi64(_mm512_maskz_mul_epu32(0xFF, four, _mm512_set1_epi64(10000)),
                          _mm512_maskz_srli_epi64(0xFF, four, 32));
}

//! The ends of a text's pieces, and the bytes before each that are its own. Loads of a few bytes
//! before each end are quicker than gathers.
struct piece_windows {
  char const* text;
  alignas(64) std::array<std::uint16_t, number_list::max_numbers> end;
  alignas(64) std::array<std::uint8_t, 2 * number_list::max_numbers> kept;  //!< bits

  //! The bits of the bytes in `count` windows from number `first` on that fill 64 bytes.
  [[nodiscard]] std::uint64_t kept_of(int first, int count) const {
    std::uint64_t bits = 0;
    std::memcpy(&bits, kept.data() + 8 * (first / count), sizeof bits);
    return bits;
  }
  [[nodiscard]] char const* before(int number, int bytes) const {
    return text + end[static_cast<std::size_t>(number)] - bytes;
  }
};

//! Eight windows of eight bytes from number `first` on.
REPLAY_AVX512 inline __m512i eight_windows(piece_windows const& in, int first) {
  std::array<long long, 8> bytes;
  for (int k = 0; k < 8; ++k)
    std::memcpy(&bytes[static_cast<std::size_t>(k)], in.before(first + k, 8), 8);
  return _mm512_set_epi64(bytes[7], bytes[6], bytes[5], bytes[4], bytes[3], bytes[2], bytes[1],
                          bytes[0]);
}

//! Decimal numbers of up to 8 bytes, `-` included where `Signed`; false if a piece is none.
template <bool Signed>
REPLAY_AVX512 inline bool read_short_decimals(piece_windows& in, __m512i length, mmm::index* to) {
  constexpr std::uint64_t last_of_each = 0x8080808080808080U;
  __m512i const beyond = _mm512_sub_epi16(_mm512_set1_epi16(8), length);
  __m512i const kept_bits = _mm512_maskz_sllv_epi16(~__mmask32{0}, _mm512_set1_epi16(0xFF), beyond);
  _mm256_store_si256(reinterpret_cast<__m256i*>(in.kept.data()),
                     _mm512_maskz_cvtepi16_epi8(~__mmask32{0}, kept_bits));
  std::uint64_t wrong = 0;
  for (int first = 0; first < 32; first += 8) {
    __m512i const text = eight_windows(in, first);
    std::uint64_t kept = in.kept_of(first, 8);
    std::uint64_t minus = 0;
    if constexpr (Signed) {
      std::uint64_t const first_of_each = kept & ~((kept & ~last_of_each) << 1);
      minus = first_of_each & _mm512_cmpeq_epi8_mask(text, _mm512_set1_epi8('-'));
      wrong |= minus & last_of_each;  // without a digit
      kept &= ~minus;
    }
    __mmask64 no_digit = 0;
    __m512i numbers = number_of(digits_of<10>(text, kept, no_digit));
    wrong |= no_digit;
    if constexpr (Signed) {
      __m512i const signs = _mm512_movm_epi8(minus);
      __mmask8 const negative = _mm512_test_epi64_mask(signs, signs);
      wrong |= _mm512_mask_testn_epi64_mask(negative, numbers, numbers);  // -0
      numbers = _mm512_mask_sub_epi64(numbers, negative, _mm512_setzero_si512(), numbers);
    }
    _mm512_storeu_si512(to + first, numbers);
  }
  return wrong == 0;
}

}  // namespace replay

#endif
