// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layouts and tiles chosen for tensor maps, fragments and operands of wgmma.
// test/gpu/choose_operand_layout.cpp compares the choice with an enumeration.
#include <mmm/tensor_cores.hpp>

namespace {

using namespace mmm::gpu;
using enum data_type;
using enum tensor_swizzle;
using mmm::index;
using mmm::item;

// [operand]
constexpr tensor_map halves{.type = f16, .rank = 2, .sizes = {4096, 4096}, .strides = {8192}};
using left = wgmma_operand<f16, 64>;
// 64 x 128 halves, copied by a tensor map and read by wgmma: two boxes of 64 columns
constexpr auto tile = choose_layout({64, 128, 2}, {}, box_access(halves), operand_access<left>());
static_assert(tile.swizzle == bytes_128 && tile.layout.panel == 64 && tile.boxes == 2);
static_assert(tile.optimal() && tile.alignment == 1024);
static_assert(assert_operand<left, bytes_128, tile.layout, 0, 16>);
// [/operand]

// The same tile along mn: rows of the tile are elements along k.
using across = wgmma_operand<f16, 64, major::mn>;
constexpr auto along_mn =
    choose_layout({64, 128, 2}, {}, box_access(halves), operand_access<across>());
static_assert(along_mn.swizzle == bytes_128 && along_mn.boxes == 2);
static_assert(valid<across, bytes_128>(mmm::transposed_layout(along_mn.layout), 64, 16));
// An operand of 8 columns of B has no more than 16 bytes along mn: no swizzle.
constexpr auto narrow =
    choose_layout({32, 64, 2}, {}, operand_access<wgmma_operand<f16, 8, major::mn>>());
static_assert(narrow.swizzle == none && narrow.layout.panel == 8);
static_assert(narrow.candidates[2].broken ==
              broken_rule{descriptor_field::rows, 0, 8,
                          accepted_values::at_most_the_span_of_the_swizzle});

// Written by stores of 16 bytes a lane and read by wgmma: without a swizzle, the stores of a row
// meet in the same banks.
constexpr auto store_rows = tile_access<store<16>>(item / 8, item % 8 * 8);
constexpr auto stored = choose_layout({64, 64, 2}, {}, store_rows, operand_access<left>());
static_assert(stored.swizzle == bytes_128 && stored.optimal() && stored.boxes == 1);
constexpr auto unswizzled =
    choose_layout({64, 64, 2}, {.swizzles = false}, store_rows, operand_access<left>());
static_assert(unswizzled.swizzle == none && unswizzled.layout.panel == 8);
static_assert(unswizzled.wavefronts == stored.wavefronts - 4 + 4 * 8);
static_assert(unswizzled.candidates[0].broken == broken_rule{descriptor_field::place_of_element, 16,
                                                             128,
                                                             accepted_values::canonical_layout});

static_assert(
    assert_layout<tile_shape{64, 64, 2}, tile_limits{}, store_rows, operand_access<left>()>);

// Copied by a tensor map and read as fragments of mma.sync, whichever way they lie.
using a = mma<16, 8, 16, f16>::a;
constexpr auto fragments =
    choose_layout({64, 64, 2}, {}, box_access(halves), fragment_access<a, ldmatrix<4>>(4));
static_assert(fragments.swizzle == bytes_128 && fragments.optimal());
static_assert(loads<a, ldmatrix<4>>(fragments.layout, 16, 32));
constexpr auto transposed_fragments =
    choose_layout({64, 64, 2}, {}, box_access(halves), fragment_access<a, ldmatrix_trans<4>>(4));
static_assert(transposed_fragments.swizzle == bytes_128 && transposed_fragments.optimal());
static_assert(loads<a, ldmatrix_trans<4>>(mmm::transposed_layout(transposed_fragments.layout), 16,
                                          32));
// Rows of 144 bytes have no conflicts without a swizzle, and take one box in place of nine.
constexpr auto odd =
    choose_layout({64, 72, 2}, {}, box_access(halves), fragment_access<a, ldmatrix<4>>(4));
static_assert(odd.swizzle == none && odd.boxes == 1 && odd.optimal());
// Without a tensor map, .trans finds the swizzle of the same tile, too.
constexpr auto by_hand = choose_layout({64, 64, 2}, {.alignment = 16}, store_rows,
                                       fragment_access<a, ldmatrix_trans<4>>(4));
static_assert(by_hand.optimal() && by_hand.layout.through == mmm::swizzle_bits{3, 3, 3});
static_assert(mmm::same_places(by_hand.layout, fragments.layout));

// A map whose box is given leaves no choice; the rules that the others break are its.
constexpr tensor_map boxed{.type = f16,
                           .rank = 2,
                           .sizes = {4096, 4096},
                           .strides = {8192},
                           .box = {32, 64},
                           .swizzle = bytes_64};
constexpr auto given = choose_layout({64, 64, 2}, {}, box_access(boxed), operand_access<left>());
static_assert(given.swizzle == bytes_64 && given.boxes == 2);
static_assert(given.candidates[4].broken == broken_rule{descriptor_field::swizzle, 0, 128,
                                                        accepted_values::that_of_the_tensor_map});

static_assert(mmm::layout<mmm::panel_layout> && mmm::is_bijective(tile.layout));
static_assert(mmm::same_places(mmm::panel_layout(9, 12, 12), mmm::row_major(9, 12)));
static_assert(mmm::same_places(mmm::panel_layout(64, 64, 64, {3, 3, 3}),
                               box_of<tensor_map{.type = f16,
                                                 .rank = 2,
                                                 .sizes = {4096, 4096},
                                                 .strides = {8192},
                                                 .box = {64, 64},
                                                 .swizzle = bytes_128}>()));
static_assert(mmm::same_places(mmm::transposed_layout(mmm::row_major(5, 7)),
                               mmm::column_major(7, 5)));

// [best_tile]
// Halves copied by tensor maps, read by 2 x 2 warps as fragments, in three stages.
constexpr auto figures = [](product_tile t) {
  using b = mma<16, 8, 16, f16>::b;
  auto const loaded = [&](index rows) { return 2 * rows * t.depth / (16 * 16); };
  auto const of_a = choose_layout({t.rows, t.depth, 2}, {.budget = 232448}, box_access(halves),
                                  fragment_access<a, ldmatrix<4>>(loaded(t.rows)));
  auto const of_b = choose_layout({t.columns, t.depth, 2}, {.budget = 232448}, box_access(halves),
                                  fragment_access<b, ldmatrix<4>>(loaded(t.columns)));
  return tile_figures{of_a.wavefronts + of_b.wavefronts, of_a.bytes + of_b.bytes};
};
constexpr auto best =
    best_tile<product_tile{64, 64, 64}, product_tile{128, 128, 64}, product_tile{256, 256, 64}>(
        3, 101376, figures);
static_assert(best.tile == product_tile{128, 128, 64});  // the next one needs 192 KiB
// [/best_tile]
static_assert(best.figures.bytes == 2 * 128 * 64 * 2);
static_assert(best.figures.wavefronts == 2 * (128 + 2 * 128));

}  // namespace
