// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/choose/fastest_on_nodes.hpp>
#include <mmm/cluster.hpp>

#include "catch.hpp"

#include <vector>

namespace {

using mmm::index;
using mmm::node_grid;
using mmm::product_shape;

using node_machine = mmm::hmm<2, 4, 2, 10>;
using any_cluster = mmm::cluster<mmm::dynamic, mmm::dynamic, mmm::dynamic, node_machine>;

//! The least time of all candidates, by a loop over all triples.
index least_time(any_cluster const& m, product_shape const& shape, mmm::threads p, mmm::tile side) {
  index const k = m.nodes();
  index least =
      mmm::cost_of(m.node(), mmm::matrix_multiply, shape, mmm::threads(p.count / k), side).time;
  for (index rows = 1; rows <= k; ++rows)
    for (index columns = 1; columns <= k; ++columns)
      for (index layers = 1; layers <= k; ++layers) {
        if (rows * columns * layers != k) continue;
        index const time =
            mmm::cost_of(m, mmm::matrix_multiply, shape, p, side, node_grid(rows, columns, layers))
                .time;
        least = time < least ? time : least;
      }
  return least;
}

}  // namespace

TEST_CASE("the quickest of one node and all grids is found for products") {
  int alone = 0, flat = 0, layered = 0;
  mmm::tile const side(4);
  for (index const k : {1, 4, 6, 8, 12})
    for (index const g : {1, 40})
      for (index const latency : {1, 3000})
        for (product_shape const& shape :
             {product_shape(8, 8, 8), product_shape(24, 24, 24), product_shape(4, 64, 4),
              product_shape(48, 5, 7), product_shape(0, 5, 7)}) {
          any_cluster const m(k, g, latency);
          mmm::threads const p(16 * k);
          CAPTURE(k, g, latency, shape.rows, shape.inner, shape.columns);
          auto const best = mmm::fastest_on_nodes(m, mmm::matrix_multiply, shape, p, side);
          CHECK(best.cost.time == least_time(m, shape, p, side));
          if (best.on_cluster) {
            CHECK(best.grid.nodes() == k);
            CHECK(best.cost == mmm::cost_of(m, mmm::matrix_multiply, shape, p, side, best.grid));
          } else {
            CHECK(best.grid == node_grid());
            CHECK(best.cost.network == mmm::network_traffic{});
          }
          ++(!best.on_cluster ? alone : best.grid.layers == 1 ? flat : layered);
        }
  // each kind is the quickest of some
  CHECK(alone > 0);
  CHECK(flat > 0);
  CHECK(layered > 0);
}

TEST_CASE("the quickest of one node and all is found for sums") {
  for (index const k : {1, 3, 16})
    for (index const n : {0, 1, 100, 20000})
      for (index const latency : {1, 500}) {
        any_cluster const m(k, 2, latency);
        mmm::threads const p(16 * k);
        auto const best = mmm::fastest_on_nodes(m, mmm::sum, mmm::size(n), p);
        auto const one = mmm::cost_of(m.node(), mmm::sum, mmm::size(n), mmm::threads(16));
        auto const all = mmm::cost_of(m, mmm::sum, mmm::size(n), p);
        CHECK(best.on_cluster == (all.time < one.time));
        CHECK(best.cost.time == (all.time < one.time ? all.time : one.time));
      }
}

TEST_CASE("the choice is a constant") {
  using m = mmm::cluster<8, 2, 10, node_machine>;
  auto const best = mmm::fastest_on_nodes<m>(mmm::sum, mmm::size(10000), mmm::threads(8 * 16));
  CHECK(best.on_cluster);
  CHECK(best.cost == mmm::cost_of<m>(mmm::sum, mmm::size(10000), mmm::threads(8 * 16)));
}
