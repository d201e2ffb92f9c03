// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/triangulation/matrix_chain.hpp>
#include <mmm/algorithm/triangulation/triangulation.hpp>
#include <mmm/cost/diagonal_sums.hpp>

#include "cost/diagonal_checks.hpp"

#include <catch2/catch.hpp>

#include <stdexcept>

namespace {

using mmm::cost;
using mmm::index;

// A different polynomial for each residue of k modulo `period`, and the number of calls.
struct counted_polynomials {
  index period;
  int degree = 3;
  mutable index calls = 0;
  bool operator()(index k, cost& sum) const {
    ++calls;
    index const u = k / period, r = k % period;
    index const figure = (r + 1) * u * u * (degree > 3 ? u * u : u) + 7 * r * u + (r * r) % 5;
    sum = sum + cost{figure, 2 * figure + 1, u, true};
    return true;
  }
};

}  // namespace

TEST_CASE("sums of polynomials for each residue") {
  for (index const period : {1, 2, 3, 8})
    for (index count = 0; count < 200; ++count) {
      CAPTURE(period, count);
      counted_polynomials const f{period};
      cost all, found;
      for (index k = 0; k < count; ++k) f(k, all);
      f.calls = 0;
      CHECK(mmm::detail::add_periodic_sum(count, period, f, found));
      CHECK(found == all);
      CHECK(f.calls <= 6 * period);
    }
}

TEST_CASE("sums of anything else are not interpolated") {
  cost found;
  CHECK_FALSE(mmm::detail::add_periodic_sum(100, 4, counted_polynomials{3}, found));
  CHECK_FALSE(mmm::detail::add_periodic_sum(100, 4, counted_polynomials{4, 4}, found));
  // the last value differs
  auto const rises = [](index k, cost& sum) {
    sum.time += k == 99;
    return true;
  };
  CHECK_FALSE(mmm::detail::add_periodic_sum(100, 1, rises, found));
}

TEST_CASE("sums by blocks visit a few of them") {
  for (index const p : {1, 5, 12, 100})
    for (index const count : {0, 1, 11, 12, 13, 500, 1234}) {
      CAPTURE(p, count);
      index calls = 0;
      auto const f = [&](index e, cost& sum) {  // e items on p threads in address groups of 4 words
        ++calls;
        index const q = (e - 1) / p, s = e - q * p;
        sum = sum + cost{q + 1, q * ((p + 3) / 4) + (s + 3) / 4, e * (q + 1) * (q * p + s), true};
        return true;
      };
      cost all, found;
      for (index e = 1; e <= count; ++e) f(e, all);
      calls = 0;
      CHECK(mmm::detail::add_diagonal_sum(count, p, 4, 4, f, found));
      CHECK(found == all);
      CHECK(calls <= 7 * mmm::detail::smaller(p, 24) * 4);
    }
}

TEST_CASE("sums that do not fit into 64 bits are refused, and no others") {
  auto const constant = [](index figure) {
    return [figure](index, cost& sum) {
      sum = sum + cost{0, 0, figure, true};
      return true;
    };
  };
  cost found;
  CHECK(mmm::detail::add_periodic_sum(8, 1, constant((index{1} << 60) - 1), found));
  CHECK(found.time == INT64_MAX - 7);
  CHECK_THROWS_AS(mmm::detail::add_periodic_sum(8, 1, constant(index{1} << 60), found),
                  std::overflow_error);
  found = {};
  CHECK_THROWS_AS(mmm::detail::add_periodic_sum(index{1} << 40, 1, constant(index{1} << 59), found),
                  std::overflow_error);
  found = {};  // more than is interpolated
  CHECK_FALSE(mmm::detail::add_periodic_sum(8, 1, constant((index{1} << 60) + 1), found));
}

TEST_CASE("estimates by some diagonals are those by all") {
  for (index const n : {3, 4, 9, 40, 111})
    for (index const p : {1, 3, 6, 16})
      for (index const ports : {1, 3})
        checks::compare_with_all_diagonals(mmm::umm<4, 5, mmm::dynamic>(ports), mmm::matrix_chain,
                                           n, p);
}

TEST_CASE("diagonals of items in address groups of their own, by the period of the ports") {
  for (index const n : {9, 40, 111})
    for (index const p : {1, 5, 7, 16})
      for (index const ports : {1, 3, 4}) {
        mmm::umm<4, 5, mmm::dynamic> const m(ports);
        checks::compare_with_all_diagonals(m, mmm::triangulation_dp, n, p);
        checks::compare_with_all_diagonals(m, mmm::triangulation_dp_in_memory, n, p);
      }
}

// A round of s items takes s over the ports, rounded up, and l - 1.
TEST_CASE("the time of a triangulation on several ports, where the width divides no threads") {
  index const n = 99999, l = 400, p = 1003, ports = 4;
  auto const rounds_of = [&](index items) {
    auto const time = [&](index s) {
      return s == 0 ? 0 : mmm::detail::ceil_divide(s, ports) + l - 1;
    };
    return items / p * time(p) + time(items % p);
  };
  index time = rounds_of(n - 1);
  for (index r = 1; r <= n - 2; ++r) time += (2 * r + 2) * rounds_of(n - r - 1);
  cost const found =
      mmm::cost_of<mmm::umm<24, l, ports>>(mmm::triangulation_dp, mmm::size(n), mmm::threads(p));
  CHECK(found.closed_form);
  CHECK(found.time == time);
}

// A million diagonals; all of them would take more than ten seconds.
TEST_CASE("a triangulation's documented time for a million vertices") {
  index const n = 1000003, l = 400, p = 1000;
  index steps = mmm::detail::ceil_divide(n - 1, p);
  for (index r = 1; r <= n - 2; ++r) steps += (2 * r + 2) * mmm::detail::ceil_divide(n - r - 1, p);
  cost const found =
      mmm::cost_of<mmm::umm<32, l>>(mmm::triangulation_dp, mmm::size(n), mmm::threads(p));
  CHECK(found.closed_form);
  CHECK(found.time == n * (n - 1) / 3 * (n - 2) + (n - 1) * (n - 1) + (l - 1) * steps);
  CHECK_THROWS_AS(
      (mmm::cost_of<mmm::umm<32, l>>(mmm::triangulation_dp, mmm::size(3100000), mmm::threads(p))),
      std::overflow_error);
}
