// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Costs of products on large clusters, and the choice of their grids, at compile time.
#include <mmm/cluster.hpp>

namespace {

using mmm::index;
using mmm::node_grid;

using node_machine = mmm::hmm<4, 32, 2, 100>;
using of_10000 = mmm::cluster<10000, mmm::gap(1, 4), 1000, node_machine>;
[[maybe_unused]] constexpr mmm::threads p(10000 * 4 * 64);

constexpr index n = 6400;
#ifndef __CUDACC__  // whose front end takes captures of lambdas in lambdas for uninitialized
constexpr auto square = mmm::cost_of<of_10000>(mmm::matrix_multiply, mmm::size(n), p, mmm::tile(32),
                                               node_grid(100, 100));
static_assert(square.work.closed_form);
//! An exchange of 2 * 99 blocks of 64 x 64 words, at 4 words per time unit.
static_assert(square.network ==
              mmm::network_traffic{1, 2 * 99 * 4096, 2 * 99, 2 * 99 * 4096 / 4 + 1000});
static_assert(square.time == square.work.time + square.network.time);
static_assert(square.work.time == mmm::cost_of<node_machine>(mmm::matrix_multiply,
                                                             mmm::product_shape(64, 6400, 64),
                                                             mmm::threads(4 * 64), mmm::tile(32))
                                      .time);
//! With 5 panels: the first one's exchange, which takes longer than to clear the sums; four times
//! the work on a panel, longer than the exchange of the next one; the work on the last one.
constexpr auto in_panels =
    mmm::cost_of<of_10000>(mmm::matrix_multiply, mmm::size(n), p, mmm::tile(32),
                           node_grid(100, 100), mmm::inner_panels(5));
static_assert(in_panels.network.supersteps == 5);
static_assert(in_panels.network.words == 5 * (2 * 99 * 13 * 64));  // 13 of 1280 columns of a panel
static_assert(in_panels.time < in_panels.work.time + in_panels.network.time / 5);
static_assert(in_panels.time < square.time);
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
