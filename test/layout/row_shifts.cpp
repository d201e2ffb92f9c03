// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/cost/assert.hpp>
#include <mmm/cost/cost.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/kernel/host_threads.hpp>
#include <mmm/layout/row_shifts.hpp>
#include <mmm/mmm.hpp>

#include "catch.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>
#include <vector>

using mmm::shift_scheme;

namespace {

//! b[i] = a[place of (row, column) i]: w columns of a w x w matrix whose rows are shifted.
template <mmm::index W>
struct read_columns {
  template <class On, class In, class Out>
  MMM_HOST_DEVICE constexpr void operator()(On& on, In a, mmm::shifted_rows<W> place, Out b) const {
    on.each(W * W, [=](auto i) { b[i] = mmm::load(a[place(i % W, i / W)]); });
  }
};

//! The same access predicted, simulated with data, and by host threads.
template <mmm::index W>
void check_columns(mmm::row_shifts<W> const& shifts) {
  mmm::shifted_rows<W> const place(W, shifts);
  std::vector<int> a(W * W), by_columns(W * W), of_threads(W * W), expected(W * W);
  for (mmm::index row = 0; row < W; ++row)
    for (mmm::index column = 0; column < W; ++column) {
      int const x = static_cast<int>(row * 100 + column);
      a[static_cast<std::size_t>(place(row, column))] = x;
      expected[static_cast<std::size_t>(column * W + row)] = x;
    }
  auto const program = [&](auto& out) {
    return [&](auto&& on) {
      mmm::run(on, read_columns<W>{}, mmm::reads<int>(a.begin(), W * W), place,
               mmm::writes<int>(out.begin(), W * W));
    };
  };
  using machine = mmm::dmm<W, 3>;
  mmm::threads const p(4 * W);
  auto const estimated = mmm::estimate<machine>(p, program(by_columns));
  auto const run = mmm::simulate<machine>(p, program(by_columns));
  CHECK(estimated.closed_form);
  CHECK(estimated.stages == run.cost.stages);
  CHECK(estimated.time == run.cost.time);
  CHECK(run.races.empty());
  CHECK(by_columns == expected);
  program(of_threads)(mmm::host_threads<machine>(p));
  CHECK(of_threads == expected);
  mmm::index stages = W;  // of the writes
  for (mmm::index column = 0; column < W; ++column)
    stages += mmm::stages<machine>(place(mmm::item, column));
  CHECK(run.cost.stages == stages);
}

template <mmm::index W>
void check_shifts() {
  CAPTURE(W);
  mmm::index amounts[W];
  for (mmm::index i = 0; i < W; ++i) amounts[i] = (i * 29 + 17) % W;
  mmm::row_shifts<W> const given(amounts);
  auto const all = given(mmm::item) + mmm::item * 0;  // a number for W = 1
  for (mmm::index i = 0; i < 3 * W; ++i) {
    CHECK(given(i) == amounts[i % W]);
    CHECK(all(i) == amounts[i % W]);
  }
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    mmm::row_shifts<W> const permutation(shift_scheme::rap, seed);
    std::set<mmm::index> values;
    for (mmm::index i = 0; i < W; ++i) {
      values.insert(permutation(i));
      CHECK((0 <= permutation(i) && permutation(i) < W));
      mmm::index const amount = mmm::row_shifts<W>(shift_scheme::ras, seed)(i);
      CHECK((0 <= amount && amount < W));
    }
    CHECK(values.size() == W);
    mmm::shifted_rows<W> const place(W, permutation);
    for (mmm::index k = 0; k < W; ++k) {
      CHECK(mmm::stages<mmm::dmm<W, 1>>(place(mmm::item, k)) == 1);
      CHECK(mmm::stages<mmm::dmm<W, 1>>(place(k, mmm::item)) == 1);
    }
    check_columns<W>(permutation);
    check_columns<W>(mmm::row_shifts<W>(shift_scheme::ras, seed));
  }
  check_columns<W>(mmm::row_shifts<W>{});
}

}  // namespace

TEST_CASE("shifts are looked up for numbers and expressions, in every back end") {
  check_shifts<1>();
  check_shifts<2>();
  check_shifts<3>();
  check_shifts<8>();
  check_shifts<13>();
  check_shifts<32>();
  check_shifts<64>();
}

TEST_CASE("random shifts have every amount as often, and every permutation") {
  std::array<int, 5> amounts{};
  std::array<int, 24> permutations{};
  for (std::uint64_t seed = 0; seed < 24000; ++seed) {
    ++amounts[static_cast<std::size_t>(mmm::row_shifts<5>(shift_scheme::ras, seed)(3))];
    mmm::row_shifts<4> const s(shift_scheme::rap, seed);
    std::array<mmm::index, 4> sorted{0, 1, 2, 3};
    std::size_t number = 0;
    while (!std::ranges::equal(sorted, std::array{s(0), s(1), s(2), s(3)})) {
      ++number;
      std::ranges::next_permutation(sorted);
    }
    ++permutations[number];
  }
  for (int const n : amounts) CHECK((4500 < n && n < 5100));      // 4800, deviation 62
  for (int const n : permutations) CHECK((840 < n && n < 1160));  // 1000, deviation 31
}

TEST_CASE("shifts that no row has are refused by value") {
  using Catch::Matchers::Contains;
  mmm::index const too_large[] = {0, 3, 1};
  CHECK_THROWS_WITH(mmm::row_shifts<3>(too_large), Contains("shift of a row") && Contains("3"));
  mmm::index const negative[] = {0, -1, 1};
  CHECK_THROWS_AS(mmm::row_shifts<3>(negative), std::invalid_argument);
  CHECK_THROWS_WITH(mmm::shifted_rows<4>(-1, {}), Contains("rows") && Contains("-1"));
}
