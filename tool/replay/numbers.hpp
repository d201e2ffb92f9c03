// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

//! Numbers in text, many at a time.
namespace replay {

//! Eight bytes, the first one lowest.
[[nodiscard]] inline std::uint64_t load_eight(char const* at) {
  static_assert(std::endian::native == std::endian::little);
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, at, sizeof bytes);
  return bytes;
}

//! Which of 64 bytes are `wanted`, byte k as bit k.
[[nodiscard]] inline std::uint64_t bytes_equal(char const* at, char wanted) {
  std::uint64_t found = 0;
#if defined(__SSE2__)
  __m128i const pattern = _mm_set1_epi8(wanted);
  for (int k = 0; k < 64; k += 16) {
    __m128i const bytes = _mm_loadu_si128(reinterpret_cast<__m128i const*>(at + k));
    auto const mask = static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, pattern)));
    found |= std::uint64_t{mask} << k;
  }
#else
  constexpr std::uint64_t low = 0x7F7F7F7F7F7F7F7FU;
  for (int k = 0; k < 64; k += 8) {
    std::uint64_t const difference =
        load_eight(at + k) ^ (0x0101010101010101U * static_cast<unsigned char>(wanted));
    // bit 7 of each byte
    std::uint64_t const equal = ~(((difference & low) + low) | difference | low);
    found |= ((equal >> 7) * 0x0102040810204080U >> 56) << k;
  }
#endif
  return found;
}

//! A piece of text that may be a decimal number: `length` bytes before `end`, 0 to 8 of them.
struct digits {
  char const* end;
  std::size_t length;
};

//! The last `length` of eight bytes.
inline constexpr std::uint64_t last_bytes[9] = {0,
                                                ~std::uint64_t{0} << 56,
                                                ~std::uint64_t{0} << 48,
                                                ~std::uint64_t{0} << 40,
                                                ~std::uint64_t{0} << 32,
                                                ~std::uint64_t{0} << 24,
                                                ~std::uint64_t{0} << 16,
                                                ~std::uint64_t{0} << 8,
                                                ~std::uint64_t{0}};

//! The numbers that `count` texts are, a multiple of 4; an empty one is 0. False if a byte is no
//! digit. Reads the eight bytes before each end.
[[nodiscard]] inline bool read_digits(digits const* texts, std::size_t count, mmm::index* numbers) {
#if defined(__SSE2__)
  __m128i const zero = _mm_setzero_si128();
  __m128i largest = zero;
  auto const load = [](void const* at) { return _mm_loadl_epi64(static_cast<__m128i const*>(at)); };
  // Two texts: their digits, then groups of two, then of four, each as a number.
  auto const fours = [&](digits const& a, digits const& b) {
    __m128i const kept =
        _mm_unpacklo_epi64(load(&last_bytes[a.length]), load(&last_bytes[b.length]));
    __m128i const text = _mm_unpacklo_epi64(load(a.end - 8), load(b.end - 8));
    __m128i const digit = _mm_and_si128(_mm_sub_epi8(text, _mm_set1_epi8('0')), kept);
    largest = _mm_max_epu8(largest, digit);
    __m128i const ten = _mm_set1_epi32(10 | 1 << 16);
    __m128i const pairs = _mm_packs_epi32(_mm_madd_epi16(_mm_unpacklo_epi8(digit, zero), ten),
                                          _mm_madd_epi16(_mm_unpackhi_epi8(digit, zero), ten));
    return _mm_madd_epi16(pairs, _mm_set1_epi32(100 | 1 << 16));
  };
  for (std::size_t k = 0; k < count; k += 4) {
    __m128i const all =
        _mm_packs_epi32(fours(texts[k], texts[k + 1]), fours(texts[k + 2], texts[k + 3]));
    __m128i const four = _mm_madd_epi16(all, _mm_set1_epi32(10000 | 1 << 16));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(numbers + k), _mm_unpacklo_epi32(four, zero));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(numbers + k + 2), _mm_unpackhi_epi32(four, zero));
  }
  return _mm_movemask_epi8(
             _mm_cmpeq_epi8(_mm_max_epu8(largest, _mm_set1_epi8(9)), _mm_set1_epi8(9))) == 0xFFFF;
#else
  std::uint64_t wrong = 0;
  for (std::size_t k = 0; k < count; ++k) {
    std::uint64_t d =
        (load_eight(texts[k].end - 8) ^ 0x3030303030303030U) & last_bytes[texts[k].length];
    wrong |= (d | (d + 0x7676767676767676U)) & 0x8080808080808080U;
    d = (d * 10 + (d >> 8)) & 0x00FF00FF00FF00FFU;
    d = (d * 100 + (d >> 16)) & 0x0000FFFF0000FFFFU;
    numbers[k] = static_cast<mmm::index>((d * 10000 + (d >> 32)) & 0xFFFFFFFFU);
  }
  return wrong == 0;
#endif
}

}  // namespace replay
