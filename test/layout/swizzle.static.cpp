// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Swizzles, strides and tiles: their laws over whole shapes, the words that documents state, and
// accesses without bank conflicts.
#include <mmm/gpu/cost.hpp>
#include <mmm/layout/check.hpp>
#include <mmm/layout/row_major.hpp>
#include <mmm/layout/strided.hpp>
#include <mmm/layout/swizzle.hpp>
#include <mmm/layout/swizzled.hpp>

#include <type_traits>

namespace {

using namespace mmm::gpu;
using mmm::index;
using mmm::item;

static_assert(mmm::layout<mmm::strided>);
static_assert(mmm::layout<mmm::blocked>);
static_assert(mmm::layout<mmm::swizzled<mmm::row_major, mmm::swizzle<3, 4, 3>>>);

// The TMA's swizzles as NVIDIA documents them, in bytes: the row flips bits of the number of the
// 16-byte chunk.
template <int Span>
constexpr bool as_documented() {
  constexpr index every = 128 / Span;  // rows in 128 bytes
  for (index row = 0; row < 16; ++row)
    for (index chunk = 0; chunk < Span / 16; ++chunk)
      for (index byte = 0; byte < 16; byte += 5) {
        index const flipped = chunk ^ (row / every % (Span / 16));
        if (mmm::tma_swizzle<Span, 1>{}(row * Span + chunk * 16 + byte) !=
            row * Span + flipped * 16 + byte)
          return false;
      }
  return true;
}
static_assert(as_documented<128>());  // chunk ^= row % 8
static_assert(as_documented<64>());   // chunk ^= row / 2 % 4
static_assert(as_documented<32>());   // chunk ^= row / 4 % 2
static_assert(std::is_same_v<mmm::tma_swizzle<128, 2>, mmm::swizzle<3, 3, 3>>);
static_assert(std::is_same_v<mmm::tma_swizzle<64, 4>, mmm::swizzle<2, 2, 3>>);

// The laws of a swizzle: it is its own inverse and a permutation of its block.
template <class Swizzle>
constexpr bool keeps_the_laws() {
  return mmm::is_involution(Swizzle{}, Swizzle::block()) &&
         mmm::is_involution(Swizzle{}, 2 * Swizzle::block());
}
static_assert(keeps_the_laws<mmm::swizzle<3, 4, 3>>());
static_assert(keeps_the_laws<mmm::swizzle<2, 0, 5>>());
static_assert(keeps_the_laws<mmm::swizzle<2, 1, -3>>());
static_assert(keeps_the_laws<mmm::swizzle<0, 3, 2>>());
// 200 is not a multiple of the block
static_assert(!mmm::is_involution(mmm::swizzle<3, 4, 3>{}, 200));

// Swizzle<5, 0, 5> of rows of 32 words equals xor_swizzled.
constexpr mmm::swizzled flipped(mmm::row_major(32, 32), mmm::swizzle<5, 0, 5>{});
static_assert(mmm::same_places(flipped, mmm::xor_swizzled(32, 32)));
static_assert(!mmm::same_places(flipped, mmm::rotated(32, 32)));
static_assert(!mmm::same_places(flipped, mmm::row_major(32, 31)));
static_assert(mmm::is_bijective(flipped));
static_assert(mmm::is_bijective(mmm::blocked(16, 24, 8, 4)));
static_assert(mmm::is_injective(mmm::padded(8, 24, 3)) &&
              !mmm::is_bijective(mmm::padded(8, 24, 3)));
static_assert(mmm::is_injective(mmm::strided(5, 7, 2, 11)));

struct folded {  // rows 0 and 2 share their words
  [[nodiscard]] constexpr index rows() const { return 3; }
  [[nodiscard]] constexpr index columns() const { return 4; }
  [[nodiscard]] constexpr index words() const { return 12; }
  [[nodiscard]] constexpr index operator()(index row, index column) const {
    return row % 2 * 4 + column;
  }
};
static_assert(!mmm::is_injective(folded{}));

// The word of an element.
static_assert(mmm::strided(3, 5, 7, 1)(2, 4) == 18 && mmm::strided(3, 5, 7, 1).words() == 19);
static_assert(mmm::strided(0, 5, 7, 1).words() == 0);
static_assert(mmm::blocked(16, 16, 8, 4)(9, 6) == 8 * 16 + 32 + 1 * 4 + 2);
static_assert(mmm::same_places(mmm::blocked(16, 16, 16, 16), mmm::row_major(16, 16)));
static_assert(mmm::same_places(mmm::strided(6, 4, 1, 6), mmm::column_major(6, 4)));

// Numbers and expressions give the same word.
static_assert(flipped(item / 32, item % 32)(71) == flipped(2, 7));
static_assert(mmm::blocked(16, 16, 8, 4)(item / 16, item % 16)(9 * 16 + 6) ==
              mmm::blocked(16, 16, 8, 4)(9, 6));

// Accesses without bank conflicts: 64 columns of 16-bit elements, read by ldmatrix 16 rows at a
// time and written 16 bytes per lane.
constexpr mmm::row_major plain(64, 64);
constexpr mmm::swizzled tile(plain, mmm::tma_swizzle<128, 2>{});
static_assert(wavefronts<ldmatrix<4>>(plain(item % 16, item / 16 * 8) * 2) == 32);
static_assert(conflict_free<ldmatrix<4>>(tile(item % 16, item / 16 * 8) * 2));
static_assert(conflict_free<store<16>>(tile(item / 8, item % 8 * 8) * 2));
static_assert(wavefronts<ldmatrix<4>>(mmm::blocked(64, 64, 8, 8)(item % 16, item / 16 * 8) * 2) ==
              4);

}  // namespace
