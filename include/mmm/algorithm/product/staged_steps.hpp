// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/tile/tile_grid.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/execution/access.hpp>

//! The loops that all products by tiles share: over the tiles of c, and over the steps of the
//! factors' inner side.
MMM_BODIES_BEGIN
namespace mmm::detail {

//! The part of a tile and its factors that may be outside the matrices.
enum class product_reach {
  nothing,
  last_steps,  //!< only the end of the factors' inner side
  any
};

//! The address of a word, or of a vec of V words, in matrix number `product` of a batch, whose
//! matrices are `apart` words apart; `address` is that in the first one.
template <class Layout, index V, class Product, class Address>
[[nodiscard]] MMM_HOST_DEVICE constexpr auto in_product(Product const& product, index apart,
                                                        Address const& address) {
  if constexpr (Layout::is_batched)
    return product * (apart / V) + address;
  else
    return address;
}

//! Runs `steps` steps, each on one of `Stages` buffers in turn: while a step works on its buffer,
//! the copies of the `Stages - 1` further steps are on their way. `begin(k)` begins the copies of a
//! step. `work(k)` begins those of step `k + Stages - 1` and works on step k. Returns the first of
//! the last steps, whose copies are all there and which the caller works on.
template <index Stages, class Block, class Begin, class Work>
[[nodiscard]] MMM_HOST_DEVICE constexpr index staged_steps(Block& block, index steps,
                                                           Begin const& begin, Work const& work) {
  constexpr index ahead = Stages - 1;
  for (index k = 0; k < smaller(ahead, steps); ++k) {
    begin(k);
    block.commit_copies();
  }
  index const trips = larger(steps - ahead, 0);
  if (steps > 0) block.template await_copies<ahead - 1>();
  block.repeat(trips, [=, &block](auto step) MMM_INLINED {
    work(step);
    block.commit_copies();
    block.template await_copies<ahead - 1>();
  });
  if (ahead > 1 && steps > 0) block.template await_copies<0>();
  return trips;
}

//! Computes all tiles of a product: first the whole ones, then those at the borders. `Program` has
//! the `tiles` and computes one tile of a DMM, `one_tile<reach>(block, matrices, place)`.
template <class Program, class Machine, class Matrices>
MMM_HOST_DEVICE constexpr void each_product_tile(Machine& on, Matrices const& all) {
  using tiles = typename Program::tiles;
  constexpr bool batched = remove_cvref_t<decltype(all.layout)>::is_batched;
  constexpr index w = Machine::machine_type::width();
  static_assert(tiles::rows % w == 0 && tiles::columns % w == 0,
                "mmm: tiles of whole rows of w words");
  tile_grid<batched> const grid(all.shape.rows, all.shape.columns, tiles::rows, tiles::columns,
                                all.layout.count());
  // The whole tiles of a last, partial pass are assigned with those at the borders.
  index const first = grid.unguarded(on.dmms());
  bool const whole_steps = all.shape.inner % tiles::depth == 0;
  if (whole_steps)
    on.each_tile(
        0, first,
        [=](auto& block, auto tile) MMM_INLINED {
          Program::template one_tile<product_reach::nothing>(block, all, grid.whole_place(tile));
        },
        no_barrier);
  // A loop, since a kernel's code has a copy of each call. An estimate is quicker if no condition
  // depends on the tile; the accesses are the same.
  for (int k = whole_steps ? 1 : 0; k < 2; ++k)
    on.each_tile(
        k == 0 ? 0 : first, k == 0 ? first : grid.count - first,
        [=](auto& block, auto tile) MMM_INLINED {
          if constexpr (!is_same_v<decltype(tile), index>)
            if (k == 0)
              return Program::template one_tile<product_reach::last_steps>(block, all,
                                                                           grid.whole_place(tile));
          Program::template one_tile<product_reach::any>(block, all, grid.any_place(tile));
        },
        no_barrier);
}

}  // namespace mmm::detail
MMM_BODIES_END
