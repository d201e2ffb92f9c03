// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memories of simulated nodes: races between messages and work, and accesses that are refused.
#include <mmm/algorithm/call/fold_forms.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/execution/simulate/node_memory.hpp>
#include <mmm/execution/simulate/nodes.hpp>

#include "catch.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

namespace {

using Catch::Matchers::Contains;
using mmm::index;
using mmm::node_race;
using mmm::piece;
using mmm::threads;
using three = mmm::cluster<3, 1, 10, mmm::dmm<4, 1>>;

//! Node r sends its words 2 and 3 to words 4 and 5 of the node after it.
constexpr auto ring = [](index r, index s) { return s == (r + 1) % 3 ? piece{2, 4, 2} : piece{}; };

//! Two arrays of 8 words on each node, that exchange while `body(a, b, r)` runs.
template <class T = int, class Body, class Plan = decltype(ring)>
auto beside_the_ring(Body const& body, Plan const& plan = ring) {
  return mmm::simulate<three>(threads(12), [&](auto on) {
    mmm::block_distribution const d(24, 3);
    auto const a = on.template allocate<T>(d);
    auto const b = on.template allocate<T>(d);
    on.each_node([&](auto&, index) {});  // superstep 0
    on.exchange(a, b, plan, [&](auto&, index r) { body(a.part(r), b.part(r), r); });
    on.each_node([&](auto&, index r) { b.part(r)[4] = b.part(r)[4]; });  // no race any more
  });
}

constexpr auto arrival = node_race::kind::arrival;
constexpr auto sending = node_race::kind::sending;
constexpr auto messages = node_race::kind::messages;

}  // namespace

TEST_CASE("work beside an exchange may use the words that do not move", "[node_memory]") {
  auto const run = beside_the_ring([](auto a, auto b, index) {
    a[1] = a[2] + a[3] + b[3] + b[6];  // it may read what is sent
    b[3] = a[1];
    b[6] = a[4] = 7;
  });
  CHECK(run.node_race_count == 0);
  CHECK(run.node_races.empty());
  CHECK(run.sent == std::vector<mmm::node_traffic>(3, {1, 2, 0}));
}

TEST_CASE("work that uses arriving words is a race", "[node_memory]") {
  auto const reads = beside_the_ring([](auto a, auto b, index r) {
    if (r == 1) a[0] = b[4] + b[4];  // each word once
  });
  CHECK(reads.node_race_count == 1);
  CHECK(reads.node_races == std::vector<node_race>{{arrival, 1, 1, 4}});
  auto const writes = beside_the_ring([](auto, auto b, index r) {
    if (r != 1) b[5] = 3;
  });
  CHECK(writes.node_race_count == 2);
  CHECK(writes.node_races == std::vector<node_race>{{arrival, 1, 0, 5}, {arrival, 1, 2, 5}});
}

TEST_CASE("work that changes words while they are sent is a race", "[node_memory]") {
  auto const run = beside_the_ring([](auto a, auto, index r) {
    if (r == 2) a[3] = 5;
  });
  CHECK(run.node_race_count == 1);
  CHECK(run.node_races == std::vector<node_race>{{sending, 1, 2, 3}});
}

TEST_CASE("a NaN that is sent is no race, a word that becomes one is", "[node_memory]") {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  for (bool const changes : {false, true}) {
    auto const run = mmm::simulate<three>(threads(3), [&](auto on) {
      mmm::block_distribution const d(24, 3);
      auto const a = on.template allocate<double>(d);
      auto const b = on.template allocate<double>(d);
      on.each_node([&](auto&, index r) {
        for (index i = 0; i < 8; ++i) a.part(r)[i] = changes ? 1 : nan;
      });
      on.exchange(a, b, ring, [&](auto&, index r) {
        if (changes) a.part(r)[2] = nan;
      });
      on.each_node([&](auto&, index r) { CHECK(std::isnan(b.part(r)[5]) == !changes); });
    });
    CHECK(run.node_race_count == (changes ? 3 : 0));
  }
}

TEST_CASE("messages that write the same word are a race", "[node_memory]") {
  auto const both = [](index r, index s) { return s == 0 && r > 0 ? piece{0, r, 2} : piece{}; };
  auto const run = beside_the_ring([](auto, auto, index) {}, both);
  CHECK(run.node_race_count == 1);  // words 1, 2 and 2, 3
  CHECK(run.node_races == std::vector<node_race>{{messages, 1, 0, 2}});
  // Rows of one message that overlap.
  auto const rows = [](index r, index s) {
    return s == 0 && r == 1 ? piece{.words = 2, .rows = 2, .source_pitch = 4, .target_pitch = 1}
                            : piece{};
  };
  CHECK(beside_the_ring([](auto, auto, index) {}, rows).node_races ==
        std::vector<node_race>{{messages, 1, 0, 1}});
}

TEST_CASE("1000 races are kept, all are counted", "[node_memory]") {
  auto const run = mmm::simulate<three>(threads(3), [](auto on) {
    mmm::block_distribution const d(3 * 600, 3);
    auto const a = on.template allocate<int>(d);
    auto const b = on.template allocate<int>(d);
    on.exchange(
        a, b, [](index r, index s) { return piece{.words = s == (r + 1) % 3 ? index{600} : 0}; },
        [&](auto&, index r) {
          for (index i = 0; i < 600; ++i) b.part(r)[i] = 1;
        });
  });
  CHECK(run.node_race_count == 1800);
  CHECK(run.node_races.size() == 1000);
}

TEST_CASE("a node accesses its own memory only, in its bodies", "[node_memory]") {
  mmm::block_distribution const d(7, 3);
  auto const run = [&](auto const& body) {
    mmm::simulate<three>(threads(3), [&](auto on) {
      auto const a = on.template allocate<int>(d);
      on.each_node([&](auto&, index r) { body(a, r); });
    });
  };
  CHECK_NOTHROW(run([](auto const& a, index r) { a.part(r)[1] = 2; }));
  auto const other = [](auto const& a, index r) { a.part((r + 1) % 3)[0] = 2; };
  CHECK_THROWS_AS(run(other), std::logic_error);
  CHECK_THROWS_WITH(run(other), Contains("node 0 accesses the memory of node 1"));
  auto const beyond = [](auto const& a, index r) { a.part(r)[2] = 2; };
  CHECK_THROWS_AS(run(beyond), std::out_of_range);
  CHECK_THROWS_WITH(run(beyond),
                    Contains("word 2 of node 1's part of an array; accepted: below 2"));
  auto const before = [](auto const& a, index r) { a.part(r)[-1] = 2; };
  CHECK_THROWS_WITH(run(before), Contains("word -1 of node 0's part"));
  auto const outside = [&](auto on) { return on.template allocate<int>(d).part(0)[0] + 0; };
  CHECK_THROWS_AS(mmm::simulate<three>(threads(3), outside), std::logic_error);
  CHECK_THROWS_WITH(mmm::simulate<three>(threads(3), outside),
                    Contains("memory of node 0 is accessed outside of each_node"));
}

TEST_CASE("pieces outside of their arrays are refused", "[node_memory]") {
  index const limit = std::numeric_limits<index>::max();
  auto const sends = [](piece const& p) {
    mmm::simulate<three>(threads(3), [&](auto on) {
      auto const a = on.template allocate<int>(mmm::block_distribution(24, 3));
      auto const b = on.template allocate<int>(mmm::block_distribution(15, 3));
      on.exchange(a, b, [&](index r, index s) { return r == 1 && s == 2 ? p : piece{}; });
    });
  };
  CHECK_NOTHROW(sends({3, 0, 5}));
  CHECK_NOTHROW(sends({0, 0, 1, 5, 1, 1}));
  CHECK_NOTHROW(sends({limit, limit, 0}));  // no word
  for (piece const& p : {piece{4, 0, 5}, piece{-1, 0, 1}, piece{8, 0, 1}, piece{0, 0, 2, 2, 7, 2},
                         piece{limit, 0, 1}, piece{0, 0, -1, -1}}) {
    CAPTURE(p.source, p.words, p.rows);
    CHECK_THROWS_AS(sends(p), std::out_of_range);
  }
  for (piece const& p : {piece{0, 1, 5}, piece{0, -1, 1}, piece{0, 5, 1}, piece{0, limit, 1},
                         piece{0, 0, 1, 3, 1, 3}, piece{0, 0, 1, 3, 1, limit / 2}})
    CHECK_THROWS_AS(sends(p), std::out_of_range);
  CHECK_THROWS_WITH(sends({4, 0, 5}), Contains("words 4 to 8 are sent, of 8 at node 1"));
  CHECK_THROWS_WITH(sends({0, 1, 5}), Contains("words 1 to 5 are received, of 5 at node 2"));
}

TEST_CASE("the source and the target of messages are two arrays", "[node_memory]") {
  mmm::block_distribution const d(6, 3);
  auto const with = [&](auto const& use) {
    mmm::simulate<three>(threads(3), [&](auto on) { use(on, on.template allocate<int>(d)); });
  };
  auto const exchanges = [](auto on, auto a) {
    on.exchange(a, a, [](index, index) { return piece{}; });
  };
  auto const broadcasts = [](auto on, auto a) { on.broadcast(on.all_nodes(), 0, a, a); };
  auto const reduces = [](auto on, auto a) { on.reduce(on.all_nodes(), 0, a, a, mmm::plus{}); };
  CHECK_THROWS_WITH(with(exchanges), Contains("source and the target of messages are one array"));
  CHECK_THROWS_AS(with(broadcasts), std::logic_error);
  CHECK_THROWS_AS(with(reduces), std::logic_error);
}

TEST_CASE("collectives refuse groups, roots and arrays that do not fit", "[node_memory]") {
  auto const with = [&](mmm::node_groups groups, index root, index target = 9) {
    mmm::simulate<three>(threads(3), [&](auto on) {
      auto const a = on.template allocate<int>(mmm::block_distribution(6, 3));
      auto const b = on.template allocate<int>(mmm::block_distribution(target, 3));
      on.broadcast(groups, root, a, b);
      on.reduce(groups, root, a, b, mmm::plus{});
    });
  };
  CHECK_NOTHROW(with({3, 1}, 2));
  CHECK_NOTHROW(with({1, 1}, 0));
  CHECK_THROWS_WITH(with({2, 1}, 0),
                    Contains("the number of nodes is 3; accepted: a multiple of 2 * 1"));
  CHECK_THROWS_AS(with({0, 1}, 0), std::invalid_argument);
  CHECK_THROWS_AS(with({3, 0}, 0), std::invalid_argument);
  CHECK_THROWS_WITH(with({3, 1}, 3), Contains("root of a collective is 3; accepted: 0 to 2"));
  CHECK_THROWS_AS(with({3, 1}, -1), std::invalid_argument);
  CHECK_THROWS_WITH(with({3, 1}, 0, 3), Contains("words of a collective's result: 2 needed, 1"));
}

TEST_CASE("a negative part of an array is refused", "[node_memory]") {
  struct negative {
    [[nodiscard]] constexpr index words(index r) const { return r - 1; }
  };
  CHECK_THROWS_WITH(
      mmm::simulate<three>(
          threads(3), [](auto on) { static_cast<void>(on.template allocate<int>(negative{})); }),
      Contains("words of a node's part of an array is -1; accepted: 0 or more"));
}
