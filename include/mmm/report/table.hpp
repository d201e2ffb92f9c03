// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/report/drawing.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

//! Tables, as text and as HTML.
namespace mmm::report {

//! A cell of a table: its text and, for HTML, its look.
struct table_cell {
  std::string text;
  std::string sort_by{};  //!< what a column is sorted by; empty: the text without its blanks
  std::string markup{};   //!< HTML that stands for the text; empty: the text
  std::string style{};    //!< a class of the page's style sheet: bad, zero, …
};

//! Rows of text under a header. Columns of numbers are aligned to the right.
class table {
 public:
  explicit table(std::vector<std::string> header) : header_(std::move(header)) {}

  //! Adds a row; missing cells are empty. std::invalid_argument if it has more cells than the
  //! header.
  void add(std::vector<std::string> row) {
    std::vector<table_cell> cells;
    for (std::string& text : row) cells.push_back({std::move(text)});
    add_cells(std::move(cells));
  }
  //! Adds a row whose cells have looks of their own; otherwise as `add`.
  void add_cells(std::vector<table_cell> row) {
    if (row.size() > header_.size())
      mmm::detail::reject("the number of cells in a row", static_cast<index>(row.size()),
                          "those of the header");
    row.resize(header_.size());
    cells_.push_back(std::move(row));
  }

  [[nodiscard]] std::vector<std::string> const& header() const { return header_; }
  [[nodiscard]] std::vector<std::vector<table_cell>> const& cells() const { return cells_; }
  //! The texts of the cells.
  [[nodiscard]] std::vector<std::vector<std::string>> rows() const {
    std::vector<std::vector<std::string>> all;
    for (auto const& row : cells_) {
      all.emplace_back();
      for (table_cell const& cell : row) all.back().push_back(cell.text);
    }
    return all;
  }
  [[nodiscard]] bool numeric(std::size_t column) const {
    return std::all_of(cells_.begin(), cells_.end(), [&](auto const& row) {
      table_cell const& cell = row[column];
      return (cell.sort_by.empty() ? cell.text : cell.sort_by)
                 .find_first_not_of("0123456789.-+eE ") == std::string::npos;
    });
  }

 private:
  std::vector<std::string> header_;
  std::vector<std::vector<table_cell>> cells_;
};

namespace detail {
//! The number of characters of UTF-8 text.
[[nodiscard]] inline std::size_t characters(std::string const& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}
}  // namespace detail

//! A table for a terminal: columns two spaces apart, a rule under the header.
[[nodiscard]] inline std::string text(table const& t) {
  std::size_t const columns = t.header().size();
  std::vector<std::size_t> width(columns);
  std::vector<std::vector<std::string>> const rows = t.rows();
  for (std::size_t c = 0; c < columns; ++c) {
    width[c] = detail::characters(t.header()[c]);
    for (auto const& row : rows) width[c] = std::max(width[c], detail::characters(row[c]));
  }
  auto const line = [&](std::vector<std::string> const& cells) {
    std::string out;
    for (std::size_t c = 0; c < columns; ++c) {
      std::string const space(width[c] - detail::characters(cells[c]), ' ');
      if (c > 0) out += "  ";
      out += t.numeric(c) ? space + cells[c] : cells[c] + space;
    }
    out.erase(out.find_last_not_of(' ') + 1);
    return out + '\n';
  };
  std::string out = line(t.header());
  std::vector<std::string> rules;
  for (std::size_t const w : width) rules.emplace_back(w, '-');
  out += line(rules);
  for (auto const& row : rows) out += line(row);
  return out;
}

//! A table as an HTML fragment. Numbers have the class `n`. Their cells have as `data-v` what the
//! script of a page sorts them by; an empty one stands for the number above it.
[[nodiscard]] inline std::string html(table const& t) {
  std::string out = "<div class=\"scroll\"><table>\n<thead><tr>";
  std::vector<char> numeric;
  for (std::size_t c = 0; c < t.header().size(); ++c) {
    numeric.push_back(t.numeric(c));
    out +=
        (numeric[c] != 0 ? "<th class=\"n\">" : "<th>") + detail::escaped(t.header()[c]) + "</th>";
  }
  out += "</tr></thead>\n<tbody>\n";
  std::vector<std::string> number(t.header().size());
  for (auto const& row : t.cells()) {
    out += "<tr>";
    for (std::size_t c = 0; c < row.size(); ++c) {
      table_cell const& cell = row[c];
      std::string sort_by = cell.sort_by;
      if (numeric[c] != 0) {
        if (sort_by.empty()) std::erase(sort_by = cell.text, ' ');
        sort_by = number[c] = sort_by.empty() ? number[c] : sort_by;
      }
      std::string style = cell.style;
      if (numeric[c] != 0) style.insert(0, style.empty() ? "n" : "n ");
      out += "<td";
      if (!style.empty()) out += " class=\"" + style + '"';
      if (!sort_by.empty()) out += " data-v=\"" + detail::escaped(sort_by) + '"';
      out += '>' + (cell.markup.empty() ? detail::escaped(cell.text) : cell.markup) + "</td>";
    }
    out += "</tr>\n";
  }
  return out + "</tbody>\n</table></div>\n";
}

}  // namespace mmm::report
