// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/execution/simulate/trace.hpp>
#include <mmm/machine/access_kind.hpp>
#include <mmm/report/grid_picture.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

//! The words of a memory with the threads that access them, as Nakano 2012 draws access patterns.
namespace mmm::report {

//! The words of an access grid.
struct word_range {
  index first = 0;    //!< address of the first word
  index words = 0;    //!< number of words
  index columns = 1;  //!< words in a row of the grid, for instance the width
};

//! The words of one memory with the thread of the first access of kind `op` to each, `T5`; with
//! `rounds`, also with the round among those that access these words, `T5, t=1`. The colours are
//! those of warps of `width` threads. A word that nobody accesses is empty. Rows are named by their
//! first word, from 0. The trace is of a machine with one memory. Errors: std::invalid_argument for
//! a range without columns.
[[nodiscard]] inline grid_panel threads_of_words(trace const& t, word_range range, access_kind op,
                                                 index width, std::string caption,
                                                 bool rounds = false) {
  if (range.columns < 1)
    mmm::detail::reject("the number of columns of a grid of words", range.columns, "1 or more");
  grid_panel panel{std::move(caption), {}, {}, {}};
  for (index c = 0; c < range.columns; ++c) panel.columns.push_back('+' + std::to_string(c));
  for (index k = 0; k < range.words; k += range.columns) panel.rows.push_back(std::to_string(k));
  panel.cells.resize(static_cast<std::size_t>(range.words));
  index round = -1;  // among those that access these words
  index last = -1;   // its number in the trace
  for (trace_entry const& e : t.entries) {
    if (e.op != op || e.address < range.first || e.address >= range.first + range.words) continue;
    if (e.round != last) ++round;
    last = e.round;
    grid_cell& cell = panel.cells[static_cast<std::size_t>(e.address - range.first)];
    if (!cell.text.empty()) continue;
    cell.text = 'T' + std::to_string(e.thread);
    if (rounds) cell.text += ", t=" + std::to_string(round);
    cell.tint = static_cast<index>(e.thread) / width;
  }
  return panel;
}

//! A square array that threads transpose through their registers, as it is before, in the
//! registers, and afterwards: each element by its row and column before. The trace begins with the
//! reads of a square of `side` x `side` words from address 0 on by `side` threads, one row of the
//! square in each round, as in a block of mmm::transpose_rotating; `result` are the words
//! afterwards, where word k was k before. Source: Nakano 2012, figure 6.
[[nodiscard]] inline grid_picture register_transpose(trace const& t,
                                                     std::vector<index> const& result, index side,
                                                     std::string title) {
  auto const element = [side](index k) {
    return grid_cell{std::to_string(k / side) + ',' + std::to_string(k % side), k / side, false,
                     false};
  };
  auto const panel = [side](char const* caption, char const* row, char const* column) {
    grid_panel p{caption, {}, {}, {}};
    for (index k = 0; k < side; ++k) {
      p.columns.push_back(column + std::to_string(k));
      p.rows.push_back(row + std::to_string(k));
    }
    p.cells.resize(static_cast<std::size_t>(side * side));
    return p;
  };
  grid_panel before = panel("array before", "row ", "");
  grid_panel registers = panel("registers", "round ", "T");
  grid_panel after = panel("array afterwards", "row ", "");
  for (index k = 0; k < side * side; ++k) {
    auto const place = static_cast<std::size_t>(k);
    before.cells[place] = element(k);
    after.cells[place] = element(result.at(place));
    trace_entry const& e = t.entries.at(place);
    registers.cells[static_cast<std::size_t>(k / side * side + static_cast<index>(e.thread))] =
        element(e.address);
  }
  return {std::move(title),
          {std::move(before), std::move(registers), std::move(after)},
          "A cell is an element by its row and column before; the colour is that of its row. Each "
          "round reads, and later writes, a row of the array: words of one address group. A "
          "thread's registers are a column, a diagonal of the array."};
}

}  // namespace mmm::report
