// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/accumulation.hpp>
#include <mmm/algorithm/bound.hpp>
#include <mmm/algorithm/dealt_blocks.hpp>
#include <mmm/algorithm/keeping.hpp>
#include <mmm/algorithm/overlap.hpp>
#include <mmm/algorithm/problem.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/execution/kept_items.hpp>
#include <mmm/machine/machine.hpp>

#include <concepts>
#include <iterator>
#include <type_traits>

//! The product c = a b of two matrices, all row-major, by the straightforward n^3 multiplications
//! (paper 003, section V).
MMM_BODIES_BEGIN
namespace mmm {

//! The product in one memory: the elements of c in raster order, p at a time, one for each thread,
//! which adds up its products one after the other. Paper 003, Algorithm MUL-DMM (lemma 7).
//! Time on a DMM for n x n matrices, w | n, w | p, p | n^2: exactly `(2n + 1) (p/w + l - 1) n^2/p`;
//! with accumulation in memory `(4n + 1) (p/w + l - 1) n^2/p`.
template <accumulation Where>
struct raster_product {
  template <class Threads, class Left, class Right, class Result>
  MMM_HOST_DEVICE constexpr void operator()(Threads& threads, Left a, Right b, product_shape shape,
                                            Result c) const {
    using value = typename Result::value_type;
    index const p = threads.threads();
    index const area = shape.rows * shape.columns;
    auto const r = threads.template registers<value>();
    threads.repeat(area / p, [=, &threads](auto group) {
      elements(threads, a, b, shape, c + group * p, r, group * p, p);
    });
    index const done = area / p * p;
    elements(threads, a, b, shape, c + done, r, done, area - done);
  }

 private:
  //! `count <= p` elements of the result from number `first` on, to `c`.
  template <class Threads, class Left, class Right, class Result, class Registers, class First>
  MMM_HOST_DEVICE static constexpr void elements(Threads& threads, Left a, Right b,
                                                 product_shape shape, Result c, Registers r,
                                                 First first, index count) {
    using value = typename Result::value_type;
    if constexpr (Where == accumulation::in_register) {
      add_up<value>(threads, a, b, shape, r, first, count);
      threads.each(count, [=](auto i) { c[i] = load(r[i]); });
    } else {
      add_up<value>(threads, a, b, shape, c, first, count);
    }
  }

  template <class Value, class Threads, class Left, class Right, class Sums, class First>
  MMM_HOST_DEVICE static constexpr void add_up(Threads& threads, Left a, Right b,
                                               product_shape shape, Sums sums, First first,
                                               index count) {
    index const inner = shape.inner;
    index const columns = shape.columns;
    threads.each(count, [=](auto i) { sums[i] = Value{}; });
    threads.repeat(inner, [=, &threads](auto k) {
      threads.each(count, [=](auto i) {
        auto const e = first + i;
        sums[i] = sums[i] + a[e / columns * inner + k] * b[k * columns + e % columns];
      });
    });
  }
};

//! The product on an HMM: m x m submatrices of c, dealt to the DMMs, each of which copies m columns
//! of a and m rows of b at a time to its shared memory and multiplies there. Paper 003, Algorithm
//! MUL-HMM (theorem 8).
//! Needs 2 m^2 words of shared memory and `ceil(m^2 / t)` registers for the submatrix of c, t
//! threads per DMM; with accumulation in memory 3 m^2 words. Every array starts at a multiple of w.
//! Too few: std::length_error. Time for n x n matrices, w | m | n, w | t | m^2, d | (n/m)^2:
//! exactly `n^2/(t d) ((2n/m + 1) G + (2n/m + 2n) S)` with `G = t d/w + L - 1`, `S = t/w + l - 1`;
//! with accumulation in memory `(2n/m + 4n + 2) S` for the second term. Elements of a submatrix
//! beyond the borders of c are computed from zeros and not written.
//! \tparam Most the registers for the submatrix that a thread of a kernel has.
template <accumulation Where, index Most = 1>
struct tiled_product {
  template <class Machine, class Left, class Right, class Result>
  MMM_HOST_DEVICE constexpr void operator()(Machine& on, Left a, Right b, product_shape shape,
                                            Result c, tile submatrix) const {
    index const m = submatrix.side;
    matrices<Left, Right, Result> const all{a, b, c, shape, m};
    detail::deal_blocks(
        on, detail::ceil_divide(shape.rows, m), detail::ceil_divide(shape.columns, m),
        [=](auto& block, auto share) MMM_INLINED { submatrices(block, all, share); });
  }

 private:
  template <class Left, class Right, class Result>
  struct matrices {
    Left a;
    Right b;
    Result c;
    product_shape shape;
    index m;
    //! Of `n` rows or columns, those of the last submatrix: so many are within the borders
    //! everywhere.
    [[nodiscard]] MMM_HOST_DEVICE constexpr index last(index n) const {
      return n - (n - 1) / m * m;
    }
  };

  //! One DMM's submatrices of c.
  template <class Block, class Matrices, class Share>
  MMM_HOST_DEVICE static constexpr void submatrices(Block& block, Matrices all, Share share) {
    index const m = all.m;
    index const inner = all.shape.inner;
    index const last_rows = all.last(all.shape.rows);
    index const last_columns = all.last(all.shape.columns);
    using value = typename decltype(all.c)::value_type;
    auto a = block.template allocate<typename decltype(all.a)::value_type>(m * m);
    auto b = block.template allocate<typename decltype(all.b)::value_type>(m * m);
    kept_items<Most> const elements{m, m};
    auto sums = detail::make_kept_sums<Where, value>(block, elements);
    share.for_each(block, [=, &block](auto submatrix_row, auto submatrix_column) MMM_INLINED {
      auto const top = submatrix_row * m;
      auto const left = submatrix_column * m;
      detail::each_kept<Where>(block, elements, [=](auto, auto, auto own) { sums[own] = value{}; });
      block.repeat(inner / m, [=, &block](auto k) {
        fetch(block, all, top, left, k * m, m, a, b);
        multiply(block, m, m, a, b, sums);
      });
      index const done = inner / m * m;
      fetch(block, all, top, left, done, inner - done, a, b);
      multiply(block, m, inner - done, a, b, sums);
      detail::each_kept<Where>(block, elements, [=](auto row, auto column, auto own) {
        auto const inside = (row < last_rows || top + row < all.shape.rows) &&
                            (column < last_columns || left + column < all.shape.columns);
        store_if(inside, all.c[(top + row) * all.shape.columns + left + column],
                 load_if(inside, sums[own], value{}));
      });
    });
  }

  //! `depth` columns of a from number `k` on and as many rows of b, to shared memory; zeros beyond
  //! the borders.
  template <class Block, class Matrices, class Top, class LeftEdge, class K, class Left,
            class Right>
  MMM_HOST_DEVICE static constexpr void fetch(Block& block, Matrices all, Top top, LeftEdge left,
                                              K k, index depth, Left a, Right b) {
    index const m = all.m;
    product_shape const shape = all.shape;
    index const last_rows = all.last(shape.rows);
    index const last_columns = all.last(shape.columns);
    block.each(m, depth, [=](auto row, auto column) {
      a[row * depth + column] =
          load_if(row < last_rows || top + row < shape.rows,
                  all.a[(top + row) * shape.inner + k + column], typename Left::value_type{});
    });
    block.each(depth, m, [=](auto row, auto column) {
      b[row * m + column] =
          load_if(column < last_columns || left + column < shape.columns,
                  all.b[(k + row) * shape.columns + left + column], typename Right::value_type{});
    });
  }

  //! Adds the product of the m x depth and depth x m matrices in shared memory to the sums.
  template <class Block, class Left, class Right, class Sums>
  MMM_HOST_DEVICE static constexpr void multiply(Block& block, index m, index depth, Left a,
                                                 Right b, Sums sums) {
    block.repeat(depth, [=, &block](auto k) {
      detail::each_kept<Where>(block, kept_items<Most>{m, m}, [=](auto row, auto column, auto own) {
        sums[own] = sums[own] + a[row * depth + k] * b[k * m + column];
      });
    });
  }
};

namespace detail {

//! A square product by its side, any other by its shape.
struct product_size {
  product_shape shape;
  constexpr product_size(index n) : shape(n, n, n) {}  // NOLINT: a size is a shape
  constexpr product_size(product_shape const& given_shape) : shape(given_shape) {}  // NOLINT

  [[nodiscard]] constexpr index left() const { return checked_multiply(shape.rows, shape.inner); }
  [[nodiscard]] constexpr index right() const {
    return checked_multiply(shape.inner, shape.columns);
  }
  [[nodiscard]] constexpr index result() const {
    return checked_multiply(shape.rows, shape.columns);
  }
  //! Multiplications, n^3 for square matrices.
  [[nodiscard]] constexpr index work() const { return checked_multiply(result(), shape.inner); }
  [[nodiscard]] constexpr index longest() const {
    return larger(larger(shape.rows, shape.inner), shape.columns);
  }
};

template <accumulation Where, class Keeping = keeping_one>
struct product_program {
  //! in a kernel, for registers enough
  static constexpr index most_block_threads = Keeping::block_threads;

  template <class On, class Left, class Right, class Result>
  MMM_HOST_DEVICE constexpr void operator()(On& on, Left a, Right b, product_shape shape, Result c,
                                            tile submatrix) const {
    if constexpr (hierarchical_machine<typename On::machine_type>)
      tiled_product<Where, Keeping::most>{}(on, a, b, shape, c, submatrix);
    else
      raster_product<Where>{}(on, a, b, shape, c);
  }
};

//! The algorithm object behind mmm::matrix_multiply and mmm::matrix_multiply_in_memory.
template <accumulation Where>
struct product_algorithm {
  char const* name =
      Where == accumulation::in_register ? "matrix-multiply" : "matrix-multiply-in-memory";
  char const* paper = "003 lemma 7, theorems 8 and 9";
  machine_kinds kinds{.dmm = true, .hmm = true};

  //! Writes the product of the row-major matrices from `a` and `b` on to `c`, which must not
  //! overlap them. On an HMM, by submatrices of `submatrix.side` rows and columns; a machine with
  //! one memory does without.
  //! Errors: std::invalid_argument for a submatrix that is larger than the matrices in every
  //! direction, or an overlap; std::length_error if the shared memories are too small or, in a
  //! kernel, the registers of a thread too few for its part of a submatrix.
  template <class On, class Left, class Right, class Result>
  void operator()(On on, Left a, Right b, product_shape shape, Result c, tile submatrix) const {
    product_size const size(shape);
    reject_overlap("the product", a, size.left(), c, size.result());
    reject_overlap("the product", b, size.right(), c, size.result());
    demand_fitting<On>(size, submatrix);
    auto const run_with = [&](auto keep) {
      mmm::run(on, product_program<Where, decltype(keep)>{},
               reads<std::iter_value_t<Left>>(a, size.left()),
               reads<std::iter_value_t<Right>>(b, size.right()), shape,
               writes<std::iter_value_t<Result>>(c, size.result()), submatrix);
    };
    if constexpr (Where == accumulation::in_register)
      run_keeping<sizeof(std::iter_value_t<Result>)>(
          on, checked_multiply(submatrix.side, submatrix.side), run_with);
    else
      run_with(keeping_one{});
  }
  template <class On, class Left, class Right, class Result>
  requires memory<typename On::machine_type>
  void operator()(On on, Left a, Right b, product_shape shape, Result c) const {
    (*this)(on, a, b, shape, c, tile(1));
  }

  //! The same for factors [a, a_last) and [b, b_last). Also std::length_error if they are not as
  //! long as the shape says.
  template <class On, class Left, class Right, class Result, std::same_as<tile>... Tile>
  void operator()(On on, Left a, Left a_last, Right b, Right b_last, product_shape shape, Result c,
                  Tile... submatrix) const {
    product_size const size(shape);
    index const left = static_cast<index>(a_last - a);
    index const right = static_cast<index>(b_last - b);
    if (left != size.left()) reject_length("elements of the left factor", size.left(), left);
    if (right != size.right()) reject_length("elements of the right factor", size.right(), right);
    (*this)(on, a, b, shape, c, submatrix...);
  }

  //! The same without data.
  template <class On>
  constexpr void model(On& on, product_size size, tile submatrix) const {
    auto a = on.template allocate<float>(size.left());
    auto b = on.template allocate<float>(size.right());
    demand_fitting<On>(size, submatrix);
    product_program<Where>{}(on, a, b, size.shape, on.template allocate<float>(size.result()),
                             submatrix);
  }
  template <class On>
  requires memory<typename On::machine_type>
  constexpr void model(On& on, product_size size) const {
    model(on, size, tile(1));
  }

  //! Words of shared memory that a DMM needs on a machine of width w.
  [[nodiscard]] static constexpr index shared_words(tile submatrix, index w) {
    index const area = checked_multiply(submatrix.side, submatrix.side);
    index const before = Where == accumulation::in_register ? 1 : 2;
    return checked_add(checked_multiply(before, checked_multiply(ceil_divide(area, w), w)), area);
  }

  //! For straightforward multiplications only, each of which reads a factor from a memory; of an
  //! HMM, from one of the d + 1 memories (the global one counts once per port). The global ones are
  //! for shared memories of O(m^2) words.
  template <hierarchical_machine M>
  [[nodiscard]] constexpr bound limitations(M const& m, product_size size, index p,
                                            tile submatrix) const {
    index const words = ceil_divide(size.work(), submatrix.side);
    bound b = access_limitations(m, words, p);
    index const memories = checked_add(m.dmms(), m.global().ports());
    b.shared_bandwidth = ceil_divide(size.work(), checked_multiply(memories, M::width));
    b.shared_latency = share(size.work(), smaller(m.shared().latency(), m.global().latency()), p);
    return b;
  }
  template <memory M, class... Tile>
  [[nodiscard]] constexpr bound limitations(M const& m, product_size size, index p, Tile...) const {
    return {.shared_bandwidth = ceil_divide(size.work(), M::width),
            .shared_latency = share(size.work(), m.latency(), p)};
  }

  //! On an HMM, of matrices filled up to whole submatrices, and those to whole passes of the DMMs.
  //! For m < w, where a row of a submatrix is less than an address group, n^3/m^2 in place of
  //! n^3/(mw).
  template <hierarchical_machine M>
  [[nodiscard]] constexpr index expression(M const& machine, product_size size, index p,
                                           tile submatrix) const {
    index const m = submatrix.side;
    index const tiles =
        checked_multiply(ceil_divide(size.shape.rows, m), ceil_divide(size.shape.columns, m));
    index const inner = checked_multiply(ceil_divide(larger(size.shape.inner, 1), m), m);
    index const passes = ceil_divide(tiles, machine.dmms());
    index const threads = larger(1, smaller(p / machine.dmms(), checked_multiply(m, m)));
    // of one submatrix
    index const global_words = checked_multiply(m, inner);
    // of one DMM
    index const shared_words = checked_multiply(passes, checked_multiply(m, global_words));
    return checked_add(checked_add(share(tiles, global_words, smaller(m, M::width)),
                                   share(checked_multiply(passes, global_words),
                                         machine.global().latency(), threads)),
                       checked_add(ceil_divide(shared_words, M::width),
                                   share(shared_words, machine.shared().latency(), threads)));
  }
  //! With fewer than w columns a warp reads several elements of a column of a, some of them from
  //! one bank.
  template <memory M, class... Tile>
  [[nodiscard]] constexpr index expression(M const& m, product_size size, index p, Tile...) const {
    index const area = size.result();
    if (area == 0) return 0;
    index const rows = ceil_divide(M::width, size.shape.columns);
    index const conflicts = share(rows, gcd(size.shape.inner, M::width), M::width);
    index const work = checked_multiply(area, larger(size.shape.inner, 1));
    return checked_add(share(conflicts, work, M::width),
                       share(work, m.latency(), smaller(p, area)));
  }

  //! For m > 1: with the sums in memory, a single product takes 8 accesses to shared memory.
  template <machine M>
  [[nodiscard]] constexpr index constant(M const&) const {
    if (hierarchical_machine<M>) return Where == accumulation::in_register ? 5 : 6;
    return Where == accumulation::in_register ? 3 : 5;
  }

 private:
  template <class On>
  static constexpr void demand_fitting(product_size const& size, tile submatrix) {
    if constexpr (hierarchical_machine<typename On::machine_type>)
      if (submatrix.side > larger(size.longest(), 1))
        reject("the side of a tile", submatrix.side,
               "1 to the largest number of rows or columns of the matrices");
  }
};

}  // namespace detail

//! The product of two matrices: on a DMM in raster order (paper 003, lemma 7), see raster_product;
//! on an HMM by submatrices in shared memory (theorem 8), see tiled_product.
inline constexpr detail::product_algorithm<accumulation::in_register> matrix_multiply{};

//! The same with the sums in memory, as printed.
inline constexpr detail::product_algorithm<accumulation::in_memory> matrix_multiply_in_memory{};

}  // namespace mmm
MMM_BODIES_END
