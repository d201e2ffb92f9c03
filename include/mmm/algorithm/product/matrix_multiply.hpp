// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/call/forms.hpp>
#include <mmm/algorithm/tile/accumulation.hpp>
#include <mmm/algorithm/tile/assigned_blocks.hpp>
#include <mmm/algorithm/tile/items_per_thread.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/thread_items.hpp>
#include <mmm/machine/machine.hpp>

//! The product c = a b of two matrices, all row-major, by the straightforward n^3 multiplications
//! (Nakano and Ito 2014, section V).
MMM_BODIES_BEGIN
namespace mmm {

//! The product in one memory: the elements of c in raster order, p at a time, a thread for each,
//! which adds up its products one after the other. Nakano and Ito 2014, Algorithm MUL-DMM (lemma
//! 7). Time on a DMM for n x n matrices, w | n, w | p, p | n^2: exactly `(2n + 1) (p/w + l - 1)
//! n^2/p`; with accumulation in memory `(4n + 1) (p/w + l - 1) n^2/p`.
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
  //! Computes `count <= p` elements of the result from number `first` on, to `c`.
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

//! The product on an HMM: m x m submatrices of c are assigned to the DMMs. A DMM copies m columns
//! of a and m rows of b at a time to its shared memory and multiplies there. Nakano and Ito 2014,
//! Algorithm MUL-HMM (theorem 8).
//! Needs 2 m^2 words of shared memory and `ceil(m^2 / t)` registers for the submatrix of c, t
//! threads per DMM; with accumulation in memory 3 m^2 words. Every array starts at a multiple of w.
//! Errors: std::length_error if there are fewer.
//! Time for n x n matrices, w | m | n, w | t | m^2, d | (n/m)^2: exactly
//!   `n^2/(t d) ((2n/m + 1) G + (2n/m + 2n) S)` with `G = t d/w + L - 1`, `S = t/w + l - 1`;
//! with accumulation in memory `(2n/m + 4n + 2) S` for the second term.
//! Elements of a submatrix beyond the borders of c are computed from zeros and not written.
//! \tparam Max the number of registers for the submatrix that a thread of a kernel has
template <accumulation Where, index Max = 1>
struct tiled_product {
  template <class Machine, class Left, class Right, class Result>
  MMM_HOST_DEVICE constexpr void operator()(Machine& on, Left a, Right b, product_shape shape,
                                            Result c, tile submatrix) const {
    index const m = submatrix.side;
    matrices<Left, Right, Result> const all{{a, b, c, shape}, m};
    detail::assign_blocks(
        on, detail::ceil_divide(shape.rows, m), detail::ceil_divide(shape.columns, m),
        [=](auto& block, auto share) MMM_INLINED { submatrices(block, all, share); });
  }

 private:
  template <class Left, class Right, class Result>
  struct matrices : detail::product_matrices<Left, Right, Result> {
    index m;
    //! Number of the `n` rows or columns that lie in the last submatrix: every submatrix has at
    //! least as many within the borders.
    [[nodiscard]] MMM_HOST_DEVICE constexpr index last(index n) const {
      return n - (n - 1) / m * m;
    }
  };

  //! Computes one DMM's submatrices of c.
  template <class Block, class Matrices, class Share>
  MMM_HOST_DEVICE static constexpr void submatrices(Block& block, Matrices all, Share share) {
    index const m = all.m;
    index const inner = all.shape.inner;
    index const last_rows = all.last(all.shape.rows);
    index const last_columns = all.last(all.shape.columns);
    using value = typename decltype(all.c)::value_type;
    auto a = block.template allocate<typename decltype(all.a)::value_type>(m * m);
    auto b = block.template allocate<typename decltype(all.b)::value_type>(m * m);
    thread_items<Max> const elements{m, m};
    auto sums = detail::make_item_sums<Where, value>(block, elements);
    share.for_each(block, [=, &block](auto submatrix_row, auto submatrix_column) MMM_INLINED {
      auto const top = submatrix_row * m;
      auto const left = submatrix_column * m;
      detail::each_thread_item<Where>(block, elements,
                                      [=](auto, auto, auto own) { sums[own] = value{}; });
      block.repeat(inner / m, [=, &block](auto k) {
        fetch(block, all, top, left, k * m, m, a, b);
        multiply(block, m, m, a, b, sums);
      });
      index const done = inner / m * m;
      fetch(block, all, top, left, done, inner - done, a, b);
      multiply(block, m, inner - done, a, b, sums);
      detail::each_thread_item<Where>(block, elements, [=](auto row, auto column, auto own) {
        auto const inside = (row < last_rows || top + row < all.shape.rows) &&
                            (column < last_columns || left + column < all.shape.columns);
        store_if(inside, all.c[(top + row) * all.shape.columns + left + column],
                 load_if(inside, sums[own], value{}));
      });
    });
  }

  //! Copies `depth` columns of a from number `k` on and as many rows of b to shared memory; zeros
  //! beyond the borders.
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
      detail::each_thread_item<Where>(
          block, thread_items<Max>{m, m}, [=](auto row, auto column, auto own) {
            sums[own] = sums[own] + a[row * depth + k] * b[k * m + column];
          });
    });
  }
};

namespace detail {

//! The bound for a number of multiplications, in submatrices of this side on an HMM.
[[nodiscard]] constexpr bound multiplication_bound(machine_terms const& t, natural products,
                                                   index side) {
  if (!t.hmm) return {.shared_bandwidth = products / t.w, .shared_latency = products * t.l / t.p};
  bound b = access_bound(t, products / side, t.p);
  b.shared_bandwidth = products / ((t.d + t.g) * t.w);
  b.shared_latency = products * smaller(t.l, t.L) / t.p;
  return b;
}

template <accumulation Where, class ItemsPerThread = one_item_per_thread>
struct product_program {
  //! threads of a block in a kernel: each thread has enough registers
  static constexpr index max_block_threads = ItemsPerThread::block_threads;

  template <class On, class Left, class Right, class Result>
  MMM_HOST_DEVICE constexpr void operator()(On& on, Left a, Right b, product_shape shape, Result c,
                                            tile submatrix) const {
    if constexpr (hierarchical_machine<typename On::machine_type>)
      tiled_product<Where, ItemsPerThread::count>{}(on, a, b, shape, c, submatrix);
    else
      raster_product<Where>{}(on, a, b, shape, c);
  }
};

//! The algorithm object behind mmm::matrix_multiply and mmm::matrix_multiply_in_memory.
template <accumulation Where, items_per_thread_choices Numbers = items_per_thread_choices::all>
struct product_algorithm : product_call<product_algorithm<Where, Numbers>> {
  static constexpr bool in_register = Where == accumulation::in_register;
  static constexpr char const* name = in_register ? "matrix-multiply" : "matrix-multiply-in-memory";
  static constexpr char const* paper = "Nakano and Ito 2014, lemma 7, theorems 8 and 9";
  // on an HMM for m > 1: with the sums in memory, a single product takes 8 accesses to shared
  // memory
  static constexpr machine_kinds kinds =
      in_register ? machine_kinds{.dmm = 3, .hmm = 5} : machine_kinds{.dmm = 5, .hmm = 6};

  //! The product is computed by submatrices on an HMM, and without submatrices in one memory.
  struct problem : product_sizes {
    index m = 0;  //!< the side of a submatrix, 0 if none is given
    constexpr explicit problem(product_sizes const& sizes) : product_sizes(sizes) {}
    constexpr explicit problem(product_sizes const& sizes, tile submatrix)
        : product_sizes(sizes), m(submatrix.side) {}

    //! The largest side of a submatrix that is accepted.
    [[nodiscard]] constexpr index largest_side() const {
      return static_cast<index>(larger(longest(), 1));
    }
    template <class On, class Left = no_data, class Right = no_data, class Out = no_data,
              class... Form>
    constexpr void run(On& on, Left a = {}, Right b = {}, Out c = {}, Form const&...) const {
      using value = accumulated_t<typename named_accumulator<Form...>::type, Out, Left, Right>;
      tile const submatrix(hierarchical_machine<typename On::machine_type> ? side() : 1);
      auto const run_with = [&](auto per_thread) {
        perform(on, product_program<Where, decltype(per_thread)>{}, reads<value>(a, left()),
                reads<value>(b, right()), shape, writes<value>(c, result()), submatrix);
      };
      if constexpr (in_register)
        run_with_items_per_thread<sizeof(value), Numbers>(
            on, natural(submatrix.side) * submatrix.side, run_with);
      else
        run_with(one_item_per_thread{});
    }
    //! The bound for straightforward multiplications, each of which reads a factor from a memory;
    //! on an HMM, from one of the d + 1 memories (the global one counts once per port). The bounds
    //! of the global memory are for shared memories of O(m^2) words.
    [[nodiscard]] constexpr bound lower_bound(auto const& t) const {
      return multiplication_bound(t, work(), t.hmm ? side() : 1);
    }
    //! lower_bound in letters, with n^3 for the multiplications.
    [[nodiscard]] static constexpr bound_formula lower_bound_formula(machine_terms const& m) {
      if (!m.hmm) return {.shared_bandwidth = "n^3/w", .shared_latency = "n^3 l/p"};
      return {.bandwidth = quotient("n^3", formula("mw") + ports_letter(m)),
              .latency = "(n^3/m)L/p",
              .shared_bandwidth = quotient("n^3", memories_letters(m)),
              .shared_latency = "n^3 min(l, L)/p"};
    }
    //! On an HMM, the bound for matrices padded to whole submatrices, and submatrices padded to
    //! whole passes of the DMMs. For m < w, where a row of a submatrix is less than an address
    //! group, n^3/m^2 in place of n^3/(mw). On a DMM with fewer than w columns, a warp reads
    //! several elements of a column of a, some of them from one bank.
    [[nodiscard]] constexpr natural upper_bound(auto const& t) const {
      natural const inner = larger(shape.inner, 1);
      if (!t.hmm) {
        if (result() == 0) return 0;
        natural const products = result() * inner;
        natural const conflicts = t.w / shape.columns * gcd(shape.inner, t.w) / t.w;
        return conflicts * products / t.w + products * t.l / smaller(t.p, result());
      }
      natural const submatrices = shape.rows / natural(side()) * (shape.columns / natural(side()));
      natural const passes = submatrices / t.d;
      natural const threads = smaller(t.t, natural(m) * m);
      natural const copied = inner / m * m * m;        // words of one submatrix
      natural const multiplied = passes * copied * m;  // words of the shared memory of one DMM
      return submatrices * copied / smaller(m, t.w) + passes * copied * t.L / threads +
             multiplied / t.w + multiplied * t.l / threads;
    }

   private:
    [[nodiscard]] constexpr index side() const {
      if (m == 0)
        throw_invalid_argument(
            failure_text("mmm: a matrix product on an HMM is by tiles, and none is given: write "
                         "mmm::tile(m) as the last argument, 1 <= m <= ",
                         largest_side()));
      if (m < 1 || m > largest_side())
        reject("the side of a tile", m,
               "1 to the largest number of rows or columns of the matrices");
      return m;
    }
  };

  //! Number of words of shared memory that a DMM needs on a machine of width w.
  [[nodiscard]] static constexpr index shared_words(tile submatrix, index w) {
    natural const area = natural(submatrix.side) * submatrix.side;
    return (in_register ? 1 : 2) * (area / w * w) + area;
  }
};

}  // namespace detail

//! The product of two row-major matrices, `mmm::matrix_multiply(on, a, b, shape, c, tile)`: on a
//! DMM in raster order (Nakano and Ito 2014, lemma 7), see raster_product; on an HMM by submatrices
//! in shared memory (theorem 8), see tiled_product. Errors: see product_call. Time for n x n
//! matrices: at most 3 (n^3/w + n^3 l/p) on a DMM, 5 (n^3/(mw) + n^3 L/(mp) + n^3/(dw) + n^3 l/p)
//! on an HMM.
inline constexpr detail::product_algorithm<accumulation::in_register> matrix_multiply{};

//! The product of mmm::matrix_multiply with the sums in memory, as printed.
inline constexpr detail::product_algorithm<accumulation::in_memory> matrix_multiply_in_memory{};

}  // namespace mmm
MMM_BODIES_END
