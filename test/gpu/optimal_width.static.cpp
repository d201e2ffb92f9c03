// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The least over maps, paddings and widths of vectors, as constants.
#include <mmm/gpu/optimal_width.hpp>

namespace {

using namespace mmm::gpu;
using mmm::index;
using mmm::item;

// Two rows of 64 floats written by vectors, and a column read. Vectors stay whole, so that the
// column's words are in 8 banks only for those of 16 bytes, and in 16 for those of 8.
constexpr tile_shape floats{64, 64, 4};
constexpr auto rows_and_column = [](auto width, auto const& use) {
  constexpr index words = decltype(width)::value / 4;
  return use(tile_access<store<4 * words>>(item / (64 / words), item % (64 / words) * words, 1,
                                           mmm::size(128 / words)),
             tile_access<load<4>>(item, 5));
};
constexpr auto best = optimal_width<floats>(vector_widths<16, 8, 4>{}, rows_and_column);
static_assert(best.of_width[0].wavefronts == 4 + 4 && best.of_width[1].wavefronts == 4 + 2);
static_assert(best.of_width[2].wavefronts == 4 + 1 && best.of_width[2].optimal());
static_assert(best.bytes == 4 && best.least.wavefronts == 5 && best.optimal());
static_assert(best.least.layout == best.of_width[2].layout);

// Rows alone: every width takes as many wavefronts, and the first one is taken.
constexpr auto rows = [](auto width, auto const& use) {
  constexpr index words = decltype(width)::value / 4;
  return use(tile_access<store<4 * words>>(item / (64 / words), item % (64 / words) * words, 1,
                                           mmm::size(128 / words)));
};
static_assert(optimal_width<floats>(vector_widths<8, 4, 16>{}, rows).bytes == 8);
static_assert(optimal_width<floats>(vector_widths<16>{}, rows).least.wavefronts == 4);

// A small GPU with two banks: the certificate holds, and claims that cannot be true do not.
struct two_banks {
  static constexpr int lanes = 4;
  static constexpr int banks = 2;
  [[nodiscard]] static constexpr phase_table phases(warp_access const& a) {
    return consecutive_phases(a.bytes / 2, 8 / a.bytes);
  }
  [[nodiscard]] static constexpr bool merges_pairs(warp_access const&) { return false; }
};
constexpr tile_shape tiny{4, 4, 4};
constexpr auto four_words = [](auto width, auto const& use) {
  constexpr index words = decltype(width)::value / 4;
  return use(tile_access<store<4 * words>>(item / (4 / words), item % (4 / words) * words, 1,
                                           mmm::size(4 / words)),
             tile_access<load<4>>(item, 1, 1, mmm::size(4)));
};
constexpr auto small =
    optimal_width<tiny, tile_limits{}, two_banks>(vector_widths<8, 4>{}, four_words);
static_assert(small.bytes == 4 && small.of_width[0].wavefronts > small.least.wavefronts);
static_assert(small.optimal() && small.verify(four_words));
template <class Change>
constexpr bool holds_after(Change const& change) {
  auto changed = small;
  change(changed);
  return changed.verify(four_words);
}
static_assert(!holds_after([](auto& c) { c.bytes = 8; }));
static_assert(!holds_after([](auto& c) { c.least = c.of_width[0]; }));
static_assert(!holds_after([](auto& c) { --c.least.wavefronts; }));
static_assert(!holds_after([](auto& c) { --c.of_width[0].wavefronts; }));
// a width without a proof, whose bound is lower
static_assert(!holds_after([](auto& c) {
  c.of_width[0].proof = layout_proof::open;
  c.of_width[0].bound = c.least.wavefronts - 1;
}));

}  // namespace
