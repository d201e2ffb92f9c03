// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/call/forms.hpp>
#include <mmm/algorithm/call/shapes.hpp>
#include <mmm/algorithm/product/product_forms.hpp>
#include <mmm/algorithm/product/product_tiles.hpp>
#include <mmm/algorithm/tile/tile_grid.hpp>
#include <mmm/algorithm/tile/whole_or_part.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/copy_async.hpp>
#include <mmm/execution/vec.hpp>
#include <mmm/machine/machine.hpp>

#include <type_traits>

//! The product c = a b of two row-major matrices on an HMM, with tiles of c in registers.
MMM_BODIES_BEGIN
namespace mmm {

//! The product with register tiles: tiles of c are assigned to the DMMs round-robin, first the
//! whole ones, then those at the borders. A thread holds its part of the tile in registers. `depth`
//! columns of a and rows of b at a time are in the shared memory, in two halves: while one half is
//! multiplied, the next columns and rows are copied from the global memory to the other one
//! (copy_async), so that one barrier in `depth` steps is enough. The factors of the last of these
//! steps are in registers before the barrier, and those of the next step are read while its
//! products are added up. The columns of a lie in the shared memory as rows. Borders are padded
//! with zeros. Needs `Tiles::threads` threads per DMM, others are idle, and `Tiles::shared_words`
//! words of shared memory. Exact time: docs/algorithms.md.
//! A `Layout` that is not packed gives the places of the matrices, the factor of the product and
//! that of the previous c; the products of a batch are assigned to the DMMs together.
template <class Tiles, index Words = Tiles::words, class Layout = detail::packed_product<float>>
struct register_product {
  static_assert(Words == 1 || Words == Tiles::words);
  static constexpr index words = Words;  //!< words in an access of the global memory
  //! threads of a block in a kernel: each thread has enough registers
  static constexpr index max_block_threads = Tiles::threads;
  static constexpr bool fills_blocks = true;
  static constexpr bool assigns_tiles = true;
  //! True if 128 registers per thread are enough.
  static constexpr bool few_registers =
      Layout::is_packed && Words > 1 && Tiles::thread_rows* Tiles::thread_columns <= 64;
  template <class Word>
  [[nodiscard]] static constexpr index blocks_side_by_side() {
    return few_registers && sizeof(Word) <= 4 ? detail::larger(1, 512 / Tiles::threads) : 1;
  }
  Layout layout{};

  template <class Machine, class Left, class Right, class Result>
  MMM_HOST_DEVICE constexpr void operator()(Machine& on, Left a, Right b, product_shape shape,
                                            Result c) const {
    regions(on, detail::placed_matrices<Left, Right, Result, Layout>{{a, b, c, shape}, layout});
  }
  //! The program for matrices that do not begin at multiples of V words, or whose rows do not.
  [[nodiscard]] constexpr register_product<Tiles, 1, Layout> by_words() const
  requires(Words > 1)
  {
    return {layout};
  }
  //! True if rows, and the matrices of a batch, begin at multiples of V words where the first one
  //! does.
  [[nodiscard]] constexpr bool has_whole_vecs(product_shape const& shape) const {
    index all = shape.columns | layout.result_pitch(shape);
    if (Layout::left_transposed) all |= shape.rows | layout.left_pitch(shape);
    if (!Layout::right_transposed) all |= layout.right_pitch(shape);
    if constexpr (Layout::is_batched) {
      all |= layout.all.result;
      if (Layout::left_transposed) all |= layout.all.left;
      if (!Layout::right_transposed) all |= layout.all.right;
    }
    return all % Tiles::words == 0;
  }

 private:
  //! The part of a tile and its factors that may be outside the matrices.
  enum class reach {
    nothing,
    last_steps,  //!< only the end of the factors' inner side
    any
  };
  //! The place of `address` in the matrix of a tile's product; matrices are `apart` words apart.
  template <index V, class Product, class Address>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr auto in_product(Product const& product,
                                                                 index apart,
                                                                 Address const& address) {
    if constexpr (Layout::is_batched)
      return product * (apart / V) + address;
    else
      return address;
  }

  template <class Machine, class Matrices>
  MMM_HOST_DEVICE static constexpr void regions(Machine& on, Matrices all) {
    constexpr index w = Machine::machine_type::width();
    static_assert(Tiles::rows % w == 0 && Tiles::columns % w == 0,
                  "mmm: tiles of whole rows of w words");
    detail::tile_grid<Layout::is_batched> const grid(all.shape.rows, all.shape.columns, Tiles::rows,
                                                     Tiles::columns, all.layout.count());
    // The whole tiles of a last, partial pass are assigned with those at the borders.
    index const first = grid.unguarded(on.dmms());
    bool const whole_steps = all.shape.inner % Tiles::depth == 0;
    if (whole_steps)
      on.each_tile(
          0, first,
          [=](auto& block, auto tile)
              MMM_INLINED { one_tile<reach::nothing>(block, all, grid.whole_place(tile)); },
          no_barrier);
    // A loop, since a kernel's code has a copy of each call. An estimate is quicker if no condition
    // depends on the tile; the accesses are the same.
    for (int k = whole_steps ? 1 : 0; k < 2; ++k)
      on.each_tile(
          k == 0 ? 0 : first, k == 0 ? first : grid.count - first,
          [=](auto& block, auto tile) MMM_INLINED {
            if constexpr (!std::is_same_v<decltype(tile), index>)
              if (k == 0) return one_tile<reach::last_steps>(block, all, grid.whole_place(tile));
            one_tile<reach::any>(block, all, grid.any_place(tile));
          },
          no_barrier);
  }

  //! Computes one tile by the threads of a DMM.
  template <reach Of, class Block, class Matrices, class Place>
  MMM_HOST_DEVICE static constexpr void one_tile(Block& block, Matrices const& all,
                                                 Place const& place) {
    using value = typename decltype(all.c)::value_type;
    using left_value = typename decltype(all.a)::value_type;
    using right_value = typename decltype(all.b)::value_type;
    auto left = block.template allocate<left_value>(2 * Tiles::left_words);
    auto right = block.template allocate<right_value>(2 * Tiles::right_words);
    auto sums = block.template registers<value, Tiles::thread_rows * Tiles::thread_columns>();
    index steps = detail::ceil_divide(all.shape.inner, Tiles::depth);
    if (steps > 0) {
      block.each(
          Tiles::threads,
          [=](auto i) MMM_INLINED {
            copy_left<Of>(all, place, index{0}, i, left);
            copy_right<Of>(all, place, index{0}, i, right);
          },
          no_barrier);
      block.commit_copies();
      block.template await_copies<0>();
    }
    block.repeat(steps - (steps > 0), [=, &block](auto step) MMM_INLINED {
      auto now = step % 2;
      auto next = (step + 1) % 2;
      block.each(
          Tiles::threads,
          [=](auto i) MMM_INLINED {
            copy_left<Of>(all, place, step + 1, i, left + next * Tiles::left_words);
            copy_right<Of>(all, place, step + 1, i, right + next * Tiles::right_words);
            multiply<Of == reach::nothing ? steps_at_once : few_steps>(
                left + now * Tiles::left_words, right + now * Tiles::right_words, i, sums);
          },
          no_barrier);
      block.commit_copies();
      block.template await_copies<0>();
    });
    block.each(Tiles::threads, [=](auto i) MMM_INLINED {
      index last = (steps + 1) % 2;
      if (steps > 0)
        multiply<few_steps>(left + last * Tiles::left_words, right + last * Tiles::right_words, i,
                            sums);
      write<Of>(all, place, i, sums);
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
      detail::copy_within<Of == reach::nothing>(
          inside<Of>(tile * Side + row < rows, step * Tiles::depth + column < columns),
          to[column * To + row],
          a[in_product<1>(product, apart,
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
      detail::copy_within<Of == reach::nothing>(
          inside<Of>(tile * across + column < columns / Words, step * Tiles::depth + row < rows),
          by_vecs(to)[row * (To / Words) + column],
          by_vecs(a)[in_product<Words>(
              product, apart,
              start + ((step * Tiles::depth + down_to<across>(k)) * (pitch / Words) +
                       right_to<across>(k)))]);
    });
  }

  //! Number of steps that are unrolled where only some of all steps are made: a kernel's code,
  //! which is mostly steps, would otherwise be several times as long.
  static constexpr index few_steps = detail::smaller(2, Tiles::depth);
  //! Number of steps that are unrolled where all are made: all.
  static constexpr index steps_at_once = Tiles::depth;

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

  template <reach Of, class Matrices, class Place, class Item, class Sums>
  MMM_HOST_DEVICE static constexpr void write(Matrices const& all, Place const& place,
                                              Item const& i, Sums sums) {
    constexpr index V = Tiles::words;
    index const pitch = all.layout.result_pitch(all.shape) / Words;
    index apart = 0;
    if constexpr (Layout::is_batched) apart = all.layout.all.result;
    auto top = place.row * Tiles::rows;
    auto side = place.column * (Tiles::columns / Words);
    auto thread_row = product_threads<Tiles>::row(i);
    auto thread_column = product_threads<Tiles>::column(i);
    unroll<Tiles::thread_rows>([&](index r) {
      auto row = (thread_row + r / V * Tiles::threads_down) * V + r % V;
      unroll<Tiles::thread_columns / Words>([&](index q) {
        auto column =
            (thread_column + q * Words / V * Tiles::threads_across) * (V / Words) + q % (V / Words);
        auto inside = top + row < all.shape.rows && side + column < all.shape.columns / Words;
        auto address = in_product<Words>(place.matrix, apart, (top + row) * pitch + side + column);
        // The factor alpha of packed matrices is 1. Without the multiplication the sums would be in
        // rows of registers, as the store needs them, and so in the same banks as the factors.
        auto const product = [&](index j) {
          return all.layout.alpha * load(sums(i, r * Tiles::thread_columns + q * Words + j));
        };
        if constexpr (Layout::has_beta) {
          auto const was =
              detail::load_within < Of != reach::any > (inside, wide<Words>(all.c)[address]);
          detail::store_within<Of != reach::any>(
              inside, wide<Words>(all.c)[address],
              make_vec<Words>([&](index j) { return product(j) + all.layout.beta * was[j]; }));
        } else {
          detail::store_within<Of != reach::any>(inside, wide<Words>(all.c)[address],
                                                 make_vec<Words>(product));
        }
      });
    });
  }
};

namespace detail {

//! The algorithm object behind mmm::matrix_multiply_in_registers.
template <class Tiles>
struct register_product_algorithm : product_call<register_product_algorithm<Tiles>> {
  static constexpr char const* name = "matrix-multiply-in-registers";
  static constexpr bool assigns_tiles = true;
  static constexpr char const* paper = "Nakano and Ito 2014, theorem 8, with tiles in registers";
  static constexpr machine_kinds kinds{.hmm = 2};

  struct problem : product_sizes {
    constexpr explicit problem(product_sizes const& sizes) : product_sizes(sizes) {}

    template <class On, class Left = no_data, class Right = no_data, class Out = no_data,
              class... Form>
    constexpr void run(On& on, Left a = {}, Right b = {}, Out c = {}, Form const&... form) const {
      using value = accumulated_t<typename named_accumulator<Form...>::type, first_of_t<Out>,
                                  first_of_t<Left>, first_of_t<Right>>;
      demand_threads_per_dmm(on, Tiles::threads);
      auto const start = [&](auto const& of_a, auto const& of_b, auto const& of_c) {
        return [&](auto by) { perform(on, by, of_a, of_b, shape, of_c); };
      };
      if constexpr (is_placed<Left, Right, Out, Form...>) {
        auto const layout = placed_product_of<value>(shape, a, b, c, form...);
        using program =
            register_product<Tiles, Tiles::words, std::remove_const_t<decltype(layout)>>;
        index const left_rows = layout.left_transposed ? shape.inner : shape.rows;
        index const right_rows = layout.right_transposed ? shape.columns : shape.inner;
        auto const of_a = reads<value>(
            first_of(a), extent(left_rows, layout.left_transposed ? shape.rows : shape.inner,
                                layout.left, layout.all.count, layout.all.left));
        auto const of_b = reads<value>(
            first_of(b), extent(right_rows, layout.right_transposed ? shape.inner : shape.columns,
                                layout.right, layout.all.count, layout.all.right));
        auto const of_c = updates<value>(
            first_of(c),
            extent(shape.rows, shape.columns, layout.result, layout.all.count, layout.all.result));
        reject_overlap(of_a, of_c);
        reject_overlap(of_b, of_c);
        program const by{layout};
        start_by_words(by, by.has_whole_vecs(shape), start(of_a, of_b, of_c));
      } else {
        register_product<Tiles, Tiles::words, packed_product<value>> const by{};
        start_by_words(
            by, by.has_whole_vecs(shape),
            start(reads<value>(a, left()), reads<value>(b, right()), writes<value>(c, result())));
      }
    }
    //! The bound for straightforward multiplications with parts of c of this size in the threads'
    //! registers: each factor is read from a shared memory once for a row or column of such a part.
    [[nodiscard]] constexpr bound lower_bound(auto const& m) const {
      constexpr index together = Tiles::thread_rows * Tiles::thread_columns;
      natural const words = work() * (Tiles::thread_rows + Tiles::thread_columns) / together;
      bound b = access_bound(m, (work() == 0 ? natural(0) : left() + right()) + result(),
                             Tiles::words * m.p);
      b.shared_bandwidth = words / (m.d * m.w);
      b.shared_latency = words * m.l / (m.p * Tiles::words);
      return b;
    }
    //! The bound for matrices padded to whole tiles, and tiles padded to whole passes of the DMMs:
    //! the words that are read and written, and a latency for each access of a thread.
    [[nodiscard]] constexpr natural upper_bound(auto const& m) const {
      bool const wide = shape.columns % Tiles::words == 0;
      index const at_once = (wide ? Tiles::words : 1) * Tiles::threads;  // words of an access
      natural const passes =
          shape.rows / natural(Tiles::rows) * (shape.columns / natural(Tiles::columns)) / m.d + 3;
      natural const steps = shape.inner / natural(Tiles::depth);
      constexpr index of_left = Tiles::rows * Tiles::depth;
      constexpr index of_right = Tiles::columns * Tiles::depth;
      constexpr index result = Tiles::rows * Tiles::columns;
      natural const read = of_left / smaller(m.w, Tiles::depth) + of_right / m.w;
      natural const accesses = of_left / Tiles::threads + of_right / natural(at_once);
      natural const global =
          steps * (m.d * read + accesses * m.L) + 2 * m.d * (result / m.w) + result / at_once * m.L;
      constexpr index factors = Tiles::depth * (Tiles::thread_rows + Tiles::thread_columns);
      natural const shared = factors * (Tiles::threads / m.w) + (2 * of_left + of_right) / m.w +
                             (factors / Tiles::words + accesses) * m.l;
      return passes * (global + steps * shared);
    }
  };

  //! Number of words of shared memory that a DMM needs.
  [[nodiscard]] static constexpr index shared_words() { return Tiles::shared_words; }

 private:
  template <class Read, class Written>
  static constexpr void reject_overlap(Read const& in, Written const& out) {
    overlap_check<decltype(in.in), decltype(out.out)>::reject(in.in, in.given, out.out, out.words);
  }
};

}  // namespace detail

//! The product of two row-major matrices on an HMM by tiles of 128 x 128 and 256 threads with 8 x 8
//! elements each, 16 columns and rows at a time:
//!   `mmm::matrix_multiply_in_registers(on, a, b, shape, c)`.
//! Factors may be mmm::matrix or mmm::transposed, and c a mmm::matrix, whose rows are further
//! apart; mmm::alpha, mmm::beta, mmm::batches and mmm::accumulate_in may follow c in any order. A
//! product with one of these does not change the words of c between its rows.
//! Errors: std::invalid_argument if `c` overlaps a factor or for fewer than 256 threads per DMM;
//! std::length_error if the shared memories are too small.
inline constexpr detail::register_product_algorithm<product_tiles<128, 128, 16, 8, 8>>
    matrix_multiply_in_registers{};

//! The product of mmm::matrix_multiply_in_registers by 128 threads with 16 x 8 elements each, for
//! elements of 4 bytes or less: fewer reads of the shared memory, and fewer warps to hide
//! latencies.
inline constexpr detail::register_product_algorithm<product_tiles<128, 128, 16, 16, 8>>
    matrix_multiply_in_more_registers{};

//! The product of mmm::matrix_multiply_in_registers by tiles of 64 x 64 and 128 threads with 8 x 4
//! elements each: for matrices that have fewer large tiles than the machine has DMMs.
inline constexpr detail::register_product_algorithm<product_tiles<64, 64, 16, 8, 4>>
    matrix_multiply_in_smaller_tiles{};

}  // namespace mmm
MMM_BODIES_END
