// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/bound.hpp>
#include <mmm/algorithm/bound_formula.hpp>
#include <mmm/algorithm/machine_terms.hpp>
#include <mmm/algorithm/natural.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>

//! The wavefront of a table over a pattern of m symbols, its rows, and a text of n, its columns.
//! Entry (i, j) depends on the entries to its left, above it, and above its left neighbour. A
//! thread computes a row from left to right, one column behind the thread of the row above, so that
//! the threads compute an anti-diagonal at a time.
MMM_BODIES_BEGIN
namespace mmm::detail {

//! The registers of a thread's row, besides its symbol.
enum row_value : index {
  diagonal,  //!< the entry above the left neighbour
  left,      //!< the left neighbour
  least      //!< the least entry so far, for a `Cell` with has_least
};

//! A row of the table, word by word, and the text.
template <class Cell, class Row, class Text, class Symbols, class Values>
struct wavefront {
  Row row;        //!< the entries above, replaced by the entries
  Text y;         //!< the text
  Symbols x;      //!< registers: the symbol of each thread's row
  Values values;  //!< registers: its row_value
  Cell cell{};

  //! Computes the entry of item i's row in a column. The entry above is in `row[word]` and is
  //! replaced by the entry, which is the one above for the next row; the column's symbol is
  //! `y[place]`. Both are read only if they are there, `in_row` and `in_text`. Where no entry
  //! `exists`, the registers and the word stay as they are.
  //! Accesses: the word is read and written, the symbol is read.
  template <class Item, class InRow, class Word, class InText, class Place, class Exists>
  MMM_HOST_DEVICE constexpr void compute(Item const& i, InRow const& in_row, Word const& word,
                                         InText const& in_text, Place const& place,
                                         Exists const& exists) const {
    using value = typename Row::value_type;
    auto const above = load_if(in_row, row[word], value{});
    auto const same = load_if(in_text, y[place], typename Text::value_type{}) == load(x[i]);
    auto const before = load(values(i, diagonal));
    auto const beside = load(values(i, left));
    auto const entry = cell(before, above, beside, same);
    if constexpr (Cell::has_least) {
      auto const so_far = load(values(i, least));
      values(i, least) = select(exists, min(so_far, entry), so_far);
    }
    values(i, diagonal) = select(exists, above, before);
    values(i, left) = select(exists, entry, beside);
    store_if(in_row, row[word], select(exists, entry, above));
  }
};

//! Lower bounds for a table of m n entries, for algorithms whose threads make an access for each
//! entry, as the papers have them: several entries of a thread in registers, or in the bits of a
//! word, can be faster. At least `words` words are read or written, and the result depends on the
//! whole text.
[[nodiscard]] constexpr bound table_bound(machine_terms const& t, natural words, natural n,
                                          natural m) {
  bound b = access_bound(t, words, t.p);
  if (t.hmm) {
    b.latency = natural(b.latency) + t.L;
    b.reduction = log2(n);
    b.speed_up = m * n / t.w / t.d;
    b.shared_latency = m * n * t.l / t.p;
  } else {
    b.latency = m * n * t.l / t.p + t.l;
    b.reduction = t.l * log2(n);
    b.speed_up = m * n / t.w / t.g;
  }
  return b;
}
//! table_bound in letters.
[[nodiscard]] constexpr bound_formula table_formula(machine_terms const& t, formula const& words) {
  bound_formula f = access_formula(t, words);
  if (t.hmm) {
    f.latency = f.latency + " + L";
    f.reduction = "log n";
    f.speed_up = "mn/(dw)";
    f.shared_latency = "mnl/p";
  } else {
    f.latency = "mnl/p + l";
    f.reduction = "l log n";
    f.speed_up = quotient("mn", formula("w") + ports_letter(t));
  }
  return f;
}

}  // namespace mmm::detail
MMM_BODIES_END
