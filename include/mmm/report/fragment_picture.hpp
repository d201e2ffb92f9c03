// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/gpu/fragment.hpp>
#include <mmm/report/drawing.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

//! Fragments of mma.sync as pictures: the matrix, and in each element the lane that holds it and
//! its number there, as the figures of the PTX manual.
namespace mmm::report {

//! The holder of an element.
struct held_element {
  int lane = 0;
  int element = 0;
};

//! A fragment, ready to be shown by `svg` or `text`.
struct fragment_picture {
  int rows = 0;
  int columns = 0;
  std::vector<held_element> held;  //!< row by row
  std::string title;
};

//! The holders of a fragment's elements. Time: O(rows times columns).
template <class F>
[[nodiscard]] fragment_picture picture_of_fragment(std::string title) {
  fragment_picture picture{F::rows, F::columns, {}, std::move(title)};
  for (int row = 0; row < F::rows; ++row)
    for (int column = 0; column < F::columns; ++column)
      picture.held.push_back({F::lane_of(row, column), F::element_of(row, column)});
  return picture;
}

//! A fragment as text: a line per row of the matrix; `7.3` is element 3 of lane 7.
[[nodiscard]] inline std::string text(fragment_picture const& p) {
  auto const cell_text = [](held_element h) {
    return std::to_string(h.lane) + '.' + std::to_string(h.element);
  };
  std::size_t cell = 0;
  for (held_element const h : p.held) cell = std::max(cell, cell_text(h).size() + 2);
  std::string out = p.title + '\n';
  for (std::size_t k = 0; k < p.held.size(); ++k) {
    out += detail::padded_left(cell_text(p.held[k]), cell);
    if ((k + 1) % static_cast<std::size_t>(p.columns) == 0) out += '\n';
  }
  return out;
}

//! A fragment as a picture, a self-contained SVG document. Lanes that hold the same rows have a
//! colour; the elements of lane 0 are dark.
[[nodiscard]] inline std::string svg(fragment_picture const& p) {
  using detail::palette;
  constexpr index cell = 44;
  constexpr index margin = 60;
  constexpr index edge = 16;
  index const width = std::max<index>(margin + p.columns * cell + edge, 480);
  detail::drawing out;
  index top =
      14 + out.paragraph(edge, 28, width - 2 * edge, p.title, {15, palette::ink, "start", true});
  out.text(margin - 8, top + 14, "column", {11, palette::quiet, "end"});
  for (index column = 0; column < p.columns; ++column)
    out.text(margin + column * cell + cell / 2, top + 14, std::to_string(column),
             {11, palette::quiet, "middle"});
  top += 20;
  for (index row = 0; row < p.rows; ++row) {
    out.text(margin - 8, top + row * 24 + 16, "row " + std::to_string(row),
             {11, palette::quiet, "end"});
    for (index column = 0; column < p.columns; ++column) {
      held_element const h = p.held[static_cast<std::size_t>(row * p.columns + column)];
      index const x = margin + column * cell;
      out.rectangle(x, top + row * 24, cell, 24,
                    h.lane == 0 ? palette::good : palette::pale(h.lane / 4), palette::rule);
      out.text(x + cell / 2, top + row * 24 + 16,
               std::to_string(h.lane) + '.' + std::to_string(h.element),
               {12, h.lane == 0 ? palette::paper : palette::ink, "middle", h.lane == 0});
    }
  }
  top += p.rows * 24 + 22;
  top += out.paragraph(edge, top, width - 2 * edge,
                       "A cell is an element of the matrix with the lane that holds it and its "
                       "number in that lane; those of lane 0 are dark.",
                       {12, palette::quiet});
  return out.svg(width, top + 4, p.title, "The elements of a matrix and the lanes that hold them.");
}

}  // namespace mmm::report
