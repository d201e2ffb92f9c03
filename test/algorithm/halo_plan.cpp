// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/halo_plan.hpp>
#include <mmm/layout/block_distribution.hpp>

#include "catch.hpp"

#include <cstddef>
#include <vector>

namespace {

using mmm::index;

//! Blocks with halos of `items` items, `own` of their own at each end.
struct both_sides {
  mmm::block_distribution blocks;
  index items;
  index own;
  [[nodiscard]] constexpr index halo() const { return items; }
  [[nodiscard]] constexpr mmm::detail::halo_window operator()(index r) const {
    if (blocks.words(r) == 0) return {};
    index const after = blocks.total() - blocks.first(r) - blocks.words(r);
    index const ends = blocks.words(r) < own ? blocks.words(r) : own;
    return {.before = blocks.first(r) < items ? blocks.first(r) : items,
            .leading = ends,
            .trailing = ends,
            .after = after < items ? after : items};
  }
};

}  // namespace

TEST_CASE("the first rank for which a condition holds is found by bisection") {
  for (index nodes = 0; nodes < 10; ++nodes)
    for (index first = 0; first <= nodes; ++first)
      CHECK(mmm::detail::first_rank(nodes, [=](index r) { return r >= first; }) == first);
}

TEST_CASE("a halo plan stores each node's window, and names all senders and receivers") {
  for (index const k : {1, 2, 3, 7})
    for (index const n : {0, 1, 2, 5, 7, 20, 41})
      for (index const halo : {0, 1, 3, 9})
        for (index const own : {0, 1, 2})
          for (index const item : {1, 3}) {
            CAPTURE(k, n, halo, own, item);
            mmm::block_distribution const blocks(n, k);
            both_sides const window{blocks, halo, own};
            mmm::detail::halo_plan<mmm::block_distribution, both_sides> const plan{blocks, k, item,
                                                                                   window};
            bool right = true;
            bool ranges = true;
            for (index s = 0; s < k; ++s) {
              auto const w = window(s);
              std::vector<index> expected;
              auto const add = [&](index first, index count) {
                for (index i = first * item; i < (first + count) * item; ++i) expected.push_back(i);
              };
              index const end = blocks.first(s) + blocks.words(s);
              add(blocks.first(s) - w.before, w.before + w.leading);
              add(end - w.trailing, w.trailing + w.after);
              std::vector<index> got(static_cast<std::size_t>(plan.words(s)), -1);
              for (index r = 0; r < k; ++r) {
                mmm::piece const p = plan(r, s);
                for (index row = 0; row < p.rows; ++row)
                  for (index i = 0; i < p.words; ++i) {
                    index& word =
                        got.at(static_cast<std::size_t>(p.target + row * p.target_pitch + i));
                    index const in_block = p.source + row * p.source_pitch + i;
                    right = right && word == -1 && in_block < blocks.words(r) * item;
                    word = blocks.first(r) * item + in_block;
                  }
                if (p.total() == 0) continue;
                auto const receivers = plan.receivers(r);
                auto const senders = plan.senders(s);
                ranges = ranges && receivers.first <= s && s < receivers.last &&
                         senders.first <= r && r < senders.last;
              }
              right = right && got == expected;
            }
            CHECK(right);
            CHECK(ranges);
          }
}

TEST_CASE("ranges of a halo plan do not overflow near 2^63") {
  constexpr mmm::block_distribution blocks(INT64_MAX, 3);
  constexpr index halo = index{1} << 62;  // more than one block
  constexpr mmm::detail::halo_plan<mmm::block_distribution, both_sides> plan{
      blocks, 3, 1, both_sides{blocks, halo, 0}};
  STATIC_REQUIRE(plan.receivers(2).first == 0);
  STATIC_REQUIRE(plan.receivers(2).last == 3);
  STATIC_REQUIRE(plan.senders(0).last == 3);
}

TEST_CASE("halos reach as many nodes as their blocks are small") {
  STATIC_REQUIRE(mmm::detail::halo_reach(100, 10, 10) == 2);
  STATIC_REQUIRE(mmm::detail::halo_reach(100, 10, 11) == 3);
  STATIC_REQUIRE(mmm::detail::halo_reach(100, 10, 0) == 1);
  STATIC_REQUIRE(mmm::detail::halo_reach(9, 10, 1) == 10);
  STATIC_REQUIRE(mmm::detail::halo_reach(10, 10, 1'000'000'000'000) == 10);
}
