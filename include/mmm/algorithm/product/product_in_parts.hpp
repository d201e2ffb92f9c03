// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/parameters.hpp>
#include <mmm/algorithm/product/product_forms.hpp>
#include <mmm/algorithm/product/product_tile.hpp>
#include <mmm/algorithm/product/product_tiles.hpp>
#include <mmm/algorithm/tile/tile_grid.hpp>
#include <mmm/algorithm/tile/whole_or_part.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/vec.hpp>

//! The product c = a b with the inner side of the factors in parts (split-K).
MMM_BODIES_BEGIN
namespace mmm::detail {

//! The division of a product's steps, of `depth` columns of a and rows of b each, into parts.
struct product_parts {
  index count;  //!< parts, 1 or more
  index steps;  //!< steps of each part; the last part may have fewer

  static constexpr index max_count = 16;
  static constexpr index least_steps = 2;

  //! A part for each DMM that `tiles` tiles leave to one tile, each of `least_steps` steps or more.
  constexpr product_parts(index dmms, index tiles, index all_steps) : count(1), steps(all_steps) {
    if (tiles == 0 || all_steps == 0) return;
    index const wanted = smaller(smaller(dmms / tiles, all_steps / least_steps), max_count);
    steps = ceil_divide(all_steps, larger(1, wanted));
    count = ceil_divide(all_steps, steps);
  }
};

//! The product with register tiles (register_product) for matrices with fewer tiles than the
//! machine has DMMs: several DMMs compute one tile, each a part of the inner side, and store their
//! sums in the global memory. After a machine-wide barrier the DMMs add the sums of each tile, in
//! the order of the parts, and write c. So the result does not depend on the order in which blocks
//! run.
template <class Tiles, index Words = Tiles::words, class Layout = packed_product<float>>
struct product_in_parts {
  using tile_program = product_tile<Tiles, Words, Layout>;
  static constexpr index words = Words;  //!< words in an access of the global memory
  static constexpr index max_block_threads = Tiles::threads;
  static constexpr bool fills_blocks = true;
  template <class Word>
  [[nodiscard]] static constexpr index blocks_side_by_side() {
    return tile_program::template blocks_side_by_side<Word>();
  }
  Layout layout;
  product_parts parts;

  [[nodiscard]] constexpr product_in_parts<Tiles, 1, Layout> by_words() const
  requires(Words > 1)
  {
    return {layout, parts};
  }

  template <class Machine, class Left, class Right, class Result>
  MMM_HOST_DEVICE constexpr void operator()(Machine& on, Left a, Right b, product_shape shape,
                                            Result c) const {
    constexpr index w = Machine::machine_type::width();
    static_assert(Tiles::rows % w == 0 && Tiles::columns % w == 0,
                  "mmm: tiles of whole rows of w words");
    placed_matrices<Left, Right, Result, Layout> const all{{a, b, c, shape}, layout};
    tile_grid<Layout::is_batched> const grid(shape.rows, shape.columns, Tiles::rows, Tiles::columns,
                                             layout.count());
    auto const partial =
        on.template allocate<typename Result::value_type>(parts.count * grid.count * tile_words);
    // A kernel has one copy of the tile's code for any place of a tile.
    bool const whole =
        grid.at_borders == 0 && shape.inner == parts.count * parts.steps * Tiles::depth;
    index const steps = parts.steps;
    if (whole)
      on.each_tile(0, grid.count * parts.count, [=](auto& block, auto unit) MMM_INLINED {
        one_part<product_reach::nothing>(block, all, grid.whole_place(unit % grid.count),
                                         unit / grid.count * steps, steps, unit, partial);
      });
    else
      on.each_tile(0, grid.count * parts.count, [=](auto& block, auto unit) MMM_INLINED {
        one_part<product_reach::any>(block, all, grid.any_place(unit % grid.count),
                                     unit / grid.count * steps, steps, unit, partial);
      });
    index const count = parts.count;
    on.each_tile(
        0, grid.count * slices,
        [=](auto& block, auto unit) MMM_INLINED {
          add_parts(block, all, grid.any_place(unit / slices), unit / slices, unit % slices, count,
                    grid.count, partial);
        },
        no_barrier);
  }

 private:
  static constexpr index V = Tiles::words;
  static constexpr index tile_words = Tiles::rows * Tiles::columns;
  //! Vecs of a row of a thread's part of the tile.
  static constexpr index across = Tiles::thread_columns / V;
  //! The slices of a tile that are added apart: V rows of each thread's part.
  static constexpr index slices = Tiles::thread_rows / V;

  //! The place of a thread's q-th vec in row r of its part among the vecs of a tile's sums. Threads
  //! with adjacent numbers have adjacent vecs.
  template <class Row, class Item>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr auto vec_place(Row const& r, index q,
                                                                Item const& i) {
    return (r * across + q) * Tiles::threads + i;
  }

  //! Computes the sums of one part of a tile.
  template <product_reach Of, class Block, class Matrices, class Place, class Step, class Unit,
            class Partial>
  MMM_HOST_DEVICE static constexpr void one_part(Block& block, Matrices const& all,
                                                 Place const& place, Step const& first, index steps,
                                                 Unit const& unit, Partial const& partial) {
    tile_program::template accumulate<Of>(
        block, all, place, first, steps, [=](auto const& i, auto const& sums) MMM_INLINED {
          unroll<Tiles::thread_rows>([&](index r) {
            unroll<across>([&](index q) {
              wide<V>(partial)[unit * (tile_words / V) + vec_place(r, q, i)] = make_vec<V>(
                  [&](index j) { return load(sums(i, r * Tiles::thread_columns + q * V + j)); });
            });
          });
        });
  }

  //! Adds the parts of a slice of a tile and writes the words of c.
  template <class Block, class Matrices, class Place, class Tile, class Slice, class Partial>
  MMM_HOST_DEVICE static constexpr void add_parts(Block& block, Matrices const& all,
                                                  Place const& place, Tile const& tile,
                                                  Slice const& slice, index count, index tiles,
                                                  Partial const& partial) {
    using value = typename Partial::value_type;
    constexpr index together = 2;  // parts whose sums a thread reads before it adds them
    auto sums = block.template registers<value, V * Tiles::thread_columns>();
    block.repeat(ceil_divide(count, together), [=](auto group) MMM_INLINED {
      block.each(
          Tiles::threads,
          [=](auto i) MMM_INLINED {
            unroll<V>([&](index r) {
              unroll<across>([&](index q) {
                auto const read = make_vec<together>([&](index k) {
                  auto const part = group * together + k;
                  return load_if(part < count,
                                 wide<V>(partial)[(part * tiles + tile) * (tile_words / V) +
                                                  vec_place(slice * V + r, q, i)],
                                 0);
                });
                unroll<together>([&](index k) {
                  unroll<V>([&](index j) {
                    index const element = r * Tiles::thread_columns + q * V + j;
                    sums(i, element) = load(sums(i, element)) + read[k][j];
                  });
                });
              });
            });
          },
          no_barrier);
    });
    block.each(
        Tiles::threads,
        [=](auto i) MMM_INLINED {
          tile_program::template write<product_reach::any, V>(all, place, slice, i, sums);
        },
        no_barrier);
  }
};

}  // namespace mmm::detail
MMM_BODIES_END
