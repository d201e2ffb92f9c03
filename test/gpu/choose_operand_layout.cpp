// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The layouts chosen for tensor maps and wgmma, compared with an enumeration: element by element
// what the descriptor and the boxes reach, chunk by chunk what it costs.
#include <mmm/report/tile_choice_text.hpp>
#include <mmm/tensor_cores.hpp>

#include "catch.hpp"
#include "support/naive_gpu.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

using namespace mmm::gpu;
using enum data_type;
using enum tensor_swizzle;
using Catch::Matchers::Contains;
using mmm::index;
using mmm::item;
using mmm::panel_layout;

namespace {

//! Wavefronts of chunks of 16 bytes, 8 at a time; -1 if one is not aligned.
index wavefronts_of(std::vector<index> const& chunks) {
  index sum = 0;
  for (std::size_t first = 0; first < chunks.size(); first += 8) {
    int in_bank[8] = {};
    for (std::size_t k = first; k < std::min(first + 8, chunks.size()); ++k) {
      if (chunks[k] % 16 != 0) return -1;
      ++in_bank[chunks[k] / 16 % 8];
    }
    sum += *std::max_element(in_bank, in_bank + 8);
  }
  return sum;
}

//! The cost of an access to a layout, or -1 if it is not possible: wgmma …
template <tensor_swizzle S, class Operand>
index naive_cost(tile_shape const& area, panel_layout const& l,
                 operand_access_pattern<Operand> const& a) {
  constexpr bool along_k = Operand::direction == major::k;
  constexpr index bytes = Operand::element_bytes;
  index const high = along_k ? area.rows : area.columns;
  index const deep = along_k ? area.columns : area.rows;
  if (area.element_bytes != bytes || high % Operand::rows != 0 || deep % Operand::columns != 0)
    return -1;
  std::vector<index> chunks;
  for (index row = 0; row < high; row += Operand::rows)
    for (index column = 0; column < deep; column += Operand::columns) {
      bool const readable = along_k ? valid<Operand, S>(l, row, column)
                                    : valid<Operand, S>(mmm::transposed_layout(l), row, column);
      if (!readable) return -1;
      for (index r = 0; r < Operand::rows; r += 8)
        if (along_k)
          for (index k = 0; k < Operand::columns; k += 16 / bytes)
            for (index i = r; i < r + 8; ++i) chunks.push_back(l(row + i, column + k) * bytes);
        else
          for (index k = 0; k < Operand::columns; ++k)
            chunks.push_back(l(column + k, row + r) * bytes);
    }
  index const cost = wavefronts_of(chunks);
  return cost < 0 ? cost : cost * a.times;
}
//! … boxes of a tensor map, row after row …
template <tensor_swizzle S>
index naive_cost(tile_shape const& area, panel_layout const& l, box_access_pattern const& a) {
  tensor_map m = a.map;
  if (m.box[0] == 0) {
    m.swizzle = S;
    m.box[0] = l.panel;
    m.box[1] = area.rows;
  }
  if (m.swizzle != S || !is_valid(m) || bits_of(m.type) / 8 != area.element_bytes) return -1;
  auto const box = box_of<S>(m);
  if (box.rows() != area.rows || box.columns() != l.panel) return -1;
  // Boxes begin with the swizzle's pattern.
  if (l.panel != area.columns && S != none && box.bytes() % box.alignment() != 0) return -1;
  std::vector<index> chunks;
  for (index first = 0; first < area.columns; first += l.panel)
    for (index row = 0; row < area.rows; ++row)
      for (index c = 0; c < l.panel; ++c) {
        index const place = first * area.rows + box(row, c);
        if (place != l(row, first + c)) return -1;
        if (c * area.element_bytes % 16 == 0) chunks.push_back(place * area.element_bytes);
      }
  index const cost = wavefronts_of(chunks);
  return cost < 0 ? cost : cost * a.times;
}
//! … and lanes.
template <tensor_swizzle S, class Access, class Row, class Column>
index naive_cost(tile_shape const& area, panel_layout const& l,
                 tile_access_pattern<Access, Row, Column> const& a) {
  constexpr Access access;
  naive_gpu::lanes asked;
  for (int t = 0; t < (access.of_matrices() ? access.matrices * 8 : 32); ++t) {
    asked[t] = l(a.row(t), a.column(t)) * area.element_bytes;
    if (asked[t] % access.bytes != 0) return -1;
  }
  return a.times * (access.of_matrices() ? naive_gpu::matrices(asked, access.matrices).wavefronts
                                         : naive_gpu::nvidia(asked, access.bytes).wavefronts);
}

//! The cost of all accesses to a candidate, or -1.
template <tensor_swizzle S, class... Accesses>
index naive_sum(tile_shape const& area, index panel, int span, Accesses const&... accesses) {
  if (area.columns % panel != 0) return -1;
  int base = 4;
  for (index bytes = area.element_bytes; bytes > 1; bytes /= 2) --base;
  int const bits = span == 32 ? 1 : span == 64 ? 2 : span == 128 ? 3 : 0;
  panel_layout const l(area.rows, area.columns, panel,
                       bits == 0 ? mmm::swizzle_bits{} : mmm::swizzle_bits{bits, base, 3});
  index sum = 0;
  for (index const cost : {naive_cost<S>(area, l, accesses)...}) {
    if (cost < 0) return -1;
    sum += cost;
  }
  return sum;
}

int chosen_count = 0;
int refused_count = 0;

template <class... Accesses>
void is_best(tile_shape const& area, Accesses const&... accesses) {
  CAPTURE(area.rows, area.columns, area.element_bytes);
  auto const panel = [&](index bytes) { return bytes / area.element_bytes; };
  index const naive[] = {naive_sum<none>(area, area.columns, 0, accesses...),
                         naive_sum<none>(area, panel(16), 0, accesses...),
                         naive_sum<bytes_32>(area, panel(32), 32, accesses...),
                         naive_sum<bytes_64>(area, panel(64), 64, accesses...),
                         naive_sum<bytes_128>(area, panel(128), 128, accesses...)};
  index least = -1;
  for (index const cost : naive)
    if (cost >= 0 && (least < 0 || cost < least)) least = cost;
  if (least < 0) {
    ++refused_count;
    CHECK_THROWS_AS(choose_layout(area, {.budget = 1 << 20}, accesses...), std::invalid_argument);
    return;
  }
  ++chosen_count;
  operand_choice const choice = choose_layout(area, {.budget = 1 << 20}, accesses...);
  for (int k = 0; k < operand_choice::max_candidates; ++k) {
    CAPTURE(k);
    CHECK(choice.candidates[k].wavefronts == naive[k]);
    CHECK((choice.candidates[k].wavefronts < 0 || !choice.candidates[k].broken));
  }
  CHECK(choice.wavefronts == least);
  CHECK(choice.bound <= least);
  CHECK(choice.bytes == choice.layout.words() * area.element_bytes);
  for (operand_candidate const& c : choice.candidates)
    CHECK((c.wavefronts != least || c.panel <= choice.layout.panel));
}

tensor_map map_of(data_type t) {
  return {.type = t, .rank = 2, .sizes = {8192, 8192}, .strides = {65536}};
}

template <class Operand>
void operands(data_type t) {
  index const bytes = bits_of(t) / 8;
  for (index const rows : {4, 8, 16, 24, 32, 40, 64, 128})
    for (index const row_bytes : {16, 32, 48, 64, 96, 128, 192, 256}) {
      tile_shape const area{rows, row_bytes / bytes, bytes};
      is_best(area, operand_access<Operand>());
      is_best(area, box_access(map_of(t), 3), operand_access<Operand>(2));
    }
}

}  // namespace

TEST_CASE("tiles of wgmma and tensor maps have the layout that an enumeration finds") {
  operands<wgmma_operand<f16, 8>>(f16);
  operands<wgmma_operand<bf16, 64>>(bf16);
  operands<wgmma_operand<f16, 8, major::mn>>(f16);
  operands<wgmma_operand<f16, 24, major::mn>>(f16);
  operands<wgmma_operand<f16, 64, major::mn>>(f16);
  operands<wgmma_operand<s8, 16>>(s8);
  operands<wgmma_operand<tf32, 32>>(tf32);
  operands<wgmma_operand<f16, 64>>(u8);  // never: elements of 1 byte
  CHECK(chosen_count > 100);
  CHECK(refused_count > 100);
}

TEST_CASE("tiles of tensor maps, fragments and stores have the layout that an enumeration finds") {
  using a = mma<16, 8, 16, f16>::a;
  for (index const rows : {16, 20, 32, 64, 264})
    for (index const columns : {16, 24, 32, 64, 72, 128, 256, 512}) {
      tile_shape const area{rows, columns, 2};
      is_best(area, box_access(map_of(f16)));
      is_best(area, box_access(map_of(f16)), fragment_access<a, ldmatrix<4>>(4));
      is_best(area, box_access(map_of(f16)), fragment_access<a, ldmatrix_trans<4>>(4));
      is_best(area, box_access(map_of(f16)), tile_access<store<16>>(item % 16, 8),
              fragment_access<a, load<4>>());
    }
  for (tensor_swizzle const s : {none, bytes_32, bytes_64, bytes_128})
    for (index const inner : {16, 32, 64}) {
      tensor_map m = map_of(f16);
      m.swizzle = s;
      m.box[0] = inner;
      m.box[1] = 64;
      if (is_valid(m)) is_best({64, 64, 2}, box_access(m), fragment_access<a, ldmatrix<4>>());
    }
}

TEST_CASE("what has no layout is refused by value") {
  tensor_map const m = map_of(f16);
  using left = wgmma_operand<f16, 64>;
  CHECK_THROWS_WITH(
      choose_layout({40, 64, 2}, {}, operand_access<left>()),
      Contains("rows") && Contains("40") && Contains("multiples of those of the operand"));
  CHECK_THROWS_WITH(choose_layout({64, 64, 4}, {}, operand_access<left>()),
                    Contains("type") && Contains("2"));
  CHECK_THROWS_WITH(choose_layout({264, 64, 2}, {}, box_access(m)),
                    Contains("box") && Contains("264") && Contains("1 to 256"));
  CHECK_THROWS_WITH(choose_layout({64, 64, 2}, {.budget = 8191}, box_access(m)),
                    Contains("8192") && Contains("8191"));
  CHECK_THROWS_WITH(choose_layout({64, 64, 2}, {}, box_access(m), tile_access<load<4>>(item, 1)),
                    Contains("columns") && Contains("aligned"));
  CHECK_THROWS_WITH(choose_layout({0, 64, 2}, {}, box_access(m)),
                    Contains("rows") && Contains("0"));
  CHECK_THROWS_WITH(box_access(m, 0), Contains("weight"));
  CHECK_THROWS_WITH(operand_access<left>(0), Contains("weight"));
  CHECK_THROWS_WITH(panel_layout(8, 8, 3), Contains("panel") && Contains("3"));
  CHECK_THROWS_WITH(panel_layout(8, 8, 4, {3, 0, 2}), Contains("shift"));
  constexpr product_tile small{16, 16, 16};
  auto const figures = [](product_tile const&) { return tile_figures{1, 100}; };
  CHECK_THROWS_WITH(best_tile<small>(3, 299, figures), Contains("300") && Contains("299"));
  CHECK(best_tile<small>(3, 300, figures).tile == small);
  CHECK_THROWS_WITH(best_tile<small>(0, 300, figures), Contains("stages"));
  constexpr product_tile empty{16, 0, 16};
  CHECK_THROWS_WITH(best_tile<empty>(1, 300, figures), Contains("side"));
}

TEST_CASE("the text of a choice says why not the other layouts") {
  CHECK(mmm::report::text(panel_layout(64, 128, 64, {3, 3, 3})) ==
        "64 x 128 in panels of 64 columns through Swizzle<3, 3, 3>");
  CHECK(mmm::report::text(panel_layout(64, 72, 72)) == "64 x 72, row by row");
  auto const choice = choose_layout({64, 64, 2}, {}, box_access(map_of(f16)),
                                    tile_access<store<16>>(item / 8, item % 8 * 8),
                                    operand_access<wgmma_operand<f16, 64>>());
  CHECK(
      mmm::report::text(choice) ==
      "64 x 64 through Swizzle<3, 3, 3>: 132 wavefronts, with the swizzle of 128 bytes, from a "
      "multiple of 1024 bytes on. No layout at all takes fewer. Panels of 64 columns with no "
      "swizzle: no, place_of_element is 128; accepted: the canonical layout of the swizzle. "
      "Panels of 8 columns with no swizzle: 160 wavefronts. Panels of 16 columns with the swizzle "
      "of 32 bytes: 144 wavefronts. Panels of 32 columns with the swizzle of 64 bytes: 136 "
      "wavefronts.");
}
