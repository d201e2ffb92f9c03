// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "word_lines.hpp"

#include "numbers_avx512.hpp"

#include <bit>
#include <cstring>

namespace replay {

word_lines::word_lines(std::string_view start, char op)
    : start_(start.size()), end_(',' | static_cast<std::uint32_t>(op) << 8 | '\n' << 16) {
  if (start.size() <= longest_start) std::memcpy(least_.data(), start.data(), start.size());
}

bool word_lines::fit(mmm::index thread) {
  if (thread < 0 || thread > 99999999) return false;
  digits_ = 1;
  from_ = 0;
  to_ = 10;
  for (; to_ <= thread; to_ *= 10) {
    from_ = to_;
    ++digits_;
  }
  if (start_ + digits_ + 1 > longest_start) {
    to_ = from_;
    return false;
  }
  for (std::size_t k = start_; k < longest_start; ++k) {
    least_[k] = 0;
    most_[k] = UINT8_MAX;  // anything
  }
  least_[start_ + digits_] = ',';
  most_[start_ + digits_] = 0;
  return true;
}

#if defined(__x86_64__)

namespace {

//! The ends of lines, relative to the first one's begin: line k lies in [end[k] + 1, end[k + 1]).
struct line_ends {
  std::array<std::uint16_t, 1 + 2 * word_lines::max_lines> end;

  //! Finds the ends of `count` lines; false if they are longer than a line may be.
  REPLAY_AVX512 bool find(char const* text, std::size_t count) {
    static constexpr std::array<std::uint8_t, 64> numbers = [] {
      std::array<std::uint8_t, 64> bytes{};
      for (std::size_t k = 0; k < bytes.size(); ++k) bytes[k] = static_cast<std::uint8_t>(k);
      return bytes;
    }();
    __m512i const places = _mm512_loadu_si512(numbers.data());
    __m512i const wanted = _mm512_set1_epi8('\n');
    end[0] = UINT16_MAX;                 // one before 0
    constexpr std::size_t ahead = 2048;  // processors themselves do not fetch across pages
    std::size_t found = 0;
    for (std::size_t from = 0; from <= count * word_lines::longest; from += 64) {
      __builtin_prefetch(text + from + ahead);
      std::uint64_t const marks = _mm512_cmpeq_epi8_mask(_mm512_loadu_si512(text + from), wanted);
      __m256i const first_marks = lower_half(_mm512_maskz_compress_epi8(marks, places));
      _mm512_storeu_si512(&end[1 + found],
                          _mm512_add_epi16(_mm512_cvtepu8_epi16(first_marks),
                                           _mm512_set1_epi16(static_cast<short>(from))));
      found += static_cast<std::size_t>(std::popcount(marks));
      if (found >= count) return true;
    }
    return false;
  }
};

REPLAY_AVX512 inline __m512i all(std::size_t x) { return _mm512_set1_epi16(static_cast<short>(x)); }

//! True if the `present` numbers count from `first`.
REPLAY_AVX512 bool are_consecutive(mmm::index const* numbers, mmm::index first,
                                   std::uint32_t present) {
  __m512i wanted =
      _mm512_add_epi64(_mm512_set1_epi64(first), _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0));
  std::uint32_t others = 0;
  for (int k = 0; k < 4; ++k) {
    auto const of_eight = static_cast<__mmask8>(present >> 8 * k);
    others |= _mm512_mask_cmpneq_epi64_mask(of_eight, _mm512_loadu_si512(numbers + 8 * k), wanted);
    wanted = _mm512_add_epi64(wanted, _mm512_set1_epi64(8));
  }
  return others == 0;
}

}  // namespace

REPLAY_AVX512 bool word_lines::read(char const* text, mmm::index thread, std::size_t count,
                                    addresses& to) {
  auto const last = thread + static_cast<mmm::index>(count) - 1;
  if ((thread < from_ || thread >= to_) && !fit(thread)) return false;
  line_ends lines;
  if (last >= to_ || !lines.find(text, count)) return false;

  // Bytes before the thread and after it, and ends of lines.
  __m256i const least = _mm256_load_si256(reinterpret_cast<__m256i const*>(least_.data()));
  __m256i const max_excess = _mm256_load_si256(reinterpret_cast<__m256i const*>(most_.data()));
  __m256i wrong = _mm256_setzero_si256();
  std::uint32_t wrong_end = 0;
  for (std::size_t k = 0; k < count; ++k) {
    auto const begin = static_cast<std::uint16_t>(lines.end[k] + 1);
    __m256i const bytes = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(text + begin));
    wrong = _mm256_or_si256(wrong, _mm256_subs_epu8(_mm256_sub_epi8(bytes, least), max_excess));
    std::uint32_t end = 0;
    std::memcpy(&end, text + lines.end[k + 1] - 2, sizeof end);
    wrong_end |= end ^ end_;
  }
  if (_mm256_testz_si256(wrong, wrong) == 0 || wrong_end << 8 != 0) return false;

  auto const present = static_cast<std::uint32_t>((std::uint64_t{1} << count) - 1);
  __m512i const begin =
      _mm512_maskz_add_epi16(present, _mm512_loadu_si512(lines.end.data()), all(1));
  __m512i const end =
      _mm512_maskz_sub_epi16(present, _mm512_maskz_loadu_epi16(present, &lines.end[1]), all(2));
  __m512i const before = _mm512_add_epi16(begin, all(start_ + digits_ + 1));
  __m512i const length = _mm512_maskz_sub_epi16(present, end, before);
  if (_mm512_mask_cmplt_epu16_mask(present, _mm512_sub_epi16(length, all(1)), all(8)) != present)
    return false;
  piece_windows windows;
  windows.text = text;
  _mm512_store_si512(windows.end.data(), end);
  if (!read_short_decimals<false>(windows, length, to.data())) return false;
  addresses threads;
  _mm512_store_si512(windows.end.data(), _mm512_maskz_sub_epi16(present, before, all(1)));
  if (!read_short_decimals<false>(windows, _mm512_maskz_mov_epi16(present, all(digits_)),
                                  threads.data()) ||
      !are_consecutive(threads.data(), thread, present))
    return false;
  bytes_ = std::size_t{lines.end[count]} + 1;
  return true;
}

#else

bool word_lines::read(char const*, mmm::index, std::size_t, addresses&) { return false; }

#endif

}  // namespace replay
