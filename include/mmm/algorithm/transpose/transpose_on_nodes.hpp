// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/bound.hpp>
#include <mmm/algorithm/call/cluster_program.hpp>
#include <mmm/algorithm/call/passed_words.hpp>
#include <mmm/algorithm/call/perform.hpp>
#include <mmm/algorithm/call/shapes.hpp>
#include <mmm/algorithm/cluster.hpp>
#include <mmm/algorithm/natural.hpp>
#include <mmm/algorithm/parameters.hpp>
#include <mmm/algorithm/transpose/transpose.hpp>
#include <mmm/algorithm/transpose/transpose_swizzled.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/iterator_types.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/execution/nodes.hpp>
#include <mmm/layout/row_blocks.hpp>

//! The transpose of a matrix on a cluster: every node sends each other one the part of its rows
//! that the other's rows of the transpose are made of (all-to-all), and transposes what arrives.
MMM_BODIES_BEGIN
namespace mmm {

//! Stores the transpose of the row-major matrix `a` in `c`, in raster order of `a`: writes are
//! strided. Time on a DMM for n words, p | n and w dividing p and the columns: exactly
//! `(1 + gcd(rows, w)) n/w + 2 n/p (l - 1)`.
struct straightforward_rectangle_transpose {
  template <class Threads, class In, class Out>
  MMM_HOST_DEVICE constexpr void operator()(Threads& threads, In a, shape matrix, Out c) const {
    index const rows = matrix.rows;
    index const columns = matrix.columns;
    threads.each(rows, columns,
                 [=](auto j, auto k) { c[k * rows + j] = load(a[j * columns + k]); });
  }
};

//! Stores the transpose of the row-major matrix `a` in `c` along diagonals, so that neighbours are
//! in different banks both when `a` is read and when `c` is written. Time on a DMM, if w divides p,
//! the rows and the columns, and p divides the number of words n: exactly `2 (p/w + l - 1) n/p`.
struct diagonal_rectangle_transpose {
  template <class Threads, class In, class Out>
  MMM_HOST_DEVICE constexpr void operator()(Threads& threads, In a, shape matrix, Out c) const {
    index const rows = matrix.rows;
    index const columns = matrix.columns;
    threads.each(rows, columns, [=](auto j, auto k) {
      auto const row = (j + k) % rows;
      c[k * rows + row] = load(a[row * columns + k]);
    });
  }
};

//! Stores the transpose of the row-major matrix `a` in `c` by blocks of s x s words, s = min(w, p),
//! each by s threads, which hold s words in registers and visit the rows rotated
//! (rotating_transpose). Time on a UMM for n words, w dividing p, the rows and the columns, and p
//! dividing n/w: exactly `2 (p/w + l - 1) n/p`.
struct rotating_rectangle_transpose {
  template <class Threads, class In, class Out>
  MMM_HOST_DEVICE constexpr void operator()(Threads& threads, In a, shape matrix, Out c) const {
    constexpr index max_lanes = detail::max_lanes<typename Threads::machine_type>;
    using value = typename Out::value_type;
    index const rows = matrix.rows;
    index const columns = matrix.columns;
    index const s = detail::smaller(threads.machine().width(), threads.threads());
    index const across = detail::ceil_divide(columns, s);
    index const blocks = detail::ceil_divide(rows, s) * across;
    index const groups = threads.threads() / s;
    auto held = threads.template registers<value, max_lanes>();
    threads.repeat(detail::ceil_divide(blocks, groups), [=, &threads](auto pass) {
      threads.template repeat<max_lanes>(s, [=, &threads](auto t) {
        threads.each(
            groups * s,
            [=](auto i) {
              auto const block = pass * groups + i / s;
              auto const row = block / across * s + t;
              auto const column = block % across * s + (t + i % s) % s;
              held(i, t) = load_if(block < blocks && row < rows && column < columns,
                                   a[row * columns + column], value{});
            },
            no_barrier);
      });
      threads.repeat(s, [=, &threads](auto t) {
        threads.each(
            groups * s,
            [=](auto i) {
              auto const block = pass * groups + i / s;
              auto const place = (t + s - i % s) % s;
              auto const row = block / across * s + place;
              auto const column = block % across * s + t;
              store_if(block < blocks && row < rows && column < columns, c[column * rows + row],
                       load(held.chosen(i, place)));
            },
            no_barrier);
      });
    });
  }
};

namespace detail {

//! The transpose of a rectangle on one node, in the order of mmm::transpose_straightforward,
//! _diagonal or _rotating.
template <transpose_kind Kind>
struct rectangle_transpose_program {
  //! threads of a block in a kernel
  static constexpr index max_block_threads = transpose_program<Kind>::max_block_threads;

  template <class On, class In, class Out>
  MMM_HOST_DEVICE constexpr void operator()(On& on, In a, shape matrix, Out c) const {
    if constexpr (Kind == transpose_kind::straightforward)
      straightforward_rectangle_transpose{}(on, a, matrix, c);
    else if constexpr (Kind == transpose_kind::diagonal)
      diagonal_rectangle_transpose{}(on, a, matrix, c);
    else
      rotating_rectangle_transpose{}(on, a, matrix, c);
  }
};

//! The all-to-all exchange of a transpose: node s gets the columns of its block from every node,
//! below each other.
struct transpose_plan {
  block_distribution rows;     //!< of the matrix
  block_distribution columns;  //!< of the matrix, the rows of its transpose

  [[nodiscard]] constexpr piece operator()(index r, index s) const {
    return {.source = columns.first(s),
            .target = rows.first(r) * columns.words(s),
            .words = columns.words(s),
            .rows = rows.words(r),
            .source_pitch = columns.total(),
            .target_pitch = columns.words(s)};
  }
  [[nodiscard]] constexpr rank_range receivers(index r) const {
    return {0, rows.words(r) > 0 ? nodes_of(columns) : 0};
  }
  [[nodiscard]] constexpr rank_range senders(index s) const {
    return {0, columns.words(s) > 0 ? nodes_of(rows) : 0};
  }
  //! Words and messages of a node.
  [[nodiscard]] constexpr node_relation relation(index r) const {
    node_relation x = to_others(rows.words(r), columns, r);
    x.include(to_others(columns.words(r), rows, r));
    return x;
  }

 private:
  //! The number of nodes that have items.
  [[nodiscard]] static constexpr index nodes_of(block_distribution const& x) {
    return smaller(x.blocks, x.total());
  }
  [[nodiscard]] static constexpr node_relation to_others(index own, block_distribution const& other,
                                                         index r) {
    if (own == 0) return {};
    return {checked_multiply(own, other.total() - other.words(r)),
            nodes_of(other) - (other.words(r) > 0 ? 1 : 0)};
  }
};

//! The transpose of a matrix in blocks of rows, on a cluster. `transpose(local, a, shape, b)` is
//! that of a rectangle on one node.
struct transpose_of_row_blocks {
  shape matrix;

  template <class On, class In, class Out, class Transpose>
  constexpr void operator()(On& on, In a, Out b, Transpose const& transpose) const {
    if (matrix.area() == 0) return;
    auto const rows = on.blocks(matrix.rows);
    auto const columns = on.blocks(matrix.columns);
    row_blocks const given{rows, matrix.columns};
    row_blocks const transposed{columns, matrix.rows};
    auto const own = on.bring(a, given);
    auto const arrived = on.template allocate<iterator_value_t<In>>(transposed);
    on.exchange(own, arrived, transpose_plan{rows, columns});
    auto const result = on.template results<iterator_value_t<Out>>(b, transposed);
    auto const width = [=](index r) { return columns.words(r); };
    auto const rectangle = [=, height = matrix.rows](auto& local, index r) {
      if (columns.words(r) > 0)
        transpose(local, arrived.part(r), shape(height, columns.words(r)), result.part(r));
    };
    on.each_node(keyed_body{width, rectangle});
    on.deliver(result, b, transposed);
  }
  //! The words that are not on the right node are sent.
  template <cluster_machine M>
  [[nodiscard]] constexpr index network_bound(cluster_terms<M> const& t) const {
    natural const rows = matrix.rows / t.k;
    natural const columns = matrix.columns / t.k;
    return t.exchange(larger(rows * (matrix.columns - columns), columns * (matrix.rows - rows)));
  }
  //! The time of the exchange.
  template <cluster_machine M>
  [[nodiscard]] constexpr natural network_time(cluster_terms<M> const& t) const {
    natural const rows = matrix.rows / t.k;
    natural const columns = matrix.columns / t.k;
    if (t.k == 1) return 0;
    return exchange_time(t.machine, larger(rows * matrix.columns, columns * matrix.rows), t.k - 1);
  }
};

//! Node r has block r of the rows, before and after (mmm::block_distribution of the side). On a
//! cluster of processes each one passes the side of the whole and its own rows.
//! Time: that of exchanging n/k (1 - 1/k) words, n = side^2, and of one node for n/k words, each of
//! which is read and written once.
template <transpose_kind Kind>
struct cluster_program<transpose_algorithm<Kind>> {
  struct problem {
    natural side;
    constexpr explicit problem(size rows) : side(rows.count) {}

    template <class On, class Array = no_data>
    constexpr void run(On& on, Array first = {}) const {
      using value = iterator_value_t<Array>;
      whole()(on, first, first, [](auto& local, auto a, shape part, auto b) {
        perform(local, rectangle_transpose_program<Kind>{}, reads(a, part.area()), part,
                writes<value>(b, part.area()));
      });
    }
    //! The words that change nodes are sent; the other words off the diagonal are accessed.
    template <cluster_machine M>
    [[nodiscard]] constexpr bound lower_bound(cluster_terms<M> const& t) const {
      if (side <= 1) return {};
      natural const own = side / t.k;
      bound b = own == 1 ? bound{} : access_bound(t.node, own * (own - 1), t.node.p);
      b.network_bandwidth = whole().network_bound(t);
      return b;
    }
    template <cluster_machine M>
    [[nodiscard]] constexpr natural upper_bound(cluster_terms<M> const& t) const {
      return side == 0 ? natural(0) : whole().network_time(t) + of_node(t.node, side / t.k);
    }

   private:
    [[nodiscard]] constexpr transpose_of_row_blocks whole() const { return {shape(side, side)}; }
    //! The number of neighbours of a diagonal, a row of x words and one word apart, in one bank.
    [[nodiscard]] static constexpr natural in_one_bank(natural x, natural w) {
      return x % w == 0 ? natural(1) : natural(gcd(x + 1, w));
    }
    //! The time of one node for `own` rows.
    [[nodiscard]] constexpr natural of_node(machine_terms const& m, natural own) const {
      natural const n = side * own;
      if (Kind == transpose_kind::rotating) {
        natural const blocks = side / m.w * (own / m.w);
        return blocks * m.w + blocks * m.w * m.w * m.L / larger(1, smaller(m.p, blocks * m.w));
      }
      return stages(m, n, own) + n * m.L / smaller(m.p, n);
    }
    [[nodiscard]] constexpr natural stages(machine_terms const& m, natural n, natural own) const {
      if (m.conflicts == conflict::none) return 0;
      if (m.conflicts == conflict::amount) return n / m.w;
      if (Kind == transpose_kind::diagonal)
        return (in_one_bank(side, m.w) + in_one_bank(own, m.w)) * n / m.w;
      return m.conflicts == conflict::banks ? gcd(side, m.w) * n / m.w : n;
    }
  };
};

//! Node r has block r of the matrix's rows and block r of the transpose's. On a cluster of
//! processes each one passes the shape of the whole matrix, its own rows of the matrix and its own
//! of the transpose.
template <index Side, index V, bool Wide, template <index, index> class Places>
struct cluster_program<swizzled_transpose_algorithm<Side, V, Wide, Places>> {
  struct problem {
    using node_problem = typename swizzled_transpose_algorithm<Side, V, Wide, Places>::problem;
    shape matrix;
    constexpr explicit problem(sides const& size) : matrix(size.extents) {}

    template <class On, class In = no_data, class Out = no_data>
    constexpr void run(On& on, In a = {}, Out b = {}) const {
      reject_overlap_on_nodes(on, a, row_blocks{{matrix.rows, on.nodes()}, matrix.columns}, b,
                              row_blocks{{matrix.columns, on.nodes()}, matrix.rows});
      auto const transpose = [](auto& local, auto columns, shape part, auto out) {
        node_problem(part).run(local, columns, out);
      };
      transpose_of_row_blocks{matrix}(on, a, b, transpose);
    }
    //! The words that change nodes are sent; all words of the transpose's rows are accessed.
    template <cluster_machine M>
    [[nodiscard]] constexpr bound lower_bound(cluster_terms<M> const& t) const {
      if (matrix.area() == 0) return {};
      natural const own = matrix.rows / t.k * (matrix.columns / t.k);
      bound b = access_bound(t.node, own, V * t.node.p);
      b.network_bandwidth = transpose_of_row_blocks{matrix}.network_bound(t);
      return b;
    }
    template <cluster_machine M>
    [[nodiscard]] constexpr natural upper_bound(cluster_terms<M> const& t) const {
      if (matrix.area() == 0) return 0;
      return transpose_of_row_blocks{matrix}.network_time(t) +
             node_problem(shape(matrix.rows, matrix.columns / t.k)).upper_bound(t.node);
    }
  };
};

}  // namespace detail
}  // namespace mmm
MMM_BODIES_END
