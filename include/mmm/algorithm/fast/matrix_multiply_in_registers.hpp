// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/call_forms.hpp>
#include <mmm/algorithm/fast/product_tiles.hpp>
#include <mmm/algorithm/product_forms.hpp>
#include <mmm/algorithm/shapes.hpp>
#include <mmm/algorithm/whole_or_part.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/vec.hpp>
#include <mmm/machine/machine.hpp>

#include <type_traits>

//! The product c = a b of two matrices, all row-major, on an HMM: tiles of c in registers.
MMM_BODIES_BEGIN
namespace mmm {

//! The product with register tiles, by tiles of c assigned to the DMMs round-robin. A thread keeps
//! its part of the tile in registers. `depth` columns of a and rows of b at a time are in the
//! shared memory, twice: while one half is multiplied, the next columns and rows are on their way
//! from the global memory to the other, so that one barrier in `depth` steps is enough. The columns
//! of a lie there as rows, moved by an exclusive or, so that threads write and read them without
//! bank conflicts. Borders are filled up with zeros. Needs `Tiles::threads` threads per DMM, others
//! have nothing to do, and `Tiles::shared_words` words of shared memory. Exact time:
//! docs/algorithms.md.
//! A `Layout` that is not packed says where the matrices are, what the product is multiplied by and
//! what c was; the products of a batch are dealt to the DMMs together.
template <class Tiles, index Words = Tiles::words, class Layout = detail::packed_product>
struct register_product {
  static_assert(Words == 1 || Words == Tiles::words);
  static constexpr index words = Words;  //!< of the global memory in an access
  //! in a kernel, so that each thread has enough registers
  static constexpr index most_block_threads = Tiles::threads;
  //! 128 registers for a thread, where they are enough
  static constexpr bool few_registers =
      Layout::is_packed && Words > 1 && Tiles::thread_rows* Tiles::thread_columns <= 64;
  static constexpr index blocks_side_by_side =
      few_registers ? detail::larger(1, 512 / Tiles::threads) : 1;
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
    index all = shape.columns | layout.left_pitch(shape) | layout.right_pitch(shape) |
                layout.result_pitch(shape);
    if (Layout::left_transposed) all |= shape.rows;
    if (!Layout::left_transposed || Layout::right_transposed) all |= shape.inner;
    if constexpr (Layout::is_batched) all |= layout.all.left | layout.all.right | layout.all.result;
    return all % Tiles::words == 0;
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
  //! A tile of a region: its row and column among the tiles, and where the matrices of its product
  //! begin, in accesses.
  template <class Row, class Column, class Product>
  struct place {
    Row row;
    Column column;
    Product product;
  };
  struct only_product {};
  template <class Tile>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr auto place_of(region const& part,
                                                               Tile const& tile) {
    if constexpr (Layout::is_batched) {
      index const count = part.down * part.across;
      auto row = tile % count / part.across;
      auto column = tile % count % part.across;
      auto product = tile / count;
      return place<decltype(row), decltype(column), decltype(product)>{row, column, product};
    } else {
      auto row = tile / part.across;
      auto column = tile % part.across;
      return place<decltype(row), decltype(column), only_product>{row, column, {}};
    }
  }
  //! `address` in the matrix of a tile's product, of which one is `apart` words after the other.
  template <class Product, class Address>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr auto in_product(Product const& product,
                                                                 index apart,
                                                                 Address const& address) {
    if constexpr (Layout::is_batched)
      return product * (apart / Words) + address;
    else
      return address;
  }

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
    constexpr index w = Machine::machine_type::width;
    auto const body = [=](auto& block, auto tile) {
      auto left =
          block.template allocate<typename decltype(all.a)::value_type>(2 * Tiles::left_words);
      auto right =
          block.template allocate<typename decltype(all.b)::value_type>(2 * Tiles::right_words);
      auto sums = block.template registers<value, Tiles::thread_rows * Tiles::thread_columns>();
      auto at = place_of(part, tile);
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
          auto x = left_words<Whole>(all, part, at, index{0}, i);
          auto y = right_words<Whole>(all, part, at, index{0}, i);
          keep_left<w>(left, i, x);
          keep_right<w>(right, i, y);
        });
      block.repeat(steps - (steps > 0), [=, &block](auto step) {
        block.each(Tiles::threads, [=](auto i) {
          auto x = left_words<Whole>(all, part, at, step + 1, i);
          auto y = right_words<Whole>(all, part, at, step + 1, i);
          multiply<w>(left + step % 2 * Tiles::left_words, right + step % 2 * Tiles::right_words, i,
                      sums);
          keep_left<w>(left + (step + 1) % 2 * Tiles::left_words, i, x);
          keep_right<w>(right + (step + 1) % 2 * Tiles::right_words, i, y);
        });
      });
      block.each(Tiles::threads, [=](auto i) {
        index last = (steps + 1) % 2;
        if (steps > 0)
          multiply<w>(left + last * Tiles::left_words, right + last * Tiles::right_words, i, sums);
        write<Whole>(all, part, at, i, sums);
      });
    };
    on.each_tile(0, part.down * part.across * all.layout.count(), body, no_barrier);
  }

  //! The words that thread i copies of `depth` columns of a from column `step depth` on.
  template <bool Whole, class Matrices, class Place, class Step, class Item>
  MMM_HOST_DEVICE static constexpr auto left_words(Matrices const& all, region const& part,
                                                   Place const& at, Step const& step,
                                                   Item const& i) {
    index const pitch = all.layout.left_pitch(all.shape) / Words;
    index apart = 0;
    if constexpr (Layout::is_batched) apart = all.layout.all.left;
    return make_vec<Tiles::left_words / Words / Tiles::threads>([&](index k) {
      auto const number = i + k * Tiles::threads;
      if constexpr (Layout::left_transposed)
        return rows_of_words<Whole, Tiles::rows>(all.a, all.shape.inner, part.rows / Words, pitch,
                                                 apart, at.product, part.top / Words, at.row, step,
                                                 number);
      else
        return columns_of_words<Whole, Tiles::rows>(all.a, part.rows, all.shape.inner / Words,
                                                    pitch, apart, at.product, part.top, at.row,
                                                    step, number);
    });
  }
  //! The same of `depth` rows of b.
  template <bool Whole, class Matrices, class Place, class Step, class Item>
  MMM_HOST_DEVICE static constexpr auto right_words(Matrices const& all, region const& part,
                                                    Place const& at, Step const& step,
                                                    Item const& i) {
    index const pitch = all.layout.right_pitch(all.shape) / Words;
    index apart = 0;
    if constexpr (Layout::is_batched) apart = all.layout.all.right;
    return make_vec<Tiles::right_words / Words / Tiles::threads>([&](index k) {
      auto const number = i + k * Tiles::threads;
      if constexpr (Layout::right_transposed)
        return columns_of_words<Whole, Tiles::columns>(all.b, part.columns, all.shape.inner / Words,
                                                       pitch, apart, at.product, part.left,
                                                       at.column, step, number);
      else
        return rows_of_words<Whole, Tiles::columns>(all.b, all.shape.inner, part.columns / Words,
                                                    pitch, apart, at.product, part.left / Words,
                                                    at.column, step, number);
    });
  }
  //! Access `number` of a tile of `Side` rows and `depth` columns, of which `rows` and, in
  //! accesses, `columns` in all are within the matrix.
  template <bool Whole, index Side, class Array, class Product, class Tile, class Step, class Item>
  MMM_HOST_DEVICE static constexpr auto columns_of_words(Array const& a, index rows, index columns,
                                                         index pitch, index apart,
                                                         Product const& product, index first,
                                                         Tile const& tile, Step const& step,
                                                         Item const& number) {
    constexpr index across = Tiles::depth / Words;
    auto row = number / across;
    auto column = step * across + number % across;
    return detail::load_within<Whole>(
        row < rows && column < columns,
        wide<Words>(a)[in_product(product, apart, (first + tile * Side + row) * pitch + column)]);
  }
  //! Access `number` of a tile of `depth` rows and `Side` columns.
  template <bool Whole, index Side, class Array, class Product, class Tile, class Step, class Item>
  MMM_HOST_DEVICE static constexpr auto rows_of_words(Array const& a, index rows, index columns,
                                                      index pitch, index apart,
                                                      Product const& product, index first,
                                                      Tile const& tile, Step const& step,
                                                      Item const& number) {
    constexpr index across = Side / Words;
    auto row = step * Tiles::depth + number / across;
    auto column = number % across;
    return detail::load_within<Whole>(
        row < rows && column < columns,
        wide<Words>(a)[in_product(product, apart, row * pitch + first + tile * across + column)]);
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
    if constexpr (Layout::left_transposed)
      keep_rows<Width, Tiles::rows, true>(left, i, x);
    else
      keep_columns<Width, Tiles::rows>(left, i, x);
  }
  template <index Width, class Shared, class Item, class Copies>
  MMM_HOST_DEVICE static constexpr void keep_right(Shared right, Item const& i, Copies const& y) {
    if constexpr (Layout::right_transposed)
      keep_columns<Width, Tiles::columns>(right, i, y);
    else
      keep_rows<Width, Tiles::columns, false>(right, i, y);
  }
  //! Columns become rows of `Side` words.
  template <index Width, index Side, class Shared, class Item, class Copies>
  MMM_HOST_DEVICE static constexpr void keep_columns(Shared to, Item const& i, Copies const& x) {
    constexpr index V = Tiles::words;
    constexpr index across = Tiles::depth / Words;
    unroll<Copies::words>([&](index k) {
      auto row = (i + k * Tiles::threads) / across;
      auto column = (i + k * Tiles::threads) % across;
      unroll<Words>([&](index j) {
        to[(column * Words + j) * Side + moved<Width>(row / V, column / (V / Words)) * V +
           row % V] = x[k][j];
      });
    });
  }
  //! Rows stay rows; if `Moved`, as keep_columns leaves them.
  template <index Width, index Side, bool Moved, class Shared, class Item, class Copies>
  MMM_HOST_DEVICE static constexpr void keep_rows(Shared to, Item const& i, Copies const& x) {
    constexpr index V = Tiles::words;
    constexpr index parts = V / Words;
    unroll<Copies::words>([&](index k) {
      auto number = i + k * Tiles::threads;
      if constexpr (Moved) {
        auto row = number / (Side / Words);
        auto column = number % (Side / Words);
        wide<Words>(to)[(row * (Side / V) + moved<Width>(column / parts, row / V)) * parts +
                        column % parts] = x[k];
      } else {
        wide<Words>(to)[number] = x[k];
      }
    });
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
        constexpr index pitch = Tiles::columns / V;
        if constexpr (Layout::right_transposed)
          return load(
              wide<V>(right)[k * pitch + moved<Width>(q * Tiles::threads_across + column, k / V)]);
        else
          return load(wide<V>(right)[k * pitch + q * Tiles::threads_across + column]);
      });
      unroll<Tiles::thread_rows>([&](index r) {
        unroll<Tiles::thread_columns>([&](index s) {
          index at = r * Tiles::thread_columns + s;
          sums(i, at) = load(sums(i, at)) + x[r / V][r % V] * y[s / V][s % V];
        });
      });
    });
  }

  template <bool Whole, class Matrices, class Place, class Item, class Sums>
  MMM_HOST_DEVICE static constexpr void write(Matrices const& all, region const& part,
                                              Place const& at, Item const& i, Sums sums) {
    constexpr index V = Tiles::words;
    index const pitch = all.layout.result_pitch(all.shape) / Words;
    index apart = 0;
    if constexpr (Layout::is_batched) apart = all.layout.all.result;
    auto top = at.row * Tiles::rows;
    auto side = at.column * (Tiles::columns / Words);
    auto thread_row = i / Tiles::threads_across;
    auto thread_column = i % Tiles::threads_across;
    unroll<Tiles::thread_rows>([&](index r) {
      auto row = (thread_row + r / V * Tiles::threads_down) * V + r % V;
      unroll<Tiles::thread_columns / Words>([&](index q) {
        auto column =
            (thread_column + q * Words / V * Tiles::threads_across) * (V / Words) + q % (V / Words);
        auto inside = row < part.rows && column < part.columns / Words;
        auto address = in_product(
            at.product, apart, (part.top + top + row) * pitch + part.left / Words + side + column);
        auto const product = [&](index j) {
          return load(sums(i, r * Tiles::thread_columns + q * Words + j));
        };
        if constexpr (Layout::is_packed) {
          detail::store_within<Whole>(inside, wide<Words>(all.c)[address],
                                      make_vec<Words>(product));
        } else if constexpr (Layout::has_beta) {
          auto const was = detail::load_within<Whole>(inside, wide<Words>(all.c)[address]);
          detail::store_within<Whole>(
              inside, wide<Words>(all.c)[address], make_vec<Words>([&](index j) {
                return all.layout.alpha * product(j) + all.layout.beta * was[j];
              }));
        } else {
          detail::store_within<Whole>(
              inside, wide<Words>(all.c)[address],
              make_vec<Words>([&](index j) { return all.layout.alpha * product(j); }));
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
        register_product<Tiles> const by{};
        start_by_words(
            by, by.has_whole_vecs(shape),
            start(reads<value>(a, left()), reads<value>(b, right()), writes<value>(c, result())));
      }
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

 private:
  template <class Read, class Written>
  static constexpr void reject_overlap(Read const& in, Written const& out) {
    overlap_check<decltype(in.in), decltype(out.out)>::reject(in.in, in.given, out.out, out.words);
  }
};

}  // namespace detail

//! The product of two row-major matrices on an HMM by tiles of 128 x 128, 256 threads with 8 x 8
//! elements each, 16 columns and rows at a time:
//!   `mmm::matrix_multiply_in_registers(on, a, b, shape, c)`.
//! Factors may be mmm::matrix or mmm::transposed, and c a mmm::matrix, whose rows are further
//! apart; mmm::alpha, mmm::beta, mmm::batches and mmm::accumulate_in may follow c in any order. A
//! product with one of these leaves the words of c between its rows as they are.
//! Errors: std::invalid_argument if `c` overlaps a factor or for fewer than 256 threads per DMM;
//! std::length_error if the shared memories are too small.
inline constexpr detail::register_product_algorithm<product_tiles<128, 128, 16, 8, 8>>
    matrix_multiply_in_registers{};

}  // namespace mmm
MMM_BODIES_END
