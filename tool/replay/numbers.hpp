// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

#include <array>
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

//! The bytes of `Count`, 16 to 64, that are `wanted`: byte k as bit k.
template <int Count = 64>
[[nodiscard]] inline std::uint64_t bytes_equal(char const* at, char wanted) {
  std::uint64_t found = 0;
#if defined(__SSE2__)
  __m128i const pattern = _mm_set1_epi8(wanted);
  for (int k = 0; k < Count; k += 16) {
    __m128i const bytes = _mm_loadu_si128(reinterpret_cast<__m128i const*>(at + k));
    auto const mask = static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, pattern)));
    found |= std::uint64_t{mask} << k;
  }
#else
  constexpr std::uint64_t low = 0x7F7F7F7F7F7F7F7FU;
  for (int k = 0; k < Count; k += 8) {
    std::uint64_t const difference =
        load_eight(at + k) ^ (0x0101010101010101U * static_cast<unsigned char>(wanted));
    // bit 7 of each byte
    std::uint64_t const equal = ~(((difference & low) + low) | difference | low);
    found |= ((equal >> 7) * 0x0102040810204080U >> 56) << k;
  }
#endif
  return found;
}

//! A piece of text that may be a number: `length` bytes before `end`.
struct digits {
  char const* end;
  std::size_t length;
};

//! True if the first `length` bytes are the same, 0 to 31. Reads 32 of both.
[[nodiscard]] inline bool same_start(char const* a, char const* b, std::size_t length) {
#if defined(__SSE2__)
  std::uint32_t same = 0;
  for (int k = 0; k < 32; k += 16) {
    __m128i const left = _mm_loadu_si128(reinterpret_cast<__m128i const*>(a + k));
    __m128i const right = _mm_loadu_si128(reinterpret_cast<__m128i const*>(b + k));
    same |= static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(left, right))) << k;
  }
  return (~same & ((std::uint32_t{1} << length) - 1)) == 0;
#else
  return std::memcmp(a, b, length) == 0;
#endif
}

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

//! Reads `count` decimal numbers, a multiple of 4, from texts of up to 8 bytes; an empty text is 0.
//! False if a byte is no digit. Accesses the eight bytes before each text's end.
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

//! The decimal numbers that the bytes `kept[0]` before `first` and `kept[1]` before `second` are
//! (last_bytes). False if a byte is no digit. Reads the eight bytes before each end.
[[nodiscard]] inline bool read_two(char const* first, char const* second, std::uint64_t const* kept,
                                   mmm::index* numbers) {
#if defined(__SSE2__)
  __m128i const zero = _mm_setzero_si128();
  __m128i const nine = _mm_set1_epi8(9);
  auto const load = [](void const* at) { return _mm_loadl_epi64(static_cast<__m128i const*>(at)); };
  __m128i const text = _mm_unpacklo_epi64(load(first - 8), load(second - 8));
  __m128i const digit = _mm_and_si128(_mm_sub_epi8(text, _mm_set1_epi8('0')),
                                      _mm_loadu_si128(reinterpret_cast<__m128i const*>(kept)));
  __m128i const ten = _mm_set1_epi32(10 | 1 << 16);
  __m128i const pairs = _mm_packs_epi32(_mm_madd_epi16(_mm_unpacklo_epi8(digit, zero), ten),
                                        _mm_madd_epi16(_mm_unpackhi_epi8(digit, zero), ten));
  __m128i const fours = _mm_madd_epi16(pairs, _mm_set1_epi32(100 | 1 << 16));
  __m128i const both =
      _mm_madd_epi16(_mm_packs_epi32(fours, zero), _mm_set1_epi32(10000 | 1 << 16));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(numbers), _mm_unpacklo_epi32(both, zero));
  return _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_max_epu8(digit, nine), nine)) == 0xFFFF;
#else
  std::uint64_t wrong = 0;
  char const* const end[2] = {first, second};
  for (int k = 0; k < 2; ++k) {
    std::uint64_t d = (load_eight(end[k] - 8) ^ 0x3030303030303030U) & kept[k];
    wrong |= (d | (d + 0x7676767676767676U)) & 0x8080808080808080U;
    d = (d * 10 + (d >> 8)) & 0x00FF00FF00FF00FFU;
    d = (d * 100 + (d >> 16)) & 0x0000FFFF0000FFFFU;
    numbers[k] = static_cast<mmm::index>((d * 10000 + (d >> 32)) & 0xFFFFFFFFU);
  }
  return wrong == 0;
#endif
}

//! Two decimal numbers of 1 to 8 digits, each with a mark after it. Reads up to 8 bytes before
//! them and 32 after their beginning.
class number_pair {
 public:
  //! Finds where the numbers of a text end; false if there are not two that may be read.
  [[nodiscard]] bool find(char const* text, char mark) {
    auto const marks = static_cast<std::uint32_t>(bytes_equal<32>(text, mark));
    std::uint32_t const others = marks & (marks - 1);
    if (others == 0) return false;
    first_ = static_cast<unsigned>(std::countr_zero(marks));
    second_ = static_cast<unsigned>(std::countr_zero(others));
    if (second_ > 17) return false;
    seen_ = (std::uint32_t{2} << second_) - 1;
    marks_ = marks & seen_;
    unsigned const length = second_ - first_ - 1;
    if (first_ == 0 || first_ > 8 || length == 0 || length > 8) return false;
    kept_ = {last_bytes[first_], last_bytes[length]};
    return true;
  }
  //! True if the numbers of a text end where those of the text do that was found last.
  [[nodiscard]] bool fits(char const* text, char mark) const {
    return marks_ != 0 &&
           (static_cast<std::uint32_t>(bytes_equal<32>(text, mark)) & seen_) == marks_;
  }
  //! Bytes of both numbers and their marks.
  [[nodiscard]] std::size_t bytes() const { return second_ + 1; }
  //! Reads the numbers of a text that fits; false if a byte is no digit.
  [[nodiscard]] bool read(char const* text, mmm::index (&numbers)[2]) const {
    return read_two(text + first_, text + second_, kept_.data(), numbers);
  }

 private:
  unsigned first_ = 0;  //!< where the marks stand
  unsigned second_ = 0;
  std::uint32_t marks_ = 0;
  std::uint32_t seen_ = 0;  //!< the bytes up to the second mark
  std::array<std::uint64_t, 2> kept_{};
};

//! The hexadecimal numbers that `count` texts of up to 16 bytes are, an even number of texts; an
//! empty one is 0. False if a byte is no digit or a number has 64 bits. Reads the 16 bytes before
//! each end.
[[nodiscard]] inline bool read_hexadecimal(digits const* texts, std::size_t count,
                                           mmm::index* numbers) {
  std::uint64_t large = 0;
#if defined(__SSE2__)
  static constexpr std::array<std::uint8_t, 32> last_of_16 = [] {
    std::array<std::uint8_t, 32> bytes{};
    for (std::size_t k = 16; k < 32; ++k) bytes[k] = 0xFF;
    return bytes;
  }();
  __m128i wrong = _mm_setzero_si128();
  auto const load = [](void const* at) { return _mm_loadu_si128(static_cast<__m128i const*>(at)); };
  // A text's digits, then pairs of them as bytes, the first digit's pair first.
  auto const bytes_of = [&](digits const& text) {
    __m128i const kept = load(last_of_16.data() + text.length);
    __m128i const all = load(text.end - 16);
    __m128i const digit = _mm_sub_epi8(all, _mm_set1_epi8('0'));
    __m128i const letter = _mm_sub_epi8(_mm_or_si128(all, _mm_set1_epi8(0x20)), _mm_set1_epi8('a'));
    __m128i const is_digit = _mm_cmpeq_epi8(_mm_min_epu8(digit, _mm_set1_epi8(9)), digit);
    __m128i const is_letter = _mm_cmpeq_epi8(_mm_min_epu8(letter, _mm_set1_epi8(5)), letter);
    wrong = _mm_or_si128(wrong, _mm_andnot_si128(_mm_or_si128(is_digit, is_letter), kept));
    __m128i const value =
        _mm_or_si128(_mm_and_si128(digit, is_digit),
                     _mm_and_si128(_mm_add_epi8(letter, _mm_set1_epi8(10)), is_letter));
    __m128i const four_bits = _mm_and_si128(value, kept);
    return _mm_and_si128(_mm_or_si128(_mm_slli_epi16(four_bits, 4), _mm_srli_epi16(four_bits, 8)),
                         _mm_set1_epi16(0xFF));
  };
  for (std::size_t k = 0; k < count; k += 2) {
    __m128i const both = _mm_packus_epi16(bytes_of(texts[k]), bytes_of(texts[k + 1]));
    std::uint64_t bytes[2];
    std::memcpy(bytes, &both, sizeof bytes);
    for (std::size_t j = 0; j < 2; ++j) {
      std::uint64_t const number = __builtin_bswap64(bytes[j]);
      large |= number;
      numbers[k + j] = static_cast<mmm::index>(number);
    }
  }
  bool const right = _mm_movemask_epi8(wrong) == 0;
#else
  bool right = true;
  for (std::size_t k = 0; k < count; ++k) {
    std::uint64_t number = 0;
    for (char const* at = texts[k].end - texts[k].length; at != texts[k].end; ++at) {
      unsigned const digit = static_cast<unsigned char>(*at) - unsigned{'0'};
      unsigned const letter = (static_cast<unsigned char>(*at) | 0x20U) - unsigned{'a'};
      right = right && (digit <= 9 || letter <= 5);
      number = number << 4 | (digit <= 9 ? digit : letter + 10);
    }
    large |= number;
    numbers[k] = static_cast<mmm::index>(number);
  }
#endif
  return right && large >> 63 == 0;
}

//! Does what read_hexadecimal does with texts that begin with 0x or are empty; takes the 0x off.
[[nodiscard]] inline bool read_prefixed_hexadecimal(digits* texts, std::size_t count,
                                                    mmm::index* numbers) {
  unsigned wrong = 0;
  for (std::size_t k = 0; k < count; ++k) {
    std::size_t& length = texts[k].length;
    if (length == 0) continue;
    char const* const begin = texts[k].end - length;
    wrong |= static_cast<unsigned>(begin[0] ^ '0') | static_cast<unsigned>((begin[1] | 0x20) ^ 'x');
    wrong |= length - 3 > 15 ? 1U : 0U;  // 1 to 16 digits
    length = length - 3 > 15 ? 0 : length - 2;
  }
  return wrong == 0 && read_hexadecimal(texts, count, numbers);
}

}  // namespace replay
