// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clocks of the order across streams, and the bytes that operations use.
#include "catch.hpp"

#include <device/check/page_uses.hpp>
#include <device/runtime/ordered_operation.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

namespace {

using device::check::page_uses;
using device::check::use;
using device::check::use_map;
using device::runtime::order_clock;

TEST_CASE("a clock knows what was joined to it", "[check]") {
  order_clock a, b;
  a.note(3, 10);
  b.note(1, 4);
  b.note(3, 7);
  REQUIRE(a.knows(3, 10));
  REQUIRE_FALSE(a.knows(3, 11));
  REQUIRE_FALSE(a.knows(1, 1));
  b.join(a);
  REQUIRE(b.knows(3, 10));
  REQUIRE(b.knows(1, 4));
  REQUIRE_FALSE(b.knows(2, 1));
  b.note_all(5);
  REQUIRE(b.knows(2, 5));
  REQUIRE_FALSE(b.knows(2, 6));
  REQUIRE(b.knows(3, 10));
  order_clock c;
  c.join(b);
  REQUIRE((c.knows(9, 5) && c.knows(3, 10) && !c.knows(1, 6)));
}

TEST_CASE("clocks agree with sets of operations", "[check]") {
  std::mt19937 random(7);
  constexpr int lanes = 4, operations = 60;
  std::vector<order_clock> clocks(lanes);
  std::vector<std::map<int, std::uint64_t>> sets(lanes);  // by lane the latest known
  for (std::uint64_t number = 1; number <= operations; ++number) {
    auto const lane = random() % lanes, other = random() % lanes;
    clocks[lane].join(clocks[other]);
    for (auto const& [l, n] : sets[other]) sets[lane][l] = std::max(sets[lane][l], n);
    clocks[lane].note(static_cast<std::uint32_t>(lane), number);
    sets[lane][static_cast<int>(lane)] = number;
    for (std::size_t k = 0; k < lanes; ++k)
      for (int l = 0; l < lanes; ++l)
        for (std::uint64_t n = 1; n <= number; ++n)
          REQUIRE(clocks[k].knows(static_cast<std::uint32_t>(l), n) ==
                  (sets[k].contains(l) && n <= sets[k][l]));
  }
}

TEST_CASE("used bytes are exact", "[check]") {
  std::mt19937 random(11);
  constexpr std::uint64_t begin = 3 * page_uses::bytes - 100, span = 2 * page_uses::bytes;
  use_map uses;
  std::vector<bool> expected(span);
  for (int k = 0; k < 40; ++k) {
    std::uint64_t const from = random() % span;
    std::uint64_t const bytes = std::min<std::uint64_t>(1 + random() % 300, span - from);
    uses.mark(use::write, begin + from, bytes, 5);
    for (std::uint64_t b = from; b < from + bytes; ++b) expected[b] = true;
  }
  for (std::uint64_t b = 0; b < span; ++b) {
    std::uint64_t const offset = (begin + b) % page_uses::bytes;
    page_uses const& page = uses.pages()[(begin + b) / page_uses::bytes];
    REQUIRE((page.word(use::write, offset / 64) >> offset % 64 & 1) == expected[b]);
    REQUIRE(page.word(use::read, offset / 64) == 0);
  }
}

TEST_CASE("a page that is used whole can be forgotten in part", "[check]") {
  page_uses page;
  page.mark(use::read, 0, page_uses::bytes, 0);
  page.mark(use::read, 5, 6, 2);
  REQUIRE(page.word(use::read, 63) == ~std::uint64_t{0});
  page.forget(64, 3);
  REQUIRE(page.word(use::read, 1) == ~std::uint64_t{7});
  page_uses other;
  other.mark(use::read, 0, page_uses::bytes, 0);
  REQUIRE(other.word(use::read, 1) == ~std::uint64_t{0});
}

}  // namespace
