// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The papers' figures that mmm-explore draws: what a run did, and what is printed.
#include <mmm/mmm.hpp>
#include <mmm/report.hpp>
#include <mmm/report/triangulation_grid.hpp>

#include "catch.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using mmm::index;
namespace report = mmm::report;

std::vector<index> numbered(index n) {
  std::vector<index> words(static_cast<std::size_t>(n));
  std::iota(words.begin(), words.end(), 0);
  return words;
}

//! The names of a panel's cells, separated by blanks.
std::string names(report::grid_panel const& panel) {
  std::string all;
  for (report::grid_cell const& c : panel.cells)
    all += (c.absent ? "-" : c.text.empty() ? "." : c.text) + ' ';
  return all;
}

std::vector<index> zigzag() {  // all chords weigh 9 but for five, which weigh 6 together
  std::vector<index> weights(64, 9);
  for (auto const& [i, j] : {std::pair{1, 7}, {1, 6}, {2, 6}, {2, 5}, {3, 5}})
    weights[static_cast<std::size_t>(i * 8 + j)] = 1;
  weights[1 * 8 + 6] = 2;
  return weights;
}

}  // namespace

TEST_CASE("a trace as a grid says who accesses which word in which round") {
  std::vector<index> const words = numbered(16);
  auto const run = mmm::simulate<mmm::umm<4, 1>>(
      mmm::threads(4), [&](auto on) { return mmm::stride(on, words.begin(), words.end()); });
  index const first = run.trace.entries.front().address;  // of word 0, by thread 0
  auto const grid = report::threads_of_words(run.trace, {first, 16, 4}, mmm::access_kind::read, 4,
                                             "stride", true);
  CHECK(grid.rows == std::vector<std::string>{"0", "4", "8", "12"});
  CHECK(names(grid) == "T0, t=0 T0, t=1 T0, t=2 T0, t=3 T1, t=0 T1, t=1 T1, t=2 T1, t=3 "
                       "T2, t=0 T2, t=1 T2, t=2 T2, t=3 T3, t=0 T3, t=1 T3, t=2 T3, t=3 ");
  // Nakano 2012, figure 5, as printed.
  std::vector<index> square = words;
  auto const transpose = mmm::simulate<mmm::dmm<4, 1>>(
      mmm::threads(16), [&](auto on) { mmm::transpose_diagonal(on, square.begin(), 4); });
  auto const of = [&](index begin, mmm::access_kind op) {
    return names(report::threads_of_words(transpose.trace, {begin, 16, 4}, op, 4, ""));
  };
  CHECK(of(16, mmm::access_kind::read) == "T0 T4 T8 T12 T13 T1 T5 T9 T10 T14 T2 T6 T7 T11 T15 T3 ");
  CHECK(of(0, mmm::access_kind::write) == "T0 T13 T10 T7 T4 T1 T14 T11 T8 T5 T2 T15 T12 T9 T6 T3 ");
  CHECK(of(100, mmm::access_kind::read) == ". . . . . . . . . . . . . . . . ");
  CHECK_THROWS_AS(report::threads_of_words(run.trace, {0, 4, 0}, mmm::access_kind::read, 4, ""),
                  std::invalid_argument);
}

TEST_CASE("the transpose by rotation is drawn as it is computed") {
  std::vector<index> square = numbered(16);
  auto const run = mmm::simulate<mmm::umm<4, 1>>(
      mmm::threads(4), [&](auto on) { mmm::transpose_rotating(on, square.begin(), 4); });
  auto const picture = report::register_transpose(run.trace, square, 4, "rotation");
  REQUIRE(picture.panels.size() == 3);
  CHECK(names(picture.panels[0]) ==
        "0,0 0,1 0,2 0,3 1,0 1,1 1,2 1,3 2,0 2,1 2,2 2,3 3,0 3,1 3,2 3,3 ");
  CHECK(names(picture.panels[1]) ==  // register t of thread i: column (t + i) mod 4 of row t
        "0,0 0,1 0,2 0,3 1,1 1,2 1,3 1,0 2,2 2,3 2,0 2,1 3,3 3,0 3,1 3,2 ");
  CHECK(names(picture.panels[2]) ==
        "0,0 1,0 2,0 3,0 0,1 1,1 2,1 3,1 0,2 1,2 2,2 3,2 0,3 1,3 2,3 3,3 ");
}

TEST_CASE("the sum is drawn as a tree of the pairs that are added") {
  for (index const n : {1, 2, 5, 8}) {
    std::vector<index> const words = numbered(n);
    auto const run = mmm::simulate<mmm::pram>(
        mmm::threads(n), [&](auto on) { return mmm::sum(on, words.begin(), words.end()); });
    auto const tree = report::fold_of(run.trace, words, "sum");
    CAPTURE(n);
    CHECK(tree.words.back() == std::vector<index>{run.result});
    CHECK(tree.levels.size() == static_cast<std::size_t>(log2(mmm::natural(n)).count));
    if (n != 8) continue;
    CHECK(tree.levels[1] == std::vector<report::fold_step>{{0, 2, 0}, {1, 3, 1}});
    CHECK(report::text(tree) ==
          "sum\n     0     1     2     3     4     5     6     7\n"
          "  [0] = [0] + [4]  [1] = [1] + [5]  [2] = [2] + [6]  [3] = [3] + [7]\n"
          "     4     6     8    10\n  [0] = [0] + [2]  [1] = [1] + [3]\n"
          "    12    16\n  [0] = [0] + [1]\n    28\n");
    CHECK_THAT(report::svg(tree), Catch::Contains(">28</text>") && Catch::EndsWith("</svg>\n"));
  }
  std::vector<index> const words = numbered(4);
  auto const reading = mmm::simulate<mmm::pram>(
      mmm::threads(4), [&](auto on) { return mmm::contiguous(on, words.begin(), words.end()); });
  CHECK_THROWS_AS(report::fold_of(reading.trace, words, ""), std::invalid_argument);
}

TEST_CASE("a triangulation is drawn with its parse tree") {
  std::vector<index> const weights = zigzag();
  auto const run = mmm::simulate<mmm::umm<4, 5>>(
      mmm::threads(8), [&](auto on) { return mmm::triangulation(on, weights.begin(), 8); });
  CHECK(run.result.weight == 6);
  auto const picture = report::parse_tree(8, run.result.chords, "tree");
  CHECK(picture.tree == std::vector<report::triangle>{
                            {0, 1, 7}, {1, 6, 7}, {1, 2, 6}, {2, 5, 6}, {2, 3, 5}, {3, 4, 5}});
  CHECK(report::text(picture) ==
        "tree\nchords: (1, 7) (1, 6) (2, 6) (2, 5) (3, 5)\nparse tree:\n"
        "  (0, 7) -> (0, 1) (1, 7)\n  (1, 7) -> (1, 6) (6, 7)\n  (1, 6) -> (1, 2) (2, 6)\n"
        "  (2, 6) -> (2, 5) (5, 6)\n  (2, 5) -> (2, 3) (3, 5)\n  (3, 5) -> (3, 4) (4, 5)\n");
  std::string const svg = report::svg(picture);
  CHECK_THAT(svg, Catch::Contains(">r</text>") && Catch::Contains(">l7</text>"));
  CHECK(report::triangles_of(3, {}) == std::vector<report::triangle>{{0, 1, 2}});
  CHECK_THROWS_AS(report::triangles_of(4, {}), std::invalid_argument);
  CHECK_THROWS_AS(report::triangles_of(4, {{0, 2}, {1, 3}}), std::invalid_argument);
  CHECK_THROWS_AS(report::triangles_of(5, {{0, 2}, {1, 4}}), std::invalid_argument);
}

TEST_CASE("a part of a polygon is drawn with the triangle that divides it") {
  auto const part = report::divided_part(12, 3, 6, 9, "part");
  CHECK(part.chords == std::vector<mmm::chord>{{2, 9}, {2, 6}, {6, 9}});
  CHECK_THAT(part.legend, Catch::Contains("The 8-gon of the vertices 2 to 9") &&
                              Catch::Contains("a 5-gon and a 4-gon"));
  CHECK(report::divided_part(12, 3, 3, 4, "").chords == std::vector<mmm::chord>{{2, 4}});
  CHECK_THROWS_AS(report::divided_part(12, 3, 2, 9, ""), std::invalid_argument);
  CHECK_THROWS_AS(report::divided_part(12, 3, 9, 9, ""), std::invalid_argument);
  CHECK_THROWS_AS(report::divided_part(12, 3, 9, 12, ""), std::invalid_argument);
}

TEST_CASE("the table of a polygon is drawn with its weights and stages") {
  for (auto const& run : {report::trace_dp(zigzag(), 8), report::trace_umm(zigzag(), 8)}) {
    auto const picture = report::table_of(run, "table");
    auto const& cells = picture.panels.at(0).cells;
    REQUIRE(cells.size() == 49);
    CHECK(cells[6].text == "15");  // 6, and 9 for the chord (0, 7), which weighs nothing
    for (index i = 1; i < 8; ++i)
      for (index j = 1; j < 8; ++j) {
        auto const& cell = cells[static_cast<std::size_t>((i - 1) * 7 + j - 1)];
        CAPTURE(i, j);
        CHECK(cell.absent == (j < i));
        if (j >= i) CHECK(cell.tint == j - i);
      }
  }
  CHECK_THROWS_AS(report::trace_dp({}, 2), std::invalid_argument);
  CHECK_THROWS_AS(report::trace_dp({1, 2}, 3), std::invalid_argument);
}

TEST_CASE("what a triangulation reads and writes is drawn from its trace") {
  index const n = 10;
  std::vector<index> const weights(100, 1);
  auto const dp = report::trace_dp(weights, n);
  auto const umm = report::trace_umm(weights, n);
  auto const at = [](report::grid_picture const& p, index i, index j) {
    return p.panels.at(0).cells.at(static_cast<std::size_t>((i - 1) * 9 + j - 1));
  };
  for (index r = 1; r <= n - 2; ++r) {
    auto const stage = report::updated_at(umm, r, "stage");
    for (index i = 1; i < n; ++i)
      for (index j = i; j < n; ++j) {
        bool const updated = j - i >= r && j - i <= std::min(n - 2, 2 * r - 1);
        CAPTURE(r, i, j);
        CHECK((at(stage, i, j).tint == 1) == updated);
        CHECK(at(stage, i, j).strong == (j - i == r));
        CHECK((at(stage, i, j).tint == 0) == (j - i == r - 1));
      }
    for (index i = 1; i <= n - r - 1; ++i) {
      auto const entry = report::entries_for(dp, i, r, "entry");
      auto const first = report::updates_of_row(umm, report::umm_case::left, i, r, "case 1");
      auto const second = report::updates_of_row(umm, report::umm_case::right, i, r, "case 2");
      index const last = std::min(n - 1, i + 2 * r - 1);
      for (index a = 1; a < n; ++a)
        for (index b = a; b < n; ++b) {
          CAPTURE(r, i, a, b);
          char const of_entry = a == i && b == i + r  ? 'M'
                                : a == i && b < i + r ? 'X'
                                : b == i + r && a > i ? 'Y'
                                                      : '.';
          char const of_first = a == i && b >= i + r && b <= last ? 'M'
                                : a == i && b == i + r - 1        ? 'X'
                                : a == i + r && b <= last         ? 'Y'
                                                                  : '.';
          char const of_second = a == i && b >= i + r && b <= last      ? 'M'
                                 : b - a == r - 1 && a > i && b <= last ? 'Y'
                                 : a == i && b <= last - r              ? 'X'
                                                                        : '.';
          auto const letter = [&](report::grid_picture const& p) {
            std::string const& text = at(p, a, b).text;
            return text.empty() ? '.' : text[0];
          };
          CHECK(letter(entry) == of_entry);
          CHECK(letter(first) == of_first);
          CHECK(letter(second) == of_second);
        }
    }
  }
  CHECK_THROWS_AS(report::updated_at(umm, 0, ""), std::invalid_argument);
  CHECK_THROWS_AS(report::updated_at(umm, 9, ""), std::invalid_argument);
  CHECK_THROWS_AS(report::entries_for(dp, 7, 3, ""), std::invalid_argument);
  CHECK_THROWS_AS(report::updates_of_row(umm, report::umm_case::left, 0, 3, ""),
                  std::invalid_argument);
}

TEST_CASE("grids are text and pictures, in lines of at most 1000 pixels") {
  report::grid_panel const panel{"<a>", {"0", "1"}, {"x", "y"}, {{"5", 1, true, false}, {}, {"7"}}};
  report::grid_picture const picture{"grid", {panel, panel}, "legend"};
  CHECK(report::text(picture) == "grid\n\n<a>\n    0   1\nx  5*    \ny   7    \n"
                                 "\n<a>\n    0   1\nx  5*    \ny   7    \n\nlegend\n");
  std::string const svg = report::svg(picture);
  CHECK_THAT(svg, Catch::Contains("&lt;a&gt;") && Catch::Contains("width=\"480\""));
  report::grid_picture wide{"wide", {}, ""};
  for (int k = 0; k < 30; ++k) wide.panels.push_back(panel);
  std::string const lines = report::svg(wide);
  std::size_t const begin = lines.find("width=\"") + 7;
  CHECK(std::stol(lines.substr(begin)) <= 1000 + 32);
  CHECK_THAT(report::svg(report::grid_picture{}), Catch::EndsWith("</svg>\n"));
}
