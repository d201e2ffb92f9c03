// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles from common kernels and the layouts chosen for them. test/gpu/choose_layout.cpp checks
// that no other layout of the family is better.
#include <mmm/gpu.hpp>

namespace {

using namespace mmm::gpu;
using mmm::index;
using mmm::item;
using mmm::tile_layout;

// A transpose: a warp writes rows of 32 x 32 floats and reads columns.
// [transpose]
constexpr tile_shape square{32, 32, 4};
constexpr auto write_row = tile_access<store<4>>(5, item);
constexpr auto read_column = tile_access<load<4>>(item, 5);
constexpr auto transpose = choose_layout(square, {}, write_row, read_column);
static_assert(transpose.plain == 33 && transpose.wavefronts == 2 && transpose.optimal());
static_assert(transpose.price == 0);  // a swizzle costs no bytes; the best padding follows
constexpr auto padding = choose_layout(square, {.swizzles = false}, write_row, read_column);
static_assert(padding.layout == mmm::tile_layout(32, 32, 1) && padding.price == 31 * 4);
// [/transpose]
static_assert(transpose.layout.through == mmm::swizzle_bits{5, 0, 5});
static_assert(transpose.family == 34 + 34);

// A matrix product: panels of 64 rows by 16 floats along k, written row by row and read down a
// column, in both cases as vectors of 4 floats along k.
constexpr tile_shape panel{64, 16, 4};
constexpr auto write_vectors = tile_access<store<16>>(item / 4, item % 4 * 4);
constexpr auto read_vectors = tile_access<load<16>>(item, 4);
constexpr auto product = choose_layout(panel, {.alignment = 16}, write_vectors, read_vectors);
static_assert(product.plain == 4 + 16 && product.wavefronts == 8 && product.optimal());
static_assert(product.price == 0);
constexpr auto padded_product =
    choose_layout(panel, {.alignment = 16, .swizzles = false}, write_vectors, read_vectors);
// padding alone leaves bank conflicts
static_assert(padded_product.wavefronts == 12 && padded_product.layout.padding == 4);

// 32 structures of 3 floats, read float by float. The odd stride is free of conflicts; a padding to
// 4 floats would cause four-way conflicts.
constexpr tile_shape points{32, 3, 4};
constexpr auto read_x = tile_access<load<4>>(item, 0);
constexpr auto read_z = tile_access<load<4>>(item, 2);
constexpr auto structure = choose_layout(points, {}, read_x, read_z);
static_assert(structure.wavefronts == 2 && structure.optimal() && structure.price == 0);
static_assert(structure.layout == tile_layout(32, 3));
static_assert(wavefronts_of_tile(points, tile_layout(32, 3, 1), read_x, read_z) == 8);

// 128 particles of 7 floats in global memory, of which a kernel reads x, y and z: 28 bytes from one
// to the next as an array of structures.
constexpr auto all = mmm::size(128);
constexpr tile_shape particles{128, 7, 4};
constexpr auto positions = choose_record_layout(particles, tile_access<load<4>>(item, 0, 1, all),
                                                tile_access<load<4>>(item, 1, 1, all),
                                                tile_access<load<4>>(item, 2, 1, all));
static_assert(positions.layout == mmm::record_layout(128, 7, 128));  // a structure of arrays
static_assert(positions.plain == 3 * 28 * 4 && positions.sectors == 3 * 4 * 4);
static_assert(positions.optimal() && positions.price == 0);
// whole records of 16 bytes, read at once: an array of structures
constexpr auto whole = choose_record_layout({128, 4, 4}, tile_access<load<16>>(item, 0, 1, all));
static_assert(whole.layout == mmm::record_layout(128, 4) && whole.optimal());
// a field to pad records of 3 with, so that they can be read at once
constexpr auto with_padding = choose_record_layout(
    {128, 4, 2}, tile_access<load<8>>(item, 0, 1, all), tile_access<load<2>>(item, 1));
static_assert(with_padding.layout.group == 1 && with_padding.tried == 3);

// Tiles that know their elements' bytes.
constexpr auto floats = tile_of<float>(mmm::padded(32, 32, 1));
static_assert(conflict_free<load<4>>(floats(item, 7)) && floats.bytes() == (31 * 33 + 32) * 4);
static_assert(assert_conflict_free<load<4>, floats(item, 7)>);
constexpr auto doubles = tile_of<double>(tile_layout(32, 32));
static_assert(doubles(3, 4) == (3 * 32 + 4) * 8);

template <class Layout>
constexpr bool short_places_agree(Layout const& layout) {
  auto const t = tile_of<short>(layout);
  for (int row = 0; row < layout.rows(); ++row)
    for (unsigned column = 0; column < layout.columns(); ++column)
      if (t.place(row, column) != layout(row, column)) return false;
  return true;
}
static_assert(short_places_agree(mmm::row_major(9, 7)) && short_places_agree(mmm::rotated(9, 8)));
static_assert(short_places_agree(mmm::padded(9, 7, 2)) &&
              short_places_agree(mmm::blocked(8, 6, 4, 3)));
static_assert(short_places_agree(mmm::xor_swizzled(9, 8)) && short_places_agree(transpose.layout));
static_assert(short_places_agree(mmm::swizzled(mmm::row_major(64, 64),
                                               mmm::tma_swizzle<128, 2>{})));
static_assert(short_places_agree(mmm::record_layout(9, 3, 4)));

// 64 x 64 halves, written 16 bytes per lane and read by ldmatrix.x4 as 16 rows of 32 bytes: the
// choice is the 128-byte swizzle of the TMA.
constexpr tile_shape halves{64, 64, 2};
constexpr auto copy_in = tile_access<store<16>>(item / 8, item % 8 * 8);
constexpr auto fragments = tile_access<ldmatrix<4>>(item % 16, item / 16 * 8, 4);
constexpr auto operand = choose_layout(halves, {.alignment = 16}, copy_in, fragments);
static_assert(operand.plain == 4 + 4 * 32 && operand.wavefronts == 4 + 4 * 4 && operand.optimal());
static_assert(operand.price == 0 && operand.layout.through == mmm::swizzle_bits{3, 3, 3});
static_assert(mmm::same_places(operand.layout,
                               mmm::swizzled(mmm::row_major(64, 64), mmm::tma_swizzle<128, 2>{})));

// A bound of two wavefronts: a warp's loads of 8 bytes move 256 bytes, and a wavefront moves at
// most 128.
constexpr auto wide = choose_layout({8, 64, 8}, {}, tile_access<load<8>>(item / 16, item % 16 * 2));
static_assert(wide.bound == 2 && wide.wavefronts >= wide.bound);

// Layouts given by value satisfy the concept and equal the layouts given by type.
static_assert(mmm::layout<tile_layout>);
static_assert(mmm::same_places(tile_layout(8, 24, 3), mmm::padded(8, 24, 3)));
static_assert(mmm::is_bijective(tile_layout(16, 32, 0, {3, 2, 5})));
static_assert(tile_layout(8, 32, 0, {3, 2, 3})(item / 32, item % 32)(77) ==
              mmm::swizzled(mmm::row_major(8, 32), mmm::swizzle<3, 2, 3>{})(2, 13));

}  // namespace
