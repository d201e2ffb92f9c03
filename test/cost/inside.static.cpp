// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mmm::inside for requests to elements inside and outside of layouts. The law: inside.property.cpp.
#include <mmm/gpu.hpp>

namespace {

using shared = mmm::dmm<32, 1>;
using mmm::inside;
using mmm::item;
constexpr mmm::padded tile(32, 32, 1);

static_assert(inside<shared>(tile(item, 31)) && !inside<shared>(tile(item, 32)));
static_assert(inside<shared>(tile(31, item)) && !inside<shared>(tile(32, item)));
static_assert(!inside<shared>(tile(item, -1)) && !inside<shared>(tile(item - 1, 0)));
static_assert(!inside<shared>(tile(item, 40)) && mmm::conflict_free<shared>(tile(item, 40)));
static_assert(!inside<shared>(mmm::row_major(0, 4)(0, item)));
// warp 1 asks for rows 32 to 63; of a machine of width 1, warp i asks for item i
static_assert(!inside<shared>(tile(item, 0), 1));
static_assert(inside<mmm::dmm<1, 1>>(tile(item, 0), 31));
static_assert(!inside<mmm::dmm<1, 1>>(tile(item, 0), 32));
// a part of a warp
static_assert(inside(tile(item, 0), mmm::size(32)) && !inside(tile(item, 0), mmm::size(33)));
static_assert(inside(tile(item + 40, 0), mmm::size(0)));
// lanes that do not ask the tile
static_assert(inside<shared>(select(item < 20, tile(item + 12, 0), 5)));
static_assert(!inside<shared>(select(item < 21, tile(item + 12, 0), 5)));
static_assert(inside<shared>(select(item < 20 && tile(item + 12, 0) > 0, 1, 5)));
// below other operators, and a layout that is asked for what another one gives
static_assert(!inside<shared>(tile(item, 32) * 4 + 1) && !inside<shared>(1 - tile(item, 32)));
static_assert(inside<shared>(tile(tile(0, item), tile(0, item) % 4)));
static_assert(!inside<shared>(tile(tile(item * 0, 32) - 32, item)));
// addresses that no layout has computed
static_assert(inside<shared>(item * 1000 - 5) && inside(item, mmm::size(1 << 30)));

// every layout
static_assert(!inside<shared>(mmm::column_major(32, 8)(item, 8)));
static_assert(!inside<shared>(mmm::xor_swizzled(32, 8)(item, 8)));
static_assert(!inside<shared>(mmm::rotated(32, 8)(item, 8)));
static_assert(!inside<shared>(mmm::strided(32, 8, 8, 1)(item, 8)));
static_assert(!inside<shared>(mmm::blocked(32, 8, 4, 4)(item, 8)));
static_assert(!inside<shared>(mmm::tile_layout(32, 8)(item, 8)));
static_assert(!inside<shared>(mmm::record_layout(32, 8)(item, 8)));
constexpr mmm::swizzled halves(mmm::row_major(64, 64), mmm::tma_swizzle<128, 2>{});
static_assert(inside<shared>(halves(item, 63)) && !inside<shared>(halves(item, 64)));

// the accesses of GPUs: only 8 lanes give the rows of one matrix
namespace gpu = mmm::gpu;
constexpr auto floats = gpu::tile_of<float>(tile);
static_assert(inside<gpu::load<16>>(floats(item / 8, item % 8 * 4)));
static_assert(!inside<gpu::load<4>>(floats(item, 32)));
static_assert(inside<gpu::ldmatrix<1>>(halves(item + 56, 0) * 2));
static_assert(!inside<gpu::ldmatrix<2>>(halves(item + 56, 0) * 2));
static_assert(!inside<gpu::served_by<gpu::amd_cdna3, gpu::load<4>>>(floats(item, 0)));  // 64 lanes

static_assert(mmm::assert_inside<shared, tile(item, 31)>);
static_assert(mmm::assert_inside<gpu::ldmatrix<1>, halves(item + 56, 0) * 2>);

}  // namespace
