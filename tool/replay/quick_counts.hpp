// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "request.hpp"

#include <common/processor.hpp>

#include <bit>
#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

//! The counts of mmm/gpu/request.hpp by AVX-512: all pairs of a warp's lanes are compared at
//! once, bit by bit of the addresses, so that the time does not depend on how they lie.
namespace replay {

//! The first processor on which the functions of this header may be called.
inline constexpr tool::processor quick_counts_from = tool::processor::avx512;

#if defined(__x86_64__)

#define REPLAY_AVX512_COUNTS __attribute__((target("avx512f,avx512vl,avx512vpopcntdq,popcnt")))

//! Compares the units, pieces of 2^Shift bytes, that a request's active lanes address.
template <int Shift>
class compared_lanes {
 public:
  //! Reads a request's addresses; false if there is no active lane, if an address is negative or no
  //! multiple of the access's bytes, or if they lie 2^(32 + Shift) bytes apart.
  REPLAY_AVX512_COUNTS bool read(request const& r) {
    active_ = static_cast<std::uint32_t>(r.active);
    if (active_ == 0 || active_ != r.active) return false;
    index const first = r.address[static_cast<std::size_t>(std::countr_zero(active_))];
    __m512i const all_first = _mm512_set1_epi64(first);
    __m512i differing[4];
    __m512i differ = _mm512_setzero_si512();
    for (int k = 0; k < 4; ++k) {
      auto const of_eight = static_cast<__mmask8>(active_ >> 8 * k);
      differing[k] =
          _mm512_maskz_xor_epi64(of_eight, _mm512_loadu_si512(r.address.data() + 8 * k), all_first);
      differ = _mm512_or_si512(differ, differing[k]);
    }
    auto const bits = or_of_all(differ);
    auto const below = static_cast<std::uint64_t>(r.access.bytes) - 1;
    if (first < 0 || ((bits | static_cast<std::uint64_t>(first)) & below) != 0 ||
        bits >> Shift > UINT32_MAX)
      return false;
    bits_ = static_cast<std::uint32_t>(bits >> Shift);
    __m512i const lower_halves =
        _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
    for (int k = 0; k < 2; ++k) {
      unit_[k] = _mm512_maskz_permutex2var_epi32(0xFFFF, units_of(differing[2 * k]), lower_halves,
                                                 units_of(differing[2 * k + 1]));
      alike_[k] = _mm512_set1_epi32(static_cast<int>(active_));
    }
    return true;
  }

  //! Compares the bits `mask` of the units: lanes are alike as long as all bits compared so far are
  //! equal.
  REPLAY_AVX512_COUNTS void compare(std::uint32_t mask) {
    for (std::uint32_t left = bits_ & mask; left != 0; left &= left - 1) {
      __m512i const bit = _mm512_set1_epi32(static_cast<int>(left & -left));
      __mmask16 const set[2] = {_mm512_test_epi32_mask(unit_[0], bit),
                                _mm512_test_epi32_mask(unit_[1], bit)};
      std::uint32_t const lanes = set[0] | static_cast<std::uint32_t>(set[1]) << 16;
      __m512i const with = _mm512_set1_epi32(static_cast<int>(lanes));
      __m512i const without = _mm512_set1_epi32(static_cast<int>(~lanes));
      for (int k = 0; k < 2; ++k)
        alike_[k] = _mm512_and_si512(alike_[k], _mm512_mask_mov_epi32(without, set[k], with));
    }
  }

  //! The active lanes that are like none before them.
  [[nodiscard]] REPLAY_AVX512_COUNTS std::uint32_t first_of_each() const {
    __m512i const ones = _mm512_set1_epi32(1);
    __m512i const lane = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    std::uint32_t firsts = 0;
    for (int k = 0; k < 2; ++k) {
      __m512i const own =
          _mm512_maskz_sllv_epi32(0xFFFF, ones, _mm512_add_epi32(lane, _mm512_set1_epi32(16 * k)));
      __m512i const before = _mm512_sub_epi32(own, ones);
      firsts |= static_cast<std::uint32_t>(_mm512_testn_epi32_mask(alike_[k], before)) << 16 * k;
    }
    return firsts & active_;
  }

  //! The most lanes among `lanes` that are like one active lane.
  [[nodiscard]] REPLAY_AVX512_COUNTS index max_equal(std::uint32_t lanes) const {
    __m512i const wanted = _mm512_set1_epi32(static_cast<int>(lanes));
    __m512i largest = _mm512_setzero_si512();
    for (int k = 0; k < 2; ++k) {
      __m512i const counts = _mm512_popcnt_epi32(_mm512_and_si512(alike_[k], wanted));
      largest = _mm512_mask_max_epu32(largest, static_cast<__mmask16>(active_ >> 16 * k), largest,
                                      counts);
    }
    return max_of_all(largest);
  }

 private:
  REPLAY_AVX512_COUNTS static __m512i units_of(__m512i addresses) {
    return _mm512_maskz_srli_epi64(0xFF, addresses, Shift);
  }
  // Replaces _mm512_reduce_or_epi64 and _mm512_reduce_max_epu32, in which g++ 12 sees a variable
  // without a value.
  REPLAY_AVX512_COUNTS static std::uint64_t or_of_all(__m512i x) {
    __m256i const four = _mm256_or_si256(_mm512_maskz_extracti64x4_epi64(0xF, x, 0),
                                         _mm512_maskz_extracti64x4_epi64(0xF, x, 1));
    __m128i const two =
        _mm_or_si128(_mm256_castsi256_si128(four), _mm256_extracti128_si256(four, 1));
    return static_cast<std::uint64_t>(_mm_cvtsi128_si64(two) | _mm_extract_epi64(two, 1));
  }
  REPLAY_AVX512_COUNTS static index max_of_all(__m512i x) {
    __m256i const eight = _mm256_max_epu32(_mm512_maskz_extracti64x4_epi64(0xF, x, 0),
                                           _mm512_maskz_extracti64x4_epi64(0xF, x, 1));
    __m128i const four =
        _mm_max_epu32(_mm256_castsi256_si128(eight), _mm256_extracti128_si256(eight, 1));
    __m128i const two = _mm_max_epu32(four, _mm_shuffle_epi32(four, 0x4E));
    return _mm_cvtsi128_si32(_mm_max_epu32(two, _mm_shuffle_epi32(two, 0xB1)));
  }
  std::uint32_t active_ = 0;
  std::uint32_t bits_ = 0;  //!< in which units differ
  __m512i unit_[2];         //!< of each lane, its bits that differ from the first one's
  __m512i alike_[2];        //!< of each lane, the lanes that are like it
};

//! shared_request_cost of a request with up to 4 bytes per lane; false if it is another one, or if
//! the addresses need a closer look: then `cost` becomes anything.
[[nodiscard]] REPLAY_AVX512_COUNTS inline bool count_quickly(request const& r,
                                                             mmm::gpu::shared_cost& cost) {
  static_assert(mmm::gpu::nvidia::banks == 32);
  compared_lanes<2> lanes;
  if (r.access.bytes > 4 || r.access.of_matrices() || !lanes.read(r)) return false;
  lanes.compare(31);
  compared_lanes<2> const of_banks = lanes;
  lanes.compare(~std::uint32_t{31});
  cost = {1, of_banks.max_equal(lanes.first_of_each()), 1};
  return true;
}

//! global_request_cost; false as above.
[[nodiscard]] REPLAY_AVX512_COUNTS inline bool count_quickly(request const& r,
                                                             mmm::gpu::global_cost& cost) {
  static_assert(mmm::gpu::sector_bytes == 32 && mmm::gpu::line_bytes == 128);
  compared_lanes<5> lanes;
  if (r.access.of_matrices() || !lanes.read(r)) return false;
  lanes.compare(~std::uint32_t{3});
  int const lines = std::popcount(lanes.first_of_each());
  lanes.compare(3);
  cost = {1, std::popcount(lanes.first_of_each()), lines};
  return true;
}

#else

template <class Cost>
[[nodiscard]] bool count_quickly(request const&, Cost&) {
  return false;
}

#endif

}  // namespace replay
