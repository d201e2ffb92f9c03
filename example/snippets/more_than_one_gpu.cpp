// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The programs of docs/more-than-one-gpu.md.
#include <mmm/cluster.hpp>

#include <cstdio>
#include <numeric>
#include <vector>

// [cost]
using gpu = mmm::hmm<16, 32, 2, 400>;           // d, w, l, L
using machine = mmm::cluster<4, 2, 1000, gpu>;  // 4 nodes; a word in 2 time units; latency 1000

constexpr auto of_all_nodes = mmm::threads(4 * 16 * 128);  // of all nodes together
constexpr auto cost = mmm::cost_of<machine>(mmm::sum, mmm::size(1 << 20), of_all_nodes);
constexpr auto alone = mmm::cost_of<gpu>(mmm::sum, mmm::size(1 << 18), mmm::threads(16 * 128));

static_assert(cost.work.time == alone.time);  // each node adds up its fourth of the words
// then it sends its sum to the 3 others: 3 words at 2 time units each, and the latency
static_assert(cost.network.time == 3 * 2 + 1000);
static_assert(cost.time == cost.work.time + cost.network.time);
// [/cost]

// [program]
//! Sends the first word of each node to the node before it.
struct to_the_node_before {
  mmm::block_distribution words;
  [[nodiscard]] constexpr mmm::piece operator()(mmm::index r, mmm::index s) const {
    return {.words = s == r - 1 && words.words(r) > 0 ? 1 : 0};
  }
};
//! out[i] = in[i + 1] - in[i] for n words on one machine.
struct differences {
  template <class On, class In, class Next, class Out>
  constexpr void operator()(On& on, In in, Next next, Out out, mmm::index n) const {
    on.each(n, [=](auto i) { out[i] = mmm::load(next[i]) - mmm::load(in[i]); });
  }
};

//! The differences of neighbouring words on all nodes; the last word's is not written.
constexpr auto differences_on_nodes = [](auto& on, auto first, auto out, mmm::index n) {
  auto const parts = on.distribution_of(n);  // blocks of n/k words
  auto const in = on.bring(first, parts);    // the caller's words
  auto const result = on.template results<int>(out, parts);
  auto const ends = on.template allocate<int>(mmm::block_distribution(on.nodes(), on.nodes()));
  auto const inside = [=](auto& node, mmm::index r) {  // on every node r at the same time
    mmm::index const own = parts.words(r);
    if (own < 2) return;
    mmm::run(node, differences{}, mmm::reads<int>(in.part(r), own - 1),
             mmm::reads<int>(in.part(r) + 1, own - 1), mmm::writes<int>(result.part(r), own - 1),
             own - 1);
  };
  on.exchange(in, ends, to_the_node_before{parts}, inside);  // both at the same time
  on.each_node([=](auto& node, mmm::index r) {
    mmm::index const own = parts.words(r);
    if (own == 0 || r + 1 == on.nodes() || parts.words(r + 1) == 0) return;
    mmm::run(node, differences{}, mmm::reads<int>(in.part(r) + (own - 1), 1),
             mmm::reads<int>(ends.part(r), 1), mmm::writes<int>(result.part(r) + (own - 1), 1), 1);
  });
  on.deliver(result, out, parts);
};

constexpr auto estimated = mmm::estimate<machine>(
    of_all_nodes, [](auto& on) { differences_on_nodes(on, mmm::no_data{}, mmm::no_data{}, 1000); });
static_assert(estimated.network == mmm::network_traffic{1, 1, 1, 1002});
// the exchange takes less time than the differences that the nodes compute meanwhile
static_assert(estimated.time == estimated.work.time);
// [/program]

// [gap]
// A network that takes 64 words per time unit, whose nodes spend 50 time units on each message
using fast_network = mmm::cluster<4, mmm::gap(1, 64), 1000, gpu, 50>;
constexpr auto quick = mmm::cost_of<fast_network>(mmm::sum, mmm::size(1 << 20), of_all_nodes);
static_assert(quick.network.time == 1 + 3 * 50 + 1000);  // 3 words, 3 messages, the latency
// [/gap]

// [choice]
constexpr auto few = mmm::fastest_on_nodes<machine>(mmm::sum, mmm::size(1 << 10), of_all_nodes);
constexpr auto many = mmm::fastest_on_nodes<machine>(mmm::sum, mmm::size(1 << 20), of_all_nodes);
static_assert(!few.on_cluster && many.on_cluster);
// [/choice]

int main() {
  // [simulate]
  std::vector<int> words(1000);
  std::iota(words.begin(), words.end(), 7);
  std::vector<int> out(1000);
  auto const run = mmm::simulate(machine{}, of_all_nodes, [&](auto on) {
    differences_on_nodes(on, words.begin(), out.begin(), 1000);
    return mmm::sum(on, words.begin(), words.end());
  });
  std::printf("sum %d, time %lld, races %lld and %lld between nodes\n", run.result,
              static_cast<long long>(run.cost.time), static_cast<long long>(run.race_count),
              static_cast<long long>(run.node_race_count));
  // [/simulate]
  bool right = run.result == std::accumulate(words.begin(), words.end(), 0);
  for (std::size_t i = 0; i + 1 < out.size(); ++i) right = right && out[i] == 1;
  return right && run.race_count == 0 && run.node_race_count == 0 ? 0 : 1;
}
