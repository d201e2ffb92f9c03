// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/product/product_tiles.hpp>
#include <mmm/algorithm/product/staged_steps.hpp>
#include <mmm/algorithm/tile/whole_or_part.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/vec.hpp>

//! One tile of a matrix product in the registers of a DMM's threads.
MMM_BODIES_BEGIN
namespace mmm::detail {

//! A tile of c: `accumulate` copies `Tiles::depth` columns of a and rows of b at a time to the
//! shared memory and multiplies them, `write` stores the tile.
//! \tparam Words words in an access of the global memory
//! \tparam Layout places of the matrices, the factor of the product and that of the previous c
template <class Tiles, index Words, class Layout>
struct product_tile {
  using tiles = Tiles;
  //! True if 128 registers per thread are enough.
  static constexpr bool few_registers =
      Layout::is_packed && Words > 1 && Tiles::thread_rows* Tiles::thread_columns <= 64;
  //! Blocks of a kernel that a multiprocessor has room for, for words of this type.
  template <class Word>
  [[nodiscard]] static constexpr index blocks_side_by_side() {
    return few_registers && sizeof(Word) <= 4 ? larger(1, 512 / Tiles::threads) : 1;
  }
  using reach = product_reach;

  //! Adds the products of `steps` steps of the factors' inner side, from step `first` on, to the
  //! threads' parts of a tile, then calls `finish(i, sums)` for each thread. While the factors of a
  //! step are multiplied, those of `Tiles::stages - 1` further steps are on their way.
  template <reach Of, class Block, class Matrices, class Place, class Step, class Finish>
  MMM_HOST_DEVICE static constexpr void accumulate(Block& block, Matrices const& all,
                                                   Place const& place, Step const& first,
                                                   index steps, Finish const& finish) {
    using value = typename decltype(all.c)::value_type;
    using left_value = typename decltype(all.a)::value_type;
    using right_value = typename decltype(all.b)::value_type;
    constexpr index stages = Tiles::stages;
    constexpr index ahead = stages - 1;
    auto left = block.template allocate<left_value>(stages * Tiles::left_words);
    auto right = block.template allocate<right_value>(stages * Tiles::right_words);
    auto sums = block.template registers<value, Tiles::thread_rows * Tiles::thread_columns>();
    index const trips = staged_steps<stages>(
        block, steps,
        [=, &block](index k) MMM_INLINED {
          block.each(
              Tiles::threads,
              [=](auto i) MMM_INLINED {
                copy_left<Of>(all, place, first + k, i, left + k * Tiles::left_words);
                copy_right<Of>(all, place, first + k, i, right + k * Tiles::right_words);
              },
              no_barrier);
        },
        [=, &block](auto step) MMM_INLINED {
          auto now = step % stages;
          auto next = (step + ahead) % stages;
          block.each(
              Tiles::threads,
              [=](auto i) MMM_INLINED {
                copy_left<Of>(all, place, first + (step + ahead), i,
                              left + next * Tiles::left_words);
                copy_right<Of>(all, place, first + (step + ahead), i,
                               right + next * Tiles::right_words);
                multiply<Of == reach::nothing ? Tiles::depth : guarded_steps>(
                    left + now * Tiles::left_words, right + now * Tiles::right_words, i, sums);
              },
              no_barrier);
        });
    block.each(Tiles::threads, [=](auto i) MMM_INLINED {
      for (index step = trips; step < steps; ++step) {
        index const now = step % stages;
        multiply<few_steps>(left + now * Tiles::left_words, right + now * Tiles::right_words, i,
                            sums);
      }
      finish(i, sums);
    });
  }

  //! Computes one tile by the threads of a DMM.
  template <reach Of, class Block, class Matrices, class Place>
  MMM_HOST_DEVICE static constexpr void one_tile(Block& block, Matrices const& all,
                                                 Place const& place) {
    accumulate<Of>(block, all, place, index{0}, ceil_divide(all.shape.inner, Tiles::depth),
                   [=](auto const& i, auto const& sums) MMM_INLINED {
                     write<Of, Tiles::thread_rows>(all, place, index{0}, i, sums);
                   });
  }

  //! Begins to copy thread i's words of `depth` columns of a, from column `step depth` on, to rows
  //! of the shared memory.
  template <reach Of, class Matrices, class Place, class Step, class Item, class Shared>
  MMM_HOST_DEVICE static constexpr void copy_left(Matrices const& all, Place const& place,
                                                  Step const& step, Item const& i,
                                                  Shared const& to) {
    index const pitch = all.layout.left_pitch(all.shape);
    index apart = 0;
    if constexpr (Layout::is_batched) apart = all.layout.all.left;
    if constexpr (Layout::left_transposed)
      copy_rows<Of, Tiles::rows, Tiles::left_pitch>(all.a, all.shape.inner, all.shape.rows, pitch,
                                                    apart, place.matrix, place.row, step, i, to);
    else
      copy_columns<Of, Tiles::rows, Tiles::left_pitch>(all.a, all.shape.rows, all.shape.inner,
                                                       pitch, apart, place.matrix, place.row, step,
                                                       i, to);
  }
  //! Begins to copy thread i's words of `depth` rows of b, from row `step depth` on, to rows of the
  //! shared memory.
  template <reach Of, class Matrices, class Place, class Step, class Item, class Shared>
  MMM_HOST_DEVICE static constexpr void copy_right(Matrices const& all, Place const& place,
                                                   Step const& step, Item const& i,
                                                   Shared const& to) {
    index const pitch = all.layout.right_pitch(all.shape);
    index apart = 0;
    if constexpr (Layout::is_batched) apart = all.layout.all.right;
    if constexpr (Layout::right_transposed)
      copy_columns<Of, Tiles::columns, Tiles::right_pitch>(all.b, all.shape.columns,
                                                           all.shape.inner, pitch, apart,
                                                           place.matrix, place.column, step, i, to);
    else
      copy_rows<Of, Tiles::columns, Tiles::right_pitch>(all.b, all.shape.inner, all.shape.columns,
                                                        pitch, apart, place.matrix, place.column,
                                                        step, i, to);
  }
  //! The row of a thread's first access, where rows of `Across` accesses are assigned to the
  //! threads row by row; column_of is its column.
  template <index Across, class Item>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr auto row_of(Item const& i) {
    return i / Across;
  }
  template <index Across, class Item>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr auto column_of(Item const& i) {
    return i % Across;
  }
  //! The distance in rows from a thread's first access to its k-th one; across_to is that in
  //! columns.
  template <index Across>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr index down_to(index k) {
    static_assert(Tiles::threads % Across == 0 || Across % Tiles::threads == 0);
    return k * Tiles::threads / Across;
  }
  template <index Across>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr index right_to(index k) {
    return k * Tiles::threads % Across;
  }
  //! An array as words, or as vecs if an access has several words.
  template <class Array>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr auto by_vecs(Array const& a) {
    if constexpr (Words == 1)
      return a;
    else
      return wide<Words>(a);
  }
  //! The condition under which an access of a factor is inside the matrix.
  template <reach Of, class InTile, class InSteps>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr auto inside(InTile const& in_tile,
                                                             InSteps const& in_steps) {
    if constexpr (Of == reach::any)
      return in_tile && in_steps;
    else
      return in_steps;
  }
  //! A loop over a copy's accesses. For placed matrices it is unrolled in C++, with constants k,
  //! and not by nvcc: that takes up to 16 registers less, and their kernels have none to spare.
  template <index Accesses, class Body>
  MMM_HOST_DEVICE static constexpr void unroll_copy(Body const& body) {
    if constexpr (Layout::is_packed)
      unroll<Accesses>([&](index k) { body(k); });
    else
      unroll<Accesses>([&](auto k) { body(k); });
  }
  //! Copies columns of a tile of `Side` rows and `depth` columns, word by word, to rows of the
  //! shared memory that are `To` words apart; the matrix has `rows` and `columns`.
  template <reach Of, index Side, index To, class Array, class Product, class Tile, class Step,
            class Item, class Shared>
  MMM_HOST_DEVICE static constexpr void copy_columns(Array const& a, index rows, index columns,
                                                     index pitch, index apart,
                                                     Product const& product, Tile const& tile,
                                                     Step const& step, Item const& i,
                                                     Shared const& to) {
    auto const start = (tile * Side + row_of<Tiles::depth>(i)) * pitch + column_of<Tiles::depth>(i);
    unroll_copy<Side * Tiles::depth / Tiles::threads>([&](index k) {
      auto row = row_of<Tiles::depth>(i) + down_to<Tiles::depth>(k);
      auto column = column_of<Tiles::depth>(i) + right_to<Tiles::depth>(k);
      copy_within<Of == reach::nothing>(
          inside<Of>(tile * Side + row < rows, step * Tiles::depth + column < columns),
          to[column * To + row],
          a[in_product<Layout, 1>(product, apart,
                                  start + (step * Tiles::depth + down_to<Tiles::depth>(k) * pitch +
                                           right_to<Tiles::depth>(k)))]);
    });
  }
  //! Copies rows of a tile of `depth` rows and `Side` columns to rows of the shared memory.
  template <reach Of, index Side, index To, class Array, class Product, class Tile, class Step,
            class Item, class Shared>
  MMM_HOST_DEVICE static constexpr void copy_rows(Array const& a, index rows, index columns,
                                                  index pitch, index apart, Product const& product,
                                                  Tile const& tile, Step const& step, Item const& i,
                                                  Shared const& to) {
    constexpr index across = Side / Words;
    auto const start = row_of<across>(i) * (pitch / Words) + tile * across + column_of<across>(i);
    unroll_copy<across * Tiles::depth / Tiles::threads>([&](index k) {
      auto row = row_of<across>(i) + down_to<across>(k);
      auto column = column_of<across>(i) + right_to<across>(k);
      copy_within<Of == reach::nothing>(
          inside<Of>(tile * across + column < columns / Words, step * Tiles::depth + row < rows),
          by_vecs(to)[row * (To / Words) + column],
          by_vecs(a)[in_product<Layout, Words>(
              product, apart,
              start + ((step * Tiles::depth + down_to<across>(k)) * (pitch / Words) +
                       right_to<across>(k)))]);
    });
  }

  //! Number of steps that are unrolled after the loop over all but the last ones: a kernel's code,
  //! which is mostly steps, would otherwise be twice as long.
  static constexpr index few_steps = smaller(2, Tiles::depth);
  //! Number of steps that are unrolled in the loop of guarded tiles: all where the guards find
  //! registers beside the elements of a thread and the factors of a step.
  static constexpr index guarded_steps =
      Tiles::thread_rows * Tiles::thread_columns <= 32 || Tiles::depth <= 8 ? Tiles::depth
                                                                            : few_steps;

  //! Keeps the compiler from moving reads across a step. From compute capability 10.0 on it would
  //! read the factors of more steps ahead than there are registers for; for earlier ones it does
  //! not.
  MMM_HOST_DEVICE static constexpr void end_step() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000
    asm volatile("" ::: "memory");
#endif
  }

  //! Adds the product of the factors in the shared memory to a thread's part of the tile, to and
  //! fro: each element shares a factor with the element before, which saves the read of one
  //! register. \tparam Unrolled steps in a trip of a loop
  template <index Unrolled, class Left, class Right, class Item, class Sums>
  MMM_HOST_DEVICE static constexpr void multiply(Left const& left, Right const& right,
                                                 Item const& i, Sums sums) {
    constexpr index V = Tiles::words;
    auto row = product_threads<Tiles>::row(i);
    auto column = product_threads<Tiles>::column(i);
    static_assert(Tiles::depth % Unrolled == 0);
#ifdef __CUDACC__
#pragma unroll 1
#endif
    for (index first = 0; first < Tiles::depth; first += Unrolled)
      unroll<Unrolled>([&](index step) {
        index const k = first + step;
        auto x = make_vec<Tiles::thread_rows / V>([&](index q) {
          return load(wide<V>(left)[k * (Tiles::left_pitch / V) + row + q * Tiles::threads_down]);
        });
        auto y = make_vec<Tiles::thread_columns / V>([&](index q) {
          return load(
              wide<V>(right)[k * (Tiles::right_pitch / V) + column + q * Tiles::threads_across]);
        });
        unroll<Tiles::thread_rows>([&](index r) {
          unroll<Tiles::thread_columns>([&](index q) {
            index const s = r % 2 == 0 ? q : Tiles::thread_columns - 1 - q;
            index const element = r * Tiles::thread_columns + s;
            sums(i, element) = load(sums(i, element)) + x[r / V][r % V] * y[s / V][s % V];
          });
        });
        end_step();
      });
  }

  //! Stores `Rows` rows of thread i's part of the tile, from row `slice * Rows` on; `sums` begins
  //! with the first of them.
  template <reach Of, index Rows, class Matrices, class Place, class Slice, class Item, class Sums>
  MMM_HOST_DEVICE static constexpr void write(Matrices const& all, Place const& place,
                                              Slice const& slice, Item const& i, Sums sums) {
    constexpr index V = Tiles::words;
    index const pitch = all.layout.result_pitch(all.shape) / Words;
    index apart = 0;
    if constexpr (Layout::is_batched) apart = all.layout.all.result;
    auto top = place.row * Tiles::rows;
    auto side = place.column * (Tiles::columns / Words);
    auto thread_row = product_threads<Tiles>::row(i);
    auto thread_column = product_threads<Tiles>::column(i);
    unroll<Rows>([&](index r) {
      auto row = (thread_row + (slice * (Rows / V) + r / V) * Tiles::threads_down) * V + r % V;
      unroll<Tiles::thread_columns / Words>([&](index q) {
        auto column =
            (thread_column + q * Words / V * Tiles::threads_across) * (V / Words) + q % (V / Words);
        auto inside = top + row < all.shape.rows && side + column < all.shape.columns / Words;
        auto address =
            in_product<Layout, Words>(place.matrix, apart, (top + row) * pitch + side + column);
        // The factor alpha of packed matrices is 1. Without the multiplication the sums would be in
        // rows of registers, as the store needs them, and so in the same banks as the factors.
        auto const product = [&](index j) {
          return all.layout.alpha * load(sums(i, r * Tiles::thread_columns + q * Words + j));
        };
        if constexpr (Layout::has_beta) {
          auto const was = load_within < Of != reach::any > (inside, wide<Words>(all.c)[address]);
          store_within<Of != reach::any>(
              inside, wide<Words>(all.c)[address],
              make_vec<Words>([&](index j) { return product(j) + all.layout.beta * was[j]; }));
        } else {
          store_within<Of != reach::any>(inside, wide<Words>(all.c)[address],
                                         make_vec<Words>(product));
        }
      });
    });
  }
};

}  // namespace mmm::detail
MMM_BODIES_END
