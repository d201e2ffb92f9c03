// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/permutation/permutation_schedule.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/report/drawing.hpp>

#include <algorithm>
#include <string>

//! The schedule of a permutation as a picture: an edge colouring of a bipartite graph.
namespace mmm::report {
namespace detail {

//! Two columns of cells with lines between them, from source banks to target banks.
class move_panel {
 public:
  static constexpr index cell = 34, row = 20, gap = 90, width = 2 * cell + gap;

  move_panel(drawing& out, index left, index top) : out_(out), left_(left), top_(top) {}

  void line(index source, index target, char const* color) {
    out_.line(left_ + cell, top_ + source * row + row / 2, left_ + cell + gap,
              top_ + target * row + row / 2, color, 2);
  }
  void cells(index place, std::string const& source, std::string const& target, char const* fill) {
    for (bool const is_source : {true, false}) {
      index const x = is_source ? left_ : left_ + cell + gap;
      out_.rectangle(x, top_ + place * row, cell, row, fill, palette::rule);
      out_.text(x + cell / 2, top_ + place * row + row - 6, is_source ? source : target,
                {11, palette::ink, "middle"});
    }
  }
  void heading(std::string const& text) {
    out_.text(left_ + width / 2, top_ - 10, text, {12, palette::ink, "middle", true});
  }

 private:
  drawing& out_;
  index left_;
  index top_;
};

}  // namespace detail

//! The schedule of a permutation in one memory as a picture, a self-contained SVG document: at the
//! left the words, bank by bank, with an edge from each word to its place in the colour of its
//! round; beside it up to 8 rounds, each with its moves from bank to bank. Errors:
//! std::invalid_argument for no words, more than 256, or a schedule on a matrix.
[[nodiscard]] inline std::string svg(permutation_schedule const& schedule,
                                     std::string const& title) {
  using detail::move_panel;
  using detail::palette;
  permutation_shape const& shape = schedule.shape();
  if (shape.rows != 1)
    mmm::detail::reject("the number of rows of a schedule to draw", shape.rows,
                        "1: a schedule in one memory, or of at most w^2 words on an HMM");
  if (shape.columns < 1 || shape.columns > 256)
    mmm::detail::reject("the number of words of a schedule to draw", shape.columns, "1 to 256");
  index const n = shape.columns, w = shape.width, rounds = shape.rounds();
  index const drawn = std::min<index>(rounds, 8);
  index constexpr edge = 16, space = 40;
  index const page = edge + move_panel::width + drawn * (move_panel::width + space) + edge;
  detail::drawing out;
  index const top =
      50 + out.paragraph(edge, 28, page - 2 * edge, title, {15, palette::ink, "start", true});
  // Word i stands among those of its bank, from which bank by bank n / w or more are drawn.
  auto const position = [&](index word) {
    index const bank = word % w;
    return bank * (n / w) + std::min(bank, n % w) + word / w;
  };
  auto const each_move = [&](auto const& use) {
    for (index r = 0; r < rounds; ++r)
      for (index k = 0; k < n / rounds + (r < n % rounds); ++k)
        use(r, index{schedule.begin()[r * w + k]}, index{schedule.begin()[(rounds + r) * w + k]});
  };
  move_panel words(out, edge, top);
  words.heading(detail::counted(n, "word"));
  each_move([&](index r, index source, index target) {
    words.line(position(source), position(target), palette::strong(r));
  });
  for (index i = 0; i < n; ++i)
    words.cells(position(i), std::to_string(i), std::to_string(i), palette::pale(i % w));
  for (index r = 0; r < drawn; ++r) {
    move_panel banks(out, edge + (r + 1) * (move_panel::width + space), top);
    banks.heading("round " + std::to_string(r));
    std::string source_words[64], target_words[64];
    each_move([&](index round, index source, index target) {
      if (round != r) return;
      banks.line(source % w, target % w, palette::strong(r));
      source_words[source % w] = std::to_string(source);
      target_words[target % w] = std::to_string(target);
    });
    for (index bank = 0; bank < w; ++bank)
      banks.cells(bank, source_words[bank], target_words[bank], palette::pale(bank));
  }
  index const end = top + std::max(n, w) * move_panel::row + 24;
  index const used = out.paragraph(
      edge, end, page - 2 * edge,
      "A cell is a word, tinted by its bank. Edges of a colour, a round, have different banks at "
      "both ends: a round reads and writes without conflicts." +
          std::string(drawn < rounds ? " The first 8 of " + std::to_string(rounds) +
                                           " rounds are drawn one by one."
                                     : ""),
      {12, palette::quiet});
  return out.svg(page, end + used + 8, title,
                 "The moves of a permutation, coloured by rounds without bank conflicts.");
}

}  // namespace mmm::report
