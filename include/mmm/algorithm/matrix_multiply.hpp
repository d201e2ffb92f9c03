// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/accumulation.hpp>
#include <mmm/algorithm/bound.hpp>
#include <mmm/algorithm/problem.hpp>
#include <mmm/algorithm/staging.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/machine/machine.hpp>

#include <type_traits>

//! The product c = a b of two matrices, all row-major, by the straightforward n^3 multiplications (paper 003, section V).
MMM_BODIES_BEGIN
namespace mmm {

//! The product in one memory: the elements of c in raster order, p at a time, one for each thread, which adds up its
//! products one after the other. Paper 003, Algorithm MUL-DMM (lemma 7).
//! Time on a DMM for n x n matrices, w | n, w | p, p | n^2: exactly `(2n + 1) (p/w + l - 1) n^2/p`; with accumulation in
//! memory `(4n + 1) (p/w + l - 1) n^2/p`.
template <accumulation Where>
struct raster_product {
  template <class Threads, class Left, class Right, class Result>
  MMM_HOST_DEVICE constexpr void operator()(Threads& threads, Left a, Right b, product_shape shape, Result c) const {
    using value = typename Result::value_type;
    index const p = threads.threads();
    index const area = shape.rows * shape.columns;
    auto const r = threads.template registers<value>();
    threads.repeat(area / p, [=, &threads](auto group) { elements(threads, a, b, shape, c + group * p, r, group * p, p); });
    index const done = area / p * p;
    elements(threads, a, b, shape, c + done, r, done, area - done);
  }

 private:
  //! `count <= p` elements of the result from number `first` on, to `c`.
  template <class Threads, class Left, class Right, class Result, class Registers, class First>
  MMM_HOST_DEVICE static constexpr void elements(Threads& threads, Left a, Right b, product_shape shape, Result c,
                                                 Registers r, First first, index count) {
    using value = typename Result::value_type;
    if constexpr (Where == accumulation::in_register) {
      add_up<value>(threads, a, b, shape, r, first, count);
      threads.each(count, [=](auto i) { c[i] = load(r[i]); });
    } else {
      add_up<value>(threads, a, b, shape, c, first, count);
    }
  }

  template <class Value, class Threads, class Left, class Right, class Sums, class First>
  MMM_HOST_DEVICE static constexpr void add_up(Threads& threads, Left a, Right b, product_shape shape, Sums sums,
                                               First first, index count) {
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

//! The product on an HMM: m x m submatrices of c, dealt to the DMMs, each of which copies m columns of a and m rows of b
//! at a time to its shared memory and multiplies there. Paper 003, Algorithm MUL-HMM (theorem 8).
//! Needs 2 m^2 words of shared memory and `ceil(m^2 / t)` registers for the submatrix of c, t threads per DMM; with
//! accumulation in memory 3 m^2 words. Every array starts at a multiple of w. Too few: std::length_error.
//! Time for n x n matrices, w | m | n, w | t | m^2, d | (n/m)^2: exactly `n^2/(t d) ((2n/m + 1) G + (2n/m + 2n) S)` with
//! `G = t d/w + L - 1`, `S = t/w + l - 1`; with accumulation in memory `(2n/m + 4n + 2) S` for the second term.
//! Elements of a submatrix beyond the borders of c are computed from zeros and not written.
template <accumulation Where>
struct tiled_product {
  template <class Machine, class Left, class Right, class Result>
  MMM_HOST_DEVICE constexpr void operator()(Machine& on, Left a, Right b, product_shape shape, Result c,
                                            tile submatrix) const {
    index const m = submatrix.side;
    matrices<Left, Right, Result> const all{a, b, c, shape, m, detail::ceil_divide(shape.columns, m)};
    index const tiles = all.across * detail::ceil_divide(shape.rows, m);
    index const d = on.dmms();
    index const passes = tiles / d;
    if (passes > 0) on.each_dmm(d, [=](auto& block, auto dmm) { submatrices(block, all, passes, d, dmm); });
    if (tiles % d > 0)
      on.each_dmm(tiles % d, [=](auto& block, auto dmm) { submatrices(block, all, 1, d, passes * d + dmm); });
  }

 private:
  template <class Left, class Right, class Result>
  struct matrices {
    Left a;
    Right b;
    Result c;
    product_shape shape;
    index m;
    index across;  //!< submatrices side by side in c
    //! Of `n` rows or columns, those of the last submatrix: so many are within the borders everywhere.
    [[nodiscard]] MMM_HOST_DEVICE constexpr index last(index n) const { return n - (n - 1) / m * m; }
  };

  //! The submatrices number `first`, `first + pitch`, … of c, `count` of them, on one DMM.
  template <class Block, class Matrices, class First>
  MMM_HOST_DEVICE static constexpr void submatrices(Block& block, Matrices all, index count, index pitch, First first) {
    index const m = all.m;
    index const inner = all.shape.inner;
    auto const a = block.template allocate<typename decltype(all.a)::value_type>(m * m);
    auto const b = block.template allocate<typename decltype(all.b)::value_type>(m * m);
    using value = typename decltype(all.c)::value_type;
    auto const sums = detail::make_item_sums<Where, value>(block, m * m);
    index const last_rows = all.last(all.shape.rows);
    index const last_columns = all.last(all.shape.columns);
    block.repeat(count, [=, &block](auto pass) {
      auto const number = first + pass * pitch;
      auto const top = number / all.across * m;
      auto const left = number % all.across * m;
      block.each(m * m, [=](auto i) { sums(i) = value{}; });
      block.repeat(inner / m, [=, &block](auto k) {
        fetch(block, all, top, left, k * m, m, a, b);
        multiply(block, m, m, a, b, sums);
      });
      index const done = inner / m * m;
      fetch(block, all, top, left, done, inner - done, a, b);
      multiply(block, m, inner - done, a, b, sums);
      block.each(m, m, [=](auto row, auto column) {
        store_if((row < last_rows || top + row < all.shape.rows) &&
                     (column < last_columns || left + column < all.shape.columns),
                 all.c[(top + row) * all.shape.columns + left + column], load(sums(row * m + column)));
      });
    });
  }

  //! `depth` columns of a from number `k` on and as many rows of b, to shared memory; zeros beyond the borders.
  template <class Block, class Matrices, class Top, class LeftEdge, class K, class Left, class Right>
  MMM_HOST_DEVICE static constexpr void fetch(Block& block, Matrices all, Top top, LeftEdge left, K k, index depth,
                                              Left a, Right b) {
    index const m = all.m;
    product_shape const shape = all.shape;
    index const last_rows = all.last(shape.rows);
    index const last_columns = all.last(shape.columns);
    block.each(m, depth, [=](auto row, auto column) {
      a[row * depth + column] = load_if(row < last_rows || top + row < shape.rows, all.a[(top + row) * shape.inner + k + column],
                                        typename Left::value_type{});
    });
    block.each(depth, m, [=](auto row, auto column) {
      b[row * m + column] = load_if(column < last_columns || left + column < shape.columns, all.b[(k + row) * shape.columns + left + column],
                                    typename Right::value_type{});
    });
  }

  //! Adds the product of the m x depth and depth x m matrices in shared memory to the sums.
  template <class Block, class Left, class Right, class Sums>
  MMM_HOST_DEVICE static constexpr void multiply(Block& block, index m, index depth, Left a, Right b, Sums sums) {
    block.repeat(depth, [=, &block](auto k) {
      block.each(m * m, [=](auto i) { sums(i) = sums(i) + a[i / m * depth + k] * b[k * m + i % m]; });
    });
  }
};

}  // namespace mmm
MMM_BODIES_END
