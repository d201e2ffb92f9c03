// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/layout/block_distribution.hpp>

//! Matrices in blocks on a grid of nodes.
namespace mmm {

//! Nodes in a grid of `rows` x `columns` in row-major order, or in several such layers, one after
//! the other: the node in a row, a column and a layer has rank `(layer * rows + row) * columns +
//! column`. Errors: std::invalid_argument for a number below 1.
struct node_grid {
  index rows = 1;
  index columns = 1;
  index layers = 1;

  constexpr node_grid() = default;
  constexpr node_grid(index number_of_rows, index number_of_columns, index number_of_layers = 1)
      : rows(number_of_rows), columns(number_of_columns), layers(number_of_layers) {
    if (rows < 1) detail::reject("the rows of a grid of nodes", rows, "1 or more");
    if (columns < 1) detail::reject("the columns of a grid of nodes", columns, "1 or more");
    if (layers < 1) detail::reject("the layers of a grid of nodes", layers, "1 or more");
  }
  //! Number of nodes of a layer.
  [[nodiscard]] constexpr index layer_nodes() const {
    return detail::checked_multiply(rows, columns);
  }
  [[nodiscard]] constexpr index nodes() const {
    return detail::checked_multiply(layer_nodes(), layers);
  }
  [[nodiscard]] constexpr index column(index rank) const { return rank % columns; }
  [[nodiscard]] constexpr index row(index rank) const { return rank / columns % rows; }
  [[nodiscard]] constexpr index layer(index rank) const { return rank / columns / rows; }
  friend constexpr bool operator==(node_grid const&, node_grid const&) = default;
};

//! The side of a matrix whose rows or columns are divided twice: `items` rows or columns in
//! `panels` panels, each panel in a section for each of `layers` layers of a grid, and each section
//! in `blocks` blocks, everywhere in parts of almost equal size (mmm::block_distribution). Member
//! b of a layer has block b of its layer's section in each panel, one panel after the other. With
//! one panel in one layer, member b has the b-th of `blocks` consecutive blocks.
//! Laws: as of mmm::block_distribution, over all members and layers; panels of equal size are
//! divided equally. Time of each member: O(1).
struct panel_distribution {
  block_distribution panels{};
  index layers = 1;
  index blocks = 1;

  constexpr panel_distribution() = default;
  constexpr panel_distribution(index items, index number_of_blocks, index number_of_panels = 1,
                               index number_of_layers = 1)
      : panels(items, number_of_panels), layers(number_of_layers), blocks(number_of_blocks) {
    if (layers < 1) detail::reject("the number of layers", layers, "1 or more");
    if (blocks < 1) detail::reject("the number of blocks", blocks, "1 or more");
  }
  [[nodiscard]] constexpr index total() const { return panels.total(); }
  //! The blocks of a layer's section of a panel.
  [[nodiscard]] constexpr block_distribution section(index panel, index layer) const {
    return {block_distribution(panels.words(panel), layers).words(layer), blocks};
  }
  //! Number of items of a member before those of a panel.
  [[nodiscard]] constexpr index before(index panel, index layer, index block) const {
    index const larger = detail::smaller(panel, panels.larger_blocks());
    index const of_larger = larger == 0 ? 0 : larger * section(0, layer).words(block);
    if (panel == larger) return of_larger;
    return of_larger + (panel - larger) * section(panels.blocks - 1, layer).words(block);
  }
  //! Number of items of a member.
  [[nodiscard]] constexpr index words(index layer, index block) const {
    return before(panels.blocks, layer, block);
  }
  //! The item that is number i of a member.
  [[nodiscard]] constexpr index place(index layer, index block, index i) const {
    index const larger = panels.larger_blocks();
    index const in_larger = before(larger, layer, block);
    bool const first_panels = i < in_larger;
    index const rest = first_panels ? i : i - in_larger;
    index const size = section(first_panels ? 0 : panels.blocks - 1, layer).words(block);
    index const panel = rest / size + (first_panels ? 0 : larger);
    return panels.first(panel) + block_distribution(panels.words(panel), layers).first(layer) +
           section(panel, layer).first(block) + rest % size;
  }
  friend constexpr bool operator==(panel_distribution const&, panel_distribution const&) = default;
};

//! The sides of a matrix.
enum class matrix_side { rows, columns };

//! A row-major matrix on a grid of nodes. The node in row r and column c of the grid has the r-th
//! block of rows and the c-th block of columns, as a row-major matrix of its own. One side may be
//! divided among the layers, and in panels (panel_distribution); a matrix without such a side lies
//! in layer 0. Every element is on one node.
//! Laws, as of mmm::block_distribution for the elements: over all ranks r and 0 <= i < words(r),
//! place(r, i) is each of 0 … total() - 1 once.
struct block_grid {
  node_grid grid{};
  panel_distribution down{};    //!< the rows of the matrix
  panel_distribution across{};  //!< the columns of the matrix

  constexpr block_grid() = default;
  //! A matrix of `rows` x `columns` in layer 0.
  constexpr block_grid(node_grid const& nodes, index rows, index columns)
      : grid(nodes), down(rows, nodes.rows), across(columns, nodes.columns) {}
  //! A matrix in all layers, with `side` divided among them in each of `panels` panels.
  constexpr block_grid(node_grid const& nodes, index rows, index columns, matrix_side side,
                       index panels)
      : block_grid(nodes, rows, columns) {
    if (side == matrix_side::rows)
      down = {rows, nodes.rows, panels, nodes.layers};
    else
      across = {columns, nodes.columns, panels, nodes.layers};
  }
  //! Number of elements of the matrix.
  [[nodiscard]] constexpr index total() const {
    return detail::checked_multiply(down.total(), across.total());
  }
  //! Number of rows of a node's block.
  [[nodiscard]] constexpr index rows(index rank) const {
    return in_matrix(rank) ? down.words(layer_of(down, rank), grid.row(rank)) : 0;
  }
  //! Number of columns of a node's block.
  [[nodiscard]] constexpr index columns(index rank) const {
    return in_matrix(rank) ? across.words(layer_of(across, rank), grid.column(rank)) : 0;
  }
  //! Number of elements on a node.
  [[nodiscard]] constexpr index words(index rank) const {
    return detail::checked_multiply(rows(rank), columns(rank));
  }
  //! The place in the whole row-major matrix of element i of a node's block.
  [[nodiscard]] constexpr index place(index rank, index i) const {
    index const own = columns(rank);
    return down.place(layer_of(down, rank), grid.row(rank), i / own) * across.total() +
           across.place(layer_of(across, rank), grid.column(rank), i % own);
  }
  friend constexpr bool operator==(block_grid const&, block_grid const&) = default;

 private:
  [[nodiscard]] constexpr index layer_of(panel_distribution const& side, index rank) const {
    return side.layers == 1 ? 0 : grid.layer(rank);
  }
  [[nodiscard]] constexpr bool in_matrix(index rank) const {
    return grid.layer(rank) == 0 || down.layers > 1 || across.layers > 1;
  }
};

}  // namespace mmm
