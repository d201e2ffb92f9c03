// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/call/forms.hpp>
#include <mmm/algorithm/call/shapes.hpp>
#include <mmm/algorithm/product/product_forms.hpp>
#include <mmm/algorithm/product/product_in_parts.hpp>
#include <mmm/algorithm/product/product_tile.hpp>
#include <mmm/algorithm/product/product_tiles.hpp>
#include <mmm/algorithm/product/staged_steps.hpp>
#include <mmm/algorithm/tile/whole_or_part.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/machine/machine.hpp>

#include <type_traits>

//! The product c = a b of two row-major matrices on an HMM, with tiles of c in registers.
MMM_BODIES_BEGIN
namespace mmm {

//! The product with register tiles: tiles of c are assigned to the DMMs round-robin, first the
//! whole ones, then those at the borders. A thread holds its part of the tile in registers. `depth`
//! columns of a and rows of b at a time are in the shared memory, in `stages` buffers: while one is
//! multiplied, the next columns and rows are copied from the global memory to the others
//! (copy_async), so that one barrier in `depth` steps is enough. The columns of a lie in the shared
//! memory as rows. Borders are padded with zeros. Needs `Tiles::threads` threads per DMM,
//! others are idle, and `Tiles::shared_words`
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
  template <class Word>
  [[nodiscard]] static constexpr index blocks_side_by_side() {
    return detail::product_tile<Tiles, Words, Layout>::template blocks_side_by_side<Word>();
  }
  Layout layout{};

  template <class Machine, class Left, class Right, class Result>
  MMM_HOST_DEVICE constexpr void operator()(Machine& on, Left a, Right b, product_shape shape,
                                            Result c) const {
    detail::each_product_tile<detail::product_tile<Tiles, Words, Layout>>(
        on, detail::placed_matrices<Left, Right, Result, Layout>{{a, b, c, shape}, layout});
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
};

namespace detail {

//! The algorithm object behind mmm::matrix_multiply_in_registers.
//! \tparam InParts true for a product whose inner side is in parts where a tile has several DMMs
template <class Tiles, bool InParts = false>
struct register_product_algorithm : product_call<register_product_algorithm<Tiles, InParts>> {
  static constexpr char const* name =
      InParts ? "matrix-multiply-in-parts" : "matrix-multiply-in-registers";
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
      auto const start = [&](auto const& layout, auto const& of_a, auto const& of_b,
                             auto const& of_c) {
        using used_layout = std::remove_cvref_t<decltype(layout)>;
        register_product<Tiles, Tiles::words, used_layout> const by{layout};
        auto const with = [&](auto program) { perform(on, program, of_a, of_b, shape, of_c); };
        if constexpr (InParts)
          if (auto const parts = parts_for(on.machine().dmms(), layout.count()); parts.count > 1)
            return start_by_words(product_in_parts<Tiles, Tiles::words, used_layout>{layout, parts},
                                  by.has_whole_vecs(shape), with);
        start_by_words(by, by.has_whole_vecs(shape), with);
      };
      if constexpr (is_placed<Left, Right, Out, Form...>) {
        auto const layout = placed_product_of<value>(shape, a, b, c, form...);
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
        start(layout, of_a, of_b, of_c);
      } else {
        start(packed_product<value>{}, reads<value>(a, left()), reads<value>(b, right()),
              writes<value>(c, result()));
      }
    }
    //! The parts of the inner side on a machine with so many DMMs.
    [[nodiscard]] constexpr product_parts parts_for(index dmms, index products) const {
      index const tiles =
          checked_multiply(products, checked_multiply(ceil_divide(shape.rows, Tiles::rows),
                                                      ceil_divide(shape.columns, Tiles::columns)));
      return {dmms, tiles, ceil_divide(shape.inner, Tiles::depth)};
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
      // the sums of parts: each DMM writes a tile of them, and reads one from all parts
      natural const of_parts(InParts ? 1 : 0);
      natural const added = of_parts * (2 * m.d * (result / m.w) +
                                        2 * product_parts::max_count * (result / at_once) * m.L);
      return passes * (global + added + steps * shared);
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

//! The product of mmm::matrix_multiply_in_registers by tiles of 256 x 128 and 256 threads with 16 x
//! 8 elements each, 8 columns and rows at a time, of which three groups are copied while one is
//! multiplied: for large matrices of elements of 4 bytes or less.
inline constexpr detail::register_product_algorithm<product_tiles<256, 128, 8, 16, 8, 4, 4>>
    matrix_multiply_in_larger_tiles{};

//! The product of mmm::matrix_multiply_in_smaller_tiles for matrices that have fewer tiles than the
//! machine has DMMs: the inner side is divided into as many parts as a tile has DMMs, 16 at most,
//! and the sums of the parts are added in their order. c may not be rounded as by one sum, but
//! equal calls have equal results.
inline constexpr detail::register_product_algorithm<product_tiles<64, 64, 16, 8, 4>, true>
    matrix_multiply_in_parts{};

//! The product of mmm::matrix_multiply_in_parts with the tiles of
//! mmm::matrix_multiply_in_more_registers.
inline constexpr detail::register_product_algorithm<product_tiles<128, 128, 16, 16, 8>, true>
    matrix_multiply_in_larger_parts{};

}  // namespace mmm
MMM_BODIES_END
