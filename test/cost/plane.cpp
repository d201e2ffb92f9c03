// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows that warps and chunks cut anywhere: closed forms by the plane of rows and columns against
// enumeration, over sides and threads that do not divide each other.
#include <mmm/cost/line_sums.hpp>

#include "plane_checks.hpp"

#include <algorithm>
#include <cstdint>

namespace {

using checks::compare_transposes;
using checks::comparison;
using mmm::item;
using mmm::detail::access_domain;

}  // namespace

TEST_CASE("sums of quotients along a line") {
  int wrong = 0;
  for (mmm::index count = 0; count < 9; ++count)
    for (mmm::index slope = -5; slope < 17; ++slope)
      for (mmm::index origin = 0; origin < 40; origin += 3)
        for (mmm::index period = 1; period < 12; ++period) {
          if (origin + slope * (count - 1) < 0) continue;
          std::uint64_t quotients = 0;
          for (mmm::index k = 0; k < count; ++k)
            quotients += static_cast<std::uint64_t>((slope * k + origin) / period);
          wrong += mmm::detail::sum_quotients(count, slope, origin, period) != quotients;
          for (mmm::index taken = 1; taken <= period; ++taken) {
            std::uint64_t below = 0;
            for (mmm::index k = 0; k < count; ++k) {
              mmm::index const end = slope * k + origin;
              below +=
                  static_cast<std::uint64_t>(end / period * taken + std::min(taken, end % period));
            }
            if (count == period && slope >= 0)
              wrong += mmm::detail::sum_taken_of_period(slope, origin, period, taken) != below;
            wrong += mmm::detail::sum_taken(count, slope, origin, period, taken) != below;
          }
        }
  CHECK(wrong == 0);
}

TEST_CASE("the bands of a strip have its points") {
  int wrong = 0;
  for (mmm::index rows = 1; rows < 6; ++rows)
    for (mmm::index columns = 1; columns < 6; ++columns)
      for (mmm::index step = -3; step < 4; ++step)
        for (mmm::index const column_step : {-1, 1})
          for (mmm::index low = -12; low < 12; ++low)
            for (mmm::index high = low - 1; high < 12; ++high) {
              mmm::detail::plane_region const region{0, 1, true, step, column_step, low, high};
              bool in_bands[6][6] = {};
              mmm::detail::band_list const bands = region.bands(rows, columns);
              for (int k = 0; k < bands.count; ++k)
                for (mmm::index row = bands.entry[k].first; row < bands.entry[k].last; ++row)
                  for (mmm::index c = bands.entry[k].low.at(row); c < bands.entry[k].high.at(row);
                       ++c) {
                    bool& here = in_bands[row][c];
                    wrong += here;  // twice
                    here = true;
                  }
              for (mmm::index row = 0; row < rows; ++row)
                for (mmm::index c = 0; c < columns; ++c) {
                  mmm::index const sum = step * row + column_step * c;
                  wrong += in_bands[row][c] != (low <= sum && sum < high);
                }
            }
  CHECK(wrong == 0);
}

TEST_CASE("transposes of sides that threads and widths do not divide") {
  comparison compare;
  compare_transposes<1>(compare);
  compare_transposes<3>(compare);
  compare_transposes<4>(compare);
  compare_transposes<32>(compare);
  INFO(compare.closed << " of " << compare.cases << " are closed");
  CHECK(compare.closed * 100 > compare.cases * 95);
}

TEST_CASE("rows assigned to the threads of several DMMs") {
  comparison compare;
  for (mmm::index const side : {5, 17, 33, 64})
    for (mmm::index const p : {1, 3, 4, 7, 8, 20, 33})
      for (mmm::index const dmms : {2, 3}) {
        access_domain of;
        of.items = side * side;
        of.threads = p;
        of.dmms = dmms;
        of.machine_wide = true;
        auto const row = item / side;
        auto const column = item % side;
        compare(mmm::umm<4, 7>{}, of, row * side + column, row < column);
        compare(mmm::umm<8, 7>{}, of, column * side + row, row < column);
        compare(mmm::umm<8, 7, 5>{}, of, column * side + row, row < column);
        compare(mmm::umm<4, 7, 2>{}, of, row * side + column, row < column);
        compare(mmm::umm<mmm::dynamic, 7>(6), of, column * side + row, row < column);
        of.machine_wide = false;
        compare(mmm::umm<4, 7>{}, of, row * side + column, row < column);
        compare(mmm::umm<4, 7>{}, of, mmm::variable(mmm::detail::dmm_slot) * 3 + column);
      }
  CHECK(compare.closed == compare.cases);
}

TEST_CASE("chunks that a program makes itself, by a loop") {
  comparison compare;
  mmm::variable const group(mmm::detail::first_loop_slot);
  mmm::variable const s(mmm::detail::first_loop_slot + 1);
  mmm::variable const t(mmm::detail::first_loop_slot + 2);
  for (mmm::index const side : {1, 2, 5, 9, 16, 33, 70})
    for (mmm::index const p : {1, 3, 8, 20, 32, 33, 70}) {
      access_domain of;
      of.threads = of.items = p;
      of.loops = 3;
      of.trips[0] = side * side / p;
      of.trips[1] = of.trips[2] = 3;
      auto const pixel = group * p + item;
      auto const row_start = pixel + (s - 1) * side;
      auto const column = pixel % side + t - 1;
      auto const inside = row_start >= 0 && row_start < side * side && column >= 0 && column < side;
      compare(mmm::dmm<8, 5>{}, of, row_start + t - 1, inside);
      compare(mmm::umm<4, 5>{}, of, row_start + t - 1, inside);
      compare(mmm::umm<4, 5, 3>{}, of, row_start + t - 1, inside);
      compare(mmm::pram{}, of, mmm::constant(0), inside);
      // pairs of blocks, one for each warp
      mmm::index const blocks = 1 + side / 4;
      of.items = (p + 3) / 4 * 4;
      of.threads = of.items + p % 3;
      of.trips[0] = blocks * blocks * 4 / of.items + 1;
      auto const pair = group * (of.items / 4) + item / 4;
      auto const block = (pair % blocks + pair / blocks) % blocks;
      auto const word = (s + item % 4) % 4;
      auto const here = pair < blocks * blocks && block * 4 + word < side;
      compare(mmm::umm<4, 5>{}, of, block * 4 * side + word, here);
      compare(mmm::umm<4, 5, 3>{}, of, block * 4 * side + word, here);
      compare(mmm::dmm<4, 5>{}, of, block * 4 * side + word, here);
    }
  INFO(compare.closed << " of " << compare.cases << " are closed");
  CHECK(compare.closed * 100 > compare.cases * 90);
}

TEST_CASE("pairs of blocks, in which warps begin anywhere") {
  comparison compare;
  for (mmm::index const blocks : {1, 2, 3, 6})
    for (mmm::index const p : {1, 3, 5, 8, 9, 10, 12, 24, 37}) {
      access_domain of;
      of.items = blocks * (blocks + 3) * 16 + p % 5;
      of.threads = p;
      auto const pair = item / 16;
      auto const word = item % 16;
      auto const row = pair % blocks;
      auto const column = (row + pair / blocks + 1) % blocks;
      auto const here = (row * 4 + word / 4) * (4 * blocks) + column * 4 + word % 4;
      auto const there = (column * 4 + word / 4) * (4 * blocks) + row * 4 + word % 4;
      compare(mmm::umm<4, 5>{}, of, here);
      compare(mmm::umm<4, 5>{}, of, there);
      compare(mmm::umm<4, 5, 3>{}, of, here);
      compare(mmm::umm<4, 5, 2>{}, of, there);
      compare(mmm::dmm<4, 5>{}, of, there, row < column);
    }
  INFO(compare.closed << " of " << compare.cases << " are closed");
  CHECK(compare.closed * 100 > compare.cases * 90);
}

TEST_CASE("solutions of congruences") {
  int wrong = 0;
  for (mmm::index modulus = 1; modulus < 40; ++modulus)
    for (mmm::index step = 0; step < 90; ++step) {
      mmm::detail::linear_congruence const of(step, modulus);
      for (mmm::index residue = 0; residue < modulus; ++residue) {
        mmm::index least = 0;
        while (least < modulus && step * least % modulus != residue) ++least;
        wrong += of.solve(residue) != (least < modulus ? least : -1);
      }
      wrong += of.period != modulus / mmm::detail::gcd(step, modulus);
    }
  CHECK(wrong == 0);
}

// Half of the places of a column cannot be reached, and the rows of a million are not visited.
TEST_CASE("rounds of pairs of blocks that depend on the place of their first item only") {
  mmm::index const blocks = 100000, w = 8, p = 1002;
  access_domain of;
  of.items = blocks * blocks / 2 * w * w;
  of.threads = p;
  auto const pair = item / (w * w);
  auto const word = item % (w * w);
  auto const row = pair % blocks;
  auto const column = (row + pair / blocks + 1) % blocks;
  auto const at = (row * w + word / w) * (w * blocks) + column * w + word % w;
  auto const cost = mmm::detail::cost_of_access(mmm::umm<8, 5, 3>{}, of, at);
  CHECK(cost.closed_form);
  CHECK(cost.rounds == mmm::detail::ceil_divide(of.items, p));
  // a period of 32 rounds by enumeration, in the first blocks, and the rounds after the last one
  mmm::index const period = 32 * p;
  mmm::index const rest = of.items % period;
  auto some = of;
  some.items = period;
  auto const whole = mmm::detail::enumerated_cost_of_access(mmm::umm<8, 5, 3>{}, some, at);
  some.items = rest;
  auto const last = mmm::detail::enumerated_cost_of_access(mmm::umm<8, 5, 3>{}, some, at);
  CHECK(cost.stages == of.items / period * whole.stages + last.stages);
  CHECK(cost.time == of.items / period * whole.time + last.time);
}

TEST_CASE("many rows, after some of which the rounds come again") {
  comparison compare;
  for (mmm::index const m : {3, 4, 10})
    for (mmm::index const p : {1, 3, 4, 8, 9, 22, 40, 100}) {
      access_domain of;
      of.items = m * 700 + p / 2;
      of.threads = p;
      auto const row = item / m;
      auto const column = item % m;
      compare(mmm::umm<4, 5, 3>{}, of, row * (2 * m + 1) + column);
      compare(mmm::umm<4, 5, 3>{}, of, row * (2 * m) + column, column * 2 < m);
      compare(mmm::bpram<4>{}, of, mmm::constant(0), column * 2 < m);
    }
  CHECK(compare.closed == compare.cases);
}

TEST_CASE("many rows that lines cut between, ever farther apart") {
  comparison compare;
  for (mmm::index const m : {96, 157, 250})
    for (mmm::index const p : {1, 3, 4, 6}) {
      access_domain of;
      of.items = m * m + p / 2;
      of.threads = p;
      auto const row = item / m;
      auto const column = item % m;
      compare(mmm::umm<4, 5, 3>{}, of, row * m + column, row < column);
      compare(mmm::umm<4, 5, 3>{}, of, column * m + row, column < row);
      compare(mmm::umm<4, 5, 2>{}, of, row * (m + 3) + column, 2 * row < column + m / 3);
      compare(mmm::umm<3, 5, 2>{}, of, row * (m + 1) + column, row + column > m / 4);
      compare(mmm::bpram<4>{}, of, mmm::constant(0), row < column);
    }
  CHECK(compare.closed == compare.cases);
}

TEST_CASE("loops around rows that move the words within their groups") {
  comparison compare;
  for (mmm::index const m : {5, 16, 33})
    for (mmm::index const p : {3, 8, 10})
      for (mmm::index const trips : {1, 3, 8, 13}) {
        access_domain of;
        of.items = m * m;
        of.threads = p;
        of.loops = 1;
        of.trips[0] = trips;
        mmm::variable const k(mmm::detail::first_loop_slot);
        auto const row = item / m;
        auto const column = item % m;
        compare(mmm::umm<4, 5, 3>{}, of, row * m + k);
        compare(mmm::umm<4, 5, 3>{}, of, k * m + column);
        compare(mmm::umm<4, 5, 2>{}, of, row * (m + 1) + column + 2 * k, row < column);
      }
  CHECK(compare.closed == compare.cases);
}

TEST_CASE("sides beyond what can be enumerated") {
  for (mmm::index const side : {65537, 1000003})
    for (mmm::index const p : {96, 1000, 12345, 100001}) {
      access_domain of;
      of.items = side * side;
      of.threads = p;
      auto const row = item / side;
      auto const column = item % side;
      auto const cost =
          mmm::detail::cost_of_access(mmm::umm<32, 400>{}, of, column * side + row, row < column);
      CHECK(cost.closed_form);
      CHECK(cost.stages == side * (side - 1) / 2);  // strided: one for every word
      if (p > 1000) continue;                       // more rows until rounds come again
      auto const ports = mmm::detail::cost_of_access(mmm::umm<32, 400, 4>{}, of,
                                                     column * side + row, row < column);
      CHECK(ports.closed_form);
      CHECK(ports.stages == cost.stages);
      CHECK(ports.rounds == cost.rounds);
      of.loops = 1;  // a product: the words of a row one after the other
      of.trips[0] = side;
      auto const product = mmm::detail::cost_of_access(
          mmm::umm<32, 400, 4>{}, of, row * side + mmm::variable(mmm::detail::first_loop_slot));
      CHECK(product.closed_form);
      CHECK(product.rounds == (of.items + p - 1) / p * side);
    }
}

TEST_CASE("a search that cuts off one row after the other ends before the stack does") {
  mmm::umm<7, 1> const m;
  access_domain domain;
  domain.items = 108392;
  domain.threads = 25;
  auto const address = (item ^ ((item % 7) % 1)) & 77;
  auto const found = mmm::detail::cost_of_access(m, domain, address);
  auto const each = mmm::detail::enumerated_cost_of_access(m, domain, address);
  CHECK(found.rounds == each.rounds);
  CHECK(found.stages == each.stages);
  CHECK(found.time == each.time);
}

// The pairs of a scan along rows that a warp cuts anywhere.
TEST_CASE("quotients of places in a row on the plane, in columns of a few items") {
  int closed = 0;
  auto const compare = [&](auto const& m, auto const& at, mmm::index row, mmm::index unit,
                           access_domain const& of) {
    mmm::detail::access_cost found;
    if (!mmm::detail::close_on_plane(m, of, at, mmm::detail::always{}, row, unit, 20000, found))
      return;
    ++closed;
    auto const each = mmm::detail::enumerated_cost_of_access(m, of, at);
    CAPTURE(m.width(), row, unit, of.items, of.threads);
    CHECK(found.rounds == each.rounds);
    CHECK(found.stages == each.stages);
    CHECK(found.time == each.time);
  };
  for (mmm::index const w : {2, 5, 6, 12})  // where columns do not divide w, warps of two or three
    for (mmm::index const all : {1, 2, 5, 8, 17, 33})  // places in a chunk
      for (mmm::index const p : {1, 6, 24, 33})
        for (mmm::index const unit : {2, 3}) {
          access_domain of;
          of.items = all * 20 - 1;
          of.threads = p;
          auto const k = item % all;
          auto const both = [&](auto const& at) {
            mmm::index const row = mmm::detail::lcm(all, unit);
            compare(mmm::dmm<mmm::dynamic, 5>(w), at, row, unit, of);
            compare(mmm::umm<mmm::dynamic, 5>(w), at, row, unit, of);
            compare(mmm::umm<mmm::dynamic, 5, 2>(w), at, row, unit, of);
          };
          both(item / all * (all / 2) + (k - 1) / 2);
          both(k / unit * 5 + k % unit * 11 + item / all);
        }
  CHECK(closed > 1000);
}
TEST_CASE("rows that the items do not reach are none") {
  auto const row = item / 100;
  auto const rows =
      mmm::detail::items_of_rows(row % 50 * 100 + row / 50, mmm::detail::always{}, 5000);
  CHECK(rows.row == 100);
  CHECK(rows.inner == 0);
  CHECK(mmm::detail::items_of_rows(row / 50, mmm::detail::always{}, 5001).row == 5000);
  CHECK(mmm::detail::items_of_rows(item % 9 / 2 + item % 3, mmm::detail::always{}, 99).within == 2);
}

TEST_CASE("columns of items that warps begin anywhere in") {
  comparison compare;
  for (mmm::index const side : {1, 9, 10, 33})
    for (mmm::index const p : {1, 3, 7, 8, 14, 20}) {
      access_domain of;
      of.items = side * 30 + 5;
      of.threads = p;
      auto const row = item / side;
      auto const column = item % side;
      auto const halves = row * (side / 2) + (column + 1) / 2;
      auto const thirds = row * side + (column + 7) / 3;
      compare(mmm::dmm<4, 3>{}, of, halves);
      compare(mmm::umm<8, 3>{}, of, halves);
      compare(mmm::umm<8, 3, 3>{}, of, halves);
      compare(mmm::umm<4, 3, 2>{}, of, thirds, column > 0);
      of.dmms = 3;
      of.machine_wide = true;
      compare(mmm::umm<8, 3>{}, of, thirds);
      compare(mmm::umm<8, 3, 2>{}, of, halves, column < row);
    }
  INFO(compare.closed << " of " << compare.cases << " are closed");
  CHECK(compare.closed * 100 > compare.cases * 90);
}

TEST_CASE("blocks of fewer threads than a warp has") {
  comparison compare;
  mmm::variable const pass(mmm::detail::first_loop_slot);
  mmm::variable const t(mmm::detail::first_loop_slot + 1);
  for (mmm::index const s : {1, 3, 7})
    for (mmm::index const side : {5, 14, 40}) {
      mmm::index const blocks = mmm::detail::ceil_divide(side, s);
      access_domain of;
      of.items = of.threads = s;
      of.loops = 2;
      of.trips[0] = blocks * (blocks + 1) / 2;
      of.trips[1] = s;
      auto const pair = pass + item / s;
      auto const row = pair % blocks * s;
      auto const column = (pair % blocks + pair / blocks) % blocks * s;
      auto const c = (t + item % s) % s;
      auto const inside = row + t < side && column + c < side;
      compare(mmm::umm<8, 3>{}, of, (row + t) * side + column + c, inside);
      compare(mmm::umm<8, 3, 3>{}, of, (row + t) * side + column + c, inside && row != column);
      compare(mmm::dmm<8, 3>{}, of, (column + t) * side + row + c, inside);
    }
  INFO(compare.closed << " of " << compare.cases << " are closed");
  CHECK(compare.closed * 100 > compare.cases * 75);
}
