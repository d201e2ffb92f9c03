// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/machine_terms.hpp>
#include <mmm/algorithm/natural.hpp>
#include <mmm/algorithm/parameters.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/execution/nodes.hpp>
#include <mmm/layout/block_grid.hpp>
#include <mmm/machine/cluster.hpp>

//! The matrices of a product on a grid of nodes, their panels and what is sent of them.
namespace mmm {

//! The number of panels of the inner side of a matrix product on a cluster, 1 or more. Nodes hold
//! the words of two panels of each factor at a time besides their blocks, or of the only one.
struct inner_panels {
  index count;
  constexpr explicit inner_panels(index n) : count(n) {
    if (n < 1) detail::reject("the number of panels", n, "1 or more");
  }
};

//! The distributions of the matrices of a product c = a b on a grid of nodes: a in blocks of its
//! rows and of its inner side, b of its inner side and its columns; the inner side is divided among
//! the layers, in each of the panels. c is in layer 0.
struct product_blocks {
  block_grid left;
  block_grid right;
  block_grid result;
  constexpr product_blocks(product_shape const& shape, node_grid const& grid,
                           inner_panels panels = inner_panels(1))
      : left(grid, shape.rows, shape.inner, matrix_side::columns, panels.count),
        right(grid, shape.inner, shape.columns, matrix_side::rows, panels.count),
        result(grid, shape.rows, shape.columns) {}
};

namespace detail {

//! The nodes of a row, of a column and of the same place in all layers.
[[nodiscard]] constexpr node_groups row_nodes(node_grid const& grid) { return {grid.columns, 1}; }
[[nodiscard]] constexpr node_groups column_nodes(node_grid const& grid) {
  return {grid.rows, grid.columns};
}
[[nodiscard]] constexpr node_groups layer_nodes(node_grid const& grid) {
  return {grid.layers, grid.layer_nodes()};
}

//! A product on a grid of nodes.
struct grid_product {
  product_blocks blocks;
  constexpr grid_product(product_shape const& shape, node_grid const& nodes, index panel_count)
      : blocks(shape, nodes, inner_panels(panel_count)) {}

  [[nodiscard]] constexpr node_grid const& grid() const { return blocks.result.grid; }
  [[nodiscard]] constexpr index panels() const { return blocks.left.across.panels.blocks; }
  //! The rows and columns of a node's block of c, in all layers.
  [[nodiscard]] constexpr index rows(index rank) const { return blocks.left.rows(rank); }
  [[nodiscard]] constexpr index columns(index rank) const { return blocks.right.columns(rank); }
  [[nodiscard]] constexpr index sums(index rank) const {
    return checked_multiply(rows(rank), columns(rank));
  }
  //! The blocks of a layer's section of a panel, for the nodes of a row and for those of a column.
  [[nodiscard]] constexpr block_distribution section(index panel, index layer) const {
    return blocks.left.across.section(panel, layer);
  }
  [[nodiscard]] constexpr block_distribution column_section(index panel, index layer) const {
    return blocks.right.down.section(panel, layer);
  }
  //! A node's product of a panel.
  [[nodiscard]] constexpr product_shape part(index rank, index panel) const {
    return {rows(rank), section(panel, grid().layer(rank)).total(), columns(rank)};
  }
  // The first parts are the largest ones.
  [[nodiscard]] constexpr index max_rows() const { return rows(0); }
  [[nodiscard]] constexpr index max_columns() const { return columns(0); }
  [[nodiscard]] constexpr index max_inputs() const {
    return checked_add(blocks.left.words(0), blocks.right.words(0));
  }
  //! The largest number of multiplications of a node.
  [[nodiscard]] constexpr natural max_work() const {
    index const larger = blocks.left.across.panels.larger_blocks();
    natural const inner = natural(larger) * section(0, 0).total() +
                          natural(panels() - larger) * section(panels() - 1, 0).total();
    return natural(max_rows()) * max_columns() * inner;
  }
  //! An estimate examines the first node of each row, column and layer, and the last one if its
  //! blocks are smaller. The first nodes send the most: their parts of panels are the largest, and
  //! no node receives more than they send.
  template <class On>
  constexpr void examine(On const& on) const {
    index const last = grid().nodes() - 1;
    bool const equal_sections =
        section(0, 0).total() == section(0, grid().layers - 1).total() &&
        section(panels() - 1, 0).total() == section(panels() - 1, grid().layers - 1).total();
    auto const examine_last = [&on](bool equal, node_groups const& groups) {
      if (!equal) static_cast<void>(on.blocks(groups.size, groups));
    };
    examine_last(columns(0) == columns(last), row_nodes(grid()));
    examine_last(rows(0) == rows(last), column_nodes(grid()));
    examine_last(equal_sections, layer_nodes(grid()));
  }

  //! The traffic of the product on cluster m. Time: O(log of the number of layers).
  template <cluster_machine M>
  [[nodiscard]] constexpr network_traffic traffic(M const& m) const {
    return traffic_in_layers(m) + traffic_of_layers(m);
  }
  //! The traffic of the factors.
  template <cluster_machine M>
  [[nodiscard]] constexpr network_traffic traffic_in_layers(M const& m) const {
    index const larger = blocks.left.across.panels.larger_blocks();
    if (larger == 0) return panels() * panel_traffic(m, 0);
    return larger * panel_traffic(m, 0) + (panels() - larger) * panel_traffic(m, panels() - 1);
  }
  //! The traffic of the sums.
  template <cluster_machine M>
  [[nodiscard]] constexpr network_traffic traffic_of_layers(M const& m) const {
    return collective_traffic(m, grid().layers, sums(0));
  }

 private:
  //! Every node sends its part of a to the others of its row, and that of b to those of its column.
  template <cluster_machine M>
  [[nodiscard]] constexpr network_traffic panel_traffic(M const& m, index panel) const {
    node_relation const a = relation_of_gather(section(panel, 0), max_rows());
    node_relation const b = relation_of_gather(column_section(panel, 0), max_columns());
    return exchange_traffic(m, checked_add(a.words, b.words), a.messages + b.messages);
  }
  //! A node's block of so many lines goes to all others; no node receives more.
  [[nodiscard]] static constexpr node_relation relation_of_gather(block_distribution const& d,
                                                                  index lines) {
    index const others = d.blocks - 1;
    index const words = checked_multiply(lines, checked_multiply(others, d.words(0)));
    return {words, words > 0 ? others : 0};
  }
};

//! The words of the panels and of the sums on each node.
struct left_panel_words {
  grid_product by;
  [[nodiscard]] constexpr index words(index r) const {
    return checked_multiply(by.rows(r), by.section(0, by.grid().layer(r)).total());
  }
};
struct right_panel_words {
  grid_product by;
  [[nodiscard]] constexpr index words(index r) const {
    return checked_multiply(by.section(0, by.grid().layer(r)).total(), by.columns(r));
  }
};
struct sums_words {
  grid_product by;
  [[nodiscard]] constexpr index words(index r) const { return by.sums(r); }
};

//! Each node's part of a panel of a goes to all nodes of its row: some columns of its block.
struct left_panel_plan {
  grid_product by;
  index panel;
  [[nodiscard]] constexpr rank_range receivers(index r) const {
    index const first = r - by.grid().column(r);
    return {first, first + by.grid().columns};
  }
  [[nodiscard]] constexpr rank_range senders(index r) const { return receivers(r); }
  [[nodiscard]] constexpr piece operator()(index r, index s) const {
    node_grid const& grid = by.grid();
    if (r / grid.columns != s / grid.columns) return {};
    index const layer = grid.layer(r);
    index const column = grid.column(r);
    block_distribution const d = by.section(panel, layer);
    return {.source = by.blocks.left.across.before(panel, layer, column),
            .target = d.first(column),
            .words = d.words(column),
            .rows = by.rows(r),
            .source_pitch = by.blocks.left.columns(r),
            .target_pitch = d.total()};
  }
};
//! Each node's part of a panel of b goes to all nodes of its column: some rows of its block.
struct right_panel_plan {
  grid_product by;
  index panel;
  [[nodiscard]] constexpr rank_range receivers(index r) const {
    node_grid const& grid = by.grid();
    index const first = grid.layer(r) * grid.layer_nodes() + grid.column(r);
    return {first, first + (grid.rows - 1) * grid.columns + 1, grid.columns};
  }
  [[nodiscard]] constexpr rank_range senders(index r) const { return receivers(r); }
  [[nodiscard]] constexpr piece operator()(index r, index s) const {
    node_grid const& grid = by.grid();
    if (grid.column(r) != grid.column(s) || grid.layer(r) != grid.layer(s)) return {};
    index const layer = grid.layer(r);
    index const row = grid.row(r);
    block_distribution const d = by.column_section(panel, layer);
    index const columns = by.columns(r);
    return {.source = checked_multiply(by.blocks.right.down.before(panel, layer, row), columns),
            .target = checked_multiply(d.first(row), columns),
            .words = checked_multiply(d.words(row), columns)};
  }
};

//! The next larger divisor of n after its divisor d; n + 1 after n. Time: O(sqrt(n)), also of all
//! divisors one after the other.
[[nodiscard]] constexpr index next_divisor(index n, index d) {
  if (d == n) return n + 1;
  index e = d + 1;
  for (; e <= n / e; ++e)
    if (n % e == 0) return e;
  // the others are quotients of n and a smaller divisor
  for (e = smaller(e - 1, n / d - 1); n % e != 0;) --e;
  return n / e;
}

//! Calls `f(grid)` for each grid of so many nodes: those with fewer layers first, then those with
//! fewer rows. Time: that of f, and O(sqrt(nodes)) for each number of layers.
template <class F>
constexpr void each_grid(index nodes, F const& f) {
  for (index layers = 1; layers <= nodes; layers = next_divisor(nodes, layers)) {
    index const in_layer = nodes / layers;
    for (index rows = 1; rows <= in_layer; rows = next_divisor(in_layer, rows))
      f(node_grid(rows, in_layer / rows, layers));
  }
}

}  // namespace detail

//! The default grid of a product on cluster `m`: the one with the least time of the exchanges, plus
//! two reads for each multiplication of the busiest node at the full width of all its memories. If
//! several have the least, it is the one with the fewest layers, then with the fewest rows. The
//! exact time depends on the number of threads, too: see mmm::fastest_on_nodes. Time: O(1) for each
//! grid.
template <cluster_machine M>
[[nodiscard]] constexpr node_grid product_grid(M const& m, product_shape const& shape,
                                               index panels = 1) {
  machine_terms const node = terms_of(m.node(), 1);
  node_grid best(1, m.nodes());
  index least = -1;
  detail::each_grid(m.nodes(), [&](node_grid const& grid) {
    detail::grid_product const by(shape, grid, panels);
    index const in_layers =
        natural(by.traffic_in_layers(m).time) + 2 * by.max_work() / (node.d * node.w);
    if (least >= 0 && in_layers >= least) return;
    index const time = detail::checked_add(in_layers, by.traffic_of_layers(m).time);
    if (least >= 0 && time >= least) return;
    least = time;
    best = grid;
  });
  return best;
}

}  // namespace mmm
