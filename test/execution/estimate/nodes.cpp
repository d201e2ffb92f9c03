// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Estimates on clusters as constants: many nodes, more than 2^31 words, figures over 64 bits.
#include <mmm/algorithm/call/fold_forms.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/execution/estimate/nodes.hpp>

#include "catch.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>

namespace {

using mmm::gap;
using mmm::index;
using mmm::piece;
using mmm::threads;

//! A node for each SM of a few GPUs, as a constant.
using many = mmm::cluster<10000, gap(1, 2), 500, mmm::hmm<2, 32, 1, 100>>;

//! Writes each word of a distribution on its node.
template <class Distribution>
struct written {
  Distribution blocks;
  template <class On>
  constexpr void operator()(On& on, index r) const {
    index const n = blocks.words(r);
    mmm::run(
        on, [n](auto& here, auto x) { here.each(n, [=](auto i) { x[i] = 1; }); },
        mmm::writes<int>(mmm::no_data{}, n));
  }
};

//! Each node's last word goes to the node after it; both neighbours of a node are examined.
struct shifted {
  mmm::block_distribution blocks;
  [[nodiscard]] constexpr piece operator()(index r, index s) const {
    return s == r + 1 && blocks.words(r) > 0 ? piece{blocks.words(r) - 1, 0, 1} : piece{};
  }
  [[nodiscard]] constexpr mmm::rank_range receivers(index r) const {
    return {r, mmm::detail::smaller(r + 2, blocks.blocks)};
  }
  [[nodiscard]] constexpr mmm::rank_range senders(index r) const {
    return {mmm::detail::larger(r - 1, 0), r + 1};
  }
};

struct program {
  index n;
  template <class On>
  constexpr void operator()(On& on) const {
    auto const d = on.blocks(n);
    auto const a = on.template allocate<int>(d);
    auto const b = on.template allocate<int>(d);
    on.each_node(written<mmm::block_distribution>{d});
    on.exchange(a, b, shifted{d});
    auto const own = on.each_node([](auto&, index r) { return r; });
    static_cast<void>(on.all_reduce(own, mmm::plus{}));
  }
};

constexpr index words = (index{1} << 40) + 4567;
constexpr index of_node = (words + 9999) / 10000;
constexpr mmm::cluster_cost huge = mmm::estimate<many>(threads(10000 * 128), program{words});
// Blocks of all n/k words: a group of 32 at a time for each of 4 warps, and the latency of a round.
constexpr index rounds = (of_node + 127) / 128;
static_assert(huge.work.rounds == rounds);
static_assert(huge.work.time == (of_node + 31) / 32 + 99 * rounds);
static_assert(huge.network.supersteps == 3);  // a shift, and a tree of two levels with 100 each
static_assert(huge.network.words == 1 + 2 * 99 && huge.network.messages == 1 + 2 * 99);
static_assert(huge.network.time == 501 + 2 * (50 + 500));
static_assert(huge.time == huge.work.time + huge.network.time);

// Two of these trips are evaluated, one of each size.
constexpr mmm::cluster_cost trips = mmm::estimate<many>(threads(10000 * 2), [](auto& on) {
  on.repeat(mmm::block_distribution(words + 1, words), [&](index) {
    static_cast<void>(on.all_gather(on.each_node([](auto&, index r) { return r; })));
  });
});
static_assert(trips.network.supersteps == words && trips.network.words == words * 9999);
static_assert(trips.time == words * (5000 + 500));

}  // namespace

TEST_CASE("a cluster of 10,000 nodes is estimated at the nodes where sizes change",
          "[nodes_estimate]") {
  STATIC_REQUIRE(huge.time > 0);
  for (index const n : {index{0}, index{1}, index{9999}, index{10000}, index{25000}, words}) {
    CAPTURE(n);
    index calls = 0;
    auto const counted = [&](auto& on) {
      auto const d = on.blocks(n);
      on.each_node([&](auto& local, index r) {
        ++calls;
        written<mmm::block_distribution>{d}(local, r);
      });
    };
    auto const few = mmm::estimate<many>(threads(10000 * 128), counted);
    CHECK(calls <= 12);
    calls = 0;
    CHECK(mmm::estimate<many>(threads(10000 * 128), counted, mmm::examined_ranks::all) == few);
    CHECK(calls == 10000);
  }
}

TEST_CASE("blocks with a reach of all nodes are examined on every node", "[nodes_estimate]") {
  for (index const reach : {0, 1, 3, 15, 16, 60}) {
    index calls = 0;
    mmm::cluster<60, 1, 1, mmm::pram> const m;
    static_cast<void>(mmm::estimate(m, threads(60), [&](auto& on) {
      static_cast<void>(on.blocks(90, reach));
      on.each_node([&](auto&, index) { ++calls; });
    }));
    // Ranks up to the reach before and after 0, 30 and 60, and 1, of the first and last nodes.
    index const nodes = mmm::detail::smaller(60, 1 + reach + 2 * reach + 1 + reach);
    CHECK(calls >= nodes);
    CHECK(calls <= mmm::detail::smaller(60, nodes + 2));
    if (reach >= 15) CHECK(calls == 60);
  }
}

TEST_CASE("a reach of 20 among 10,000 nodes is examined beside the changes of sizes",
          "[nodes_estimate]") {
  // 0 … 20, 4980 … 5020 where the blocks of 3 words end, 9980 … 9999
  for (auto const& x : {std::pair<index, index>{25000, 82}, {10000, 41}, {30, 71}}) {
    index const n = x.first;
    CAPTURE(n);
    index calls = 0;
    static_cast<void>(mmm::estimate<many>(threads(10000 * 128), [&](auto& on) {
      static_cast<void>(on.blocks(n, 20));
      on.each_node([&](auto&, index) { ++calls; });
    }));
    CHECK(calls == x.second);
  }
}

TEST_CASE("ranges of places grow together", "[nodes_estimate]") {
  // All ways to add four ranges of a group of 9 places, compared with sets.
  bool right = true;
  index const all = 9 * 9;
  for (index x = 0; x < all * all * all; ++x) {
    mmm::detail::group_places places{{9, 1}};
    std::array<bool, 9> expected{};
    index left = x;
    for (int k = 0; k < 4; ++k, left = left / all + 7) {
      index const first = left % 9 - 1;
      index const last = left / 9 % 9 + 2;
      places.add(first, last);
      for (index i = 0; i < 9; ++i)
        if (first <= i && i < last) expected[static_cast<std::size_t>(i)] = true;
    }
    std::array<bool, 9> found{};
    index before = -1;
    places.for_each([&](index i) {
      right = right && i > before;
      before = i;
      found[static_cast<std::size_t>(i)] = true;
    });
    right = right && found == expected && !places.every;
  }
  CHECK(right);
  mmm::detail::group_places many_places{{1000, 1}};
  for (index i = 0; i < 49; ++i) many_places.add(3 * i, 3 * i + 1);
  CHECK(many_places.every);
  index count = 0;
  many_places.for_each([&](index) { ++count; });
  CHECK(count == 1000);
}

TEST_CASE("figures over 64 bits and uneven threads are refused", "[nodes_estimate]") {
  using Catch::Matchers::Contains;
  using two = mmm::cluster<2, 1, 1, mmm::pram>;
  constexpr index limit = INT64_MAX;
  auto const trip = [](index count) {
    return mmm::estimate<two>(threads(2), [=](auto& on) {
      on.repeat(mmm::block_distribution(0, count), [&](index) {
        static_cast<void>(on.all_gather(on.each_node([](auto&, index r) { return r; })));
      });
    });
  };
  CHECK(trip(limit / 2).time == limit - 1);  // 2 time units each
  CHECK_THROWS_AS(trip(limit / 2 + 1), std::overflow_error);
  auto const nothing = [](auto&) {};
  CHECK_THROWS_WITH(mmm::estimate<two>(threads(3), nothing),
                    Contains("the number of threads is 3; accepted: a multiple of 2, the number of "
                             "nodes"));
  CHECK_THROWS_WITH(
      mmm::estimate<two>(threads(2), [](auto& on) { static_cast<void>(on.blocks(3, -1)); }),
      Contains("reach of a distribution's blocks is -1; accepted: 0 or more"));
}
