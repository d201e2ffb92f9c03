// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/call_forms.hpp>
#include <mmm/algorithm/whole_or_part.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/vec.hpp>
#include <mmm/machine/machine.hpp>

//! The product c = a b of two matrices, all row-major, on an HMM: tiles of c in registers.
MMM_BODIES_BEGIN
namespace mmm {

//! The tiles of a product: tiles of c of `rows x columns` for a DMM, of
//! `thread_rows x thread_columns` for each of its threads, `depth` columns of a and rows of b at a
//! time, V words in an access.
template <index Rows, index Columns, index Depth, index ThreadRows, index ThreadColumns,
          index V = 4>
struct product_tiles {
  static_assert(ThreadRows % V == 0 && ThreadColumns % V == 0 && Depth % V == 0);
  static_assert(Rows % ThreadRows == 0 && Columns % ThreadColumns == 0);
  static constexpr index rows = Rows;
  static constexpr index columns = Columns;
  static constexpr index depth = Depth;
  static constexpr index thread_rows = ThreadRows;
  static constexpr index thread_columns = ThreadColumns;
  static constexpr index words = V;
  static constexpr index threads_down = Rows / ThreadRows;
  static constexpr index threads_across = Columns / ThreadColumns;
  //! of a DMM that have something to do
  static constexpr index threads = threads_down * threads_across;
  static constexpr index left_words = Rows * Depth;
  static constexpr index right_words = Depth * Columns;
  static constexpr index shared_words = 2 * (left_words + right_words);
  static_assert(left_words % threads == 0 && right_words % threads == 0);
  static_assert(left_words / V % threads == 0 && right_words / V % threads == 0,
                "mmm: every thread copies as many vecs as the others");
};

//! The product with register tiles, by tiles of c assigned to the DMMs round-robin. A thread keeps
//! its part of the tile in registers. `depth` columns of a and rows of b at a time are in the
//! shared memory, twice: while one half is multiplied, the next columns and rows are on their way
//! from the global memory to the other, so that one barrier in `depth` steps is enough. The columns
//! of a lie there as rows, moved by an exclusive or, so that threads write and read them without
//! bank conflicts. Borders are filled up with zeros. Needs `Tiles::threads` threads per DMM, others
//! have nothing to do, and `Tiles::shared_words` words of shared memory. Exact time:
//! docs/algorithms.md.
template <class Tiles, index Words = Tiles::words>
struct register_product {
  static_assert(Words == 1 || Words == Tiles::words);
  static constexpr index words = Words;  //!< of the global memory in an access
  //! in a kernel, so that each thread has enough registers
  static constexpr index most_block_threads = Tiles::threads;
  //! 128 registers for a thread, where they are enough
  static constexpr index blocks_side_by_side = Words > 1 &&
                                                       Tiles::thread_rows* Tiles::thread_columns <=
                                                           64
                                                   ? detail::larger(1, 512 / Tiles::threads)
                                                   : 1;

  template <class Machine, class Left, class Right, class Result>
  MMM_HOST_DEVICE constexpr void operator()(Machine& on, Left a, Right b, product_shape shape,
                                            Result c) const {
    regions(on, detail::product_matrices<Left, Right, Result>{a, b, c, shape});
  }
  //! The program for matrices that do not begin at multiples of V words, or whose rows do not.
  [[nodiscard]] static constexpr register_product<Tiles, 1> by_words()
  requires(Words > 1)
  {
    return {};
  }

 private:
  //! Tiles of c, so many rows and columns of each within the matrix.
  struct region {
    index top;
    index left;
    index down;
    index across;
    index rows;
    index columns;
  };

  template <class Machine, class Matrices>
  MMM_HOST_DEVICE static constexpr void regions(Machine& on, Matrices all) {
    constexpr index w = Machine::machine_type::width;
    static_assert(Tiles::rows % w == 0 && Tiles::columns % w == 0,
                  "mmm: tiles of whole rows of w words");
    index const down = all.shape.rows / Tiles::rows;
    index const across = all.shape.columns / Tiles::columns;
    index const top = down * Tiles::rows;
    index const left = across * Tiles::columns;
    index const rows = all.shape.rows - top;
    index const columns = all.shape.columns - left;
    bool const whole = all.shape.inner % Tiles::depth == 0;
    if (whole) tiles<true>(on, all, {0, 0, down, across, Tiles::rows, Tiles::columns});
    // The others in a loop, as a kernel's code has a copy of what is called here.
    for (int k = whole ? 1 : 0; k < 4; ++k) {
      bool const bottom = k >= 2;
      bool const right = k % 2 == 1;
      region const part{bottom ? top : 0,
                        right ? left : 0,
                        bottom ? 1 : down,
                        right ? 1 : across,
                        bottom ? rows : Tiles::rows,
                        right ? columns : Tiles::columns};
      if (part.rows > 0 && part.columns > 0) tiles<false>(on, all, part);
    }
  }

  template <bool Whole, class Machine, class Matrices>
  MMM_HOST_DEVICE static constexpr void tiles(Machine& on, Matrices all, region part) {
    using value = typename decltype(all.c)::value_type;
    auto const body = [=](auto& block, auto tile) {
      auto left =
          block.template allocate<typename decltype(all.a)::value_type>(2 * Tiles::left_words);
      auto right =
          block.template allocate<typename decltype(all.b)::value_type>(2 * Tiles::right_words);
      auto sums = block.template registers<value, Tiles::thread_rows * Tiles::thread_columns>();
      auto top = tile / part.across * Tiles::rows;
      auto side = tile % part.across * (Tiles::columns / Words);
      index steps = detail::ceil_divide(all.shape.inner, Tiles::depth);
      block.each(
          Tiles::threads,
          [=](auto i) {
            unroll<Tiles::thread_rows * Tiles::thread_columns>(
                [&](index k) { sums(i, k) = value{}; });
          },
          no_barrier);
      if (steps > 0)
        block.each(Tiles::threads, [=](auto i) {
          auto x = left_words<Whole>(all, part, top, index{0}, i);
          auto y = right_words<Whole>(all, part, side, index{0}, i);
          keep_left<Machine::machine_type::width>(left, i, x);
          keep_right(right, i, y);
        });
      block.repeat(steps - (steps > 0), [=, &block](auto step) {
        block.each(Tiles::threads, [=](auto i) {
          auto x = left_words<Whole>(all, part, top, step + 1, i);
          auto y = right_words<Whole>(all, part, side, step + 1, i);
          multiply<Machine::machine_type::width>(left + step % 2 * Tiles::left_words,
                                                 right + step % 2 * Tiles::right_words, i, sums);
          keep_left<Machine::machine_type::width>(left + (step + 1) % 2 * Tiles::left_words, i, x);
          keep_right(right + (step + 1) % 2 * Tiles::right_words, i, y);
        });
      });
      block.each(Tiles::threads, [=](auto i) {
        index last = (steps + 1) % 2;
        if (steps > 0)
          multiply<Machine::machine_type::width>(left + last * Tiles::left_words,
                                                 right + last * Tiles::right_words, i, sums);
        write<Whole>(all, part, top, side, i, sums);
      });
    };
    on.each_tile(0, part.down * part.across, body, no_barrier);
  }

  //! The words of `depth` columns of a that thread i copies.
  template <bool Whole, class Matrices, class Top, class Step, class Item>
  MMM_HOST_DEVICE static constexpr auto left_words(Matrices const& all, region const& part,
                                                   Top const& top, Step const& step,
                                                   Item const& i) {
    constexpr index across = Tiles::depth / Words;
    index const pitch = all.shape.inner / Words;
    return make_vec<Tiles::left_words / Words / Tiles::threads>([&](index k) {
      auto row = (i + k * Tiles::threads) / across;
      auto column = step * across + (i + k * Tiles::threads) % across;
      return detail::load_within<Whole>(
          row < part.rows && column < pitch,
          wide<Words>(all.a)[(part.top + top + row) * pitch + column]);
    });
  }
  //! The words of `depth` rows of b that thread i copies, `side` accesses from the left of the
  //! region.
  template <bool Whole, class Matrices, class Side, class Step, class Item>
  MMM_HOST_DEVICE static constexpr auto right_words(Matrices const& all, region const& part,
                                                    Side const& side, Step const& step,
                                                    Item const& i) {
    constexpr index across = Tiles::columns / Words;
    index const pitch = all.shape.columns / Words;
    return make_vec<Tiles::right_words / Words / Tiles::threads>([&](index k) {
      auto row = step * Tiles::depth + (i + k * Tiles::threads) / across;
      auto column = (i + k * Tiles::threads) % across;
      return detail::load_within<Whole>(
          row < all.shape.inner && column < part.columns / Words,
          wide<Words>(all.b)[row * pitch + part.left / Words + side + column]);
    });
  }

  //! The place of vec `vec` of a's column k, k being one of the V columns number `columns`, in a
  //! row of the shared memory. Threads that copy a row's vecs side by side would meet in few banks;
  //! moved by the vec's number, they take all of them.
  template <index Width, class Vec, class Columns>
  MMM_HOST_DEVICE static constexpr auto moved(Vec const& vec, Columns const& columns) {
    constexpr index slots = Width / Tiles::words;
    constexpr index across = Tiles::depth / Tiles::words;
    constexpr index apart = slots > across && slots % across == 0 ? slots / across : 1;
    return vec ^ (columns * apart % slots);
  }

  template <index Width, class Shared, class Item, class Copies>
  MMM_HOST_DEVICE static constexpr void keep_left(Shared left, Item const& i, Copies const& x) {
    constexpr index V = Tiles::words;
    constexpr index across = Tiles::depth / Words;
    unroll<Copies::words>([&](index k) {
      auto row = (i + k * Tiles::threads) / across;
      auto column = (i + k * Tiles::threads) % across;
      unroll<Words>([&](index j) {
        left[(column * Words + j) * Tiles::rows + moved<Width>(row / V, column / (V / Words)) * V +
             row % V] = x[k][j];
      });
    });
  }
  template <class Shared, class Item, class Copies>
  MMM_HOST_DEVICE static constexpr void keep_right(Shared right, Item const& i, Copies const& y) {
    unroll<Copies::words>([&](index k) { wide<Words>(right)[i + k * Tiles::threads] = y[k]; });
  }

  //! Adds the product of what is in the shared memory to a thread's part of the tile.
  template <index Width, class Left, class Right, class Item, class Sums>
  MMM_HOST_DEVICE static constexpr void multiply(Left left, Right right, Item const& i, Sums sums) {
    constexpr index V = Tiles::words;
    auto row = i / Tiles::threads_across;
    auto column = i % Tiles::threads_across;
    unroll<Tiles::depth>([&](index k) {
      auto x = make_vec<Tiles::thread_rows / V>([&](index q) {
        return load(wide<V>(
            left)[k * (Tiles::rows / V) + moved<Width>(row + q * Tiles::threads_down, k / V)]);
      });
      auto y = make_vec<Tiles::thread_columns / V>([&](index q) {
        return load(wide<V>(right)[k * (Tiles::columns / V) + q * Tiles::threads_across + column]);
      });
      unroll<Tiles::thread_rows>([&](index r) {
        unroll<Tiles::thread_columns>([&](index s) {
          index at = r * Tiles::thread_columns + s;
          sums(i, at) = load(sums(i, at)) + x[r / V][r % V] * y[s / V][s % V];
        });
      });
    });
  }

  template <bool Whole, class Matrices, class Top, class Side, class Item, class Sums>
  MMM_HOST_DEVICE static constexpr void write(Matrices const& all, region const& part,
                                              Top const& top, Side const& side, Item const& i,
                                              Sums sums) {
    constexpr index V = Tiles::words;
    index const pitch = all.shape.columns / Words;
    auto thread_row = i / Tiles::threads_across;
    auto thread_column = i % Tiles::threads_across;
    unroll<Tiles::thread_rows>([&](index r) {
      auto row = (thread_row + r / V * Tiles::threads_down) * V + r % V;
      unroll<Tiles::thread_columns / Words>([&](index q) {
        auto column =
            (thread_column + q * Words / V * Tiles::threads_across) * (V / Words) + q % (V / Words);
        detail::store_within<Whole>(
            row < part.rows && column < part.columns / Words,
            wide<Words>(all.c)[(part.top + top + row) * pitch + part.left / Words + side + column],
            make_vec<Words>(
                [&](index j) { return load(sums(i, r * Tiles::thread_columns + q * Words + j)); }));
      });
    });
  }
};

namespace detail {

//! The algorithm object behind mmm::matrix_multiply_in_registers.
template <class Tiles>
struct register_product_algorithm : product_call<register_product_algorithm<Tiles>> {
  static constexpr char const* name = "matrix-multiply-in-registers";
  static constexpr char const* paper = "Nakano and Ito 2014, theorem 8, with tiles in registers";
  static constexpr machine_kinds kinds{.hmm = 2};

  struct problem : product_sizes {
    constexpr explicit problem(product_sizes const& sizes) : product_sizes(sizes) {}

    template <class On, class Left = no_data, class Right = no_data, class Out = no_data,
              class... Form>
    constexpr void run(On& on, Left a = {}, Right b = {}, Out c = {}, Form const&...) const {
      using value = accumulated_t<typename named_accumulator<Form...>::type, Out, Left, Right>;
      demand_threads_per_dmm(on, Tiles::threads);
      using program = register_product<Tiles>;
      auto const start = [&](auto by) {
        perform(on, by, reads<value>(a, left()), reads<value>(b, right()), shape,
                writes<value>(c, result()));
      };
      start_by_words<program>(
          shape.inner % program::words == 0 && shape.columns % program::words == 0, start);
    }
    //! For straightforward multiplications by parts of c of this size in the threads' registers:
    //! each factor is read from a shared memory once for a row or column of such a part.
    [[nodiscard]] constexpr bound lower_bound(machine_terms const& m) const {
      constexpr index together = Tiles::thread_rows * Tiles::thread_columns;
      natural const words = work() * (Tiles::thread_rows + Tiles::thread_columns) / together;
      bound b = access_bound(m, (work() == 0 ? natural(0) : left() + right()) + result(),
                             Tiles::words * m.p);
      b.shared_bandwidth = words / (m.d * m.w);
      b.shared_latency = words * m.l / (m.p * Tiles::words);
      return b;
    }
    //! The time for matrices filled up to whole tiles, and for tiles filled up to whole passes of
    //! the DMMs: the words that are read and written, and a latency for each access of a thread.
    [[nodiscard]] constexpr natural upper_bound(machine_terms const& m) const {
      bool const wide = shape.inner % Tiles::words == 0 && shape.columns % Tiles::words == 0;
      index const at_once = (wide ? Tiles::words : 1) * Tiles::threads;  // words of an access
      natural const passes =
          shape.rows / natural(Tiles::rows) * (shape.columns / natural(Tiles::columns)) / m.d + 3;
      natural const steps = shape.inner / natural(Tiles::depth);
      constexpr index copied = Tiles::left_words + Tiles::right_words;
      constexpr index result = Tiles::rows * Tiles::columns;
      natural const read =
          Tiles::left_words / smaller(m.w, Tiles::depth) + Tiles::right_words / m.w;
      natural const global = steps * (m.d * read + copied / at_once * m.L) + m.d * (result / m.w) +
                             result / at_once * m.L;
      constexpr index factors = Tiles::depth * (Tiles::thread_rows + Tiles::thread_columns);
      natural const shared = factors * (Tiles::threads / m.w) + copied / m.w +
                             (factors / Tiles::words + copied / Tiles::threads) * m.l;
      return passes * (global + steps * shared);
    }
  };

  //! Words of shared memory that a DMM needs.
  [[nodiscard]] static constexpr index shared_words() { return Tiles::shared_words; }
};

}  // namespace detail

//! The product of two row-major matrices on an HMM by tiles of 128 x 128, 256 threads with 8 x 8
//! elements each, 16 columns and rows at a time:
//!   `mmm::matrix_multiply_in_registers(on, a, b, shape, c)`.
//! Errors: std::invalid_argument if `c` overlaps a factor or for fewer than 256 threads per DMM;
//! std::length_error if the shared memories are too small.
inline constexpr detail::register_product_algorithm<product_tiles<128, 128, 16, 8, 8>>
    matrix_multiply_in_registers{};

}  // namespace mmm
MMM_BODIES_END
