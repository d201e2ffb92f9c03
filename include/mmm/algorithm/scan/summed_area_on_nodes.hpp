// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/bound.hpp>
#include <mmm/algorithm/call/cluster_program.hpp>
#include <mmm/algorithm/call/perform.hpp>
#include <mmm/algorithm/call/shapes.hpp>
#include <mmm/algorithm/cluster.hpp>
#include <mmm/algorithm/natural.hpp>
#include <mmm/algorithm/parameters.hpp>
#include <mmm/algorithm/scan/summed_area.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/iterator_types.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/execution/nodes.hpp>
#include <mmm/layout/row_blocks.hpp>

//! The summed area table on a cluster: each node's table of its rows, to which the sums of the last
//! rows of the tables before it are added. The last rows are added up column by column: each node
//! gets a block of their columns, scans it, and sends every node the sums for it.
MMM_BODIES_BEGIN
namespace mmm::detail {

//! The prefix-sums of all columns, in place.
struct column_sums_program {
  template <class On, class Table>
  MMM_HOST_DEVICE constexpr void operator()(On& on, Table a, shape table) const {
    auto const work = on.template allocate<typename Table::value_type>(table.rows * table.columns);
    scan_along_axis::scan(on, a, work, 1, table.rows, table.columns);
  }
};

//! Adds a row to all rows.
struct add_row_program {
  template <class On, class Table, class Row>
  MMM_HOST_DEVICE constexpr void operator()(On& on, Table a, shape table, Row sums) const {
    index const columns = table.columns;
    on.each(table.rows, columns,
            [=](auto i, auto j) { a[i * columns + j] = load(a[i * columns + j]) + load(sums[j]); });
  }
};

//! The last rows of the nodes that have rows, and the columns in blocks.
struct last_rows {
  block_distribution rows;
  block_distribution columns;

  //! The number of these nodes.
  [[nodiscard]] constexpr index count() const { return smaller(rows.blocks, rows.total()); }
  [[nodiscard]] constexpr bool has_rows(index r) const { return r < count(); }
  //! Node r adds the sums of the nodes before it.
  [[nodiscard]] constexpr bool adds(index r) const { return r > 0 && has_rows(r); }
  //! Distribution of the blocks of columns: a row for each node that has rows.
  [[nodiscard]] constexpr index words(index s) const {
    return checked_multiply(count(), columns.words(s));
  }
  [[nodiscard]] constexpr rank_range with_columns() const {
    return {0, smaller(columns.blocks, columns.total())};
  }
  //! The words and messages of a node: its row goes to or comes from the nodes that have columns,
  //! and its columns from or to `rows_of_others` nodes.
  [[nodiscard]] constexpr node_relation relation(index r, bool row, index rows_of_others) const {
    index const own = columns.words(r);
    node_relation x;
    if (row) x = {columns.total() - own, with_columns().last - (own > 0 ? 1 : 0)};
    if (own > 0) x.include({checked_multiply(own, rows_of_others), rows_of_others});
    return x;
  }
};

//! Sends the last rows to the nodes that add them up.
struct last_rows_plan : last_rows {
  [[nodiscard]] constexpr piece operator()(index r, index s) const {
    if (!has_rows(r)) return {};
    return {.source = (rows.words(r) - 1) * columns.total() + columns.first(s),
            .target = r * columns.words(s),
            .words = columns.words(s)};
  }
  [[nodiscard]] constexpr rank_range receivers(index r) const {
    return has_rows(r) ? with_columns() : rank_range{};
  }
  [[nodiscard]] constexpr rank_range senders(index s) const {
    return {0, columns.words(s) > 0 ? count() : 0};
  }
  [[nodiscard]] constexpr node_relation relation(index r) const {
    return last_rows::relation(r, has_rows(r), count() - (has_rows(r) ? 1 : 0));
  }
};

//! Sends each node the sums of the last rows before its own.
struct sums_before_plan : last_rows {
  [[nodiscard]] constexpr piece operator()(index s, index r) const {
    if (!adds(r)) return {};
    return {.source = (r - 1) * columns.words(s),
            .target = columns.first(s),
            .words = columns.words(s)};
  }
  [[nodiscard]] constexpr rank_range receivers(index s) const {
    return columns.words(s) > 0 ? rank_range{1, larger(count(), 1)} : rank_range{};
  }
  [[nodiscard]] constexpr rank_range senders(index r) const {
    return adds(r) ? with_columns() : rank_range{};
  }
  [[nodiscard]] constexpr node_relation relation(index r) const {
    return last_rows::relation(r, adds(r), larger(count(), 1) - 1 - (adds(r) ? 1 : 0));
  }
};

//! Distribution of the sums: a row on each node that adds them.
struct sums_before {
  last_rows rows;
  [[nodiscard]] constexpr index words(index r) const {
    return rows.adds(r) ? rows.columns.total() : 0;
  }
};

//! Node r has block r of the image's rows (mmm::block_distribution). On a cluster of processes each
//! one passes the shape of the whole image and its own rows.
//! Time: that of one node for the table of its rows, of two exchanges of the words of a row, and of
//! one node for the sums of k rows of a k-th of the columns and for adding a row to its rows.
template <>
struct cluster_program<summed_area_algorithm> {
  struct problem {
    using node_problem = typename summed_area_algorithm::problem;
    shape image;
    constexpr explicit problem(sides size) : image(size.extents) {}

    template <class On, class Image = no_data>
    constexpr void run(On& on, Image first = {}) const {
      using value = iterator_value_t<Image>;
      if (image.area() == 0) return;
      auto const rows = on.blocks(image.rows);
      auto const columns = on.blocks(image.columns);
      row_blocks const blocks{rows, image.columns};
      auto const own = on.bring(first, blocks);
      auto const part_of = [=](index r) { return shape(rows.words(r), blocks.columns); };
      auto const height = [=](index r) { return rows.words(r); };
      auto const make_table = [=](auto& local, index r) {
        if (rows.words(r) > 0) node_problem(part_of(r)).run(local, own.part(r));
      };
      on.each_node(keyed_body{height, make_table});
      last_rows const last{rows, columns};
      if (last.count() > 1) {
        auto const sums = on.template allocate<value>(last);
        on.exchange(own, sums, last_rows_plan{last});
        auto const width = [=](index r) { return columns.words(r); };
        auto const add_up = [=](auto& local, index r) {
          shape const table(last.count(), columns.words(r));
          if (table.columns > 0)
            perform(local, column_sums_program{}, updates(sums.part(r), table.area()), table);
        };
        on.each_node(keyed_body{width, add_up});
        auto const before = on.template allocate<value>(sums_before{last});
        on.exchange(sums, before, sums_before_plan{last});
        auto const added = [=](index r) { return last.adds(r) ? rows.words(r) : index{0}; };
        auto const add_row = [=](auto& local, index r) {
          if (!last.adds(r)) return;
          perform(local, add_row_program{}, updates(own.part(r), part_of(r).area()), part_of(r),
                  reads(before.part(r), blocks.columns));
        };
        on.each_node(keyed_body{added, add_row});
      }
      on.deliver(own, first, blocks);
    }
    //! The bounds of one node's rows. The rows of the second node depend on those of the first one
    //! by the sums of its columns, a word for each.
    template <cluster_machine M>
    [[nodiscard]] constexpr bound lower_bound(cluster_terms<M> const& t) const {
      if (image.area() == 0) return {};
      bound b = node_problem(shape(image.rows / t.k, image.columns)).lower_bound(t.node);
      if (t.k > 1 && image.rows > 1) b.network_bandwidth = t.exchange(image.columns);
      return b;
    }
    //! The bounds of one node's rows, of the two exchanges, of the sums, and of adding a row.
    template <cluster_machine M>
    [[nodiscard]] constexpr natural upper_bound(cluster_terms<M> const& t) const {
      if (image.area() == 0) return 0;
      shape const own(image.rows / t.k, image.columns);
      natural const work = node_problem(own).upper_bound(t.node);
      if (t.k == 1 || image.rows == 1) return work;
      shape const sums(smaller(t.k, natural(image.rows)), image.columns / t.k);
      natural const words = larger(natural(image.columns), sums.area());
      return work + node_problem(sums).upper_bound(t.node) +
             2 * natural(exchange_time(t.machine, words, t.k - 1)) + own.area() / t.node.at_once() +
             own.area() * t.node.L / t.node.p;
    }
  };
};

}  // namespace mmm::detail
MMM_BODIES_END
