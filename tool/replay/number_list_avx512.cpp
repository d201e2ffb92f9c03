// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// number_list::read by AVX-512 (tool::processor::avx512): 64 bytes are searched for marks at a
// time, and eight numbers are read at once.
#include "number_list.hpp"
#include "numbers_avx512.hpp"

#include <bit>
#include <cstring>

namespace replay {

#if defined(__x86_64__)

namespace {

//! The ends of a text's pieces: piece k lies in [end[k] + 1, end[k + 1]).
struct piece_ends {
  std::size_t count = 0;
  std::array<std::uint16_t, 1 + 2 * number_list::max_numbers> end;
};

REPLAY_AVX512 bool split(std::string_view text, char mark, piece_ends& pieces) {
  constexpr std::size_t longest = number_list::max_numbers * 19;
  if (text.size() > longest) return false;
  static constexpr std::array<std::uint8_t, 64> numbers = [] {
    std::array<std::uint8_t, 64> bytes{};
    for (std::size_t k = 0; k < bytes.size(); ++k) bytes[k] = static_cast<std::uint8_t>(k);
    return bytes;
  }();
  __m512i const places = _mm512_loadu_si512(numbers.data());
  __m512i const wanted = _mm512_set1_epi8(mark);
  pieces.end[0] = UINT16_MAX;  // one before 0
  std::size_t count = 0;
  for (std::size_t from = 0; from < text.size(); from += 64) {
    std::size_t const left = text.size() - from;
    std::uint64_t const valid = left < 64 ? (std::uint64_t{1} << left) - 1 : ~std::uint64_t{0};
    __m512i const bytes = _mm512_loadu_si512(text.data() + from);
    std::uint64_t const marks = _mm512_mask_cmpeq_epi8_mask(valid, bytes, wanted);
    __m256i const first_marks = lower_half(_mm512_maskz_compress_epi8(marks, places));
    __m512i const ends = _mm512_add_epi16(_mm512_cvtepu8_epi16(first_marks),
                                          _mm512_set1_epi16(static_cast<short>(from)));
    _mm512_storeu_si512(&pieces.end[1 + count], ends);
    count += static_cast<std::size_t>(std::popcount(marks));
    if (count >= number_list::max_numbers) return false;
  }
  pieces.end[++count] = static_cast<std::uint16_t>(text.size());
  pieces.count = count;
  return true;
}

//! Four windows of 16 bytes from number `first` on.
REPLAY_AVX512 inline __m512i four_windows(piece_windows const& in, int first) {
  __m128i bytes[4];
  for (int k = 0; k < 4; ++k)
    bytes[k] = _mm_loadu_si128(reinterpret_cast<__m128i const*>(in.before(first + k, 16)));
  __m512i all = _mm512_maskz_broadcast_i32x4(0x000F, bytes[0]);
  all = _mm512_mask_broadcast_i32x4(all, 0x00F0, bytes[1]);
  all = _mm512_mask_broadcast_i32x4(all, 0x0F00, bytes[2]);
  return _mm512_mask_broadcast_i32x4(all, 0xF000, bytes[3]);
}

//! Hexadecimal numbers of up to 14 digits after 0x or 0X; false if a piece is none. `length`: the
//! digits.
REPLAY_AVX512 bool read_prefixed(piece_windows& in, __m512i length, mmm::index* to) {
  __m512i const beyond = _mm512_sub_epi16(_mm512_set1_epi16(16), length);
  _mm512_store_si512(in.kept.data(),
                     _mm512_maskz_sllv_epi16(~__mmask32{0}, _mm512_set1_epi16(-1), beyond));
  // Takes the lower bytes of the eight words of each window, the last one first.
  __m512i const backwards = _mm512_maskz_broadcast_i32x4(
      0xFFFF, _mm_set_epi8(-1, -1, -1, -1, -1, -1, -1, -1, 0, 2, 4, 6, 8, 10, 12, 14));
  __m512i const halves = _mm512_set_epi64(14, 12, 10, 8, 6, 4, 2, 0);
  std::uint64_t wrong = 0;
  for (int first = 0; first < 32; first += 8) {
    __m512i numbers[2];
    for (int k = 0; k < 2; ++k) {
      __m512i const text = four_windows(in, first + 4 * k);
      std::uint64_t const kept = in.kept_of(first + 4 * k, 4);
      std::uint64_t const x = kept >> 1 & ~kept;
      __m512i const small = _mm512_or_si512(text, _mm512_set1_epi8(0x20));
      wrong |= x & ~_mm512_cmpeq_epi8_mask(small, _mm512_set1_epi8('x'));
      wrong |= x >> 1 & ~_mm512_cmpeq_epi8_mask(text, _mm512_set1_epi8('0'));
      __mmask64 no_digit = 0;
      __m512i const digit = digits_of<16>(text, kept, no_digit);
      wrong |= no_digit;
      __m512i const bytes = _mm512_maddubs_epi16(digit, _mm512_set1_epi16(1 << 8 | 16));
      numbers[k] = _mm512_shuffle_epi8(bytes, backwards);
    }
    _mm512_storeu_si512(to + first,
                        _mm512_maskz_permutex2var_epi64(0xFF, numbers[0], halves, numbers[1]));
  }
  return wrong == 0;
}

//! The last `count` of 16 bytes.
REPLAY_AVX512 inline __m128i last_of_16(std::size_t count) {
  static constexpr std::array<std::uint8_t, 32> none_and_all = [] {
    std::array<std::uint8_t, 32> bytes{};
    for (std::size_t k = 16; k < 32; ++k) bytes[k] = 0xFF;
    return bytes;
  }();
  return _mm_loadu_si128(reinterpret_cast<__m128i const*>(none_and_all.data() + count));
}
REPLAY_AVX512 inline __m512i four_times(__m128i bytes) {
  return _mm512_maskz_broadcast_i32x4(0xFFFF, bytes);
}

//! The digit that a character is, 0x80 if it is none, in two halves of 64.
constexpr std::array<std::uint8_t, 128> digit_of_character = [] {
  std::array<std::uint8_t, 128> digit{};
  for (std::size_t c = 0; c < digit.size(); ++c) {
    bool const is_decimal = c >= '0' && c <= '9';
    bool const is_letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'f';
    digit[c] = static_cast<std::uint8_t>(is_decimal  ? c - '0'
                                         : is_letter ? (c | 0x20) - 'a' + 10
                                                     : 0x80);
  }
  return digit;
}();

//! 32 hexadecimal numbers of one length, 1 to 13 digits after 0x or 0X; false if a text is
//! something else. It needs no search for the marks: each is checked where it has to be, in the 16
//! bytes before a number's end.
REPLAY_AVX512 bool read_alike(std::string_view text, char mark, mmm::index* to) {
  std::size_t const apart = (text.size() + 1) / 32;
  if (text.size() % 32 != 31 || apart < 4 || apart > 16) return false;
  if (text[apart - 1] != mark || text[2 * apart - 1] != mark) return false;
  __m128i const of_digits = last_of_16(apart - 3);
  __m128i const of_x = _mm_xor_si128(last_of_16(apart - 2), of_digits);
  __m128i const of_zero = _mm_xor_si128(last_of_16(apart - 1), last_of_16(apart - 2));
  __m128i const of_mark = _mm_xor_si128(last_of_16(apart), last_of_16(apart - 1));
  __m128i const prefix = _mm_or_si128(_mm_and_si128(of_zero, _mm_set1_epi8('0')),
                                      _mm_and_si128(of_x, _mm_set1_epi8('x')));
  __m512i const kept = four_times(of_digits);
  __m512i const small = four_times(_mm_and_si128(of_x, _mm_set1_epi8(0x20)));
  __m512i const expected =
      four_times(_mm_or_si128(prefix, _mm_and_si128(of_mark, _mm_set1_epi8(mark))));
  __m512i const fixed = four_times(_mm_or_si128(_mm_or_si128(of_x, of_zero), of_mark));
  // there is no mark before the first number
  __m512i const fixed_at_first =
      _mm512_mask_broadcast_i32x4(fixed, 0x000F, _mm_or_si128(of_x, of_zero));
  __m512i const low_digits = _mm512_loadu_si512(digit_of_character.data());
  __m512i const high_digits = _mm512_loadu_si512(digit_of_character.data() + 64);
  __m512i const backwards =
      four_times(_mm_set_epi8(-1, -1, -1, -1, -1, -1, -1, -1, 0, 2, 4, 6, 8, 10, 12, 14));
  __m512i const halves = _mm512_set_epi64(14, 12, 10, 8, 6, 4, 2, 0);
  char const* window = text.data() + apart - 17;
  __m512i wrong = _mm512_setzero_si512();       // in bit 7
  __m512i unexpected = _mm512_setzero_si512();  // in any bit
  auto const load = [](char const* at) REPLAY_AVX512 {
    return _mm_loadu_si128(reinterpret_cast<__m128i const*>(at));
  };
  for (int first = 0; first < 32; first += 8) {
    __m512i numbers[2];
    for (int k = 0; k < 2; ++k) {
      __m512i all = four_times(load(window));
      all = _mm512_mask_broadcast_i32x4(all, 0x00F0, load(window + apart));
      all = _mm512_mask_broadcast_i32x4(all, 0x0F00, load(window + 2 * apart));
      all = _mm512_mask_broadcast_i32x4(all, 0xF000, load(window + 3 * apart));
      window += 4 * apart;
      __m512i const checked = first + k == 0 ? fixed_at_first : fixed;
      __m512i const difference = _mm512_xor_si512(_mm512_or_si512(all, small), expected);
      unexpected = _mm512_or_si512(unexpected, _mm512_and_si512(difference, checked));
      __m512i const digit = _mm512_permutex2var_epi8(low_digits, all, high_digits);
      wrong = _mm512_or_si512(wrong, _mm512_and_si512(_mm512_or_si512(digit, all), kept));
      __m512i const bytes =
          _mm512_maddubs_epi16(_mm512_and_si512(digit, kept), _mm512_set1_epi16(1 << 8 | 16));
      numbers[k] = _mm512_shuffle_epi8(bytes, backwards);
    }
    _mm512_storeu_si512(to + first,
                        _mm512_maskz_permutex2var_epi64(0xFF, numbers[0], halves, numbers[1]));
  }
  return _mm512_movepi8_mask(wrong) == 0 && _mm512_test_epi8_mask(unexpected, unexpected) == 0;
}

}  // namespace

REPLAY_AVX512 bool number_list::read_by_avx512(std::string_view text, char mark, spelling how,
                                               numbers& to) {
  if (how == spelling::hexadecimal && read_alike(text, mark, to.data())) {
    count = max_numbers;
    empty = 0;
    return true;
  }
  piece_ends pieces;
  if (!split(text, mark, pieces)) return false;
  count = pieces.count;
  std::uint32_t const present = static_cast<std::uint32_t>((std::uint64_t{1} << pieces.count) - 1);
  __m512i const end = _mm512_maskz_loadu_epi16(present, &pieces.end[1]);
  __m512i const begin =
      _mm512_maskz_add_epi16(present, _mm512_loadu_si512(pieces.end.data()), _mm512_set1_epi16(1));
  __m512i length = _mm512_sub_epi16(end, begin);
  empty = present & _mm512_testn_epi16_mask(length, length);
  std::uint32_t const written = present & ~empty;

  mmm::index* const value = to.data();
  // Most lists are of short numbers.
  __m512i const digits = how == spelling::hexadecimal
                             ? _mm512_mask_sub_epi16(length, written, length, _mm512_set1_epi16(2))
                             : length;
  int const max_digits = how == spelling::hexadecimal ? 14 : 8;
  __m512i const beyond_one = _mm512_sub_epi16(digits, _mm512_set1_epi16(1));
  if (_mm512_mask_cmplt_epu16_mask(written, beyond_one,
                                   _mm512_set1_epi16(static_cast<short>(max_digits))) == written) {
    piece_windows windows;
    windows.text = text.data();
    _mm512_store_si512(windows.end.data(), end);
    switch (how) {
      case spelling::decimal:
        return read_short_decimals<false>(windows, digits, value);
      case spelling::decimal_or_negative:
        return read_short_decimals<true>(windows, digits, value);
      case spelling::hexadecimal:
        return read_prefixed(windows, digits, value);
    }
  }
  if (how == spelling::decimal &&
      _mm512_mask_cmplt_epu16_mask(written, beyond_one, _mm512_set1_epi16(16)) == written) {
    __m512i const eight = _mm512_set1_epi16(8);
    __m512i const last = _mm512_min_epu16(length, eight);  // digits of the last eight
    __mmask32 const longer = _mm512_cmpgt_epu16_mask(length, eight);
    numbers first;
    piece_windows windows;
    windows.text = text.data();
    _mm512_store_si512(windows.end.data(), end);
    bool const read = read_short_decimals<false>(windows, last, value);
    _mm512_store_si512(windows.end.data(), _mm512_mask_sub_epi16(end, longer, end, eight));
    if (!read || !read_short_decimals<false>(windows, _mm512_sub_epi16(length, last), first.data()))
      return false;
    for (std::size_t k = 0; k < max_numbers; ++k) value[k] += first[k] * 100000000;
    return true;
  }
  return read_anywhere(text, mark, how, to);
}

#else

bool number_list::read_by_avx512(std::string_view text, char mark, spelling how, numbers& to) {
  return read_anywhere(text, mark, how, to);
}

#endif

}  // namespace replay
