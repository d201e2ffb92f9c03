// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/cluster.hpp>

#include "catch.hpp"

#include <algorithm>
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

//! Everything but how the work was counted.
bool equal_costs(mmm::cluster_cost const& x, mmm::cluster_cost const& y) {
  return x.time == y.time && x.network == y.network && x.work.rounds == y.work.rounds &&
         x.work.stages == y.work.stages && x.work.time == y.work.time;
}

//! The words that the program has on a node, with those of the panels and the products.
index memory_of(mmm::detail::grid_product const& by) {
  index const panels = (by.panels() > 1 ? 2 : 1) * (mmm::detail::left_panel_words{by}.words(0) +
                                                    mmm::detail::right_panel_words{by}.words(0));
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
  CHECK(equal_costs(run.cost, cost));
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

TEST_CASE("products on clusters with a prime number of nodes, most of them without rows") {
  for (product_shape const& shape : shapes) {
    check_product(nodes_of<dmm_node>(13), shape, 13 * 4, 1, node_grid(1, 13), node_grid(1, 13));
    check_product(nodes_of<dmm_node>(13), shape, 13 * 4, 4, node_grid(13, 1), node_grid(13, 1),
                  inner_panels(4));
    check_product(nodes_of<dmm_node>(13), shape, 13 * 4, 1, node_grid(1, 1, 13),
                  node_grid(1, 1, 13));
  }
}

TEST_CASE("smaller blocks of products on clusters may take longer, by bank conflicts") {
  nodes_of<dmm_node> const m(2);
  auto const time = [](product_shape const& part) {
    return mmm::cost_of(dmm_node{}, mmm::matrix_multiply, part, mmm::threads(16)).time;
  };
  // 3 columns: a warp reads two elements of a column of the left factor, from one bank
  REQUIRE(time({4, 8, 3}) > time({4, 8, 4}));
  auto const by_columns = check_product(m, {4, 8, 7}, 32, 1, node_grid(1, 2), node_grid(1, 2));
  CHECK(by_columns.work.time == time({4, 8, 3}));
  // rows of 8 elements, in the second layer
  REQUIRE(time({4, 8, 3}) > time({4, 9, 3}));
  auto const by_layers =
      check_product(m, {4, 17, 3}, 32, 1, node_grid(1, 1, 2), node_grid(1, 1, 2));
  CHECK(by_layers.work.time == time({4, 8, 3}));
  // in the second one of two panels only
  check_product(m, {4, 35, 3}, 32, 2, node_grid(1, 1, 2), node_grid(1, 1, 2), inner_panels(2));
}

TEST_CASE("products on clusters choose their grid by the time of the exchanges and the work") {
  for (index const k : {1, 5, 12, 16})
    for (product_shape const& shape : shapes) {
      nodes_of<dmm_node> const m(k);
      node_grid const grid = mmm::product_grid(m, shape);
      check_product(m, shape, 8 * k, 1, grid);
      index least = -1;
      node_grid expected;
      each_grid_of(k, [&](node_grid const& other) {
        index const block = mmm::detail::ceil_divide(shape.rows, other.rows) *
                            mmm::detail::ceil_divide(shape.columns, other.columns);
        index const work = 2 * block * mmm::detail::ceil_divide(shape.inner, other.layers);
        index const time =
            mmm::cost_of(m, mmm::matrix_multiply, shape, mmm::threads(8 * k), other).network.time +
            mmm::detail::ceil_divide(work, 4);
        if (least >= 0 && time >= least) return;
        least = time;
        expected = other;
      });
      CHECK(grid == expected);
    }
}

TEST_CASE("a panel of a product is exchanged while nodes work on the one before it") {
  product_shape const shape(8, 22, 12);
  node_grid const grid(2, 2);
  index const sums = 4 * 6;
  auto const time_of = [](auto const& program) {
    return mmm::estimate(dmm_node{}, mmm::threads(16), program).time;
  };
  index const clear = time_of([&](auto& on) {
    mmm::run(on, mmm::detail::clear_sums{}, mmm::writes<index>(mmm::no_data{}, sums), sums);
  });
  index const add = time_of([&](auto& on) {
    mmm::run(on, mmm::detail::add_to_sums{}, mmm::updates<index>(mmm::no_data{}, sums),
             mmm::reads<index>(mmm::no_data{}, sums), sums);
  });
  auto const check = [&](auto const& m, bool work_takes_longer) {
    for (index const panels : {2, 3, 4, 11, 22}) {
      mmm::block_distribution const widths(22, panels);
      auto const work = [&](index panel) {
        return add + mmm::cost_of(dmm_node{}, mmm::matrix_multiply,
                                  product_shape(4, widths.words(panel), 6), mmm::threads(16))
                         .time;
      };
      auto const network = [&](index panel) {  // a block of each factor to one other node each
        return mmm::exchange_time(m, (4 + 6) * ((widths.words(panel) + 1) / 2), 2);
      };
      index expected = std::max(clear, network(0));
      for (index panel = 1; panel < panels; ++panel) {
        CHECK((work(panel - 1) > network(panel)) == work_takes_longer);
        expected += std::max(work(panel - 1), network(panel));
      }
      auto const cost = check_product(m, shape, 64, panels, grid, grid, inner_panels(panels));
      CHECK(cost.time == expected + work(panels - 1));
      CHECK(cost.network.supersteps == panels);
    }
  };
  check(mmm::cluster<mmm::dynamic, 1, 5, dmm_node>(4), true);
  check(mmm::cluster<mmm::dynamic, 200, 5, dmm_node>(4), false);
}

TEST_CASE("grids of so many nodes are found in order, each once") {
  for (index k = 1; k <= 200; ++k) {
    std::vector<node_grid> found, expected;
    mmm::detail::each_grid(k, [&](node_grid const& grid) { found.push_back(grid); });
    for (index layers = 1; layers <= k; ++layers)
      for (index rows = 1; rows <= k; ++rows)
        if (k % layers == 0 && k / layers % rows == 0)
          expected.emplace_back(rows, k / layers / rows, layers);
    REQUIRE(found == expected);
  }
}

TEST_CASE("products on clusters add up in other types, and convert their results") {
  product_shape const shape(6, 7, 5);
  nodes_of<hmm_node> const m(8);
  node_grid const grid(2, 2, 2);
  auto const a = numbers<float>(42, 3);
  auto const b = numbers<float>(35, 4);
  std::vector<float> c(30);
  auto const run = mmm::simulate(m, mmm::threads(128), [&](auto on) {
    mmm::matrix_multiply(on, a.begin(), a.end(), b.begin(), b.end(), shape, c.begin(), grid,
                         mmm::accumulate_in<double>, inner_panels(3), mmm::tile(3));
  });
  auto const expected = plain_product<double>(a, b, shape);
  for (std::size_t i = 0; i < c.size(); ++i) CHECK(c[i] == static_cast<float>(expected[i]));
  CHECK(equal_costs(run.cost, mmm::cost_of(m, mmm::matrix_multiply, shape, mmm::threads(128),
                                           mmm::tile(3), grid, inner_panels(3))));

  std::vector<short> const x(42, 1000), y(35, 1000);  // sums of more than 16 bits
  std::vector<index> z(30);
  mmm::simulate(m, mmm::threads(128), [&](auto on) {
    mmm::matrix_multiply(on, x.begin(), y.begin(), shape, z.begin(), grid, mmm::tile(3));
  });
  CHECK(z == std::vector<index>(30, 7000000));
}

TEST_CASE("products on clusters with the sums in memory") {
  product_shape const shape(9, 6, 10);
  nodes_of<hmm_node> const m(6);
  auto const a = numbers(54, 5);
  auto const b = numbers(60, 6);
  std::vector<index> c(90);
  auto const run = mmm::simulate(m, mmm::threads(96), [&](auto on) {
    mmm::matrix_multiply_in_memory(on, a.begin(), b.begin(), shape, c.begin(), mmm::tile(4));
  });
  CHECK(c == plain_product<index>(a, b, shape));
  CHECK(equal_costs(run.cost, mmm::cost_of(m, mmm::matrix_multiply_in_memory, shape,
                                           mmm::threads(96), mmm::tile(4))));
}

TEST_CASE("the words of products on clusters are near their lower bounds") {
  for (index const k : {4, 8, 27, 64, 512, 1000, 4096})
    for (product_shape const& shape :
         {product_shape(4096, 4096, 4096), product_shape(65536, 512, 512)}) {
      mmm::cluster<mmm::dynamic, 1000, 1, dmm_node> const m(k);
      node_grid const grid = mmm::product_grid(m, shape);
      mmm::detail::grid_product const by(shape, grid, 1);
      index const words = by.traffic(m).words;
      index const bound = mmm::product_words_bound(shape, k, by.max_inputs(), by.sums(0));
      CAPTURE(k, shape.rows, grid.rows, grid.columns, grid.layers, words, bound);
      CHECK(bound <= words);
      CHECK(10 * words <= 33 * bound);
    }
  // for a size of the memories: a flat grid with many panels has little more than its blocks
  product_shape const cube(16384, 16384, 16384);
  mmm::cluster<mmm::dynamic, 1, 1, dmm_node> const flat(4096);
  mmm::detail::grid_product const by(cube, node_grid(64, 64), 256);
  index const bound = mmm::product_words_bound_in_memory(cube, 4096, memory_of(by));
  CHECK(bound <= 2 * by.traffic(flat).words);
  CHECK(2 * by.traffic(flat).words <= 50 * bound);
}

TEST_CASE("more layers send fewer words") {
  product_shape const cube(4096, 4096, 4096);
  mmm::cluster<mmm::dynamic, 1, 1, dmm_node> const m(4096);
  auto const words = [&](node_grid const& grid) {
    return mmm::detail::grid_product(cube, grid, 1).traffic(m).words;
  };
  // 2 n^2/sqrt(c k), less the node's own part, and 2 n^2 c/k for the sums of c = 4 layers
  index const n2 = 4096 * 4096;
  CHECK(words(node_grid(64, 64)) == 2 * 63 * n2 / 4096);
  CHECK(words(node_grid(32, 32, 4)) == 2 * 31 * n2 / 4096 + 2 * 3 * n2 / 4096);
  CHECK(words(node_grid(16, 16, 16)) == 2 * 15 * n2 / 4096 + 2 * 15 * n2 / 4096);
}

TEST_CASE("products on clusters refuse wrong grids, panels and tiles") {
  nodes_of<hmm_node> const m(4);
  std::vector<float> const a(16), b(16);
  std::vector<float> c(16);
  product_shape const shape(4, 4, 4);
  auto const call = [&](auto const&... options) {
    mmm::simulate(m, mmm::threads(64), [&](auto on) {
      mmm::matrix_multiply(on, a.begin(), b.begin(), shape, c.begin(), options...);
    });
  };
  using Catch::Matchers::Contains;
  CHECK_THROWS_WITH(call(mmm::tile(2), node_grid(2, 3)),
                    Contains("nodes of the grid is 6; accepted: 4, the number of nodes"));
  CHECK_THROWS_WITH(call(mmm::tile(5)), Contains("side of a tile") && Contains("5"));
  CHECK_THROWS_WITH(call(), Contains("mmm::tile"));
  CHECK_THROWS_AS(inner_panels(0), std::invalid_argument);
  CHECK_THROWS_AS(
      mmm::cost_of(m, mmm::matrix_multiply, shape, mmm::threads(64), mmm::tile(2), node_grid(1, 1)),
      std::invalid_argument);
  CHECK_THROWS_AS(mmm::lower_bound(m, mmm::matrix_multiply, shape, mmm::threads(64)),
                  std::invalid_argument);
  CHECK_NOTHROW(call(mmm::tile(4), node_grid(2, 2), inner_panels(9)));
}

TEST_CASE("a product on a cluster that overlaps a factor is refused") {
  nodes_of<dmm_node> const m(4);
  std::vector<float> words(40);
  std::vector<float> const other(16);
  auto const call = [&](index first, bool left) {
    mmm::simulate(m, mmm::threads(16), [&](auto on) {
      auto const shared = words.begin() + 16;
      auto const out = words.begin() + first;
      if (left)
        mmm::matrix_multiply(on, shared, other.begin(), {4, 4, 4}, out);
      else
        mmm::matrix_multiply(on, other.begin(), shared, {4, 4, 4}, out);
    });
  };
  for (bool const left : {false, true}) {
    CHECK_THROWS_AS(call(16, left), std::invalid_argument);
    CHECK_THROWS_AS(call(1, left), std::invalid_argument);
    CHECK_NOTHROW(call(0, left));
  }
}
