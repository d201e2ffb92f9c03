// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/report/drawing.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

//! Tables of small cells side by side, as text and as pictures: words of a memory with the threads
//! that access them, entries of a dynamic program.
namespace mmm::report {

//! A cell of a grid: a text on a colour.
struct grid_cell {
  std::string text{};
  index tint = -1;      //!< number of a pale colour; -1: none
  bool strong = false;  //!< the strong colour of that number in place of the pale one
  bool absent = false;  //!< the grid has no such cell; nothing is drawn
};

//! Rows of cells, with names above and beside them.
struct grid_panel {
  std::string caption{};
  std::vector<std::string> columns{};  //!< names; their number is that of the columns
  std::vector<std::string> rows{};     //!< names
  std::vector<grid_cell> cells{};      //!< row by row; missing ones at the end are absent
};

//! Panels under a title.
struct grid_picture {
  std::string title{};
  std::vector<grid_panel> panels{};
  std::string legend{};
};

//! The panels as text, one below the other. A cell in a strong colour is marked by `*`.
[[nodiscard]] inline std::string text(grid_picture const& p) {
  using detail::padded_left;
  std::string out = p.title + '\n';
  for (grid_panel const& panel : p.panels) {
    std::size_t cell = 1;
    std::size_t margin = 0;
    for (std::string const& name : panel.columns) cell = std::max(cell, name.size());
    for (grid_cell const& c : panel.cells) cell = std::max(cell, c.text.size() + c.strong);
    for (std::string const& name : panel.rows) margin = std::max(margin, name.size());
    out += '\n' + panel.caption + '\n' + std::string(margin, ' ');
    for (std::string const& name : panel.columns) out += padded_left(name, cell + 2);
    std::size_t const columns = panel.columns.size();
    for (std::size_t k = 0; k < panel.rows.size() * columns; ++k) {
      if (k % columns == 0) out += '\n' + padded_left(panel.rows[k / columns], margin);
      bool const there = k < panel.cells.size() && !panel.cells[k].absent;
      std::string const content =
          there ? panel.cells[k].text + (panel.cells[k].strong ? "*" : "") : std::string();
      out += padded_left(content, cell + 2);
    }
    out += '\n';
  }
  return p.legend.empty() ? out : out + '\n' + p.legend + '\n';
}

namespace detail {

//! Draws a panel at (x, y), or measures it where `out` is null. The size is in pixels.
struct panel_size {
  index width;
  index height;
};
[[nodiscard]] inline panel_size draw(drawing* out, grid_panel const& panel, index x, index y) {
  std::size_t letters = 2;
  std::size_t of_row = 0;
  for (std::string const& name : panel.columns) letters = std::max(letters, name.size());
  for (grid_cell const& c : panel.cells) letters = std::max(letters, c.text.size());
  for (std::string const& name : panel.rows) of_row = std::max(of_row, name.size());
  index const cell = static_cast<index>(letters) * 8 + 12;
  index const margin = static_cast<index>(of_row) * 7 + 10;
  auto const columns = static_cast<index>(panel.columns.size());
  auto const rows = static_cast<index>(panel.rows.size());
  index const width =
      std::max(margin + columns * cell, static_cast<index>(panel.caption.size()) * 7);
  panel_size const size{width, 44 + rows * 24};
  if (out == nullptr) return size;
  out->text(x, y + 14, panel.caption, {12, palette::ink, "start", true});
  for (index c = 0; c < columns; ++c)
    out->text(x + margin + c * cell + cell / 2, y + 36, panel.columns[static_cast<std::size_t>(c)],
              {11, palette::quiet, "middle"});
  for (index r = 0; r < rows; ++r)
    out->text(x + margin - 6, y + 44 + r * 24 + 16, panel.rows[static_cast<std::size_t>(r)],
              {11, palette::quiet, "end"});
  for (index k = 0; k < static_cast<index>(panel.cells.size()); ++k) {
    grid_cell const& c = panel.cells[static_cast<std::size_t>(k)];
    if (c.absent) continue;
    index const left = x + margin + k % columns * cell;
    index const top = y + 44 + k / columns * 24;
    out->rectangle(left, top, cell, 24,
                   c.tint < 0 ? palette::cell
                   : c.strong ? palette::strong(c.tint)
                              : palette::pale(c.tint),
                   palette::rule);
    if (!c.text.empty())
      out->text(left + cell / 2, top + 16, c.text,
                {12, c.strong ? palette::paper : palette::ink, "middle", c.strong});
  }
  return size;
}

}  // namespace detail

//! The panels as a picture, a self-contained SVG document: side by side, in lines of at most 1000
//! pixels.
[[nodiscard]] inline std::string svg(grid_picture const& p) {
  using detail::palette;
  index constexpr edge = 16;
  index constexpr gap = 36;
  index constexpr line = 1000;
  index widest = 480;
  index of_line = edge;
  for (grid_panel const& panel : p.panels) {
    index const w = detail::draw(nullptr, panel, 0, 0).width;
    if (of_line > edge && of_line + w > line) of_line = edge;
    of_line += w + gap;
    widest = std::max(widest, of_line - gap + edge);
  }
  detail::drawing out;
  index y =
      12 + out.paragraph(edge, 28, widest - 2 * edge, p.title, {15, palette::ink, "start", true});
  index x = edge;
  index height = 0;
  for (grid_panel const& panel : p.panels) {
    index const w = detail::draw(nullptr, panel, 0, 0).width;
    if (x > edge && x + w > line) {
      x = edge;
      y += height + 16;
      height = 0;
    }
    detail::panel_size const drawn = detail::draw(&out, panel, x, y);
    height = std::max(height, drawn.height);
    x += drawn.width + gap;
  }
  y += height + 24;
  y += out.paragraph(edge, y, widest - 2 * edge, p.legend, {12, palette::quiet});
  return out.svg(widest, y + 4, p.title, p.legend);
}

}  // namespace mmm::report
