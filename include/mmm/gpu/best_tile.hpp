// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>

#include <cstdint>
#include <initializer_list>

//! The tile of a product on tensor cores that reads and writes the least shared memory for each
//! multiplication.
namespace mmm::gpu {

//! The part of a product that a block computes at a time: rows of A, columns of B, elements along
//! k.
struct product_tile {
  index rows;
  index columns;
  index depth;
  friend constexpr bool operator==(product_tile const&, product_tile const&) = default;
};

//! Shared memory for a tile's stage, and the wavefronts of a step along k: the sums of what
//! choose_layout finds for A and for B, times the warps that load the same fragments.
struct tile_figures {
  index wavefronts;
  index bytes;
};

//! A tile of a list, and its figures.
struct product_tile_choice {
  product_tile tile;
  tile_figures figures;
};

//! The tile of a list with the fewest wavefronts for each multiplication, among those whose stages
//! fit the budget; the first one of equal tiles.
//!
//! \tparam Tiles their shapes. \param stages copies of a tile in shared memory. \param budget bytes
//! of shared memory. \param figures_of `tile_figures f(product_tile)`. Errors, in a constant
//! expression compile errors: std::length_error if none fits; std::invalid_argument for a shape or
//! a number of stages below 1. Time: that of `figures_of` for each tile.
//!
//!     constexpr auto figures = [](product_tile t) {
//!       auto const a = choose_layout({t.rows, t.depth, 2}, {}, box_access(map), …);
//!       …
//!       return tile_figures{a.wavefronts + b.wavefronts, a.bytes + b.bytes};
//!     };
//!     best_tile<product_tile{64, 64, 64}, product_tile{128, 128, 64}>(3, 232448, figures);
template <product_tile... Tiles, class Figures>
[[nodiscard]] constexpr product_tile_choice best_tile(index stages, index budget,
                                                      Figures const& figures_of) {
  static_assert(sizeof...(Tiles) > 0, "mmm: the list of tiles is empty");
  if (stages < 1) mmm::detail::reject("the stages of a product's tile", stages, "1 or more");
  auto const multiplications = [](product_tile const& t) {
    return mmm::detail::checked_multiply(mmm::detail::checked_multiply(t.rows, t.columns), t.depth);
  };
  product_tile_choice best{};
  index least_bytes = INT64_MAX;
  bool found = false;
  for (product_tile const& t : {Tiles...}) {
    for (index const side : {t.rows, t.columns, t.depth})
      if (side < 1) mmm::detail::reject("a side of a product's tile", side, "1 or more");
    tile_figures const f = figures_of(t);
    index const bytes = mmm::detail::checked_multiply(f.bytes, stages);
    least_bytes = mmm::detail::smaller(least_bytes, bytes);
    if (bytes > budget) continue;
    if (found && mmm::detail::checked_multiply(f.wavefronts, multiplications(best.tile)) >=
                     mmm::detail::checked_multiply(best.figures.wavefronts, multiplications(t)))
      continue;
    best = {t, f};
    found = true;
  }
  if (!found)
    mmm::detail::reject_length("bytes of shared memory for a tile's stages", least_bytes, budget);
  return best;
}

}  // namespace mmm::gpu
