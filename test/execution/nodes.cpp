// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The laws of cluster handles, in the estimate and in the simulation: results, equal costs, nodes
// that an estimate may leave out, races between nodes, and what is refused.
#include <mmm/algorithm/reduce/sum.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/execution/estimate/nodes.hpp>
#include <mmm/execution/nodes.hpp>
#include <mmm/execution/simulate/nodes.hpp>

#include "catch.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using Catch::Matchers::Contains;
using mmm::block_distribution;
using mmm::gap;
using mmm::index;
using mmm::node_groups;
using mmm::piece;

using memory = mmm::dmm<4, 3>;
template <index K>
using cluster_of = mmm::cluster<K, gap(3, 2), 20, memory, 1>;
constexpr index any = mmm::dynamic;
using any_cluster = mmm::cluster<any, gap(3, 2), 20, memory, 1>;

static_assert(mmm::cluster_nodes_handle<mmm::detail::symbolic_nodes<any_cluster>>);
static_assert(
    mmm::cluster_nodes_handle<mmm::detail::simulated_nodes<any_cluster, mmm::observe_races_t>>);

//! An estimate examines the nodes where sizes change and all nodes, a simulation runs: equal costs.
template <class M, class Estimated, class Simulated>
auto compare(M const& m, Estimated const& estimated, Simulated const& simulated) {
  mmm::threads const p(8 * m.nodes());
  mmm::cluster_cost const few = mmm::estimate(m, p, estimated);
  mmm::cluster_cost const all = mmm::estimate(m, p, estimated, mmm::examined_ranks::all);
  auto run = mmm::simulate(m, p, simulated);
  CHECK(few.time == all.time);
  CHECK(few.network == all.network);
  CHECK(few.work.time == all.work.time);
  CHECK(few.work.rounds == all.work.rounds);
  CHECK(few.work.stages == all.work.stages);
  CHECK(run.cost.time == few.time);
  CHECK(run.cost.network == few.network);
  CHECK(run.cost.work.time == few.work.time);
  CHECK(run.cost.work.rounds == few.work.rounds);
  CHECK(run.cost.work.stages == few.work.stages);
  CHECK(run.race_count == 0);
  CHECK(run.node_race_count == 0);
  CHECK(run.node_races.empty());
  CHECK(run.pipelined_time <= run.cost.time);
  return run;
}

//! Words and messages of an exchange by enumeration: the most that a node sends or receives.
template <class Plan>
mmm::detail::node_relation largest_relation(Plan const& plan, index k) {
  mmm::detail::node_relation largest;
  for (index r = 0; r < k; ++r) {
    index words[2] = {0, 0};
    index messages[2] = {0, 0};
    for (index s = 0; s < k; ++s) {
      if (s == r) continue;
      for (int way = 0; way < 2; ++way) {
        piece const p = way == 0 ? plan(r, s) : plan(s, r);
        words[way] += p.words * p.rows;
        messages[way] += p.words * p.rows == 0 ? 0 : 1;
      }
    }
    largest.include({std::max(words[0], words[1]), std::max(messages[0], messages[1])});
  }
  return largest;
}

//! Each node's block, with the h words before it and the h words after it.
struct with_halo {
  block_distribution blocks;
  index h;
  [[nodiscard]] constexpr index words(index r) const { return blocks.words(r) + 2 * h; }
};

//! Sends the last words of a node's block to the node after it, and the first ones to that before.
struct halo_plan {
  block_distribution blocks;
  index h;
  [[nodiscard]] constexpr piece operator()(index r, index s) const {
    index const own = blocks.words(r);
    index const sent = own < h ? own : h;
    if (s == r + 1) return {own - sent, h - sent, sent};
    if (s == r - 1) return {0, h + blocks.words(s), sent};
    return {};
  }
  [[nodiscard]] constexpr mmm::rank_range receivers(index r) const {
    return {r > 0 ? r - 1 : 0, r + 2 < blocks.blocks ? r + 2 : blocks.blocks};
  }
  [[nodiscard]] constexpr mmm::rank_range senders(index r) const { return receivers(r); }
};

index const sizes[] = {0, 1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 30, 41, 64, 100};

}  // namespace

TEST_CASE("each node runs its body and gives its value", "[nodes]") {
  for (index k = 1; k <= 7; ++k)
    for (index const n : sizes) {
      CAPTURE(k, n);
      any_cluster const m(k);
      std::vector<int> in(static_cast<std::size_t>(n));
      std::iota(in.begin(), in.end(), 3);
      std::vector<int> out(in.size(), -1);
      auto const program = [n](auto& on, auto first, auto result) {
        auto const d = on.distribution_of(n);
        auto const a = on.bring(first, d);
        auto const b = on.template results<int>(result, d);
        auto const count = on.each_node([=](auto& local, index r) {
          mmm::run(
              local,
              [=](auto& here, auto x, auto y) {
                here.each(d.words(r), [=](auto i) { y[i] = mmm::load(x[i]); });
              },
              mmm::reads<int>(a.part(r), d.words(r)), mmm::writes<int>(b.part(r), d.words(r)));
          return 10 * d.words(r) + r;
        });
        on.deliver(b, result, d);
        return count;
      };
      auto const run = compare(
          m, [&](auto& on) { program(on, mmm::no_data{}, mmm::no_data{}); },
          [&](auto& on) { return program(on, in.begin(), out.begin()); });
      CHECK(out == in);
      block_distribution const d(n, k);
      for (index r = 0; r < k; ++r) CHECK(run.result[r] == 10 * d.words(r) + r);
      CHECK(run.cost.network == mmm::network_traffic{});
      // The slowest node has the largest block: a round to read and one to write for 8 items.
      index const rounds = 2 * mmm::detail::ceil_divide(d.words(0), 8);
      CHECK(run.cost.work.rounds == rounds);
      CHECK(run.cost.time == 2 * mmm::detail::ceil_divide(d.words(0), 4) + 2 * rounds);
    }
}

TEST_CASE("an exchange sends the pieces of a plan", "[nodes]") {
  for (index k = 1; k <= 9; ++k)
    for (index const n : sizes)
      for (index const h : {1, 2, 3}) {
        CAPTURE(k, n, h);
        any_cluster const m(k);
        std::vector<int> in(static_cast<std::size_t>(n));
        std::iota(in.begin(), in.end(), 1);
        auto const program = [=](auto& on, auto first) {
          auto const d = on.blocks(n);
          auto const a = on.bring(first, d);
          auto const b = on.template allocate<int>(with_halo{d, h});
          on.exchange(a, b, halo_plan{d, h});
          return b;
        };
        std::vector<std::vector<int>> halo(static_cast<std::size_t>(k));
        auto const run = compare(
            m, [&](auto& on) { program(on, mmm::no_data{}); },
            [&](auto& on) {
              auto const b = program(on, in.begin());
              on.each_node([&](auto&, index r) {
                for (index i = 0; i < b.words(r); ++i)
                  halo[static_cast<std::size_t>(r)].push_back(b.part(r)[i]);
              });
            });
        block_distribution const d(n, k);
        halo_plan const plan{d, h};
        mmm::detail::node_relation const most = largest_relation(plan, k);
        CHECK(run.cost.network == mmm::detail::exchange_traffic(m, most.words, most.messages));
        CHECK(run.cost.time == mmm::exchange_time(m, most.words, most.messages));
        for (index r = 0; r < k; ++r) {
          auto const& found = halo[static_cast<std::size_t>(r)];
          for (index i = 0; i < h; ++i) {
            index const left = r > 0 && d.words(r - 1) >= h - i ? d.first(r) - h + i + 1 : 0;
            index const right = r + 1 < k && d.words(r + 1) > i ? d.first(r + 1) + i + 1 : 0;
            CHECK(found[static_cast<std::size_t>(i)] == left);
            CHECK(found[static_cast<std::size_t>(h + d.words(r) + i)] == right);
          }
          index messages = 0;
          index words = 0;
          for (index s = 0; s < k; ++s) {
            words += plan(r, s).total();
            messages += plan(r, s).total() > 0;
          }
          CHECK(run.sent[static_cast<std::size_t>(r)] == mmm::node_traffic{messages, words, 0});
        }
      }
}

TEST_CASE("an exchange of rectangles transposes blocks, those of a node to itself for free",
          "[nodes]") {
  // Node r has rows 2r, 2r + 1 of a table of 2k columns, and gets columns 2r, 2r + 1.
  for (index k = 1; k <= 5; ++k) {
    any_cluster const m(k);
    index const side = 2 * k;
    std::vector<int> in(static_cast<std::size_t>(side * side));
    std::iota(in.begin(), in.end(), 0);
    std::vector<int> out(in.size());
    auto const program = [=](auto& on, auto first, auto result) {
      auto const d = on.blocks(side * side);
      auto const a = on.bring(first, d);
      auto const b = on.template results<int>(result, d);
      // 2 x 2 words: rows of the sender's block become rows of the receiver's.
      on.exchange(a, b, [=](index r, index s) {
        return piece{.source = 2 * s,
                     .target = 4 * r,
                     .words = 2,
                     .rows = 2,
                     .source_pitch = side,
                     .target_pitch = 2};
      });
      on.deliver(b, result, d);
    };
    auto const run = compare(
        m, [&](auto& on) { program(on, mmm::no_data{}, mmm::no_data{}); },
        [&](auto& on) { program(on, in.begin(), out.begin()); });
    for (index s = 0; s < k; ++s)
      for (index i = 0; i < side; ++i)
        for (index j = 0; j < 2; ++j)
          CHECK(out[static_cast<std::size_t>(2 * side * s + 2 * i + j)] == i * side + 2 * s + j);
    CHECK(run.cost.network == mmm::detail::exchange_traffic(m, 4 * (k - 1), k - 1));
  }
}

TEST_CASE("an exchange and the work beside it take the longer time", "[nodes]") {
  for (index const n : {8, 80, 800}) {
    any_cluster const m(4);
    std::vector<int> in(static_cast<std::size_t>(n), 1);
    auto const program = [=](auto& on, auto first) {
      auto const d = on.blocks(n);
      auto const a = on.bring(first, d);
      auto const b = on.template allocate<int>(with_halo{d, 2});
      on.exchange(a, b, halo_plan{d, 2}, [=](auto& local, index r) {
        mmm::run(
            local,
            [=](auto& here, auto x) {
              here.each(d.words(r), [=](auto i) { static_cast<void>(mmm::load(x[i])); });
            },
            mmm::reads<int>(a.part(r), d.words(r)));
      });
    };
    auto const run = compare(
        m, [&](auto& on) { program(on, mmm::no_data{}); },
        [&](auto& on) { program(on, in.begin()); });
    index const words = n / 4;
    index const work = mmm::detail::ceil_divide(words, 4) + 2 * mmm::detail::ceil_divide(words, 8);
    CHECK(run.cost.work.time == work);
    CHECK(run.cost.network.time == 6 + 2 + 20);  // 4 words in 2 messages
    CHECK(run.cost.time == std::max(work, index{28}));
  }
}

TEST_CASE("two exchanges and the work beside them are one superstep", "[nodes]") {
  // Node r sends h words to the next node and, of another type, g words to the node before it.
  struct to_the_neighbour {
    index by, count;
    [[nodiscard]] constexpr piece operator()(index r, index s) const {
      return {.words = s == r + by ? count : 0};
    }
  };
  struct equal_words {
    index count;
    [[nodiscard]] constexpr index words(index) const { return count; }
  };
  for (index k = 1; k <= 4; ++k)
    for (index const h : {0, 1, 9})
      for (index const g : {0, 1, 5})
        for (index const n : {8, 800}) {
          CAPTURE(k, h, g, n);
          any_cluster const m(k);
          std::vector<index> one(static_cast<std::size_t>(k), -1), other = one;
          auto const program = [=](auto& on) {
            auto const a = on.template allocate<index>(equal_words{n + 9});
            auto const b = on.template allocate<short>(equal_words{5});
            auto const to_a = on.template allocate<index>(equal_words{9});
            auto const to_b = on.template allocate<short>(equal_words{5});
            on.each_node([=](auto& local, index r) {
              auto const fill = [=](auto& here, auto x, auto y, auto z, auto w) {
                here.each(9, [=](auto i) { x[i] = i + 10 * r; });
                here.each(5, [=](auto i) { y[i] = static_cast<short>(7 + r); });
                here.each(9, [=](auto i) { z[i] = -1; });
                here.each(5, [=](auto i) { w[i] = short{-1}; });
              };
              mmm::run(local, fill, mmm::writes<index>(a.part(r), 9),
                       mmm::writes<short>(b.part(r), 5), mmm::writes<index>(to_a.part(r), 9),
                       mmm::writes<short>(to_b.part(r), 5));
            });
            on.exchange(mmm::transfer{a, to_a, to_the_neighbour{1, h}},
                        mmm::transfer{b, to_b, to_the_neighbour{-1, g}}, [=](auto& local, index r) {
                          mmm::run(
                              local,
                              [=](auto& here, auto x) { here.each(n, [=](auto i) { x[i] = 1; }); },
                              mmm::writes<index>(a.part(r) + 9, n));
                        });
            struct arrays {
              decltype(to_a) one;
              decltype(to_b) other;
            };
            return arrays{to_a, to_b};
          };
          mmm::cluster_cost const before = mmm::estimate(m, mmm::threads(8 * k), [=](auto& on) {
            on.each_node([=](auto& local, index r) {
              static_cast<void>(r);
              mmm::run(
                  local, [=](auto& here, auto x) { here.each(n, [=](auto i) { x[i] = 1; }); },
                  mmm::writes<index>(mmm::no_data{}, n));
            });
          });
          auto const run = compare(
              m, [&](auto& on) { program(on); },
              [&](auto& on) {
                auto const arrays = program(on);
                on.each_node([&](auto&, index r) {
                  for (index i = 0; i < 9; ++i)
                    CHECK(arrays.one.part(r)[i] == (r > 0 && i < h ? i + 10 * (r - 1) : -1));
                  for (index i = 0; i < 5; ++i)
                    CHECK(arrays.other.part(r)[i] == (r + 1 < k && i < g ? 8 + r : -1));
                });
              });
          // A node between two others sends and receives h + g words, the others the larger number.
          bool const between = k > 2;
          index const words = k == 1 ? 0 : between ? h + g : std::max(h, g);
          index const messages = k == 1 ? 0 : between ? (h > 0) + (g > 0) : h > 0 || g > 0;
          mmm::network_traffic const network = mmm::detail::exchange_traffic(m, words, messages);
          CHECK(run.cost.network == network);
          index const filled = run.cost.work.time - before.work.time;
          CHECK(run.cost.time == filled + std::max(before.time, network.time));
        }
}

TEST_CASE("values of the nodes are folded, scanned and gathered in the order of ranks", "[nodes]") {
  for (index k = 1; k <= 17; ++k) {
    CAPTURE(k);
    any_cluster const m(k);
    auto const join = [](std::string const& a, std::string const& b) { return a + b; };
    auto const letters = [](auto&, index r) { return std::string(1, static_cast<char>('a' + r)); };
    std::string all;
    for (index r = 0; r < k; ++r) all += static_cast<char>('a' + r);
    auto const folded = mmm::simulate(
        m, mmm::threads(k), [&](auto on) { return on.all_reduce(on.each_node(letters), join); });
    CHECK(folded.result == all);
    auto const scanned = mmm::simulate(m, mmm::threads(k), [&](auto on) {
      return on.exclusive_scan(on.each_node(letters), join, std::string("-"));
    });
    auto const gathered = mmm::simulate(
        m, mmm::threads(k), [&](auto on) { return on.all_gather(on.each_node(letters)); });
    for (index r = 0; r < k; ++r) {
      CHECK(scanned.result[r] == "-" + all.substr(0, static_cast<std::size_t>(r)));
      CHECK(gathered.result[r] == std::string(1, all[static_cast<std::size_t>(r)]));
      CHECK(gathered.sent[static_cast<std::size_t>(r)] == mmm::node_traffic{0, 0, 1});
    }
    auto const program = [](auto& on) {
      auto const own = on.each_node([](auto&, index r) { return r; });
      auto const total = on.all_reduce(own, mmm::plus{});
      auto const before = on.exclusive_scan(own, mmm::plus{}, index{5});
      auto const each = on.all_gather(before);
      static_cast<void>(total + each[0]);
    };
    auto const run = compare(m, program, program);
    mmm::network_traffic const tree = mmm::detail::tree_traffic(m, k, 1);
    CHECK(run.cost.network == tree + tree + mmm::detail::exchange_traffic(m, k - 1, k - 1));
  }
}

TEST_CASE("collectives in the rows, the columns and the layers of a grid", "[nodes]") {
  index const rows = 3, columns = 4, layers = 2, k = rows * columns * layers;
  any_cluster const m(k);
  node_groups const grid[] = {{columns, 1}, {rows, columns}, {layers, rows * columns}};
  for (node_groups const& groups : grid)
    for (index root = 0; root < groups.size; ++root)
      for (index const n : {0, 1, 5, 12, 50}) {
        CAPTURE(groups.size, groups.stride, root, n);
        // Each node has the block of its column.
        struct by_column {
          block_distribution blocks;
          [[nodiscard]] constexpr index words(index r) const { return blocks.words(r % 4); }
        };
        struct largest {
          block_distribution blocks;
          [[nodiscard]] constexpr index words(index) const { return blocks.words(0); }
        };
        // The members of a group have equally many words: in a row those of the first column.
        struct equal_in_groups {
          block_distribution blocks;
          bool in_rows;
          [[nodiscard]] constexpr index words(index r) const {
            return blocks.words(in_rows ? 0 : r % 4);
          }
        };
        bool const in_rows = groups.stride == 1;
        auto const program = [&](auto& on) {
          auto const d = on.blocks(n, grid[0]);
          auto const a = on.template allocate<index>(by_column{d});
          auto const b = on.template allocate<index>(largest{d});
          auto const folded = on.template allocate<index>(equal_in_groups{d, in_rows});
          auto const c = on.template allocate<index>(largest{d});
          auto const number = [&](auto const& array) {
            on.each_node([=](auto& local, index r) {
              mmm::run(
                  local,
                  [=](auto& here, auto x) {
                    here.each(array.words(r), [=](auto i) { x[i] = i + 100 * r; });
                  },
                  mmm::writes<index>(array.part(r), array.words(r)));
            });
          };
          number(a);
          number(folded);
          on.broadcast(groups, root, a, b);
          on.reduce(groups, root, folded, c, [](index x, index y) { return 7 * x + y; });
          struct arrays {
            decltype(b) copied;
            decltype(c) folded;
          };
          return arrays{b, c};
        };
        auto const run = compare(
            m, [&](auto& on) { program(on); },
            [&](auto& on) {
              auto const arrays = program(on);
              on.each_node([&](auto&, index r) {
                index const sender = groups.rank(r, root);
                block_distribution const blocks(n, columns);
                for (index i = 0; i < blocks.words(sender % 4); ++i)
                  CHECK(arrays.copied.part(r)[i] == i + 100 * sender);
                if (groups.member(r) != root) return;
                for (index i = 0; i < equal_in_groups{blocks, in_rows}.words(r); ++i) {
                  index fold = i + 100 * groups.rank(r, 0);
                  for (index member = 1; member < groups.size; ++member)
                    fold = 7 * fold + i + 100 * groups.rank(r, member);
                  CHECK(arrays.folded.part(r)[i] == fold);
                }
              });
            });
        index max_words = 0, max_folded = 0;
        block_distribution const blocks(n, columns);
        for (index r = 0; r < k; ++r) {
          max_words = std::max(max_words, blocks.words(groups.rank(r, root) % 4));
          max_folded = std::max(max_folded, equal_in_groups{blocks, in_rows}.words(r));
        }
        CHECK(run.cost.network == mmm::detail::collective_traffic(m, groups.size, max_words) +
                                      mmm::detail::collective_traffic(m, groups.size, max_folded));
      }
}

TEST_CASE("members that give different numbers of words to a reduction are refused", "[nodes]") {
  any_cluster const m(6);
  struct one_differs {
    index rank;
    index count;
    [[nodiscard]] constexpr index words(index r) const { return r == rank ? count : 5; }
  };
  for (node_groups const& groups : {node_groups{6, 1}, node_groups{3, 2}, node_groups{2, 1}})
    for (index root = 0; root < groups.size; ++root)
      for (index rank = 0; rank < 6; ++rank)
        for (index const count : {0, 4, 5, 6}) {
          CAPTURE(groups.size, groups.stride, root, rank, count);
          auto const program = [=](auto& on) {
            static_cast<void>(on.blocks(6, 6));  // an estimate examines all nodes
            auto const a = on.template allocate<index>(one_differs{rank, count});
            auto const b = on.template allocate<index>(one_differs{0, 6});
            on.reduce(groups, root, a, b, mmm::plus{});
          };
          std::string const others = "mmm: a node gives 5 words to a reduction; accepted: ";
          std::string const expected =
              groups.member(rank) == root
                  ? others + std::to_string(count) + ", as another member of its group gives"
                  : "mmm: a node gives " + std::to_string(count) +
                        " words to a reduction; accepted: 5, as another member of its group gives";
          if (count == 5) {
            mmm::simulate(m, mmm::threads(48), program);
            CHECK_NOTHROW(mmm::estimate(m, mmm::threads(48), program));
            continue;
          }
          CHECK_THROWS_WITH(mmm::simulate(m, mmm::threads(48), program), expected);
          CHECK_THROWS_WITH(mmm::estimate(m, mmm::threads(48), program), expected);
        }
}

TEST_CASE("groups that do not divide the nodes, and roots outside of them, are refused",
          "[nodes]") {
  any_cluster const m(6);
  auto const call = [&](node_groups const& groups, index root) {
    auto const program = [=](auto& on) {
      auto const a = on.template allocate<index>(on.blocks(6));
      auto const b = on.template allocate<index>(on.blocks(6));
      on.broadcast(groups, root, a, b);
    };
    CHECK_THROWS_AS(mmm::simulate(m, mmm::threads(48), program), std::invalid_argument);
    static_cast<void>(mmm::estimate(m, mmm::threads(48), program));
  };
  CHECK_THROWS_WITH(call({4, 1}, 0),
                    "mmm: the number of nodes is 6; accepted: a multiple of 4 * 1, the size of the "
                    "groups and the distance of members");
  CHECK_THROWS_WITH(call({3, 4}, 0), Contains("accepted: a multiple of 3 * 4"));
  CHECK_THROWS_WITH(call({0, 1}, 0), Contains("the number of nodes is 6"));
  CHECK_THROWS_WITH(call({3, 2}, 3),
                    "mmm: the root of a collective is 3; accepted: 0 to 2, a member of the group");
  CHECK_THROWS_WITH(call({3, 2}, -1), Contains("the root of a collective is -1"));
}

TEST_CASE("trips of equal blocks cost the same", "[nodes]") {
  for (index k = 1; k <= 4; ++k)
    for (index const n : {0, 1, 4, 10, 23})
      for (index const trips : {1, 3, 7}) {
        CAPTURE(k, n, trips);
        any_cluster const m(k);
        std::vector<index> seen;
        auto const program = [=](auto& on, auto const& visit) {
          block_distribution const outer(n, trips);
          on.repeat(outer, [&](index b) {
            visit(b);
            auto const d = on.blocks(outer.words(b));
            auto const a = on.template allocate<int>(d);
            on.each_node([=](auto& local, index r) {
              mmm::run(
                  local,
                  [=](auto& here, auto x) { here.each(d.words(r), [=](auto i) { x[i] = 1; }); },
                  mmm::writes<int>(a.part(r), d.words(r)));
            });
            on.repeat(block_distribution(2, 2), [&](index) {
              static_cast<void>(
                  on.all_reduce(on.each_node([](auto&, index r) { return r; }), mmm::plus{}));
            });
          });
        };
        auto const run = compare(
            m, [&](auto& on) { program(on, [](index) {}); },
            [&](auto& on) { program(on, [&](index b) { seen.push_back(b); }); });
        REQUIRE(static_cast<index>(seen.size()) == trips);
        for (index b = 0; b < trips; ++b) CHECK(seen[static_cast<std::size_t>(b)] == b);
        CHECK(run.cost.network == 2 * trips * mmm::detail::tree_traffic(m, k, 1));
      }
}

TEST_CASE("an estimate examines a node of each kind", "[nodes]") {
  // A node's work and messages are a scrambled function of the sizes up to `reach` ranks away, so
  // that each kind of node can be the slowest one.
  struct sized {
    block_distribution blocks;
    index reach;
    index seed;
    [[nodiscard]] constexpr index words(index r) const {
      index x = seed;
      for (index s = r - reach; s <= r + reach; ++s) {
        bool const there = s >= 0 && s < blocks.blocks;
        x = (31 * x + (there ? 7 + blocks.words(s) : 1)) % 1009;
      }
      return x % 40;
    }
  };
  for (index const k : {1, 2, 3, 4, 5, 8, 13, 30})
    for (index const n : sizes)
      for (index const reach : {0, 1, 2, 5})
        for (index seed = 0; seed < 4; ++seed) {
          CAPTURE(k, n, reach, seed);
          any_cluster const m(k);
          auto const program = [=](auto& on) {
            sized const d{on.blocks(n, reach), reach, seed};
            auto const a = on.template allocate<int>(d);
            on.each_node([=](auto& local, index r) {
              mmm::run(
                  local,
                  [=](auto& here, auto x) { here.each(d.words(r), [=](auto i) { x[i] = 1; }); },
                  mmm::writes<int>(a.part(r), d.words(r)));
            });
            if (reach == 0) return;
            sized const sent{on.blocks(n, reach), reach - 1, seed + 9};
            auto const b = on.template allocate<int>(d);
            on.exchange(a, b, [=](index r, index s) {
              if (r < 0 || r >= k || s < 0 || s >= k || (s != r + 1 && s != r - 1)) return piece{};
              return piece{.words = sent.words(s > r ? s : r) + (s > r ? 1 : 3)};
            });
          };
          mmm::threads const p(8 * k);
          REQUIRE(mmm::estimate(m, p, program) ==
                  mmm::estimate(m, p, program, mmm::examined_ranks::all));
        }
}

TEST_CASE("an estimate examines the nodes of grids and of all nodes", "[nodes]") {
  // Independent groupings, and all nodes beside them.
  for (index const rows : {1, 2, 3, 7})
    for (index const columns : {1, 2, 5, 8})
      for (index const n : sizes) {
        CAPTURE(rows, columns, n);
        index const k = rows * columns;
        any_cluster const m(k);
        auto const program = [=](auto& on) {
          auto const all = on.distribution_of(3 * n);
          auto const in_row = on.blocks(n, {columns, 1});
          auto const in_column = on.blocks(2 * n, {rows, columns});
          auto const work = [=](auto const& words) {
            return [=](auto& local, index r) {
              if (r < 0 || r >= k) throw std::logic_error("no node has this rank");
              mmm::run(
                  local,
                  [=](auto& here, auto x) { here.each(words(r), [=](auto i) { x[i] = 1; }); },
                  mmm::writes<int>(mmm::no_data{}, words(r)));
            };
          };
          on.each_node(work([=](index r) { return all.words(r); }));
          on.each_node(work(
              [=](index r) { return in_row.words(r % columns) * in_column.words(r / columns); }));
          on.each_node(work([=](index r) {  // the smaller blocks work more
            return 500 - 3 * in_row.words(r % columns) - in_column.words(r / columns);
          }));
          on.each_node(work([=](index r) { return 500 - all.words(r); }));
        };
        mmm::threads const p(8 * k);
        mmm::cluster_cost const few = mmm::estimate(m, p, program);
        REQUIRE(few == mmm::estimate(m, p, program, mmm::examined_ranks::all));
      }
}

TEST_CASE("a program may group its nodes in 8 ways", "[nodes]") {
  any_cluster const m(256);
  auto const program = [&](index ways) {
    return mmm::estimate(m, mmm::threads(256), [=](auto& on) {
      index stride = 1;
      for (index way = 0; way < ways; ++way, stride *= 2)
        static_cast<void>(on.blocks(3, {2, stride}));
    });
  };
  CHECK(program(7).time == 0);  // and all nodes
  CHECK_THROWS_WITH(program(8), Contains("groups its nodes in 8 ways at most"));
}

TEST_CASE("trees and exchanges in two steps are the quickest of their kind", "[nodes]") {
  for (index const time : {1, 5})
    for (index const per : {1, 8})
      for (index const latency : {1, 10, 1000})
        for (index const q : {1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 60, 64, 100, 125, 126})
          for (index const words : {0, 1, 2, 10, 1000}) {
            CAPTURE(time, per, latency, q, words);
            mmm::cluster<any, any, any, memory, 2> const m(q, gap(time, per), latency);
            index tree = std::numeric_limits<index>::max();
            for (index f = 2; f <= q; ++f) {  // f^rounds >= q
              index rounds = 0;
              for (index reached = 1; reached < q; reached *= f) ++rounds;
              tree = std::min(tree, rounds * mmm::exchange_time(m, (f - 1) * words, f - 1));
            }
            if (q == 1 || words == 0) tree = 0;
            mmm::network_traffic const found = mmm::detail::tree_traffic(m, q, words);
            REQUIRE(found.time == tree);
            REQUIRE(found.words * time <= found.time * per);  // no faster than the network
            index share = 0;  // the most words of a node that has a q-th
            for (index r = 0; r < q; ++r)
              share = std::max(share, block_distribution(words, q).words(r));
            index const two = 2 * mmm::exchange_time(m, (q - 1) * share, q - 1);
            REQUIRE(mmm::detail::collective_traffic(m, q, words).time ==
                    (tree == 0 ? 0 : std::min(tree, two)));
          }
}

TEST_CASE("roots are exact", "[nodes]") {
  for (index n = 2; n <= 300; ++n)
    for (index e = 1; e <= 9; ++e) {
      index f = 1;
      for (index power = 0; power < n; ++f) {
        power = 1;
        for (index i = 0; i < e; ++i) power *= f + 1;
      }
      REQUIRE(mmm::detail::ceil_root(n, e) == f);
    }
  constexpr index largest = std::numeric_limits<index>::max();
  CHECK(mmm::detail::ceil_root(largest, 1) == largest);
  CHECK(mmm::detail::ceil_root(largest, 2) == 3037000500);  // 2^31.5, rounded up
  CHECK(mmm::detail::ceil_root(largest, 63) == 2);
  CHECK(mmm::detail::ceil_root(largest, 62) == 3);
}
