// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cluster of machines of docs/model.md.
#include <mmm/cluster.hpp>

#include <iostream>
#include <vector>

// [nodes]
using network_of_three = mmm::cluster<3, 2, 10, mmm::dmm<4, 5>>;  // k = 3, g = 2, L = 10

//! Each node writes its rank to 4 words and sends two of them to the next node, which doubles them.
//! Then all nodes know the sum of the ranks.
constexpr auto program = [](auto& on) {
  mmm::block_distribution const blocks(12, 3);  // 4 words on each node
  auto const a = on.template allocate<mmm::index>(blocks);
  auto const b = on.template allocate<mmm::index>(blocks);
  on.each_node([=](auto& node, mmm::index r) {
    auto const fill = [r](auto& here, auto x) { here.each(4, [=](auto i) { x[i] = r; }); };
    mmm::run(node, fill, mmm::writes<mmm::index>(a.part(r), 4));
  });
  on.exchange(a, b, [](mmm::index r, mmm::index s) {
    return s == (r + 1) % 3 ? mmm::piece{.source = 2, .target = 0, .words = 2} : mmm::piece{};
  });
  auto const ranks = on.each_node([=](auto& node, mmm::index r) {
    auto const twice = [](auto& here, auto x) {
      here.each(2, [=](auto i) { x[i] = 2 * mmm::load(x[i]); });
    };
    mmm::run(node, twice, mmm::updates<mmm::index>(b.part(r), 2));
    return r;
  });
  return on.all_reduce(ranks, mmm::plus{});
};

constexpr mmm::cluster_cost cost = mmm::estimate<network_of_three>(mmm::threads(12), program);
static_assert(cost.work.time == 5 + 2 * 5);  // 3 rounds of one stage: 1 + 5 - 1 each
// the exchange of 2 words: 2 * 2 + 10; the sum, for which a node sends a word to 2 others: the same
static_assert(cost.network.supersteps == 2 && cost.network.time == 14 + 14);
static_assert(cost.time == cost.work.time + cost.network.time);
// [/nodes]

int main() {
  auto const run = mmm::simulate<network_of_three>(mmm::threads(12), program);
  std::cout << "sum " << run.result << ", time " << run.cost.time << ", races between nodes "
            << run.node_race_count << '\n';
  return run.result != 0 + 1 + 2 || run.cost.time != cost.time || run.node_race_count != 0;
}
