// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/cluster.hpp>

#include "catch.hpp"

#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <vector>

namespace {

using mmm::index;
using mmm::inner_panels;
using mmm::node_grid;
using mmm::product_shape;

using dmm_node = mmm::dmm<4, 3>;
using hmm_node = mmm::hmm<2, 4, 2, 10>;
template <class Node>
using nodes_of = mmm::cluster<mmm::dynamic, 3, 50, Node>;

template <class T = index>
std::vector<T> numbers(index n, index seed) {
  std::vector<T> a;
  for (index i = 0; i < n; ++i) a.push_back(static_cast<T>((i * 37 + seed * 11) % 23 - 9));
  return a;
}

template <class Sum, class T>
std::vector<Sum> plain_product(std::vector<T> const& a, std::vector<T> const& b,
                               product_shape const& s) {
  std::vector<Sum> c(static_cast<std::size_t>(s.rows * s.columns));
  for (index row = 0; row < s.rows; ++row)
    for (index column = 0; column < s.columns; ++column) {
      Sum sum{};
      for (index k = 0; k < s.inner; ++k)
        sum += static_cast<Sum>(a[static_cast<std::size_t>(row * s.inner + k)]) *
               static_cast<Sum>(b[static_cast<std::size_t>(k * s.columns + column)]);
      c[static_cast<std::size_t>(row * s.columns + column)] = sum;
    }
  return c;
}

//! The words that the program has on a node, with those of the panels and the products.
index memory_of(mmm::detail::grid_product const& by) {
  index const panels =
      mmm::detail::left_panel_words{by}.words(0) + mmm::detail::right_panel_words{by}.words(0);
  index const sums = by.sums(0) * ((by.grid().layers > 1 ? 2 : 1) + (by.panels() > 1 ? 1 : 0));
  return by.max_inputs() + panels + sums;
}

//! Compares a product with a plain loop, its cost with the estimates, and its bounds.
template <class M, class... Options>
mmm::cluster_cost check_product(M const& m, product_shape const& shape, index p, index panels,
                                node_grid const& grid, Options const&... options) {
  CAPTURE(shape.rows, shape.inner, shape.columns, grid.rows, grid.columns, grid.layers, panels);
  auto const a = numbers(shape.rows * shape.inner, 1);
  auto const b = numbers(shape.inner * shape.columns, 2);
  std::vector<index> c(static_cast<std::size_t>(shape.rows * shape.columns), -1);
  auto const run = mmm::simulate(m, mmm::threads(p), [&](auto on) {
    mmm::matrix_multiply(on, a.begin(), b.begin(), shape, c.begin(), options...);
  });
  CHECK(c == plain_product<index>(a, b, shape));
  CHECK(run.race_count == 0);
  CHECK(run.node_race_count == 0);

  auto const& algorithm = mmm::matrix_multiply;
  auto const cost = mmm::cost_of(m, algorithm, shape, mmm::threads(p), options...);
  CHECK(run.cost.time == cost.time);
  CHECK(run.cost.network == cost.network);
  CHECK(run.cost.work.rounds == cost.work.rounds);
  CHECK(run.cost.work.stages == cost.work.stages);
  CHECK(run.cost.work.time == cost.work.time);
  using program = typename mmm::detail::cluster_program<
      mmm::detail::remove_cvref_t<decltype(algorithm)>>::problem;
  auto const all = mmm::estimate(
      m, mmm::threads(p), [&](auto& on) { program(shape, options...).run(on); },
      mmm::examined_ranks::all);
  CHECK(all == cost);

  mmm::detail::grid_product const by(shape, grid, panels);
  CHECK(by.traffic(m) == cost.network);
  auto const least = mmm::lower_bound(m, algorithm, shape, mmm::threads(p), options...);
  CHECK(least.time <= cost.time);
  CHECK(cost.time <= 2 * mmm::constant_of(m, algorithm) *
                         mmm::upper_bound(m, algorithm, shape, mmm::threads(p), options...));
  CHECK(mmm::product_words_bound(shape, m.nodes(), by.max_inputs(), by.sums(0)) <=
        cost.network.words);
  CHECK(mmm::product_words_bound_in_memory(shape, m.nodes(), memory_of(by) + 1) <=
        2 * cost.network.words);
  return cost;
}

std::vector<product_shape> const shapes{{8, 8, 8}, {7, 5, 9}, {1, 13, 4}, {6, 1, 1},
                                        {3, 0, 4}, {0, 4, 2}, {2, 3, 0},  {12, 30, 5}};

template <class F>
void each_grid_of(index k, F const& f) {
  for (index layers = 1; layers <= k; ++layers)
    for (index rows = 1; rows <= k; ++rows)
      for (index columns = 1; columns <= k; ++columns)
        if (rows * columns * layers == k) f(node_grid(rows, columns, layers));
}

}  // namespace

TEST_CASE("products on clusters of DMMs, on each grid") {
  for (index const k : {1, 2, 3, 4, 6, 8})
    each_grid_of(k, [&](node_grid const& grid) {
      for (product_shape const& shape : shapes)
        for (index const panels : {1, 2, 3})
          check_product(nodes_of<dmm_node>(k), shape, 8 * k, panels, grid, grid,
                        inner_panels(panels));
    });
}

TEST_CASE("products on clusters of HMMs, on each grid") {
  for (index const k : {1, 4, 6})
    each_grid_of(k, [&](node_grid const& grid) {
      for (product_shape const& shape : shapes)
        check_product(nodes_of<hmm_node>(k), shape, 16 * k, 2, grid, inner_panels(2),
                      mmm::tile(4 < shape.inner ? 4 : 1), grid);
    });
}
