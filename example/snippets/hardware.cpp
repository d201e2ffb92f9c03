// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Examples of the hardware's own rules. With a folder as argument, the program draws
// docs/hardware_conflict.svg there.
// [rules]
#include <mmm/cost/cost.hpp>
#include <mmm/gpu.hpp>

using namespace mmm::gpu;
constexpr auto lane = mmm::item;                    // the lane of a warp; addresses are in bytes
constexpr auto tile = mmm::row_major(64, 64);       // 64 x 64 halves of 2 bytes
constexpr auto row = tile(lane / 8, lane % 8 * 8);  // four rows, 16 bytes per lane
constexpr auto fragment = tile(lane % 16, lane / 16 * 8);

// four phases (quarter-warps), no bank conflict
static_assert(wavefronts<store<16>>(row * 2) == 4);
// eight rows of a matrix in the same four banks: an 8-way bank conflict
static_assert(wavefronts<ldmatrix<4>>(fragment * 2) == 32);
static_assert(wavefronts<load<2>>(tile(lane, 0) * 2) == 32);  // a column
// all lanes read one vector; on compute capability 7.0 to 8.0, and 9.0, 2 were measured:
static_assert(wavefronts<load<16>>(lane * 0) == 4);
static_assert(wavefronts<load<16>, nvidia_merging>(lane * 0) == 2);

// coalesced: four sectors, one line
static_assert(sectors<load<4>>(lane * 4) == 4 && lines<load<4>>(lane * 4) == 1);
static_assert(sectors<load<4>>(lane * 4 + 4) == 5);  // misaligned: a fifth sector
// structures of three floats, one member each: all sectors are read
static_assert(sectors<load<4>>(lane * 12, mmm::size(1 << 30)) == 3 * (1 << 27));
// [/rules]

// [atomics]
#include <mmm/gpu/atomic.hpp>

constexpr auto updates = [](auto const& at) { return shared_atomic_cost(4, at, ~0U).wavefronts; };
static_assert(updates(lane * 4) == 1);   // 32 words in 32 banks
static_assert(updates(lane * 16) == 4);  // 32 words in 8 banks, as a load
static_assert(updates(lane * 0) == 32);  // one word by all lanes, which a load would read at once
// [/atomics]

// [rdna]
static_assert(wavefronts<load<16>, amd_rdna4>(lane * 16) == 4);
static_assert(assert_conflict_free<served_by<amd_rdna3, load<16>>, lane * 16>);
// [/rdna]

// [swizzle]
// CuTe's Swizzle<3, 3, 3> for halves
constexpr mmm::swizzled swizzled(tile, mmm::tma_swizzle<128, 2>{});

// a failure of these assertions names the lanes that conflict
static_assert(assert_conflict_free<store<16>, swizzled(lane / 8, lane % 8 * 8) * 2>);
static_assert(assert_conflict_free<ldmatrix<4>, swizzled(lane % 16, lane / 16 * 8) * 2>);
static_assert(mmm::is_bijective(swizzled) && mmm::is_involution(mmm::swizzle<3, 3, 3>{}, 4096));
// [/swizzle]

// [inside]
using mmm::inside;
static_assert(inside<store<16>>(swizzled(lane / 8, lane % 8 * 8) * 2));
static_assert(!inside<load<2>>(swizzled(lane + 40, 0) * 2));  // row 64 of 64 in lane 24
// lanes 24 to 31 ask for row 0 instead
static_assert(inside<load<2>>(swizzled(select(lane < 24, lane + 40, 0), 0) * 2));
static_assert(!inside(swizzled(lane, 0) * 2, mmm::size(65)));  // of 65 threads
// [/inside]

// [choose]
constexpr auto best =
    choose_layout({.rows = 64, .columns = 64, .element_bytes = 2}, {.alignment = 16},
                  // copied in once,
                  tile_access<store<16>>(lane / 8, lane % 8 * 8),
                  // read four times
                  tile_access<ldmatrix<4>>(lane % 16, lane / 16 * 8, 4),
                  tile_access<ldmatrix<4>>(lane % 16 + 16, lane / 16 * 8 + 32, 4));
static_assert(best.plain == 4 + 8 * 32 && best.wavefronts == 4 + 8 * 4);
// no layout takes fewer wavefronts, and no byte is unused
static_assert(best.optimal() && best.price == 0);
static_assert(mmm::same_places(best.layout, swizzled));  // the search finds the swizzle above
// [/choose]

// [prove]
constexpr tile_shape square{.rows = 64, .columns = 64, .element_bytes = 4};
constexpr auto rows = tile_access<store<4>>(5, lane);
constexpr auto columns = tile_access<load<4>>(lane, 5);
constexpr auto blocks = tile_access<load<4>>(lane % 8, lane / 8);
constexpr auto diagonal = tile_access<load<4>>(lane, lane);
constexpr auto strides = tile_access<load<4>>(lane % 16 * 4, lane / 16 * 32);
constexpr auto proved = optimal_layout<square>(rows, columns, blocks, diagonal, strides);
static_assert(proved.wavefronts == 5 && proved.price == 0);  // no bank conflict, no byte unused
static_assert(proved.proof == layout_proof::capacity);       // and no layout is better
static_assert(choose_layout(square, {}, rows, columns, blocks, diagonal, strides).wavefronts > 5);
// at run time: proved.verify(rows, columns, blocks, diagonal, strides)
// in a kernel: constexpr auto place = proved.layout; s[place(row, column)] = x;
// [/prove]

// [width]
// two rows of 64 floats written, and a column read
constexpr auto column_by = [](auto width, auto const& use) {
  constexpr mmm::index words = decltype(width)::value / 4;
  return use(tile_access<store<4 * words>>(lane / (64 / words), lane % (64 / words) * words, 1,
                                           mmm::size(128 / words)),
             columns);
};
constexpr auto least = optimal_width<square>(vector_widths<4, 8, 16>{}, column_by);
static_assert(least.bytes == 4 && least.least.wavefronts == 4 + 1 && least.optimal());
// [/width]

// [for-all]
constexpr auto stride = mmm::symbol;
static_assert(conflict_free<load<4>>(lane * stride * 4, mmm::for_all(stride, mmm::odd)));
// rows of n + 4 floats, for every n divisible by 32, read as vectors down a column
static_assert(conflict_free<load<16>>(lane * (stride + 4) * 4,
                                      mmm::for_all(stride, mmm::multiples_of(32))));
constexpr auto worst = max_wavefronts<load<4>>(lane * stride * 4, mmm::for_all(stride, mmm::even));
static_assert(worst.cost == 32 && worst.value() == 32);  // a counterexample
// a row of a tile whose rows are an odd number of words apart, and a column of it
constexpr auto tile_row = mmm::second_symbol;
static_assert(conflict_free<load<4>>((tile_row * stride + lane) * 4,
                                     mmm::for_all(stride, mmm::odd, tile_row, {0, 1, 31})));
static_assert(conflict_free<load<4>>((lane * stride + tile_row) * 4,
                                     mmm::for_all(stride, mmm::odd, tile_row, mmm::every)));
// [/for-all]

// [typed]
constexpr auto floats = mmm::gpu::tile_of<float>(mmm::padded(32, 32, 1));
static_assert(assert_conflict_free<load<4>, floats(lane, 7)>);  // byte addresses
static_assert(floats.bytes() == (31 * 33 + 32) * 4);
// in a kernel: __shared__ float s[floats.elements()]; floats.at(s, threadIdx.y, threadIdx.x) = x;
// [/typed]

// [records]
constexpr auto x = tile_access<load<4>>(lane, 0);
constexpr auto y = tile_access<load<4>>(lane, 1);
// particles of 7 floats, of which a kernel reads two
constexpr auto particles =
    choose_record_layout({.rows = 32, .columns = 7, .element_bytes = 4}, x, y);
static_assert(particles.plain == 2 * 28 && particles.sectors == 2 * 4);
static_assert(particles.layout == mmm::record_layout(32, 7, 32));  // a structure of arrays
// [/records]

// [machines]
// 4.8 TB/s are 19 groups of 128 bytes per cycle
static_assert(h200{}.dmms() == 132 && h200{}.global().ports() == 19);
static_assert(h200::shared_bytes_per_block == 227 * 1024 && h200::resident_threads == 132 * 2048);
// for words, the rules agree with the papers' DMM
static_assert(wavefronts<load<4>>(lane * 24) == mmm::stages<mmm::dmm<32, 1>>(lane * 6));
// [/machines]

#include <mmm/report/gpu_request.hpp>
#include <mmm/report/tile_choice_text.hpp>

#include <fstream>
#include <iostream>
#include <string>

int main(int count, char** values) {
  // [explain]
  auto const why =
      mmm::report::explain<load<16>>(mmm::padded(32, 64, 8)(lane, 0) * 4, "rows of 72 floats");
  std::cout << why.text << mmm::report::text(best) << '\n';
  // [/explain]
  if (count == 2) std::ofstream(std::string(values[1]) + "/hardware_conflict.svg") << why.svg;
  return why.cost.wavefronts != 8;
}
