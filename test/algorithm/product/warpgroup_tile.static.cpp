// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tiles of the products by warpgroups: the driver accepts their tensor maps, and wgmma reads
// the elements where the boxes put them.
#include <mmm/algorithm/product/warpgroup_tile.hpp>

namespace {

using enum mmm::gpu::data_type;
using mmm::detail::warpgroup_factor;

template <class Factor>
constexpr bool mapped = mmm::gpu::assert_valid<Factor::smallest> &&
                        mmm::gpu::box_of<Factor::smallest>().bytes() == Factor::box_bytes &&
                        mmm::gpu::box_of<Factor::smallest>().bytes_written() == Factor::box_bytes;
// An evaluation for each operand: compilers limit the steps of one. Operands are at equal distances
// from each other: the first one and the last one tell.
template <class Factor, mmm::index First, mmm::index Part>
constexpr bool described = Factor::is_described_right(First, Part);
template <class Factor>
constexpr bool left_described =
    mapped<Factor> && described<Factor, 0, 0> && described<Factor, 64, 3>;
template <class Factor>
constexpr bool right_described =
    mapped<Factor> && described<Factor, 0, 1> && described<Factor, 0, 3>;

static_assert(left_described<warpgroup_factor<f16, 128, 64, true>>);
static_assert(left_described<warpgroup_factor<f16, 128, 64, false>>);
static_assert(left_described<warpgroup_factor<tf32, 128, 64, true>>);
static_assert(left_described<warpgroup_factor<s8, 128, 64, true>>);
static_assert(right_described<warpgroup_factor<bf16, 128, 128, true>>);
static_assert(right_described<warpgroup_factor<bf16, 128, 128, false>>);
static_assert(mapped<warpgroup_factor<bf16, 256, 256, true>>);
static_assert(described<warpgroup_factor<bf16, 256, 256, false>, 0, 3>);

// A batch is a further dimension; the map of numbers of 8 bits has no sign.
constexpr auto batch = warpgroup_factor<s8, 128, 64, true>::map_of(4096, 100, 70, 80, true, 3, 960);
static_assert(mmm::gpu::is_valid(batch) && batch.type == u8 && batch.rank == 3);
static_assert(batch.sizes[0] == 70 && batch.sizes[1] == 100 && batch.sizes[2] == 3);
static_assert(batch.strides[0] == 80 && batch.strides[1] == 960 && batch.box[2] == 1);

// Rows that do not begin at multiples of 16 bytes have no map.
static_assert(!mmm::gpu::is_valid(warpgroup_factor<f16, 128, 64, true>::map_of(0, 100, 70, 70,
                                                                               false, 1, 0)));

}  // namespace
