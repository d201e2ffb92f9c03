// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensor maps: each rule of the driver broken once, and boxes in shared memory for every swizzle.
#include <mmm/tensor_cores.hpp>

namespace {

using namespace mmm::gpu;
using enum data_type;
using mmm::index;

// [map]
constexpr tensor_map map{.type = f16,
                         .rank = 2,
                         .sizes = {4096, 4096},
                         .strides = {8192},
                         .box = {64, 128},
                         .swizzle = tensor_swizzle::bytes_128};
static_assert(assert_valid<map>);
constexpr auto tile = box_of<map>();  // 128 rows of 64 halves
static_assert(loads<mma<16, 8, 16, f16>::a, ldmatrix<4>>(tile));
static_assert(tile.bytes() == 16384 && tile.alignment() == 1024);
// [/map]
static_assert(mmm::same_places(tile,
                               mmm::swizzled(mmm::row_major(128, 64), mmm::tma_swizzle<128, 2>{})));

//! The broken rule of the map above after a change.
template <class Change>
constexpr broken_rule after(Change change) {
  tensor_map m = map;
  change(m);
  return broken_rule_of(m);
}
using field = descriptor_field;
using values = accepted_values;
static_assert(!after([](tensor_map&) {}));
static_assert(after([](tensor_map& m) { m.type = s8; }).field == field::type);
static_assert(after([](tensor_map& m) { m.rank = 0; }).field == field::rank);
static_assert(after([](tensor_map& m) { m.rank = 6; }) ==
              broken_rule{field::rank, 0, 6, values::from_1_to_5});
static_assert(after([](tensor_map& m) { m.interleave = tensor_interleave::bytes_16; }) ==
              broken_rule{field::rank, 0, 2, values::from_3_to_5_with_interleave});
static_assert(after([](tensor_map& m) { m.address = 8; }).field == field::address);
static_assert(after([](tensor_map& m) { m.sizes[1] = 0; }) ==
              broken_rule{field::sizes, 1, 0, values::from_1_to_2_to_the_32});
static_assert(after([](tensor_map& m) { m.sizes[0] = (index{1} << 32) + 1; }).dimension == 0);
static_assert(after([](tensor_map& m) { m.strides[0] = 8200; }) ==
              broken_rule{field::strides, 0, 8200, values::multiples_of_16_below_2_to_the_40});
static_assert(after([](tensor_map& m) { m.strides[0] = index{1} << 40; }).field == field::strides);
static_assert(after([](tensor_map& m) { m.box[1] = 257; }) ==
              broken_rule{field::box, 1, 257, values::from_1_to_256});
static_assert(after([](tensor_map& m) { m.box[0] = 12; }).accepted ==
              values::multiples_of_16_bytes);
static_assert(after([](tensor_map& m) { m.box[0] = 72; }).accepted ==
              values::at_most_the_span_of_the_swizzle);
static_assert(after([](tensor_map& m) { m.swizzle = tensor_swizzle::bytes_64; }).field ==
              field::box);
static_assert(after([](tensor_map& m) { m.element_strides[1] = 9; }) ==
              broken_rule{field::element_strides, 1, 9, values::from_1_to_8});
static_assert(after([](tensor_map& m) {
                m.type = s32;
                m.box[0] = 32;
                m.fill_with_nan = true;
              }).field == field::fill_with_nan);
constexpr tensor_map slices{.type = f16,
                            .rank = 3,
                            .sizes = {16, 32, 32},
                            .strides = {32, 1024},
                            .box = {16, 8, 8},
                            .interleave = tensor_interleave::bytes_32,
                            .swizzle = tensor_swizzle::bytes_32};
static_assert(is_valid(slices));
template <class Change>
constexpr broken_rule sliced(Change change) {
  tensor_map m = slices;
  change(m);
  return broken_rule_of(m);
}
static_assert(sliced([](tensor_map& m) { m.address = 16; }).field == field::address);
static_assert(sliced([](tensor_map& m) { m.strides[0] = 48; }).accepted ==
              values::multiples_of_32_with_interleave_of_32);
static_assert(sliced([](tensor_map& m) { m.swizzle = tensor_swizzle::none; }).field ==
              field::swizzle);

// The swizzles as the driver's header describes them: chunks of 16, 32 or 64 bytes are exchanged
// within the span by the number of the 128 bytes. They are bijections of 1024 bytes.
template <tensor_swizzle S>
constexpr bool exchanges(int atom, int span, int rows_in_pattern, bool flips) {
  for (int x = 0; x < 2048; ++x) {
    int const line = x / 128;
    int const by = line % rows_in_pattern;
    int const first = x / span * span;  // of the span, where the pattern has one line a row
    int const chunk = x % span / atom;
    int inside = x % atom;
    if (flips && line % 2 == 1) inside ^= 8;
    if (swizzled_byte<S>(index{x}) != first + (chunk ^ by) * atom + inside) return false;
  }
  return true;
}
static_assert(exchanges<tensor_swizzle::bytes_32>(16, 32, 2, false));
static_assert(exchanges<tensor_swizzle::bytes_64>(16, 64, 4, false));
static_assert(exchanges<tensor_swizzle::bytes_128>(16, 128, 8, false));
static_assert(exchanges<tensor_swizzle::bytes_128_atom_32>(32, 128, 4, false));
static_assert(exchanges<tensor_swizzle::bytes_128_atom_32_flip_8>(32, 128, 4, true));
static_assert(exchanges<tensor_swizzle::bytes_128_atom_64>(64, 128, 2, false));
static_assert(swizzled_byte<tensor_swizzle::none>(index{77}) == 77);

// A box narrower than its swizzle's span leaves gaps; without a swizzle it does not.
constexpr tensor_map narrow{.type = f32,
                            .rank = 2,
                            .sizes = {64, 64},
                            .strides = {256},
                            .box = {4, 8},
                            .swizzle = tensor_swizzle::bytes_32};
static_assert(box_of<narrow>().bytes() == 256 && box_of<narrow>().bytes_written() == 128);
constexpr tensor_map dense{
    .type = f32, .rank = 2, .sizes = {64, 64}, .strides = {256}, .box = {4, 8}};
static_assert(mmm::same_places(box_of<dense>(), mmm::row_major(8, 4)));
constexpr tensor_map third{.type = u8,
                           .rank = 3,
                           .sizes = {64, 9, 9},
                           .strides = {64, 576},
                           .box = {32, 4, 6},
                           .element_strides = {1, 1, 4}};
static_assert(box_of<third>().rows() == 4 * 2 && box_of<third>().columns() == 32);

// Sectors of the global memory: whole boxes, boxes over the borders, and boxes outside.
static_assert(sectors_of_box(map, {0, 0, 0, 0, 0}) == 128 * 4);
static_assert(sectors_of_box(map, {8, 0, 0, 0, 0}) == 128 * 5);
static_assert(sectors_of_box(map, {-8, 4090, 0, 0, 0}) == 6 * 4);
static_assert(sectors_of_box(map, {4096, 0, 0, 0, 0}) == 0);
static_assert(sectors_of_box(third, {0, 0, 0, 0, 0}) == 4 * 2 * 1);

}  // namespace
