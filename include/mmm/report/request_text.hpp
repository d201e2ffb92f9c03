// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/report/drawing.hpp>
#include <mmm/report/warp_request.hpp>

#include <algorithm>
#include <string>
#include <vector>

//! Requests as text, for terminals.
namespace mmm::report {

//! One warp's request as text: a line per row of words that is asked for, a column per bank with
//! the lane's number, and the caption. Rows between them are shown as one line of dots.
[[nodiscard]] inline std::string text(request const& r) {
  auto const stages = detail::stages_of(r.conflicts, r.width, r.lanes);
  bool const groups = r.conflicts == conflict::groups;
  std::vector<index> rows;
  for (lane_access const& a : r.lanes) rows.push_back(a.address / r.width);
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());

  std::size_t cell = std::to_string(r.width - 1).size();
  for (auto const& stage : stages)
    for (auto const& word : stage)
      cell = std::max(cell, std::to_string(word.lanes[0]).size() + (word.lanes.size() > 1 ? 1 : 0));
  ++cell;
  std::string const name = groups ? "group " : "word ";
  auto const number = [&](index row) { return std::to_string(groups ? row : row * r.width); };
  std::size_t const margin =
      name.size() + (rows.empty() ? 1 : std::max<std::size_t>(number(rows.back()).size(), 4));

  std::string out = r.title + '\n' + detail::padded_left(groups ? "position" : "bank", margin);
  for (index b = 0; b < r.width; ++b) out += detail::padded_left(std::to_string(b), cell);
  out += '\n';
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (k > 0 && rows[k] != rows[k - 1] + 1) out += detail::padded_left("...", margin) + '\n';
    out += detail::padded_left(name + number(rows[k]), margin);
    std::vector<std::string> line(static_cast<std::size_t>(r.width), ".");
    for (auto const& stage : stages)
      for (auto const& word : stage)
        if (word.address / r.width == rows[k])
          line[static_cast<std::size_t>(word.address % r.width)] =
              std::to_string(word.lanes[0]) + (word.lanes.size() > 1 ? "+" : "");
    for (std::string const& c : line) out += detail::padded_left(c, cell);
    out += '\n';
  }
  return out + caption(r) + '\n';
}

}  // namespace mmm::report
