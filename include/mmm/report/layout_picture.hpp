// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/layout/layout.hpp>
#include <mmm/report/drawing.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

//! Layouts as pictures: the memory's words, bank by bank, with the elements in them, as Nakano 2012
//! draws the diagonal arrangement.
namespace mmm::report {

//! The element in a word of memory.
struct placed_element {
  index row = -1;  //!< negative: no element
  index column = -1;
};

//! The elements of a layout in a memory of `width` banks, ready to be shown by `svg` or `text`.
struct layout_picture {
  index width = 1;
  std::vector<placed_element> words;
  std::string title;
  //! Names of a column and of a row, the step of a row's number for each word, and a caption.
  std::string column_name = "bank";
  std::string row_name = "word";
  index row_step = 1;
  std::string caption =
      "A cell is a word of memory with the row and column of its element; column 0 is dark. A bank "
      "serves one word per time unit.";
};

//! A layout's elements in a memory. Errors: std::invalid_argument for a width below 1. Time: O(rows
//! times columns).
template <layout L>
[[nodiscard]] layout_picture picture_of(L const& l, index width, std::string title) {
  if (width < 1) mmm::detail::reject("the width of a layout's picture", width, "1 or more");
  layout_picture picture;
  picture.width = width;
  picture.title = std::move(title);
  picture.words.resize(static_cast<std::size_t>(l.words()));
  for (index row = 0; row < l.rows(); ++row)
    for (index column = 0; column < l.columns(); ++column)
      picture.words[static_cast<std::size_t>(l(row, column))] = {row, column};
  return picture;
}

namespace detail {

[[nodiscard]] inline std::string element_text(placed_element const& e) {
  return e.row < 0 ? "." : std::to_string(e.row) + ',' + std::to_string(e.column);
}

}  // namespace detail

//! A layout as text: a line per row of the memory's words, a column per bank, and in each word the
//! element's row and column.
[[nodiscard]] inline std::string text(layout_picture const& p) {
  std::size_t cell = std::to_string(p.width - 1).size();
  for (placed_element const& e : p.words) cell = std::max(cell, detail::element_text(e).size());
  cell += 2;
  auto const row_text = [&](std::size_t k) {
    return p.row_name + ' ' + std::to_string(static_cast<index>(k) * p.row_step);
  };
  std::size_t const margin = row_text(p.words.empty() ? 0 : p.words.size() - 1).size();
  std::string out = p.title + '\n' + detail::padded_left(p.column_name, margin);
  for (index bank = 0; bank < p.width; ++bank)
    out += detail::padded_left(std::to_string(bank), cell);
  for (std::size_t k = 0; k < p.words.size(); ++k) {
    if (k % static_cast<std::size_t>(p.width) == 0)
      out += '\n' + detail::padded_left(row_text(k), margin);
    out += detail::padded_left(detail::element_text(p.words[k]), cell);
  }
  return out + '\n';
}

//! A layout as a picture, a self-contained SVG document: a row per row of the memory's words, a
//! column per bank, and in each word the element's row and column. The elements of column 0 are
//! dark, so that the banks that the column asks for can be seen.
[[nodiscard]] inline std::string svg(layout_picture const& p) {
  using detail::palette;
  std::size_t letters = 3;
  for (placed_element const& e : p.words)
    letters = std::max(letters, detail::element_text(e).size());
  index const cell = static_cast<index>(letters) * 8 + 12;
  index constexpr margin = 90;
  index constexpr edge = 16;
  index const rows = mmm::detail::ceil_divide(static_cast<index>(p.words.size()), p.width);
  index const width = std::max<index>(margin + p.width * cell + edge, 480);
  detail::drawing out;
  index top =
      14 + out.paragraph(edge, 28, width - 2 * edge, p.title, {15, palette::ink, "start", true});
  out.text(margin - 8, top + 14, p.column_name, {11, palette::quiet, "end"});
  for (index bank = 0; bank < p.width; ++bank)
    out.text(margin + bank * cell + cell / 2, top + 14, std::to_string(bank),
             {11, palette::quiet, "middle"});
  top += 20;
  for (index k = 0; k < static_cast<index>(p.words.size()); ++k) {
    index const x = margin + k % p.width * cell;
    index const y = top + k / p.width * 24;
    placed_element const& e = p.words[static_cast<std::size_t>(k)];
    if (k % p.width == 0)
      out.text(margin - 8, y + 16, p.row_name + ' ' + std::to_string(k * p.row_step),
               {11, palette::quiet, "end"});
    out.rectangle(x, y, cell, 24,
                  e.row < 0       ? palette::paper
                  : e.column == 0 ? palette::good
                                  : palette::pale(e.column),
                  palette::rule);
    if (e.row >= 0)
      out.text(x + cell / 2, y + 16, detail::element_text(e),
               {12, e.column == 0 ? palette::paper : palette::ink, "middle", e.column == 0});
  }
  top += rows * 24 + 22;
  top += out.paragraph(edge, top, width - 2 * edge, p.caption, {12, palette::quiet});
  return out.svg(width, top + 4, p.title, "The words of a memory and the elements in them.");
}

}  // namespace mmm::report
