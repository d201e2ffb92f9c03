// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/execution/simulate/trace.hpp>
#include <mmm/machine/access_kind.hpp>
#include <mmm/report/drawing.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

//! Sums by a tree, drawn from the accesses of a run, as in figure 5 of Nakano 2013a.
namespace mmm::report {

//! Two words that a thread reads, and the word that it writes.
struct fold_step {
  index left;
  index right;
  index target;
  friend constexpr bool operator==(fold_step const&, fold_step const&) = default;
};

//! The levels of a fold: the words before each, and its steps.
struct fold_picture {
  std::string title{};
  std::vector<std::vector<index>> words{};  //!< one row more than there are levels
  std::vector<std::vector<fold_step>> levels{};
};

//! The levels of a sum of the words `input`, which begin at address 0, from the trace of a program
//! that reads two words and writes one in three rounds per level, as mmm::sum does in one memory
//! with as many threads as there are pairs. Errors: std::invalid_argument for another trace.
[[nodiscard]] inline fold_picture fold_of(trace const& t, std::vector<index> input,
                                          std::string title) {
  fold_picture picture{std::move(title), {std::move(input)}, {}};
  auto const& all = t.entries;
  for (std::size_t k = 0; k < all.size();) {
    std::size_t pairs = 0;
    while (k + pairs < all.size() && all[k + pairs].round == all[k].round) ++pairs;
    if (k + 3 * pairs > all.size() || all[k + 2 * pairs].op != access_kind::write)
      mmm::detail::throw_invalid_argument(
          mmm::detail::failure_text("mmm: the trace of a fold has, from round ", all[k].round,
                                    " on, not two reads and a write of ", pairs, " threads"));
    std::vector<index> words = picture.words.back();
    std::vector<fold_step> steps;
    for (std::size_t i = k; i < k + pairs; ++i) {
      steps.push_back({all[i].address, all[i + pairs].address, all[i + 2 * pairs].address});
      fold_step const& s = steps.back();
      words.at(static_cast<std::size_t>(s.target)) =
          picture.words.back().at(static_cast<std::size_t>(s.left)) +
          picture.words.back().at(static_cast<std::size_t>(s.right));
    }
    words.resize(words.size() - pairs);
    picture.words.push_back(std::move(words));
    picture.levels.push_back(std::move(steps));
    k += 3 * pairs;
  }
  return picture;
}

//! The levels as text: the words, and below them the pairs that are added.
[[nodiscard]] inline std::string text(fold_picture const& p) {
  std::string out = p.title + '\n';
  for (std::size_t level = 0; level < p.words.size(); ++level) {
    for (index const word : p.words[level]) out += detail::padded_left(std::to_string(word), 6);
    out += '\n';
    if (level == p.levels.size()) break;
    for (fold_step const& s : p.levels[level])
      out += "  [" + std::to_string(s.target) + "] = [" + std::to_string(s.left) + "] + [" +
             std::to_string(s.right) + ']';
    out += '\n';
  }
  return out;
}

//! The levels as a picture, a self-contained SVG document: a row of words for each, and two lines
//! to each sum.
[[nodiscard]] inline std::string svg(fold_picture const& p) {
  using detail::palette;
  index constexpr edge = 16;
  index constexpr margin = 90;
  index constexpr cell = 52;
  index constexpr step = 84;
  auto const columns = static_cast<index>(p.words.front().size());
  index const width = std::max<index>(margin + columns * cell + edge, 480);
  detail::drawing out;
  index const top =
      24 + out.paragraph(edge, 28, width - 2 * edge, p.title, {15, palette::ink, "start", true});
  auto const center = [](index word) { return margin + word * cell + cell / 2; };
  auto const row = [top](std::size_t level) { return top + static_cast<index>(level) * step; };
  for (std::size_t level = 0; level < p.levels.size(); ++level)
    for (fold_step const& s : p.levels[level]) {
      out.line(center(s.left), row(level) + 26, center(s.target), row(level + 1), palette::good, 2);
      out.line(center(s.right), row(level) + 26, center(s.target), row(level + 1), palette::bad, 2);
    }
  for (std::size_t level = 0; level < p.words.size(); ++level) {
    out.text(margin - 10, row(level) + 17,
             level == 0 ? std::string("words") : "level " + std::to_string(level),
             {11, palette::quiet, "end"});
    for (std::size_t k = 0; k < p.words[level].size(); ++k) {
      auto const word = static_cast<index>(k);
      out.rectangle(margin + word * cell + 4, row(level), cell - 8, 26, palette::cell,
                    palette::rule);
      out.text(center(word), row(level) + 18, std::to_string(p.words[level][k]),
               {12, palette::ink, "middle"});
    }
  }
  index y = row(p.words.size() - 1) + 56;
  y += out.paragraph(edge, y, width - 2 * edge,
                     "Each level adds the second half of the words to the first: all words of an "
                     "access are consecutive.",
                     {12, palette::quiet});
  return out.svg(width, y + 4, p.title, "A sum by a tree: the words at each level.");
}

}  // namespace mmm::report
