// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random statements for all values of a symbol, decided by periods and by enumeration alike.
#include <mmm/cost/cost.hpp>
#include <mmm/cost/for_all.hpp>

#include "catch.hpp"

#include <algorithm>
#include <cstddef>
#include <random>
#include <set>
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
  REQUIRE(naive_stages(e, M::width(), banks, found.value) == found.cost);
  REQUIRE((found.value - values.first) % values.step == 0);
  REQUIRE((found.value >= values.first && found.value <= values.last));
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
}
