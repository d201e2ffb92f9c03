// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/cost/access.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/index/plane.hpp>
#include <mmm/machine/machine.hpp>

#include "catch.hpp"
#include "support/combinations.hpp"

#include <vector>

namespace checks {

using mmm::item;
using mmm::detail::access_domain;

//! Compares one access with its enumeration wherever it is closed.
struct comparison {
  int cases = 0;
  int closed = 0;

  template <class M, class Address, class Predicate = mmm::detail::always>
  void operator()(M const& m, access_domain const& of, Address const& at,
                  Predicate const& when = {}) {
    ++cases;
    auto const each = mmm::detail::enumerated_cost_of_access(m, of, at, when);
    bool found = false;
    auto const rows = mmm::detail::items_of_rows(at, when, INT64_MAX);
    if (rows.row == 0) return;
    for (mmm::index const unit : {mmm::index{1}, m.width(), rows.inner, rows.within}) {
      mmm::detail::access_cost cost;
      if (unit == 0 || !mmm::detail::close_on_plane(
                           m, of, at, when, mmm::detail::lcm(rows.row, unit), unit, 20000, cost))
        continue;
      found = true;
      if (cost.rounds != each.rounds || cost.stages != each.stages || cost.time != each.time) {
        INFO("w = " << m.width() << ", " << of.items << " items, " << of.threads << " threads, "
                    << of.dmms << " DMMs, columns of " << unit);
        CHECK(cost.rounds == each.rounds);
        CHECK(cost.stages == each.stages);
        CHECK(cost.time == each.time);
      }
    }
    closed += found;
  }
};

//! The accesses of transposes on machines of width W, over many sides and numbers of threads.
template <int W>
void compare_transposes(comparison& compare) {
  mmm::dmm<W, 3> const banks;
  mmm::umm<W, 3> const groups;
  mmm::umm<W, 3, 3> const ports;
  mmm::bpram<W> const amounts;
  mmm::pram const none;
  std::vector<mmm::index> sides{1, 2, 3, 5, 8, 15, 16, 17, 33, 65};
  std::vector<mmm::index> thread_counts{1, 3, 7, 8, 20, 33, 64};
  if (long_tests()) {
    sides.insert(sides.end(), {7, 31, 64});
    thread_counts.insert(thread_counts.end(), {4, 31, 40});
  }
  for (mmm::index const side : sides)
    for (mmm::index const p : thread_counts) {
      access_domain of;
      of.items = side * side;
      of.threads = p;
      auto const row = item / side;
      auto const column = item % side;
      auto const diagonal = (row + column) % side;
      for (int machine = 0; machine < (W == 1 || W == 4 || W == 32 ? 3 : 2); ++machine) {
        int form = 0;
        auto const on = [&](auto const& at, auto const& when) {
          if (!takes(machine + p + form++)) return;
          machine == 0   ? compare(banks, of, at, when)
          : machine == 1 ? compare(groups, of, at, when)
                         : compare(ports, of, at, when);
        };
        on(row * side + column, row < column);
        on(column * side + row, row < column);
        on(column * 2 + row + 3, column + row > side - 2 || column == 0);
        on(diagonal * side + column, mmm::detail::always{});
        on(column * side + diagonal, mmm::detail::always{});
      }
      compare(none, of, mmm::constant(0), row < column);
      compare(amounts, of, mmm::constant(0), row < column);
    }
}

}  // namespace checks
