// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random statements for all values of a symbol, decided by periods and by enumeration alike.
#include <mmm/cost/cost.hpp>
#include <mmm/cost/for_all.hpp>

#include "catch.hpp"

#include <algorithm>
#include <cstddef>
#include <random>
#include <set>
#include <string>
#include <vector>

using Catch::Matchers::Contains;
using mmm::index;
using mmm::item;
using mmm::symbol;

namespace {

//! The stages of a warp by sets of words, bank by bank or group by group.
template <class E>
index naive_stages(E const& e, index w, bool banks, index value) {
  std::vector<std::set<index>> words(static_cast<std::size_t>(banks ? w : 1));
  mmm::detail::assignment at;
  at.slot[symbol.slot] = value;
  for (index t = 0; t < w; ++t) {
    at.slot[mmm::detail::item_slot] = t;
    index const a = e.template value<mmm::detail::checked_arithmetic>(at);
    words[static_cast<std::size_t>(banks ? mmm::detail::floor_modulo(a, w) : 0)].insert(
        banks ? a : mmm::detail::floor_divide(a, w));
  }
  std::size_t most = 0;
  for (auto const& list : words) most = std::max(most, list.size());
  return static_cast<index>(most);
}

struct tally {
  int statements = 0;
  int conflict_free = 0;
  int by_period = 0;
};

//! Compares over the values up to some that are beyond every period.
template <class M, class E>
void alike(tally& t, E const& e, mmm::symbol_values const& values) {
  constexpr bool banks = std::is_same_v<M, mmm::dmm<M::width(), 1>>;
  constexpr index enough = 700;
  auto const found = mmm::max_stages<M>(e, mmm::for_all(symbol, values));
  index most = 0;
  index value = values.first;
  for (index k = 0; k < enough && value <= values.last; ++k, value += values.step)
    most = std::max(most, naive_stages(e, M::width(), banks, value));
  REQUIRE(found.cost == most);
  REQUIRE(naive_stages(e, M::width(), banks, found.value()) == found.cost);
  REQUIRE((found.value() - values.first) % values.step == 0);
  REQUIRE((found.value() >= values.first && found.value() <= values.last));
  if constexpr (banks)
    REQUIRE(mmm::conflict_free<M>(e, mmm::for_all(symbol, values)) == (most == 1));
  ++t.statements;
  t.conflict_free += most == 1 ? 1 : 0;
  t.by_period += values.last == mmm::unlimited ? 1 : 0;
}

}  // namespace

TEST_CASE("random statements are decided by periods as by enumeration") {
  std::mt19937 random(1);
  auto const below = [&](index n) { return static_cast<index>(random() % std::uint64_t(n)); };
  tally t;
  for (int k = 0; k < 100; ++k) {
    auto const values = [&] {
      mmm::symbol_values v{below(9), 1 + below(5), mmm::unlimited};
      if (below(3) == 0) v.last = v.first + below(40);
      return v;
    };
    using banks = mmm::dmm<8, 1>;
    using groups = mmm::umm<4, 1>;
    alike<banks>(t, item * symbol + below(9), values());
    alike<banks>(t, item * (symbol * (1 + below(4)) + below(4)), values());
    alike<banks>(t, (item * below(9)) ^ (symbol / (1 + below(4))), values());
    alike<banks>(t, item * 8 * below(3) + (item + symbol * below(9)) % 8, values());
    alike<banks>(t, select(item < 1 + below(8), symbol * below(20), item * below(9) + 16),
                 values());
    alike<banks>(t, item / 2 * symbol + item % 2 * (symbol * below(3) + below(8)), values());
    alike<banks>(t, min(item * below(5), symbol % 7) - symbol * 2, values());
    alike<groups>(t, item + symbol * below(5), values());
    alike<groups>(t, item * below(3) * symbol + below(8), values());
    alike<groups>(t, select(symbol % 2 == 0, item, item * below(4)) + symbol * below(3), values());
  }
  CHECK(t.statements == 1000);
  CHECK(t.conflict_free > 100);
  CHECK(t.by_period > 500);
}

namespace {

//! The stages of a warp by comparison of all pairs of lanes: those of a bank with different words,
//! or the different groups.
template <class M, class E>
index pairwise_stages(E const& e, mmm::detail::assignment& at) {
  constexpr index w = M::width();
  constexpr bool banks = mmm::detail::is(M::conflicts, mmm::conflict::banks);
  index word[w] = {};
  for (index t = 0; t < w; ++t) {
    at.slot[mmm::detail::item_slot] = t;
    word[t] = e.template value<mmm::detail::checked_arithmetic>(at);
    if (!banks) word[t] = mmm::detail::floor_divide(word[t], w);
  }
  index most = 0;
  for (index t = 0; t < w; ++t) {
    index in_bank = 0;
    for (index u = 0; u < w; ++u) {
      bool const first = std::find(word, word + u, word[u]) == word + u;
      in_bank += first && (!banks || mmm::detail::floor_modulo(word[u] - word[t], w) == 0) ? 1 : 0;
    }
    most = std::max(most, in_bank);
  }
  return most;
}

//! Compares a statement of two symbols over a box of values that is wider than their periods.
template <class M, class E>
void alike_in_box(tally& t, E const& e, mmm::symbol_values const& a, mmm::symbol_values const& b) {
  constexpr index enough = 100;
  auto const found = mmm::max_stages<M>(e, mmm::for_all(symbol, a, mmm::second_symbol, b));
  mmm::detail::assignment at;
  index most = 0;
  auto const stages_at = [&](index x, index y) {
    at.slot[symbol.slot] = x;
    at.slot[mmm::second_symbol.slot] = y;
    return pairwise_stages<M>(e, at);
  };
  for (index i = 0; i < enough && a.first + i * a.step <= a.last; ++i)
    for (index k = 0; k < enough && b.first + k * b.step <= b.last; ++k)
      most = std::max(most, stages_at(a.first + i * a.step, b.first + k * b.step));
  REQUIRE(found.cost == most);
  index const x = found.value();
  index const y = found.value(mmm::second_symbol);
  REQUIRE(stages_at(x, y) == most);
  REQUIRE((x >= a.first && x <= a.last && (x - a.first) % a.step == 0));
  REQUIRE((y >= b.first && y <= b.last && (y - b.first) % b.step == 0));
  ++t.statements;
  t.conflict_free += most == 1 ? 1 : 0;
  t.by_period += a.last == mmm::unlimited && b.last == mmm::unlimited ? 1 : 0;
}

}  // namespace

TEST_CASE("random statements of two symbols are decided by periods as by enumeration") {
  std::mt19937 random(2);
  auto const below = [&](index n) { return static_cast<index>(random() % std::uint64_t(n)); };
  auto const other = mmm::second_symbol;
  tally t;
  for (int k = 0; k < 100; ++k) {
    auto const values = [&] {
      mmm::symbol_values v{below(9), 1 + below(4), mmm::unlimited};
      if (below(3) == 0) v.last = v.first + below(40);
      return v;
    };
    auto const few = [&] {
      index const first = below(6);
      return mmm::symbol_values{first, 1 + below(2), first + below(9)};
    };
    using banks = mmm::dmm<8, 1>;
    using four = mmm::dmm<4, 1>;
    using groups = mmm::umm<4, 1>;
    alike_in_box<banks>(t, item * symbol + other * below(9), values(), values());
    alike_in_box<four>(t, item * (symbol * below(4) + other * (1 + below(4)) + below(4)), values(),
                       values());
    alike_in_box<four>(t, (item * below(9)) ^ (symbol / (1 + below(3))) ^ other % 4, values(),
                       values());
    alike_in_box<four>(t, (item + other) * symbol + below(9), values(), few());
    alike_in_box<banks>(
        t,
        select(item < 1 + below(8), symbol * 8 * below(3), other * 8 * below(3) + item * below(3)),
        values(), values());
    alike_in_box<four>(t, item / 2 * symbol * below(5) + item % 2 * (other * below(5) + below(8)),
                       values(), values());
    alike_in_box<four>(t, select(symbol % 2 == other % 3, item, item * below(5)) + symbol, values(),
                       values());
    alike_in_box<groups>(t, item + symbol * below(5) + other * below(5), values(), values());
    alike_in_box<groups>(t, item * symbol + other * 4 * below(3), values(), values());
    alike_in_box<mmm::dmm<1, 1>>(t, item * symbol + other, values(), values());
  }
  CHECK(t.statements == 1000);
  CHECK(t.conflict_free > 100);
  CHECK(t.by_period > 300);
}

TEST_CASE("statements of three symbols, and symbols that move all lanes alike") {
  using mmm::for_all;
  using mmm::second_symbol;
  using mmm::third_symbol;
  using shared = mmm::dmm<32, 1>;
  auto const worst = mmm::max_stages<shared>(
      item * symbol + second_symbol * third_symbol,
      for_all(symbol, mmm::odd, second_symbol, mmm::every, third_symbol, {2, 1, 5}));
  CHECK(worst.cost == 1);
  CHECK(worst.examined <= 4 * 2 * 32);
  // an offset is no matter to banks: as many combinations as without it
  auto const offset = mmm::max_stages<shared>(item * symbol + second_symbol,
                                              for_all(symbol, mmm::odd, second_symbol, mmm::every));
  CHECK(offset.examined ==
        mmm::max_stages<shared>(item * symbol, for_all(symbol, mmm::odd)).examined);
  // the words of a bank are apart unless both have one value
  auto const passing = select(item < 1, symbol * 32, second_symbol * 32);
  auto const same =
      mmm::max_stages<shared>(passing, for_all(symbol, {5, 1, 5}, second_symbol, {5, 1, 5}));
  CHECK((same.cost == 1 && same.value() == 5 && same.value(second_symbol) == 5));
  // three words of a bank, of which two are one until the last value
  auto const last = select(item < 1, symbol * 32, select(item < 2, 0, 32));
  CHECK(mmm::max_stages<shared>(last, for_all(symbol, {0, 1, 2})).value() == 2);
  CHECK(mmm::max_stages<shared>(last + second_symbol % 2 * 16,
                                for_all(symbol, {0, 1, 2}, second_symbol, mmm::every))
            .cost == 3);
  auto const apart =
      mmm::max_stages<shared>(passing, for_all(symbol, mmm::every, second_symbol, mmm::every));
  CHECK((apart.cost == 2 && apart.value() != apart.value(second_symbol)));
}

TEST_CASE("statements that periods do not decide are refused by value") {
  using mmm::for_all;
  using shared = mmm::dmm<32, 1>;
  CHECK_THROWS_WITH(for_all(mmm::item, mmm::odd), Contains("mmm::symbol"));
  CHECK_THROWS_WITH(for_all(symbol, {-1, 1}), Contains("-1"));
  CHECK_THROWS_WITH(for_all(symbol, {1, 0}), Contains("step"));
  CHECK_THROWS_WITH(for_all(symbol, {4, 1, 3}), Contains("last") && Contains("3"));
  CHECK_THROWS_WITH(mmm::multiples_of(0), Contains("0"));
  CHECK_THROWS_WITH(mmm::max_stages<shared>(item * symbol * symbol, for_all(symbol, mmm::every)),
                    Contains("no known period"));
  CHECK(mmm::max_stages<shared>(item * symbol * symbol, for_all(symbol, {1, 2, 99})).cost == 1);
  CHECK_THROWS_WITH(mmm::max_stages<shared>(item * mmm::variable(1), for_all(symbol, mmm::every)),
                    Contains("variable"));
  auto const other = mmm::second_symbol;
  CHECK_THROWS_WITH(mmm::max_stages<shared>(item * other, for_all(symbol, mmm::every)),
                    Contains("variable") && Contains(std::to_string(other.slot)));
  CHECK_THROWS_WITH(for_all(symbol, mmm::odd, symbol, mmm::even), Contains("twice"));
  CHECK_THROWS_WITH(for_all(other, {2, 1, 1}, symbol, mmm::odd), Contains("last"));
  CHECK_THROWS_WITH(
      mmm::max_stages<shared>(item * symbol * other, for_all(symbol, mmm::odd, other, mmm::odd)),
      Contains("no known period") && Contains("2^20"));
  CHECK_THROWS_WITH(mmm::max_stages<shared>(item * symbol * symbol + item * other * other,
                                            for_all(symbol, {0, 1, 1999}, other, {0, 1, 1999})),
                    Contains("4000000") && Contains("2^20"));
  CHECK_THROWS_WITH(  // periods of 3201 and 3299, that is 10,560,099 combinations
      mmm::max_stages<shared>(item * (symbol % 3201 + other % 3299),
                              for_all(symbol, mmm::every, other, mmm::every)),
      Contains("10560099"));
}
