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

//! Rows of text under a header. Columns of numbers are aligned to the right.
class table {
 public:
  explicit table(std::vector<std::string> header) : header_(std::move(header)) {}

  //! Adds a row; missing cells are empty. std::invalid_argument if it has more cells than the
  //! header.
  void add(std::vector<std::string> row) {
    if (row.size() > header_.size())
      mmm::detail::reject("the number of cells in a row", static_cast<index>(row.size()),
                          "those of the header");
    row.resize(header_.size());
    rows_.push_back(std::move(row));
  }

  [[nodiscard]] std::vector<std::string> const& header() const { return header_; }
  [[nodiscard]] std::vector<std::vector<std::string>> const& rows() const { return rows_; }
  [[nodiscard]] bool numeric(std::size_t column) const {
    return std::all_of(rows_.begin(), rows_.end(), [&](auto const& row) {
      return row[column].find_first_not_of("0123456789.-+eE ") == std::string::npos;
    });
  }

 private:
  std::vector<std::string> header_;
  std::vector<std::vector<std::string>> rows_;
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
  for (std::size_t c = 0; c < columns; ++c) {
    width[c] = detail::characters(t.header()[c]);
    for (auto const& row : t.rows()) width[c] = std::max(width[c], detail::characters(row[c]));
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
  for (auto const& row : t.rows()) out += line(row);
  return out;
}

//! A table as an HTML fragment; numbers have the class `number`.
[[nodiscard]] inline std::string html(table const& t) {
  std::string out = "<table>\n<thead><tr>";
  auto const open = [&](char const* tag, std::size_t c) {
    return std::string("<") + tag + (t.numeric(c) ? " class=\"number\">" : ">");
  };
  for (std::size_t c = 0; c < t.header().size(); ++c)
    out += open("th", c) + detail::escaped(t.header()[c]) + "</th>";
  out += "</tr></thead>\n<tbody>\n";
  for (auto const& row : t.rows()) {
    out += "<tr>";
    for (std::size_t c = 0; c < row.size(); ++c)
      out += open("td", c) + detail::escaped(row[c]) + "</td>";
    out += "</tr>\n";
  }
  return out + "</tbody>\n</table>\n";
}

}  // namespace mmm::report
