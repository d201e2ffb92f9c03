// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/execution/simulate/trace.hpp>
#include <mmm/machine/machine.hpp>
#include <mmm/report/drawing.hpp>
#include <mmm/report/trace_rounds.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

//! A trace as a picture: banks downwards, time to the right, the served thread in every cell.
namespace mmm::report {

namespace detail {

//! Measures of the picture of a trace, in pixels.
struct trace_measures {
  explicit trace_measures(index banks)
      : cell_width(banks <= 8    ? 34
                   : banks <= 16 ? 24
                                 : 20),
        cell_height(banks <= 8    ? 28
                    : banks <= 16 ? 18
                                  : 13),
        label(banks <= 8    ? 12
              : banks <= 16 ? 10
                            : 8) {}
  index cell_width;
  index cell_height;
  int label;
  static constexpr index margin = 96;
  static constexpr index line_width = 1180;  //!< rounds beyond it go to the next line
  static constexpr index header = 40;
  static constexpr index axis = 26;
};

//! A memory that the shown rounds use, and its height in cells.
struct memory_lane {
  memory_space space;
  index dmm;
  index rows;
  friend bool operator==(memory_lane const& a, memory_lane const& b) {
    return a.space == b.space && a.dmm == b.dmm;
  }
};

//! Draws rounds one after the other, line by line.
class trace_drawing {
 public:
  //! \param row_name the name of a row of the first memory. \param dmm_warps warps of a DMM; 0 for
  //! machines without DMMs.
  trace_drawing(drawing& out, std::vector<memory_lane> lanes, index width, char const* row_name,
                index dmm_warps)
      : out_(out),
        lanes_(std::move(lanes)),
        width_(width),
        row_name_(row_name),
        dmm_warps_(dmm_warps),
        measures_(lanes_.empty() ? width : lanes_[0].rows) {}

  [[nodiscard]] index line_height() const {
    index height = trace_measures::header + trace_measures::axis;
    for (memory_lane const& lane : lanes_) height += lane.rows * measures_.cell_height + 8;
    return height;
  }

  //! Draws all rounds from `y` downwards; returns the height used.
  index draw(std::vector<traced_round_view> const& rounds, index y) {
    index x = begin_line(y);
    index const top = y;
    for (traced_round_view const& round : rounds) {
      if (x > trace_measures::margin && x + round_width(round) > trace_measures::line_width) {
        y += line_height() + 12;
        x = begin_line(y);
      }
      draw_round(round, x, y);
      x += round_width(round);
      widest_ = std::max(widest_, x);
      end_line(x, y, round);
    }
    return y + line_height() - top;
  }
  [[nodiscard]] index widest() const { return widest_; }

 private:
  drawing& out_;
  std::vector<memory_lane> lanes_;
  index width_;
  char const* row_name_;
  index dmm_warps_;
  trace_measures measures_;
  index widest_ = 0;

  //! Stages of one round that are drawn; the rest is a gap with their number.
  [[nodiscard]] index shown_columns() const {
    return (trace_measures::line_width - trace_measures::margin - gap_width - 80) /
           measures_.cell_width;
  }
  static constexpr index gap_width = 90;

  //! Time units after the last stage: drawn one by one if they are few.
  [[nodiscard]] index tail_width(index units) const {
    return units <= 0   ? 0
           : units <= 4 ? units * measures_.cell_width
                        : std::max<index>(44, 2 * measures_.cell_width);
  }
  [[nodiscard]] static std::string formula(traced_round_view const& round) {
    index stages = 0;
    for (round_part const& part : round.parts)
      if (part.time == round.time) stages = static_cast<index>(part.stages.size());
    if (round.time <= stages) return std::to_string(round.time);
    return std::to_string(stages) + " + " + std::to_string(round.time - stages) + " = " +
           std::to_string(round.time);
  }
  [[nodiscard]] index round_width(traced_round_view const& round) const {
    index widest = 0;
    for (round_part const& part : round.parts) {
      auto const columns = static_cast<index>(part.stages.size());
      index const gap = columns > shown_columns() ? gap_width : 0;
      widest = std::max(widest, std::min(columns, shown_columns()) * measures_.cell_width + gap +
                                    tail_width(part.time - columns));
    }
    index const words = 7 * static_cast<index>(std::max<std::size_t>(formula(round).size(), 9));
    return std::max(widest, words) + 12;
  }

  index begin_line(index y) {
    index top = y + trace_measures::header;
    for (memory_lane const& lane : lanes_) {
      index const height = lane.rows * measures_.cell_height;
      if (dmm_warps_ > 0) {
        out_.text(6, top + 12,
                  lane.space == memory_space::global ? "global" : "DMM " + std::to_string(lane.dmm),
                  {11, palette::ink, "start", true});
        if (lane.space != memory_space::global)
          out_.text(6, top + 26, name_of(lane.space), {11, palette::ink});
      }
      char const* const name = lane.space != memory_space::global ? "bank" : row_name_;
      for (index row = 0; row < lane.rows; ++row)
        if (measures_.cell_height >= 18 || row % 4 == 0)
          out_.text(trace_measures::margin - 8,
                    top + row * measures_.cell_height + measures_.cell_height / 2 + 4,
                    (row == 0 ? std::string(name) + ' ' : std::string()) + std::to_string(row),
                    {10, palette::quiet, "end"});
      top += height + 8;
    }
    out_.text(trace_measures::margin - 8, top + 10, "time", {11, palette::quiet, "end"});
    return trace_measures::margin;
  }

  void end_line(index x, index y, traced_round_view const& round) {
    index const bottom = y + line_height() - trace_measures::axis;
    out_.line(x, bottom - 4, x, bottom + 4, palette::quiet);
    out_.text(x, bottom + 18, std::to_string(round.begin + round.time),
              {11, palette::ink, "middle"});
  }

  void draw_round(traced_round_view const& round, index x, index y) {
    index const width = round_width(round);
    out_.text(x + 4, y + 14, "round " + std::to_string(round.number),
              {11, palette::ink, "start", true});
    out_.text(x + 4, y + 30, formula(round), {11, palette::quiet});
    index const bottom = y + line_height() - trace_measures::axis;
    out_.line(x, y + 4, x, bottom, palette::rule);
    out_.line(x, bottom, x + width, bottom, palette::quiet);
    out_.line(x, bottom - 4, x, bottom + 4, palette::quiet);
    if (x == trace_measures::margin)
      out_.text(x, bottom + 18, std::to_string(round.begin), {11, palette::ink, "middle"});
    index top = y + trace_measures::header;
    for (memory_lane const& lane : lanes_) {
      for (round_part const& part : round.parts)
        if (lane == memory_lane{part.space, part.dmm, 0}) draw_part(part, lane.rows, x + 4, top);
      top += lane.rows * measures_.cell_height + 8;
    }
  }

  void draw_part(round_part const& part, index rows, index x, index top) {
    index const height = rows * measures_.cell_height;
    index drawn = 0;
    for (round_stage const& stage : part.stages) {
      if (drawn++ == shown_columns()) {
        out_.text(x + gap_width / 2, top + height / 2,
                  "… " + std::to_string(static_cast<index>(part.stages.size()) - shown_columns()),
                  {12, palette::ink, "middle"});
        out_.text(x + gap_width / 2, top + height / 2 + 16, "more stages",
                  {12, palette::ink, "middle"});
        x += gap_width;
        break;
      }
      out_.rectangle(x, top, measures_.cell_width, height, palette::cell, palette::rule);
      for (served_word const& word : stage.words)
        if (word.column < rows)
          draw_word(word, stage, x, top + word.column * measures_.cell_height);
      if (static_cast<index>(stage.words.size()) > rows)
        out_.text(x + measures_.cell_width / 2, top + height - 3, "…",
                  {10, palette::ink, "middle"});
      x += measures_.cell_width;
    }
    index const waiting = part.time - static_cast<index>(part.stages.size());
    index const tail = tail_width(waiting);
    if (tail == 0) return;
    out_.rectangle(x, top, tail, height, "url(#waiting)", palette::rule);
    index const label = std::min<index>(36, tail - 6);
    out_.rectangle(x + (tail - label) / 2, top + height / 2 - 9, label, 17, palette::paper);
    out_.text(x + tail / 2, top + height / 2 + 4, "+" + std::to_string(waiting),
              {11, palette::quiet, "middle"});
  }

  void draw_word(served_word const& word, round_stage const& stage, index x, index y) {
    index const w = measures_.cell_width;
    index const h = measures_.cell_height;
    index const color =
        stage.warp < 0 ? word.lanes[0] / width_ : stage.dmm * dmm_warps_ + stage.warp;
    std::string const dmm = dmm_warps_ > 0 ? " of DMM " + std::to_string(stage.dmm) : "";
    std::string const more = word.lanes.size() > 1 ? "+" : "";
    std::string const thread = std::to_string(word.lanes[0]);
    out_.rectangle(x + 1, y + 1, w - 2, h - 2,
                   word.kind != access_kind::read ? palette::strong(color) : palette::pale(color),
                   palette::strong(color),
                   "thread " + lane_list(word.lanes) + dmm + " " + verb(word.kind) + "s word " +
                       std::to_string(word.address));
    char const* const ink = word.kind != access_kind::read ? palette::paper : palette::ink;
    if (h >= 28) {
      out_.text(x + w / 2, y + 13, thread + more, {measures_.label, ink, "middle", true});
      out_.text(x + w / 2, y + 24, std::to_string(word.address),
                {std::to_string(word.address).size() > 5 ? 7 : 9, ink, "middle"});
    } else if (thread.size() + more.size() <= 4) {
      out_.text(
          x + w / 2, y + h / 2 + measures_.label * 2 / 5, thread + more,
          {thread.size() + more.size() > 3 ? measures_.label - 1 : measures_.label, ink, "middle"});
    }
  }
};

}  // namespace detail

//! A picture of the rounds of a trace over time: to the right the pipeline stages, downwards the
//! banks (on a UMM the places in an address group), in each cell the thread that is served,
//! coloured by warp; hatched, the time units that pass until the last of them is complete. A
//! self-contained SVG document with a light background.
//! A picture of a large trace shows the first rounds, and says so. Rounds are numbered as in
//! the trace, from 0. \param m the machine that the trace is of. Time: O(accesses of the shown
//! rounds * w).
template <machine M>
[[nodiscard]] std::string svg(trace const& t, M const& m, std::string const& title = {},
                              extent const& shown = {}) {
  auto rounds = detail::rounds_of(m, t, shown.rounds);
  index const all = detail::count_rounds(t);
  bool slots = false;
  if constexpr (memory<M>)
    slots = M::conflicts == conflict::none || M::conflicts == conflict::amount;

  constexpr std::size_t max_memories = 5;
  std::vector<detail::memory_lane> lanes;
  index columns = 0;
  index max_in_stage = 1;
  index memories_left_out = 0;
  index warps = 1;
  std::size_t drawn = 0;
  for (; drawn < rounds.size() && (drawn == 0 || columns < shown.columns); ++drawn) {
    index here = 0;
    for (auto const& part : rounds[drawn].parts) {
      detail::memory_lane const lane{part.space, part.dmm, m.width()};
      here = std::max(here, static_cast<index>(part.stages.size()));
      for (auto const& stage : part.stages) {
        max_in_stage = std::max(max_in_stage, static_cast<index>(stage.words.size()));
        warps = std::max(warps, stage.warp + 1);
      }
      if (std::find(lanes.begin(), lanes.end(), lane) != lanes.end()) continue;
      if (lanes.size() < max_memories)
        lanes.push_back(lane);
      else
        memories_left_out = std::max(memories_left_out, lane.dmm);
    }
    columns += here;
  }
  rounds.resize(drawn);
  std::sort(lanes.begin(), lanes.end(),
            [](detail::memory_lane const& a, detail::memory_lane const& b) {
              bool const global = a.space == memory_space::global;
              if (global != (b.space == memory_space::global)) return global;
              return a.dmm != b.dmm ? a.dmm < b.dmm : a.space < b.space;
            });
  if (slots)
    for (auto& lane : lanes) lane.rows = std::min(max_in_stage, std::max<index>(m.width(), 8));

  std::string const heading = title.empty() ? "What the memory does, round by round" : title;
  std::string caption = detail::machine_text(m) + ". ";
  index const end = rounds.empty() ? 0 : rounds.back().begin + rounds.back().time;
  if (static_cast<index>(rounds.size()) < all)
    caption += "The first " + std::to_string(rounds.size()) + " of " + std::to_string(all) +
               " rounds, which take " + detail::counted(end, "time unit") + '.';
  else
    caption += "All " + detail::counted(all, "round") + ", which take " +
               detail::counted(end, "time unit") + '.';
  if (memories_left_out > 0) caption += " Shared memories of further DMMs are not drawn.";

  detail::drawing out;
  out.text(24, 36, heading, {20, detail::palette::ink, "start", true});
  out.text(24, 60, caption, {13});
  bool const banks = !slots && !lanes.empty() && lanes[0].space != memory_space::global;
  detail::trace_drawing lines(out, lanes, m.width(),
                              slots   ? "access"
                              : banks ? "bank"
                                      : "pos.",
                              hierarchical_machine<M> ? warps : 0);
  index y = 72;
  if (!rounds.empty()) y += lines.draw(rounds, y);
  index const width = std::max<index>(lines.widest() + 30, 860);
  y += 20;
  out.line(24, y, width - 24, y, detail::palette::rule);
  y += 14;
  out.rectangle(24, y, 34, 18, detail::palette::pale(0), detail::palette::strong(0));
  out.text(41, y + 13, "7", {11, detail::palette::ink, "middle", true});
  out.text(64, y + 13, "thread 7 reads", {12});
  out.rectangle(176, y, 34, 18, detail::palette::strong(0), detail::palette::strong(0));
  out.text(193, y + 13, "7", {11, detail::palette::paper, "middle", true});
  out.text(216, y + 13, "thread 7 writes", {12});
  out.rectangle(336, y, 34, 18, "url(#waiting)", detail::palette::rule);
  out.text(376, y + 13, "waiting for the last of them: latency - 1 time units", {12});
  std::string more = slots ? "A column is a time unit; " : "A column is a pipeline stage; ";
  if (!slots) {
    more += banks ? "" : "pos. is the place in its address group; ";
    more += m.width() <= 8 ? "the small number is the word's address; " : "";
    more += "every warp has its colour; 7+ means that further threads share the word. ";
  } else {
    more += "every cell is an access. ";
  }
  more += "Under a round's number: stages + waiting = its time.";
  y += 36;
  y += out.paragraph(24, y, width - 48, more, {12, detail::palette::quiet});
  return out.svg(width, y + 8, heading, caption);
}

//! A picture of the trace of a simulation, which knows its machine.
template <machine M>
[[nodiscard]] std::string svg(machine_trace<M> const& t, std::string const& title = {},
                              extent const& shown = {}) {
  return svg(t, t.machine, title, shown);
}

}  // namespace mmm::report
