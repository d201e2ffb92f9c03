// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statements about the wavefronts of a warp's request for all values of a symbol.
#include <mmm/gpu/cost.hpp>
#include <mmm/gpu/for_all.hpp>
#include <mmm/layout/tile_layout.hpp>

namespace {

using namespace mmm::gpu;
using mmm::even;
using mmm::every;
using mmm::for_all;
using mmm::index;
using mmm::item;
using mmm::multiples_of;
using mmm::odd;
using mmm::symbol;

// Vectors of 16 bytes, an odd number of them apart; quarters of a warp are free of conflicts.
static_assert(conflict_free<load<16>>(item * symbol * 16, for_all(symbol, odd)));
constexpr auto worst = max_wavefronts<load<16>>(item * symbol * 16, for_all(symbol, even));
static_assert(worst.cost == 32 && worst.value() % 8 == 0);
static_assert(conflict_free<load<4>>(item * symbol * 4, for_all(symbol, odd)));
static_assert(conflict_free<ldmatrix<4>>(item * (symbol + 16), for_all(symbol, multiples_of(128))));
// Bytes: four lanes share a word.
static_assert(conflict_free<load<1>>(item + symbol, for_all(symbol, every)));
static_assert(max_wavefronts<load<1>>(item * symbol, for_all(symbol, every)).cost == 32);

// The figure of every single stride is that of mmm::gpu::wavefronts.
template <index Stride>
inline constexpr index alone = wavefronts<load<8>>(item * (Stride * 8));
template <index Stride>
inline constexpr bool agrees =
    max_wavefronts<load<8>>(item * (symbol * 8), for_all(symbol, {Stride, 1, Stride})).cost ==
    alone<Stride>;
static_assert(agrees<0> && agrees<1> && agrees<2> && agrees<3> && agrees<8> && agrees<16>);

}  // namespace
