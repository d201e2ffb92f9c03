// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Histograms: the counts, the cost for values that are known by their place, the bounds.
#include <mmm/execution/kernel/host_threads.hpp>
#include <mmm/mmm.hpp>
#include <mmm/report.hpp>

#include "catch.hpp"

#include <cstdint>
#include <stdexcept>
#include <vector>

namespace {

using mmm::dynamic;
using mmm::index;

std::vector<int> counted(std::vector<int> const& values, index m) {
  std::vector<int> counts(static_cast<std::size_t>(m));
  for (int const x : values)
    if (x >= 0 && x < m) ++counts[static_cast<std::size_t>(x)];
  return counts;
}

//! The counts of `values`, and the cost of counting them.
template <class M>
mmm::cost simulated(M const& machine, index p, std::vector<int> const& values, index m) {
  std::vector<int> counts(static_cast<std::size_t>(m), 7);
  auto const run = mmm::simulate(
      machine, mmm::threads(p),
      [&](auto on) {
        mmm::histogram(on, values.begin(), values.end(), counts.begin(), counts.end());
      },
      mmm::observe_all);
  CHECK(run.race_count == 0);
  CHECK(mmm::recomputed_time(machine, run.trace) == run.cost.time);
  CHECK(counts == counted(values, m));
  return run.cost;
}

template <class M>
void right_on(M const& machine, std::vector<index> const& threads) {
  for (index const p : threads)
    for (index const n : {0, 1, 5, 33, 100})
      for (index const m : {0, 1, 4, 10}) {
        CAPTURE(mmm::report::text(machine), n, p, m);
        mmm::size const size(n);
        auto const within_bounds = [&](mmm::cost const& cost) {
          CHECK(
              cost.time >=
              mmm::lower_bound(machine, mmm::histogram, size, mmm::threads(p), mmm::bins(m)).time);
          CHECK(cost.time <=
                2 * mmm::constant_of(machine, mmm::histogram) *
                    mmm::upper_bound(machine, mmm::histogram, size, mmm::threads(p), mmm::bins(m)));
        };
        std::vector<int> values(static_cast<std::size_t>(n));
        for (std::size_t i = 0; i < values.size(); ++i)
          values[i] = static_cast<int>(i * i % 17) - 2;
        within_bounds(simulated(machine, p, values, m));
        for (auto const how : {mmm::spread::alike, mmm::spread::even}) {
          for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = how == mmm::spread::alike || m == 0
                            ? 0
                            : static_cast<int>(static_cast<index>(i) % m);
          auto const cost =
              mmm::cost_of(machine, mmm::histogram, size, mmm::threads(p), mmm::bins(m), how);
          auto const run = simulated(machine, p, values, m);
          CHECK(cost.time == run.time);
          CHECK(cost.stages == run.stages);
          CHECK(cost.rounds == run.rounds);
          within_bounds(cost);
        }
      }
}

TEST_CASE("histograms on every machine") {
  right_on(mmm::pram{}, {1, 6});
  right_on(mmm::bpram<dynamic>(3), {1, 6});
  for (index const l : {1, 5}) {
    right_on(mmm::dmm<dynamic, dynamic>(4, l), {1, 6, 8});
    right_on(mmm::umm<dynamic, dynamic>(4, l), {1, 6, 8});
    right_on(mmm::hmm<3, 4, 2, dynamic>(l), {3, 9, 24});
  }
}

TEST_CASE("values that are alike take turns in a bank, and others do not") {
  using banks = mmm::dmm<32, 1>;
  auto const time = [](mmm::spread how) {
    return mmm::cost_of<banks>(mmm::histogram, mmm::size(1024), mmm::threads(1024), mmm::bins(64),
                               how)
        .time;
  };
  CHECK(time(mmm::spread::even) == 2 + 32 + 32);
  CHECK(time(mmm::spread::alike) == 2 + 32 + 1024);
  CHECK_THROWS_AS(mmm::cost_of<banks>(mmm::histogram, mmm::size(9), mmm::threads(3), mmm::bins(4)),
                  std::invalid_argument);
}

TEST_CASE("the cost of counting many values in shared memories is in proportion to them") {
  mmm::hmm<132, 24, 1, 400> const machine;
  mmm::threads const p(132000);
  auto const cost = [&](index n) {
    return mmm::cost_of(machine, mmm::histogram, mmm::size(n), p, mmm::bins(256),
                        mmm::spread::even);
  };
  index const period = 8 * p.count;  // after it DMMs and warps have the same bins
  auto const two = cost(2 * period);
  auto const three = cost(3 * period);
  auto const many = cost(1000000 * period);  // too many warps to look at each
  CHECK(many.closed_form);
  CHECK(many.rounds == two.rounds + 999998 * (three.rounds - two.rounds));
  CHECK(many.stages == two.stages + 999998 * (three.stages - two.stages));
  CHECK(many.time == two.time + 999998 * (three.time - two.time));
}

TEST_CASE("histograms on threads of the host, with bins of the caller's") {
  std::vector<float> values(1000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 50) / 10 - 1;
  std::vector<std::int64_t> counts(3);
  auto const whole = [](float x) { return x < 0 ? index{-1} : static_cast<index>(x); };
  mmm::histogram(mmm::host_threads<mmm::hmm<2, 4, 1, 9>>(mmm::threads(8)), values.begin(),
                 values.end(), counts.data(), counts.data() + 3, whole);
  CHECK(counts == std::vector<std::int64_t>{200, 200, 200});
  auto const without_room = [] {
    mmm::simulate<mmm::hmm<2, 4, 1, 9, 8>>(mmm::threads(8), [](auto on) {
      std::vector<int> many(9);
      mmm::histogram(on, many.begin(), many.begin(), many.begin(), many.end());
    });
  };
  CHECK_THROWS_AS(without_room(), std::length_error);
}

}  // namespace
