// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/report/drawing.hpp>
#include <mmm/report/table.hpp>
#include <mmm/report/warp_request.hpp>

#include <algorithm>
#include <string>
#include <vector>

//! Requests as pictures: the memory's words with the lanes in them, and below them the stages.
namespace mmm::report {

namespace detail {

//! The rows of words to show: all from the first to the last if they are few, otherwise those with
//! requested words.
[[nodiscard]] inline std::vector<index> shown_rows(request const& r) {
  std::vector<index> rows;
  for (lane_access const& a : r.lanes) rows.push_back(a.address / r.width);
  for (index row = 0; row < std::min<index>(mmm::detail::ceil_divide(r.words, r.width), 64); ++row)
    rows.push_back(row);
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  index const max_rows = std::max<index>(32, r.width);
  if (!rows.empty() && rows.back() - rows.front() < max_rows) {
    index const first = rows.back() < max_rows ? 0 : rows.front();
    index const last = rows.back();
    rows.clear();
    for (index row = first; row <= last; ++row) rows.push_back(row);
  }
  return rows;
}

//! Measures of the picture of one request, in pixels.
struct request_measures {
  explicit request_measures(request const& r)
      : cell(r.width <= 8    ? 38
             : r.width <= 16 ? 26
             : r.width <= 32 ? 19
                             : 13),
        label(r.width <= 8    ? 12
              : r.width <= 16 ? 11
              : r.width <= 32 ? 9
                              : 6),
        lane(r.width <= 32 ? label + 1 : 7),
        grid_width(cell * r.width),
        served(r.width <= 8    ? 24
               : r.width <= 16 ? 14
                               : 9) {}
  index cell;
  int label;
  int lane;
  index grid_width;
  index served;
  static constexpr index margin = 74;
  [[nodiscard]] index width() const { return std::max<index>(margin + grid_width, 420); }
};

//! Draws the memory's words; returns the height used.
inline index draw_words(drawing& out, request const& r, std::vector<pipeline_stage> const& stages,
                        index x, index y) {
  request_measures const m(r);
  bool const groups = r.conflicts == conflict::groups;
  std::vector<index> const rows = shown_rows(r);
  index const left = x + request_measures::margin;
  out.text(left - 8, y + 12, groups ? "position" : "bank", {11, palette::quiet, "end"});
  for (index b = 0; b < r.width; ++b)
    out.text(left + b * m.cell + m.cell / 2, y + 12, std::to_string(b),
             {m.label, palette::quiet, "middle"});
  index top = y + 18;
  index const begin = top;
  std::vector<std::pair<index, index>> placed;  // row, its y
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (k > 0 && rows[k] != rows[k - 1] + 1) {
      out.line(left, top + 4, left + m.grid_width, top + 4, palette::rule, 2);
      top += 8;
    }
    bool asked = false;
    for (pipeline_stage const& s : stages)
      for (served_word const& w : s) asked = asked || w.address / r.width == rows[k];
    out.rectangle(left, top, m.grid_width, m.cell,
                  groups && asked ? palette::fetched : palette::cell, palette::rule);
    if (rows.size() <= 8 || rows[k] % 4 == 0 || (k > 0 && rows[k] != rows[k - 1] + 1))
      out.text(left - 8, top + m.cell / 2 + 4,
               (groups ? "group " : "word ") + std::to_string(groups ? rows[k] : rows[k] * r.width),
               {11, palette::quiet, "end"});
    placed.emplace_back(rows[k], top);
    top += m.cell;
  }
  for (index b = 1; b < r.width; ++b)
    out.line(left + b * m.cell, begin, left + b * m.cell, top, palette::rule);
  for (std::size_t s = 0; s < stages.size(); ++s) {
    for (served_word const& word : stages[s]) {
      auto const found = std::find_if(placed.begin(), placed.end(), [&](auto const& row) {
        return row.first == word.address / r.width;
      });
      index const center = left + (word.address % r.width) * m.cell + m.cell / 2;
      out.disc(center, found->second + m.cell / 2, m.cell / 2 - 1,
               s == 0 ? palette::good : palette::bad,
               "word " + std::to_string(word.address) + ": lane " + lane_list(word.lanes) +
                   ", stage " + std::to_string(s + 1));
      out.text(center, found->second + m.cell / 2 + m.lane * 2 / 5,
               std::to_string(word.lanes[0]) + (word.lanes.size() > 1 ? "+" : ""),
               {m.lane, palette::paper, "middle", true});
    }
  }
  out.rectangle(left, begin, m.grid_width, top - begin, "none", palette::quiet);
  return top - y;
}

//! Draws the pipeline, a row per stage; returns the height used.
inline index draw_stages(drawing& out, request const& r, std::vector<pipeline_stage> const& stages,
                         index x, index y) {
  request_measures const m(r);
  index const left = x + request_measures::margin;
  bool const groups = r.conflicts == conflict::groups;
  out.text(left, y + 12,
           groups ? "What the memory serves, time unit by time unit"
                  : "What the banks serve, time unit by time unit",
           {12, palette::ink});
  index top = y + 20;
  index const begin = top;
  for (std::size_t s = 0; s < stages.size(); ++s) {
    index const height = m.served;
    out.rectangle(left, top, m.grid_width, height, groups ? palette::fetched : palette::cell);
    for (served_word const& word : stages[s]) {
      out.rectangle(left + word.column * m.cell + 1, top + 1, m.cell - 2, height - 2,
                    s == 0 ? palette::good : palette::bad, "none",
                    "stage " + std::to_string(s + 1) + ": word " + std::to_string(word.address) +
                        " for lane " + lane_list(word.lanes));
      if (height >= 14)
        out.text(left + word.column * m.cell + m.cell / 2, top + height / 2 + 4,
                 std::to_string(word.lanes[0]) + (word.lanes.size() > 1 ? "+" : ""),
                 {m.label, palette::paper, "middle", true});
    }
    out.line(left, top + height, left + m.grid_width, top + height, palette::rule);
    if (height >= 14 || s == 0 || (s + 1) % 4 == 0 || s + 1 == stages.size())
      out.text(left - 8, top + height / 2 + 4, "stage " + std::to_string(s + 1),
               {11, palette::quiet, "end"});
    top += height;
  }
  out.rectangle(left, begin, m.grid_width, top - begin, "none", palette::quiet);
  return top - y;
}

struct request_size {
  index width;
  index height;
};

//! Draws one request with its title and caption; returns the size used.
inline request_size draw_request(drawing& out, request const& r, index x, index y) {
  request_measures const m(r);
  std::vector<pipeline_stage> const stages = stages_of(r.conflicts, r.width, r.lanes);
  index const left = x + request_measures::margin;
  index top = y;
  index const text_width = m.width() - request_measures::margin;
  top += out.paragraph(left, top + 14, text_width, r.title, {15, palette::ink, "start", true});
  out.text(left, top + 24, counted(static_cast<index>(stages.size()), "stage"),
           {24, stages.size() <= 1 ? palette::good : palette::bad, "start", true});
  top += 38;
  top += draw_words(out, r, stages, x, top) + 12;
  top += draw_stages(out, r, stages, x, top) + 22;
  top += out.paragraph(left, top, text_width, caption(r), {13});
  return {m.width(), top - y};
}

//! Explains the marks; returns the height used.
inline index draw_legend(drawing& out, std::vector<request> const& all, index x, index y,
                         index width) {
  bool groups = false;
  bool banks = false;
  bool several = false;
  for (request const& r : all) {
    groups = groups || r.conflicts == conflict::groups;
    banks = banks || r.conflicts != conflict::groups;
    for (auto const& stage : stages_of(r.conflicts, r.width, r.lanes))
      for (auto const& word : stage) several = several || word.lanes.size() > 1;
  }
  out.line(x, y, x + width, y, palette::rule);
  index const row = y + 22;
  out.disc(x + 8, row - 4, 8, palette::good);
  out.text(x + 8, row, "t", {11, palette::paper, "middle", true});
  out.text(x + 22, row, "the word that lane t asks for, served in the first stage", {12});
  bool const beside = width >= 600;
  index const second = beside ? row : row + 20;
  index const left = beside ? x + 398 : x + 8;
  out.disc(left, second - 4, 8, palette::bad);
  out.text(left, second, "t", {11, palette::paper, "middle", true});
  out.text(left + 14, second, "has to wait for a later stage", {12});
  std::string more = "A cell is a word of memory. ";
  if (banks) more += "A column is a bank, which serves one word per time unit. ";
  if (groups) more += "A row is an address group; tinted ones are moved as a whole. ";
  if (several) more += "t+: further lanes ask for the same word.";
  return second - y + 18 + out.paragraph(x, second + 22, width, more, {12, palette::quiet});
}

}  // namespace detail

//! A picture of requests side by side, to compare their costs by eye: the words that each requests,
//! and its pipeline stages. A self-contained SVG document with a light
//! background. \param title over all of them. Preconditions: at least one request. Time: O(width^2)
//! per request.
[[nodiscard]] inline std::string svg(std::vector<request> const& requests,
                                     std::string const& title) {
  if (requests.empty()) mmm::detail::reject("the number of requests in a picture", 0, "1 or more");
  detail::drawing out;
  index constexpr edge = 24;
  index width = edge / 2;
  for (request const& r : requests) {
    if (r.width < 1) mmm::detail::reject("the width of a request", r.width, "1 or more");
    width += detail::request_measures(r).width() + edge;
  }
  index const top = title.empty() ? edge
                                  : 37 + out.paragraph(edge, 38, width - 2 * edge, title,
                                                       {20, detail::palette::ink, "start", true});
  index x = 0;
  index height = 0;
  std::string captions;
  for (request const& r : requests) {
    detail::request_size const used = detail::draw_request(out, r, x, top);
    x += used.width + edge;
    height = std::max(height, used.height);
    captions += r.title + ": " + caption(r) + ' ';
  }
  height += top + 8;
  height += detail::draw_legend(out, requests, edge, height, width - 2 * edge);
  return out.svg(width, height + 8, title.empty() ? requests.front().title : title, captions);
}

//! A picture of one request.
[[nodiscard]] inline std::string svg(request const& r) { return svg(std::vector<request>{r}, {}); }

}  // namespace mmm::report
