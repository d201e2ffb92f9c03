// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regression tests: accesses whose closed forms were once wrong, found by the property tests.
#include <mmm/cost/access.hpp>
#include <mmm/cost/point_counts.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/machine/machine.hpp>

#include "catch.hpp"

namespace {

using mmm::index;
using mmm::item;
constexpr mmm::variable dmm(mmm::detail::dmm_slot);
constexpr mmm::variable loop(mmm::detail::first_loop_slot);

template <class M, class E, class P = mmm::detail::always>
bool agrees(M const& m, mmm::detail::access_domain const& of, E const& e, P const& p = {}) {
  auto const closed = mmm::detail::cost_of_access(m, of, e, p);
  auto const each = mmm::detail::enumerated_cost_of_access(m, of, e, p);
  CHECK(closed.closed_form);
  CHECK(closed.rounds == each.rounds);
  CHECK(closed.stages == each.stages);
  CHECK(closed.time == each.time);
  return closed.rounds == each.rounds && closed.stages == each.stages && closed.time == each.time;
}

mmm::detail::access_domain domain(index items, index threads, index dmms) {
  mmm::detail::access_domain of;
  of.items = items;
  of.threads = threads;
  of.dmms = dmms;
  return of;
}

}  // namespace

TEST_CASE("a divisor that an unsettled condition keeps above 0") {
  CHECK(agrees(mmm::dmm<32, 1>(), domain(64, 32, 1), (item + -20) % max(item * 1, 1)));
}

TEST_CASE("a factor that differs from DMM to DMM") {
  CHECK(agrees(mmm::umm<4, 3>(), domain(24, 4, 3),
               ((9 - dmm) & (dmm % 4)) * ((item + 53 + (item ^ 4)) / 2)));
}

TEST_CASE("a lane that one condition leaves out does not speak for the others") {
  auto of = domain(13, 32, 2);
  of.machine_wide = true;
  of.loops = 1;
  of.trips[0] = 2;
  CHECK(agrees(mmm::dmm<32, 1>(), of, item,
               !((dmm + item + dmm * -3 < loop % 32) || (0 < item % 32))));
  CHECK(agrees(mmm::dmm<3, 1>(), domain(2, 3, 2), item, dmm == item * 2));
}

TEST_CASE("DMMs side by side whose number is divided") {
  auto of = domain(54, 32, 4);
  of.side_by_side = true;
  CHECK(agrees(mmm::dmm<32, 1>(), of, select((item / 32 ^ (dmm + -20)) < 0, item * 0, item)));
}

TEST_CASE("a remainder of what may be below 0") {
  auto of = domain(116, 29, 2);
  of.machine_wide = true;
  CHECK(agrees(mmm::dmm<3, 1>(), of, ((item ^ 2 ^ 5) - (dmm * -3 + item % 16)) % 4));
}

TEST_CASE("two comparisons that look the same, one of them negated") {
  auto of = domain(3, 3, 1);
  of.loops = 1;
  of.trips[0] = 6;
  auto const column = item % 4;
  CHECK(agrees(mmm::dmm<4, 2>(), of, column * 5 - loop * 4,
               column + 3 > item / 4 + loop && column <= loop));
}

TEST_CASE("two conditions of which now the one, now the other is open") {
  auto of = domain(40, 16, 1);
  of.loops = 1;
  of.trips[0] = 2;
  auto const row = loop * 4 + item / 4 - 3;
  CHECK(agrees(mmm::umm<4, 7>(), of, row * 8 + item % 4, row >= 0 && row < 8));
}

TEST_CASE("rows as addresses, far from the first word") {
  for (mmm::index const first :
       {mmm::index{1} << 30, (mmm::index{1} << 40) + 5, -(mmm::index{1} << 33) - 3})
    for (mmm::index const columns : {2, 3, 32}) {
      mmm::umm<4, 3> const m;
      auto const of = domain(777, 16, 1);
      mmm::detail::access_cost found;
      CHECK(mmm::detail::close_affine(m, of, (item - 1) / columns + first, mmm::detail::always{},
                                      found));
      CHECK(agrees(m, of, (item - 1) / columns + first));
    }
}

TEST_CASE("comparisons of other variables that all values decide alike") {
  auto of = domain(40, 8, 3);
  of.loops = 1;
  of.trips[0] = 5;
  auto const at = (loop * 3 + dmm) * 40 + item;
  for (mmm::index const bound : {-1, 0, 1, 598, 599, 600, 601}) {
    mmm::dmm<4, 3> const m;
    mmm::detail::access_cost found;
    bool const known = mmm::detail::close_affine(m, of, at, at < bound, found);
    CHECK(known == (bound <= 0 || bound > 599));
    CHECK(agrees(m, of, at, at < bound));
    CHECK(agrees(m, of, at, at >= 0 && at < bound));
  }
}

namespace {

// The place of a tile that is one of two, by its number: what programs with tiles of two kinds do.
auto const tile_number = loop * 7 + dmm;
auto const tile_place = select(tile_number < 11, tile_number / 3, 40 - tile_number % 5);

mmm::detail::access_domain tiles_of(index items, bool side_by_side = false) {
  auto of = domain(items, 64, 7);
  of.loops = 1;
  of.trips[0] = 5;
  of.side_by_side = side_by_side;
  return of;
}

// Stages of the first chunks, by a search that may look so many times.
template <class M, class E, class P = mmm::detail::always>
bool closes(M const& m, mmm::detail::access_domain const& of, int looks, E const& e,
            P const& p = {}) {
  mmm::detail::access_cost found;
  return mmm::detail::close_group(m, mmm::detail::make_group(mmm::detail::width_in(m), of, 0), e, p,
                                  looks, found);
}

}  // namespace

TEST_CASE("one of two forms is known up to what they differ by") {
  mmm::umm<32, 3> const m;
  auto const rows = tile_place * 64 + item;
  CHECK(agrees(m, tiles_of(64), rows));
  CHECK(agrees(m, tiles_of(70), rows));
  CHECK(agrees(mmm::umm<32, 3, 4>(), tiles_of(64), rows));
  CHECK(agrees(mmm::dmm<32, 3>(), tiles_of(64, true), rows));
  CHECK(closes(m, tiles_of(64), 8, rows));  // no cut is needed
  // It is, where tiles do not begin at address groups, …
  CHECK(agrees(m, tiles_of(64), tile_place * 60 + item));
  CHECK(!closes(m, tiles_of(64), 8, tile_place * 60 + item));
  // … where lanes choose for themselves, or where the two differ from lane to lane.
  auto const by_lanes = select(item % 64 + tile_number < 40, tile_number / 3, 2 * dmm) * 64 + item;
  CHECK(agrees(m, tiles_of(64), by_lanes));
  CHECK(agrees(mmm::dmm<32, 3>(), tiles_of(64), by_lanes));
  auto const apart = select(tile_number < 11, 32 * (tile_number / 3) + item, 64 * dmm + 2 * item);
  CHECK(agrees(m, tiles_of(64), apart));
  CHECK(agrees(mmm::dmm<32, 3>(), tiles_of(64), apart));
  auto const shifted = select(tile_number / 2 < 6, item + 1, item + 33) + 32 * loop;
  CHECK(agrees(m, tiles_of(64), shifted));
  CHECK(agrees(m, tiles_of(64), rows, item % 64 < tile_place));
  CHECK(agrees(m, tiles_of(64), select(tile_number == 11, tile_number / 3, 7) * 8 + item));
}

TEST_CASE("a side that is not chosen needs no cut") {
  mmm::umm<32, 3> const m;
  auto const never = select(dmm < 7, item + 32 * dmm, (item * 3 + tile_number) / 5 % 7);
  CHECK(agrees(m, tiles_of(64), never));
  CHECK(closes(m, tiles_of(64), 8, never));
  CHECK(agrees(m, tiles_of(64), select(dmm > 7, (item + loop) / 3, item % 33 + 32 * dmm)));
  // The same shapes with one side or the other chosen are not the same sums.
  auto const number = select(dmm < 4, (item * 2 + loop) / 9 + 1, (item * 2 + loop) / 9 + 20);
  CHECK(agrees(m, tiles_of(130), number * 3));
  CHECK(agrees(m, tiles_of(130), item, number < 17));
}

TEST_CASE(
    "rounds in which somebody is active, where that differs from DMM to DMM and trip to trip") {
  for (index const trips : {1, 2, 3, 50}) {
    auto of = tiles_of(128);
    of.trips[0] = trips;
    CAPTURE(trips);
    CHECK(agrees(mmm::umm<32, 3>(), of, item, tile_place * 8 + item < 60));
    CHECK(agrees(mmm::umm<32, 3>(), of, item, tile_number % 9 + item / 16 == 4));
    CHECK(agrees(mmm::dmm<8, 2>(), of, item * 3, tile_number / 4 % 3 * 8 + item % 8 < 12));
    CHECK(agrees(mmm::umm<4, 3>(), of, item, (tile_number + item) % 50 == 49));
  }
}

TEST_CASE("lanes that are in one address group, in any order") {
  auto of = domain(96, 32, 1);
  of.loops = 1;
  of.trips[0] = 8;
  auto const rotated = (loop + item % 8) % 8;
  auto const partial = domain(45, 13, 3);
  mmm::umm<8, 3> const m;
  CHECK(closes(m, of, 4, rotated + loop * 64));
  CHECK(closes(m, of, 4, 16 + rotated * 1));
  CHECK_FALSE(closes(m, of, 4, rotated + 4));  // the block begins within a group
  for (auto const& d : {of, partial}) {
    CHECK(agrees(m, d, rotated));
    CHECK(agrees(m, d, rotated + loop * 64 + item / 8 * 24));
    CHECK(agrees(m, d, rotated + 4));
    CHECK(agrees(m, d, rotated + item));
    CHECK(agrees(m, d, rotated + loop * 4));
    CHECK(agrees(m, d, 64 - rotated));
    CHECK(agrees(m, d, rotated * 2));
    CHECK(agrees(m, d, rotated % 4 * 2 + 8));
    CHECK(agrees(m, d, rotated + (loop * 3 + item) % 8));
    CHECK(agrees(m, d, rotated + loop * 16, item % 8 < 3));
    CHECK(agrees(m, d, rotated + loop * 16, item % 8 < loop));
    CHECK(agrees(mmm::umm<8, 3, 2>(), d, rotated + loop * 16, item % 8 < 3));
    CHECK(agrees(mmm::umm<8, 3, 3>(), d, rotated + select(loop < 3, item, 0)));
    CHECK(agrees(mmm::umm<2, 3>(), d, rotated + loop * 64));
    CHECK(agrees(mmm::umm<1, 3>(), d, rotated));
    CHECK(agrees(mmm::dmm<8, 3>(), d, rotated + loop * 5));
  }
}

namespace {

// One comparison of rows with columns, for all addresses that make warps alike and for some that
// do not.
template <class M, class P>
void compare_beside_line(M const& m, mmm::detail::access_domain const& of, index side,
                         P const& active) {
  auto const row = item / side;
  auto const column = item % side;
  CHECK(agrees(m, of, row * side + column, active));
  CHECK(agrees(m, of, column * side + row, active));
  CHECK(agrees(m, of, column * 3 + loop * 64, active));
  CHECK(agrees(m, of, item % 8 * (item % 5), active));
}

}  // namespace

TEST_CASE("lanes that are active on one side of a line") {
  for (index const side : {8, 12, 32})
    for (index const threads : {8, 5, 64, 48}) {
      CAPTURE(side, threads);
      auto of = domain(side * side, threads, 1);
      of.loops = 1;
      of.trips[0] = 3;
      auto const row = item / side;
      auto const column = item % side;
      mmm::umm<8, 3> const groups;
      mmm::dmm<8, 3> const banks;
      compare_beside_line(groups, of, side, row < column);
      compare_beside_line(banks, of, side, row < column + loop);
      CHECK(agrees(groups, of, item, !(row * 2 < column + 3)));
      CHECK(agrees(groups, of, item * 8, column * 3 - row > loop * 4));
      CHECK(agrees(groups, of, mmm::constant(5), 40 - column * 5 <= row));
      CHECK(agrees(groups, of, row * side + column, row == column));
      CHECK(agrees(groups, of, column * side, !(row < column) && item < 50));
      CHECK(agrees(banks, of, item * 2, row < column || item < 3));
      CHECK(agrees(mmm::umm<8, 3, 2>(), of, item, row < column));
      CHECK(agrees(mmm::detail::for_updates(banks), of, item * 4, row < column));
      CHECK(agrees(mmm::bpram<8>(), of, item, row < column));
      CHECK(agrees(mmm::pram(), of, item, row < column));
      CHECK(agrees(mmm::umm<1, 1>(), of, item, row < column));
    }
  auto const large = domain(index{1} << 30, 1 << 16, 1);
  auto const row = item / 32768;
  auto const column = item % 32768;
  CHECK(closes(mmm::umm<32, 3>(), large, 6, row * 32768 + column, row < column));
  CHECK(closes(mmm::umm<32, 3>(), large, 6, column * 32768 + row, row < column));
}

TEST_CASE("points of a box at which a linear function reaches a bound") {
  int known = 0;
  int wrong = 0;
  for (index const first : {1, 2, 5})
    for (index const second : {1, 3, 4})
      for (index const third : {1, 2})
        for (index const a : {-6, -1, 0, 1, 2})
          for (index const b : {-10, -2, 0, 3, 5, 7})
            for (index const c : {-30, 0, 1, 20}) {
              mmm::detail::warp_box<4> box;
              mmm::detail::linear_form x;
              index const extents[] = {first, second, third};
              index const steps[] = {a, b, c};
              for (int d = 0; d < 3; ++d)
                x.coefficient[box.add_dimension(extents[d], false)] = steps[d];
              mmm::detail::point_counts const counts(box, x);
              if (!counts.known()) continue;
              ++known;
              for (index bound = -60; bound < 60; ++bound) {
                index reached = 0;
                for (index i = 0; i < first; ++i)
                  for (index j = 0; j < second; ++j)
                    for (index k = 0; k < third; ++k) reached += a * i + b * j + c * k >= bound;
                wrong += counts.at_least(bound) != reached;
              }
            }
  CHECK(wrong == 0);
  CHECK(known > 1500);
}

TEST_CASE("blocks that are assigned to the DMMs one by one") {
  mmm::umm<8, 5> const m;
  for (index const side : {24, 29, 41})
    for (index const dmms : {1, 2, 3, 7})
      for (index const threads : {64, 32, 24}) {
        index const across = (side + 7) / 8;
        index const last = side - (across - 1) * 8;
        CAPTURE(side, dmms, threads);
        auto of = domain(64, threads, dmms);
        of.loops = 2;
        of.trips[0] = across * across / dmms;  // passes
        of.trips[1] = 3;
        mmm::variable const k(mmm::detail::first_loop_slot + 1);
        auto const number = dmm + loop * dmms;
        auto const top = number / across * 8;
        auto const left = number % across * 8;
        auto const row = item / 8;
        auto const column = item % 8;
        auto const inside =
            (row < last || top + row < side) && (column < last || left + column < side);
        CHECK(agrees(m, of, (top + row) * side + left + column, inside));
        CHECK(agrees(m, of, (k * 8 + row) * side + left + column,
                     column < last || left + column < side));
        CHECK(agrees(m, of, (top + row) * side + k * 8 + column, top + row < side));
        CHECK(agrees(mmm::umm<8, 5, 3>(), of, (top + row) * side + left + column, inside));
        CHECK(agrees(m, of, (loop + number) * 4 + item, inside));  // not of the number alone
        CHECK(agrees(m, of, item, loop * dmms - dmm + column < 9));
        auto own = of;
        own.side_by_side = true;
        CHECK(agrees(mmm::dmm<8, 2>(), own, column * 8 + row, top + row < side));
      }
  // 3125 x 3125 blocks of 32 x 32, as of matrices of side 99991: a corner of 89 x 89 of them
  auto of = domain(1024, 256, 132);
  of.loops = 1;
  of.trips[0] = 60;
  auto const left = (dmm + loop * 132) % 89 * 32 + 97152;
  auto const column = item % 32;
  auto const address = item / 32 * 99991 + left + column;
  auto const large = mmm::detail::cost_of_access(mmm::umm<32, 400>(), of, address,
                                                 column < 23 || left + column < 99991);
  CHECK(large.closed_form);
  CHECK(large.rounds == 60 * 4);
  of.trips[0] = 3;
  CHECK(agrees(mmm::umm<32, 400>(), of, address, column < 23 || left + column < 99991));
}

TEST_CASE("comparisons of what has no normal form") {
  auto of = domain(60, 12, 5);
  of.loops = 1;
  of.trips[0] = 7;
  auto const odd = (item * 3 + loop * 5) % 7;
  auto const quotient = (item + loop * 11) / 13;
  mmm::umm<4, 3> const m;
  CHECK(agrees(m, of, item, odd < 7));
  CHECK(agrees(m, of, item, odd < 0));
  CHECK(agrees(m, of, item, odd - 6 < 1));
  CHECK(agrees(m, of, item, 6 - odd < 0));
  CHECK(agrees(m, of, item, quotient * -2 > 0));
  CHECK(agrees(m, of, item, quotient * -2 <= 0));
  CHECK(agrees(m, of, item * 5, quotient - odd < -6));
  CHECK(agrees(m, of, item, (odd & 4) + (odd | 8) < 20));
  CHECK(agrees(m, of, item, select(odd < 3, odd, quotient + 2) < 13));
  CHECK(agrees(m, of, odd + quotient, (item < 20) || (odd < 3)));
  CHECK(agrees(m, of, odd, !((item % 4 < 2) && (quotient < 3))));
  CHECK(agrees(m, of, odd / (quotient % 3 + 1), (odd - 9) / 2 < 0));
}
