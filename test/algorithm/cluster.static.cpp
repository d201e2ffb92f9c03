// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Costs and bounds of programs on 10,000 nodes as constants, within the compilers' default limits.
#include <mmm/cluster.hpp>

namespace {

using mmm::index;

using node_machine = mmm::hmm<4, 32, 2, 100>;
using many = mmm::cluster<10000, mmm::gap(1, 16), 5000, node_machine>;
constexpr mmm::threads p(10000 * 4 * 64);
constexpr mmm::size words((index{1} << 40) + 4567);

constexpr auto sum = mmm::cost_of<many>(mmm::sum, words, p);
static_assert(sum.work.time == mmm::cost_of<node_machine>(mmm::sum,
                                                          mmm::size((words.count + 9999) / 10000),
                                                          mmm::threads(4 * 64))
                                   .time);
// One node gets the words of all others at once.
static_assert(sum.network.time == 625 + 5000 && sum.network.words == 9999);
static_assert(sum.time == sum.work.time + sum.network.time);
static_assert(mmm::lower_bound<many>(mmm::sum, words, p).time <= sum.time);
static_assert(sum.time <=
              mmm::constant_of(many{}, mmm::sum) * mmm::upper_bound<many>(mmm::sum, words, p));

constexpr auto least = mmm::cost_of<many>(mmm::argmin, words, p);
static_assert(least.network == sum.network);
static_assert(mmm::lower_bound<many>(mmm::argmin, words, p).time <= least.time);

constexpr auto scan = mmm::cost_of<many>(mmm::prefix_sums, mmm::size(1'000'000'007), p);
static_assert(scan.network == sum.network);
static_assert(scan.time == scan.work.time + scan.network.time);

using of_prams = mmm::cluster<10000, 2, 1000, mmm::pram>;
constexpr auto sorted =
    mmm::cost_of<of_prams>(mmm::sort, mmm::size(40001), mmm::threads(10000 * 64));
static_assert(sorted.network.words > 4);

constexpr auto convolved = mmm::cost_of<many>(mmm::convolution, mmm::size(10000 * 1024),
                                              mmm::threads(10000 * 4 * 32), mmm::taps(33));
static_assert(convolved.network == mmm::network_traffic{1, 32, 1, 2 + 5000});

using of_dmms = mmm::cluster<10000, 2, 100, mmm::dmm<4, 3>>;
constexpr auto image = mmm::cost_of<of_dmms>(mmm::image_convolution, mmm::shape(80000, 8),
                                             mmm::threads(10000 * 8), mmm::radius(1));
static_assert(image.network == mmm::network_traffic{1, 2 * 8, 2, 2 * 2 * 8 + 100});
static_assert(image.time < image.work.time + image.network.time);

#ifndef __CUDACC__  // whose front end takes captures of lambdas in lambdas for uninitialized
constexpr auto transposed =
    mmm::cost_of<many>(mmm::transpose_straightforward, mmm::size(40000), mmm::threads(10000 * 128));
static_assert(transposed.network.words == 4 * (40000 - 4));
#endif

}  // namespace
