// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The chosen layouts compared with all others of their family, each costed byte by byte, and with
// random ones.
#include <mmm/gpu.hpp>

#include "catch.hpp"
#include "support/naive_gpu.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <stdexcept>
#include <vector>

using namespace mmm::gpu;
using Catch::Matchers::Contains;
using mmm::index;
using mmm::item;
using mmm::tile_layout;

namespace {

//! The wavefronts of one warp's access to a layout that puts element (row, column) at word
//! `place(row, column)`; -1 if an address is not aligned.
template <class Access, class Row, class Column, class Place>
index naive_cost(tile_shape const& tile, tile_access_pattern<Access, Row, Column> const& a,
                 Place place) {
  constexpr Access access;
  int const lanes = access.of_matrices() ? access.matrices * 8 : 32;
  naive_gpu::lanes asked;
  for (int t = 0; t < lanes; ++t) {
    asked[t] = place(a.row(t), a.column(t)) * tile.element_bytes;
    if (asked[t] % access.bytes != 0) return -1;
  }
  index const cost = access.of_matrices() ? naive_gpu::matrices(asked, access.matrices).wavefronts
                                          : naive_gpu::nvidia(asked, access.bytes).wavefronts;
  return a.times * cost;
}

template <class Access, class Row, class Column>
index bytes_of(tile_access_pattern<Access, Row, Column> const&) {
  return Access{}.bytes;
}

//! Counts the layouts of the family that beat the chosen one: fewer wavefronts, or as many and
//! fewer bytes.
template <class... Accesses>
void is_best(tile_shape const& tile, tile_limits const& limits, Accesses const&... accesses) {
  tile_choice const choice = choose_layout(tile, limits, accesses...);
  auto const cost = [&](auto place) {
    index const each[] = {naive_cost(tile, accesses, place)...};
    return std::count(std::begin(each), std::end(each), -1) > 0
               ? -1
               : std::accumulate(std::begin(each), std::end(each), index{0});
  };
  CHECK(cost(choice.layout) == choice.wavefronts);
  CHECK(wavefronts_of_tile(tile, choice.layout, accesses...) == choice.wavefronts);
  CHECK(choice.bytes == choice.layout.words() * tile.element_bytes);
  CHECK(choice.bytes <= limits.budget);
  CHECK(choice.bound <= choice.wavefronts);
  CHECK(choice.plain == cost(tile_layout(tile.rows, tile.columns)));
  index better = 0;
  int tried = 0;
  auto const look = [&](tile_layout const& other) {
    index const own = cost(other);
    index const bytes = other.words() * tile.element_bytes;
    if (own < 0 || other.pitch() * tile.element_bytes % limits.alignment != 0 ||
        bytes > limits.budget)
      return;
    ++tried;
    better += own < choice.wavefronts || (own == choice.wavefronts && bytes < choice.bytes);
  };
  for (index padding = 0; padding <= limits.max_padding; ++padding)
    look({tile.rows, tile.columns, padding});
  if (limits.swizzles)
    for (int base = 0; base <= 4; ++base)
      for (int bits = 1; bits <= 5; ++bits)
        for (int shift = bits; shift <= bits + 7; ++shift)
          if (tile.rows * tile.columns % (index{1} << (base + bits)) == 0)
            look({tile.rows, tile.columns, 0, {bits, base, shift}});
  CHECK(better == 0);
  // the search skips swizzles below the vector size and beyond the tile
  CHECK(choice.tried <= tried);
  CHECK(choice.tried > 0);

  // No placement of the elements takes fewer wavefronts than the bound, as long as vectors stay
  // whole.
  index const vector = std::max({bytes_of(accesses)...}) / tile.element_bytes;
  if (vector == 0 || tile.columns % vector != 0) return;
  std::mt19937 random(5);
  std::vector<index> places(static_cast<std::size_t>(tile.rows * tile.columns / vector));
  std::iota(places.begin(), places.end(), index{0});
  index below = 0;
  for (int k = 0; k < 200; ++k) {
    std::shuffle(places.begin(), places.end(), random);
    below += cost([&](index row, index column) {
               index const x = row * tile.columns + column;
               return places[static_cast<std::size_t>(x / vector)] * vector + x % vector;
             }) < choice.bound;
  }
  CHECK(below == 0);
}

//! The sectors of an access to records, word by word; -1 if it is not aligned, or its bytes do not
//! lie side by side.
template <class Access, class Row, class Column>
index naive_sectors(tile_shape const& area, tile_access_pattern<Access, Row, Column> const& a,
                    mmm::record_layout const& layout) {
  constexpr Access access;
  index const wide = std::max<index>(1, access.bytes / area.element_bytes);
  index sum = 0;
  for (index warp = 0; warp < a.items; warp += 32) {
    std::set<index> sectors;
    for (index i = warp; i < std::min(warp + 32, a.items); ++i) {
      index const first = layout(a.row(i), a.column(i)) * area.element_bytes;
      if (first % access.bytes != 0) return -1;
      for (index k = 0; k < wide; ++k) {
        index const at = layout(a.row(i), a.column(i) + k) * area.element_bytes;
        if (at != first + k * area.element_bytes) return -1;
        sectors.insert(at / 32);
      }
    }
    sum += static_cast<index>(sectors.size());
  }
  return sum * a.times;
}

template <class... Accesses>
void is_best_for_records(tile_shape const& area, Accesses const&... accesses) {
  record_choice const choice = choose_record_layout(area, accesses...);
  auto const cost = [&](mmm::record_layout const& layout) {
    index const each[] = {naive_sectors(area, accesses, layout)...};
    return std::count(std::begin(each), std::end(each), -1) > 0
               ? -1
               : std::accumulate(std::begin(each), std::end(each), index{0});
  };
  CHECK(mmm::is_injective(choice.layout));
  CHECK(cost(choice.layout) == choice.sectors);
  CHECK(choice.bytes == choice.layout.words() * area.element_bytes);
  CHECK(choice.bound <= choice.sectors);
  CHECK(choice.plain == cost({area.rows, area.columns}));
  index better = 0;
  for (index group = 1; group <= area.rows; ++group)
    if ((group & (group - 1)) == 0 || group == area.rows)
      for (index padding = 0; padding <= (group == 1 ? 16 / area.element_bytes : 0); ++padding) {
        index const own = cost({area.rows, area.columns, group, padding});
        better += own >= 0 && own < choice.sectors;
      }
  CHECK(better == 0);
}

}  // namespace

TEST_CASE("no layout of records is better than the one that is chosen") {
  mmm::size const all(100);
  auto const first = tile_access<load<4>>(item, 0, 1, all);
  is_best_for_records({100, 7, 4}, first, tile_access<load<4>>(item, 2, 3, all));
  is_best_for_records({100, 4, 4}, tile_access<load<16>>(item, 0, 1, all));
  is_best_for_records({100, 3, 4}, tile_access<load<4>>(item / 3, item % 3), first);
  is_best_for_records({100, 3, 2}, tile_access<load<2>>(99 - item, 1), tile_access<store<2>>(5, 0));
  is_best_for_records({100, 6, 4}, tile_access<load<8>>(item, 2, 1, all), first);
  is_best_for_records({1, 6, 8}, tile_access<load<8>>(0, item % 6));
  CHECK(choose_record_layout({100, 5, 4}, tile_access<load<8>>(item, 2, 1, all)).layout.padding ==
        1);
  CHECK_THROWS_WITH(choose_record_layout({100, 4, 4}, tile_access<load<8>>(item, 1)),
                    Contains("as wide as the accesses"));
  CHECK_THROWS_WITH(choose_record_layout({31, 4, 4}, tile_access<load<4>>(item, 1)),
                    Contains("row") && Contains("31"));
  CHECK_THROWS_WITH(mmm::record_layout(4, 4, 0), Contains("group"));
  CHECK_THROWS_WITH(mmm::record_layout(4, 4, 2, 1), Contains("padding"));
  CHECK_THROWS_WITH(tile_of<double>(mmm::row_major(1 << 16, 1 << 14)), Contains("536870911"));
}

TEST_CASE("no layout of the family is better than the one that is chosen") {
  tile_shape const square{32, 32, 4};
  auto const write_row = tile_access<store<4>>(5, item);
  auto const read_column = tile_access<load<4>>(item, 5);
  is_best(square, {}, write_row, read_column);
  is_best(square, {.swizzles = false}, write_row, read_column);
  is_best(square, {.alignment = 16}, tile_access<store<16>>(item / 8, item % 8 * 4), read_column);
  is_best(square, {}, tile_access<load<4>>(item % 4 * 8, item / 4, 3),
          tile_access<store<4>>(item, item));
  tile_shape const panel{64, 16, 4};
  auto const write_vectors = tile_access<store<16>>(item / 4, item % 4 * 4);
  auto const read_vectors = tile_access<load<16>>(item, 4);
  is_best(panel, {.alignment = 16}, write_vectors, read_vectors);
  is_best(panel, {.alignment = 16, .swizzles = false}, write_vectors, read_vectors);
  is_best({32, 3, 4}, {}, tile_access<load<4>>(item, 0), tile_access<load<4>>(item, 2));
  is_best({64, 64, 2}, {.alignment = 16}, tile_access<store<16>>(item / 8, item % 8 * 8),
          tile_access<ldmatrix<4>>(item % 16, item / 16 * 8, 4));
  is_best({16, 128, 1}, {}, tile_access<load<1>>(item / 2, item % 2 * 64),
          tile_access<store<4>>(3, item * 4));
  is_best({40, 24, 8}, {.budget = 10000}, tile_access<load<8>>(item, 3),
          tile_access<load<8>>(item / 24, item % 24));
  is_best({48, 20, 2}, {.max_padding = 7}, tile_access<load<2>>(item, 3),
          tile_access<load<4>>(item, 4));
}

TEST_CASE("tiles and accesses that cannot be served are refused by value") {
  auto const row = tile_access<load<4>>(0, item);
  CHECK_THROWS_WITH(choose_layout({32, 16, 4}, {}, row), Contains("column") && Contains("16"));
  CHECK_THROWS_WITH(choose_layout({32, 32, 4}, {}, tile_access<load<4>>(item + 1, 0)),
                    Contains("row") && Contains("32"));
  CHECK_THROWS_WITH(choose_layout({32, 32, 3}, {}, row),
                    Contains("3") && Contains("1, 2, 4, 8, 16 or 32"));
  CHECK_THROWS_WITH(choose_layout({32, 32, 4}, {.alignment = 12}, row),
                    Contains("12") && Contains("power of two"));
  CHECK_THROWS_AS(choose_layout({32, 32, 4}, {.budget = 4095}, row), std::length_error);
  CHECK_THROWS_WITH(choose_layout({32, 32, 4}, {.budget = 4095}, row),
                    Contains("4096") && Contains("4095"));
  CHECK_THROWS_WITH(choose_layout({32, 32, 4}, {}, tile_access<load<16>>(item, 1)),
                    Contains("16") && Contains("align"));
  CHECK_NOTHROW(choose_layout({32, 32, 4}, {.budget = 4096}, row));
}

TEST_CASE("the layouts' own mistakes are refused by value") {
  CHECK_THROWS_WITH(tile_layout(8, 8, -1), Contains("padding") && Contains("-1"));
  CHECK_THROWS_WITH(tile_layout(8, 8, 1, {1, 0, 1}), Contains("padding") && Contains("1"));
  CHECK_THROWS_WITH(tile_layout(8, 8, 0, {3, 0, 2}), Contains("shift") && Contains("2"));
  CHECK_THROWS_WITH(tile_layout(3, 3, 0, {1, 0, 1}), Contains("9") && Contains("block"));
}
