// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Simulations on clusters: pipelined time, stages, races inside nodes, and what a call returns. The
// laws of the handle are in execution/nodes.cpp, the races between nodes in node_memory.cpp.
#include <mmm/algorithm/call/fold_forms.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/execution/simulate/nodes.hpp>

#include "catch.hpp"

#include <stdexcept>
#include <type_traits>
#include <vector>

namespace {

using mmm::index;
using mmm::threads;
using node_machine = mmm::dmm<4, 5>;
using two = mmm::cluster<2, 3, 20, node_machine>;

//! Reads words 4i of 8 (r + 1) items: conflicts, and two chunks on node 1.
constexpr auto reading = [](auto& on, index r) {
  index const n = 8 * (r + 1);
  std::vector<int> const words(static_cast<std::size_t>(4 * n));
  mmm::run(
      on,
      [n](auto& here, auto a) {
        here.each(n, [=](auto i) { static_cast<void>(mmm::load(a[4 * i])); }, mmm::no_barrier);
      },
      mmm::reads<int>(words.begin(), 4 * n));
};

}  // namespace

TEST_CASE("a cluster's figures are those of its nodes' simulations", "[nodes_simulation]") {
  std::vector<mmm::cost> costs;
  std::vector<index> pipelined;
  for (index r = 0; r < 2; ++r) {
    auto const run = mmm::simulate<node_machine>(threads(8), [&](auto& on) { reading(on, r); });
    costs.push_back(run.cost);
    pipelined.push_back(run.pipelined_time);
  }
  REQUIRE(costs[1].time > costs[0].time);
  REQUIRE(pipelined[1] < costs[1].time);
  auto const run = mmm::simulate<two>(threads(16), [](auto on) {
    on.each_node(reading);
    static_cast<void>(on.all_reduce(on.each_node([](auto&, index r) { return r; }), mmm::plus{}));
    on.each_node(reading);
  });
  CHECK(run.cost.work.time == 2 * costs[1].time);
  CHECK(run.cost.work.stages == 2 * costs[1].stages);
  CHECK(run.cost.work.rounds == 2 * costs[1].rounds);
  CHECK(run.cost.time == 2 * costs[1].time + 3 + 20);
  CHECK(run.pipelined_time == 2 * pipelined[1] + 3 + 20);
  CHECK(run.stages == 2 * (costs[0].stages + costs[1].stages));
  CHECK(run.sent == std::vector<mmm::node_traffic>(2, {0, 0, 1}));
}

TEST_CASE("the longer of a message's time and the pipelined work counts", "[nodes_simulation]") {
  auto const node_run = mmm::simulate<node_machine>(threads(8), [](auto& on) { reading(on, 1); });
  for (index const words : {1, 4, 100}) {
    auto const run = mmm::simulate<two>(threads(16), [&](auto on) {
      auto const a = on.template allocate<int>(mmm::block_distribution(2 * words, 2));
      auto const b = on.template allocate<int>(mmm::block_distribution(2 * words, 2));
      on.exchange(
          a, b, [=](index r, index s) { return mmm::piece{.words = r == 0 && s == 1 ? words : 0}; },
          reading);
    });
    index const message = 3 * words + 20;
    CHECK(run.cost.time == mmm::detail::larger(node_run.cost.time, message));
    CHECK(run.pipelined_time == mmm::detail::larger(node_run.pipelined_time, message));
    CHECK(run.sent == std::vector<mmm::node_traffic>{{1, words, 0}, {}});
  }
}

TEST_CASE("races inside nodes are counted, if they are looked for", "[nodes_simulation]") {
  auto const racing = [](auto on) {
    on.each_node([](auto& local, index) {
      std::vector<int> words(8);
      mmm::run(
          local, [](auto& here, auto a) { here.each(8, [=](auto i) { a[i / 8] = 1; }); },
          mmm::updates<int>(words.begin(), 8));
    });
  };
  auto const alone = mmm::simulate<node_machine>(threads(8), [](auto& on) {
    std::vector<int> words(8);
    mmm::run(
        on, [](auto& here, auto a) { here.each(8, [=](auto i) { a[i / 8] = 1; }); },
        mmm::updates<int>(words.begin(), 8));
  });
  REQUIRE(alone.race_count > 0);
  CHECK(mmm::simulate<two>(threads(16), racing).race_count == 2 * alone.race_count);
  CHECK(mmm::simulate<two>(threads(16), racing, mmm::observe_cost).race_count == 0);
}

TEST_CASE("a simulation on a cluster returns what its program returns", "[nodes_simulation]") {
  auto const number = mmm::simulate<two>(threads(2), [](auto on) { return 3 * on.nodes(); });
  CHECK(number.result == 6);
  auto const none = mmm::simulate<two>(threads(2), [](auto) {});
  static_assert(std::is_same_v<decltype(none.result), mmm::nothing const> ||
                std::is_same_v<decltype(none.result), mmm::nothing>);
  CHECK(none.cost == mmm::cluster_cost{});
  mmm::cluster<mmm::dynamic, 3, 20, node_machine> const five(5);
  CHECK(mmm::simulate(five, threads(5), [](auto on) { return on.nodes(); }).result == 5);
}

TEST_CASE("threads that the nodes cannot share, and a body's exception, end a simulation",
          "[nodes_simulation]") {
  using Catch::Matchers::Contains;
  CHECK_THROWS_WITH(mmm::simulate<two>(threads(3), [](auto) {}),
                    Contains("the number of threads is 3; accepted: a multiple of 2, the number of "
                             "nodes"));
  index called = 0;
  auto const failing = [&](auto on) {
    on.each_node([&](auto&, index r) {
      ++called;
      if (r == 1) throw std::runtime_error("node 1 fails");
    });
  };
  CHECK_THROWS_WITH(mmm::simulate<two>(threads(2), failing), "node 1 fails");
  CHECK(called == 2);
}
