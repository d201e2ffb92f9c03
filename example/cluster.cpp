// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far do sums and prefix-sums scale beyond one machine? Costs on 1 to 10,000 nodes, computed by
// the compiler, and a simulation of four nodes with data.
#include <mmm/cluster.hpp>

#include <cstdint>
#include <iostream>
#include <numeric>
#include <vector>

namespace {

using mmm::index;

// A node has 16 DMMs of width 32 under a global memory of latency 400, and 16 * 256 threads.
using node = mmm::hmm<16, 32, 1, 400>;
constexpr index threads_of_node = 16 * 256;

// The network: each node sends and receives a word in 4 time units; an exchange takes 1000 more.
template <index K>
using nodes = mmm::cluster<K, 4, 1000, node>;

constexpr mmm::size n(1'000'000'000);  // over all nodes

template <index K>
constexpr auto sum_on = mmm::cost_of<nodes<K>>(mmm::sum, n, mmm::threads(K* threads_of_node));
template <index K>
constexpr auto scan_on =
    mmm::cost_of<nodes<K>>(mmm::prefix_sums, n, mmm::threads(K* threads_of_node));

// One node is the machine itself.
static_assert(sum_on<1>.time ==
              mmm::cost_of<node>(mmm::sum, n, mmm::threads(threads_of_node)).time);
static_assert(scan_on<1>.time ==
              mmm::cost_of<node>(mmm::prefix_sums, n, mmm::threads(threads_of_node)).time);

// Ten nodes fold the sums of their parts in one exchange, in which each sends its sum to 9 others.
static_assert(sum_on<10>.network.time == 9 * 4 + 1000);
static_assert(
    sum_on<10>.time ==
    mmm::cost_of<node>(mmm::sum, mmm::size(100'000'000), mmm::threads(threads_of_node)).time +
        sum_on<10>.network.time);
// 10,000 nodes need two exchanges with 99 others: one with 9,999 others takes longer.
static_assert(sum_on<10'000>.network.time == 2 * (99 * 4 + 1000));
static_assert(2 * (99 * 4 + 1000) < 9999 * 4 + 1000);
// The scan of the nodes' sums takes as long.
static_assert(scan_on<10'000>.network == sum_on<10'000>.network);

// A thousand nodes are almost a thousand times as fast; of ten thousand, the network takes a share.
static_assert(scan_on<1>.time > 950 * scan_on<1000>.time);
static_assert(sum_on<1>.time > 900 * sum_on<1000>.time);
static_assert(sum_on<1>.time < 7500 * sum_on<10'000>.time);

// No program does much better: some node reads its part, and the parts' sums meet.
static_assert(scan_on<10'000>.time <=
              6 * mmm::lower_bound<nodes<10'000>>(mmm::prefix_sums, n,
                                                  mmm::threads(10'000 * threads_of_node))
                      .time);

template <index K>
void line() {
  auto const ratio = [](index one, index many) {
    return static_cast<double>(one) / static_cast<double>(many);
  };
  std::cout << K << '\t' << sum_on<K>.time << '\t' << ratio(sum_on<1>.time, sum_on<K>.time) << '\t'
            << scan_on<K>.time << '\t' << ratio(scan_on<1>.time, scan_on<K>.time) << '\n';
}

}  // namespace

int main() {
  std::cout << "nodes\tsum\tspeed-up\tprefix-sums\tspeed-up\n";
  line<1>();
  line<10>();
  line<100>();
  line<1000>();
  line<10'000>();

  // The same calls on data, on four nodes.
  std::vector<std::int64_t> a(100'003);
  std::iota(a.begin(), a.end(), 1);
  std::vector<std::int64_t> prefix(a.size());
  auto const run = mmm::simulate<nodes<4>>(mmm::threads(4 * threads_of_node), [&](auto on) {
    mmm::prefix_sums(on, a.begin(), a.end(), prefix.begin());
    return mmm::sum(on, a.begin(), a.end());
  });
  std::cout << "sum " << run.result << ", time " << run.cost.time << ", of the network "
            << run.cost.network.time << ", races " << run.race_count + run.node_race_count << '\n';
  return run.result != 100'003LL * 100'004 / 2 || prefix.back() != run.result ||
         run.race_count + run.node_race_count != 0;
}
