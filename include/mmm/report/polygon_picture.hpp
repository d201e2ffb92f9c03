// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/triangulation/polygon.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/report/drawing.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

//! Triangulations of a convex polygon as pictures, with their parse trees (Nakano 2013b, figures 4,
//! 6 and 7).
namespace mmm::report {

//! A triangle of a triangulation, with corners first < middle < last. In the parse tree, the side
//! (first, last) is the parent of the other two.
struct triangle {
  index first;
  index middle;
  index last;
  friend constexpr bool operator==(triangle const&, triangle const&) = default;
};

//! A polygon with chords and the parse tree of some of its triangles.
struct polygon_picture {
  index vertices = 3;
  std::vector<chord> chords{};
  std::vector<triangle> tree{};  //!< the triangles whose part of the parse tree is drawn
  std::string title{};
  std::string legend{};
};

namespace detail {

struct pixel {
  index x;
  index y;
};

//! The vertices of a regular polygon, counter-clockwise, with the side of the last and the first
//! one at the top.
[[nodiscard]] inline std::vector<pixel> corners(index n, pixel center, index radius) {
  std::vector<pixel> all;
  double const turn = 2 * std::acos(-1.0) / static_cast<double>(n);
  for (index k = 0; k < n; ++k) {
    double const angle = std::acos(0.0) + turn * (static_cast<double>(k) + 0.5);
    all.push_back({center.x + std::lround(static_cast<double>(radius) * std::cos(angle)),
                   center.y - std::lround(static_cast<double>(radius) * std::sin(angle))});
  }
  return all;
}

}  // namespace detail

//! The triangles of a triangulation, the one at the side (0, n - 1) first, each before those below
//! it. Errors: std::invalid_argument if the chords are no triangulation of n vertices.
[[nodiscard]] inline std::vector<triangle> triangles_of(index n, std::vector<chord> const& chords) {
  auto const is_side = [&](index i, index j) {
    return j == i + 1 || std::find(chords.begin(), chords.end(), chord{i, j}) != chords.end();
  };
  std::vector<triangle> found;
  std::vector<chord> open{{0, n - 1}};
  while (!open.empty()) {
    chord const c = open.back();
    open.pop_back();
    if (c.last - c.first < 2) continue;
    index k = c.first + 1;
    while (k < c.last && !(is_side(c.first, k) && is_side(k, c.last))) ++k;
    if (k == c.last)
      mmm::detail::throw_invalid_argument(mmm::detail::failure_text(
          "mmm: no triangle of the chords has the side (", c.first, ", ", c.last, ")"));
    found.push_back({c.first, k, c.last});
    open.push_back({k, c.last});
    open.push_back({c.first, k});
  }
  if (static_cast<index>(found.size()) != n - 2 || static_cast<index>(chords.size()) != n - 3)
    mmm::detail::reject("the number of chords of a triangulation",
                        static_cast<index>(chords.size()), "n - 3, which do not cross");
  return found;
}

//! A triangulation with its parse tree, whose root is the side (0, n - 1), whose leaves are the
//! other sides, and whose inner nodes are the chords. Errors: as triangles_of. Source: Nakano
//! 2013b, figures 4 and 6.
[[nodiscard]] inline polygon_picture parse_tree(index n, std::vector<chord> chords,
                                                std::string title) {
  std::vector<triangle> tree = triangles_of(n, chords);
  return {n, std::move(chords), std::move(tree), std::move(title),
          "Blue: the chords. Orange: the parse tree, from the root r to the leaves l1, l2, …, the "
          "sides; each triangle joins a node with its two children."};
}

//! The part of a polygon between the vertices i - 1 and j, divided by the triangle with the corner
//! k: into a (k - i + 2)-gon and a (j - k + 1)-gon. Errors: std::invalid_argument unless 1 <= i <=
//! k < j < n. Source: Nakano 2013b, figure 7.
[[nodiscard]] inline polygon_picture divided_part(index n, index i, index k, index j,
                                                  std::string title) {
  if (i < 1 || k < i || j <= k || j >= n)
    mmm::detail::throw_invalid_argument(
        mmm::detail::failure_text("mmm: a part of a polygon has i = ", i, ", k = ", k, ", j = ", j,
                                  "; accepted: 1 <= i <= k < j < ", n));
  std::vector<chord> chords{{i - 1, j}};
  if (k > i) chords.push_back({i - 1, k});
  if (j > k + 1) chords.push_back({k, j});
  auto const number = [](index x) { return std::to_string(x); };
  return {n,
          std::move(chords),
          {{i - 1, k, j}},
          std::move(title),
          "The " + number(j - i + 2) + "-gon of the vertices " + number(i - 1) + " to " +
              number(j) + " is the triangle " + number(i - 1) + ", " + number(k) + ", " +
              number(j) + ", a " + number(k - i + 2) + "-gon and a " + number(j - k + 1) +
              "-gon: M[" + number(i) + "][" + number(j) + "] is the least M[" + number(i) +
              "][k] + M[k + 1][" + number(j) + "], plus the weight of the chord (" + number(i - 1) +
              ", " + number(j) + ")."};
}

//! The chords and the triangles of the tree as text.
[[nodiscard]] inline std::string text(polygon_picture const& p) {
  auto const side = [](index i, index j) {
    return '(' + std::to_string(i) + ", " + std::to_string(j) + ')';
  };
  std::string out = p.title + "\nchords:";
  for (chord const& c : p.chords) out += ' ' + side(c.first, c.last);
  out += "\nparse tree:\n";
  for (triangle const& t : p.tree)
    out += "  " + side(t.first, t.last) + " -> " + side(t.first, t.middle) + ' ' +
           side(t.middle, t.last) + '\n';
  return out;
}

//! The polygon as a picture, a self-contained SVG document.
[[nodiscard]] inline std::string svg(polygon_picture const& p) {
  using detail::palette;
  using detail::pixel;
  index constexpr edge = 16;
  index constexpr width = 480;
  index constexpr radius = 150;
  detail::drawing out;
  index const top =
      12 + out.paragraph(edge, 28, width - 2 * edge, p.title, {15, palette::ink, "start", true});
  pixel const center{width / 2, top + radius + 36};
  std::vector<pixel> const corners = detail::corners(p.vertices, center, radius);
  std::vector<pixel> const name = detail::corners(p.vertices, center, radius + 18);
  auto const vertex = [&](index k) { return corners[static_cast<std::size_t>(k)]; };
  auto const middle = [&](index i, index j) {
    return pixel{(vertex(i).x + vertex(j).x) / 2, (vertex(i).y + vertex(j).y) / 2};
  };
  auto const line = [&](pixel a, pixel b, char const* colour, int thickness) {
    out.line(a.x, a.y, b.x, b.y, colour, thickness);
  };
  for (index k = 0; k < p.vertices; ++k)
    line(vertex(k), vertex((k + 1) % p.vertices), palette::ink, 1);
  for (chord const& c : p.chords) line(vertex(c.first), vertex(c.last), palette::good, 2);
  for (triangle const& t : p.tree) {
    line(middle(t.first, t.last), middle(t.first, t.middle), palette::bad, 2);
    line(middle(t.first, t.last), middle(t.middle, t.last), palette::bad, 2);
  }
  auto const node = [&](index i, index j) {
    pixel const m = middle(i, j);
    out.disc(m.x, m.y, 5, palette::bad, '(' + std::to_string(i) + ", " + std::to_string(j) + ')');
    bool const root = i == 0 && j == p.vertices - 1;
    if (!root && j != i + 1) return;
    pixel const away{m.x + (m.x - center.x) / 10, m.y + (m.y - center.y) / 10};
    out.text(away.x, away.y + 4, root ? std::string("r") : "l" + std::to_string(j),
             {12, palette::bad, "middle", true});
  };
  for (triangle const& t : p.tree) {
    node(t.first, t.last);
    node(t.first, t.middle);
    node(t.middle, t.last);
  }
  for (index k = 0; k < p.vertices; ++k) {
    out.disc(vertex(k).x, vertex(k).y, 3, palette::ink);
    pixel const n = name[static_cast<std::size_t>(k)];
    out.text(n.x, n.y + 4, 'v' + std::to_string(k), {12, palette::ink, "middle"});
  }
  index y = center.y + radius + 56;
  y += out.paragraph(edge, y, width - 2 * edge, p.legend, {12, palette::quiet});
  return out.svg(width, y + 4, p.title, p.legend);
}

}  // namespace mmm::report
