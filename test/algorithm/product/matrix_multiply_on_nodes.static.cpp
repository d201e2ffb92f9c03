// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Costs of products on large clusters, and the choice of their grids, at compile time.
#include <mmm/cluster.hpp>

namespace {

using mmm::index;
using mmm::node_grid;

using node_machine = mmm::hmm<4, 32, 2, 100>;
using of_10000 = mmm::cluster<10000, mmm::gap(1, 4), 1000, node_machine>;
constexpr mmm::threads p(10000 * 4 * 64);

constexpr index n = 6400;
#ifndef __CUDACC__  // whose front end takes captures of lambdas in lambdas for uninitialized
constexpr auto square = mmm::cost_of<of_10000>(mmm::matrix_multiply, mmm::size(n), p, mmm::tile(32),
                                               node_grid(100, 100));
static_assert(square.work.closed_form);
//! Two exchanges of 99 blocks of 64 x 64 words, at 4 words per time unit.
static_assert(square.network ==
              mmm::network_traffic{2, 2 * 99 * 4096, 2 * 99, 2 * (99 * 4096 / 4 + 1000)});
static_assert(square.time == square.work.time + square.network.time);
static_assert(square.work.time == mmm::cost_of<node_machine>(mmm::matrix_multiply,
                                                             mmm::product_shape(64, 6400, 64),
                                                             mmm::threads(4 * 64), mmm::tile(32))
                                      .time);
#endif
constexpr node_grid best = mmm::product_grid(of_10000{}, mmm::product_shape(n, n, n));
static_assert(best == node_grid(25, 25, 16));
#ifndef __CUDACC__
constexpr auto chosen =
    mmm::cost_of<of_10000>(mmm::matrix_multiply, mmm::size(n), p, mmm::tile(32));
static_assert(chosen.time < square.time);
//! The parts of a panel of each factor, then the sums of 16 layers in two exchanges.
static_assert(chosen.network.words == 2 * 24 * (256 * 16) + 2 * 15 * 4096);
static_assert(mmm::lower_bound<of_10000>(mmm::matrix_multiply, mmm::size(n), p, mmm::tile(32))
                  .time <= chosen.time);
#endif

}  // namespace
