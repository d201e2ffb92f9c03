// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/bound.hpp>
#include <mmm/algorithm/matrix_multiply.hpp>
#include <mmm/algorithm/overlap.hpp>
#include <mmm/algorithm/problem.hpp>
#include <mmm/algorithm/whole_or_part.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/execution/vec.hpp>
#include <mmm/machine/machine.hpp>

#include <iterator>

//! The product c = a b of two matrices, all row-major, on an HMM: tiles of c in registers.
MMM_BODIES_BEGIN
namespace mmm {

//! How a product is cut: tiles of c of `rows x columns` for a DMM, of
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

//! The product with register tiles, by tiles of c dealt to the DMMs in turn. A thread keeps its
//! part of the tile in registers. `depth` columns of a and rows of b at a time are in the shared
//! memory, twice: while one half is multiplied, the next columns and rows are on their way from the
//! global memory to the other, so that one barrier in `depth` steps is enough. The columns of a lie
//! there as rows, moved by an exclusive or, so that threads write and read them without bank
//! conflicts. Borders are filled up with zeros. Needs `Tiles::threads` threads per DMM, others have
//! nothing to do, and `Tiles::shared_words` words of shared memory. Exact time: docs/algorithms.md.
template <class Tiles>
struct register_product {
  //! in a kernel, for registers enough
  static constexpr index most_block_threads = Tiles::threads;

  template <class Machine, class Left, class Right, class Result>
  MMM_HOST_DEVICE constexpr void operator()(Machine& on, Left a, Right b, product_shape shape,
                                            Result c) const {
    if (shape.inner % Tiles::words == 0 && shape.columns % Tiles::words == 0)
      regions<Tiles::words>(on, matrices<Left, Right, Result>{a, b, c, shape});
    else
      regions<1>(on, matrices<Left, Right, Result>{a, b, c, shape});
  }

 private:
  template <class Left, class Right, class Result>
  struct matrices {
    Left a;
    Right b;
    Result c;
    product_shape shape;
  };
  //! Tiles of c, so many rows and columns of each within the matrix.
  struct region {
    index top;
    index left;
    index down;
    index across;
    index rows;
    index columns;
  };

  template <index Words, class Machine, class Matrices>
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
    if (whole) tiles<Words, true>(on, all, {0, 0, down, across, Tiles::rows, Tiles::columns});
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
      if (part.rows > 0 && part.columns > 0) tiles<Words, false>(on, all, part);
    }
  }

  template <index Words, bool Whole, class Machine, class Matrices>
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
          auto x = left_words<Words, Whole>(all, part, top, index{0}, i);
          auto y = right_words<Words, Whole>(all, part, side, index{0}, i);
          keep_left<Words, Machine::machine_type::width>(left, i, x);
          keep_right<Words>(right, i, y);
        });
      block.repeat(steps - (steps > 0), [=, &block](auto step) {
        block.each(Tiles::threads, [=](auto i) {
          auto x = left_words<Words, Whole>(all, part, top, step + 1, i);
          auto y = right_words<Words, Whole>(all, part, side, step + 1, i);
          multiply<Machine::machine_type::width>(left + step % 2 * Tiles::left_words,
                                                 right + step % 2 * Tiles::right_words, i, sums);
          keep_left<Words, Machine::machine_type::width>(left + (step + 1) % 2 * Tiles::left_words,
                                                         i, x);
          keep_right<Words>(right + (step + 1) % 2 * Tiles::right_words, i, y);
        });
      });
      block.each(Tiles::threads, [=](auto i) {
        index last = (steps + 1) % 2;
        if (steps > 0)
          multiply<Machine::machine_type::width>(left + last * Tiles::left_words,
                                                 right + last * Tiles::right_words, i, sums);
        write<Words, Whole>(all, part, top, side, i, sums);
      });
    };
    on.each_tile(0, part.down * part.across, body, no_barrier);
  }

  //! What thread i copies of `depth` columns of a.
  template <index Words, bool Whole, class Matrices, class Top, class Step, class Item>
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
  //! What thread i copies of `depth` rows of b, `side` accesses from the left of the region.
  template <index Words, bool Whole, class Matrices, class Side, class Step, class Item>
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

  //! Where vec `vec` of a's column k lies, k being one of the V columns number `columns`, in a row
  //! of the shared memory. Threads that copy a row's vecs side by side would meet in few banks;
  //! moved by the vec's number, they take all of them.
  template <index Width, class Vec, class Columns>
  MMM_HOST_DEVICE static constexpr auto moved(Vec const& vec, Columns const& columns) {
    constexpr index slots = Width / Tiles::words;
    constexpr index across = Tiles::depth / Tiles::words;
    constexpr index apart = slots > across && slots % across == 0 ? slots / across : 1;
    return vec ^ (columns * apart % slots);
  }

  template <index Words, index Width, class Shared, class Item, class Copies>
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
  template <index Words, class Shared, class Item, class Copies>
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

  template <index Words, bool Whole, class Matrices, class Top, class Side, class Item, class Sums>
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
struct register_product_algorithm {
  char const* name = "matrix-multiply-in-registers";
  char const* paper = "003 theorem 8, with tiles in registers";
  machine_kinds kinds{.hmm = true};

  //! Writes the product of the row-major matrices from `a` and `b` on to `c`, which must not
  //! overlap them. Errors: std::invalid_argument for an overlap or fewer than `Tiles::threads`
  //! threads per DMM; std::length_error if the shared memories are too small.
  template <class On, class Left, class Right, class Result>
  void operator()(On on, Left a, Right b, product_shape shape, Result c) const {
    product_size const size(shape);
    reject_overlap("the product", a, size.left(), c, size.result());
    reject_overlap("the product", b, size.right(), c, size.result());
    demand_threads_per_dmm(on, Tiles::threads);
    mmm::run(on, register_product<Tiles>{}, reads<std::iter_value_t<Left>>(a, size.left()),
             reads<std::iter_value_t<Right>>(b, size.right()), shape,
             writes<std::iter_value_t<Result>>(c, size.result()));
  }

  //! The same without data.
  template <class On>
  constexpr void model(On& on, product_size size) const {
    demand_threads_per_dmm(on, Tiles::threads);
    auto a = on.template allocate<float>(size.left());
    auto b = on.template allocate<float>(size.right());
    register_product<Tiles>{}(on, a, b, size.shape, on.template allocate<float>(size.result()));
  }

  //! Words of shared memory that a DMM needs.
  [[nodiscard]] static constexpr index shared_words() { return Tiles::shared_words; }

  //! For straightforward multiplications by parts of c of this size in the threads' registers: each
  //! factor is read from a shared memory once for a row or column of such a part.
  template <hierarchical_machine M>
  [[nodiscard]] constexpr bound limitations(M const& m, product_size size, index p) const {
    index const factors = size.work() == 0 ? 0 : checked_add(size.left(), size.right());
    bound b = access_limitations(m, checked_add(factors, size.result()),
                                 checked_multiply(Tiles::words, p));
    constexpr index together = Tiles::thread_rows * Tiles::thread_columns;
    index const words = share(size.work(), Tiles::thread_rows + Tiles::thread_columns, together);
    b.shared_bandwidth = ceil_divide(words, checked_multiply(m.dmms(), M::width));
    b.shared_latency = share(words, m.shared().latency(), checked_multiply(p, Tiles::words));
    return b;
  }

  //! Of matrices filled up to whole tiles, and those to whole passes of the DMMs: the words that
  //! are read and written, and a latency for each access of a thread.
  template <hierarchical_machine M>
  [[nodiscard]] constexpr index expression(M const& m, product_size size, index) const {
    index const V = size.shape.inner % Tiles::words == 0 && size.shape.columns % Tiles::words == 0
                        ? Tiles::words
                        : 1;
    index const tiles = checked_multiply(ceil_divide(size.shape.rows, Tiles::rows),
                                         ceil_divide(size.shape.columns, Tiles::columns));
    index const passes = ceil_divide(tiles, m.dmms()) + 3;
    index const steps = ceil_divide(size.shape.inner, Tiles::depth);
    constexpr index copied = Tiles::left_words + Tiles::right_words;
    constexpr index w = M::width;
    constexpr index result = Tiles::rows * Tiles::columns;
    index const read = Tiles::left_words / smaller(Tiles::depth, w) + Tiles::right_words / w;
    index const accesses = copied / (V * Tiles::threads);
    index const global =
        checked_multiply(steps, m.dmms() * read + accesses * m.global().latency()) +
        m.dmms() * (result / w) + result / (V * Tiles::threads) * m.global().latency();
    constexpr index factors = Tiles::depth * (Tiles::thread_rows + Tiles::thread_columns);
    index const shared = factors * ceil_divide(Tiles::threads, w) + copied / w +
                         (factors / Tiles::words + copied / Tiles::threads) * m.shared().latency();
    return checked_multiply(passes, checked_add(global, checked_multiply(steps, shared)));
  }

  template <machine M>
  [[nodiscard]] constexpr index constant(M const&) const {
    return 2;
  }
};

}  // namespace detail

//! The product by tiles of 128 x 128, 256 threads with 8 x 8 elements each, 8 columns and rows at a
//! time.
inline constexpr detail::register_product_algorithm<product_tiles<128, 128, 8, 8, 8>>
    matrix_multiply_in_registers{};

}  // namespace mmm
MMM_BODIES_END
