// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/call/forms.hpp>
#include <mmm/algorithm/strings/wavefront.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/machine/machine.hpp>

#include <cstdint>

//! The longest common subsequence of two strings of m and n symbols: its length. With L[0][j] =
//! L[i][0] = 0, L[i][j] is L[i - 1][j - 1] + 1 where the symbols are equal, and otherwise the
//! larger one of L[i - 1][j] and L[i][j - 1].
MMM_BODIES_BEGIN
namespace mmm {
namespace detail {

//! An entry of the table of lengths.
struct common_length {
  static constexpr bool has_least = false;

  template <class Value, class Same>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto operator()(Value const& diagonal, Value const& above,
                                                          Value const& left,
                                                          Same const& same) const {
    return select(same, diagonal + 1, max(above, left));
  }
};

//! The tiles of the table on an HMM. A strip has `rows` rows, a thread for each, and a tile is
//! `steps` steps of its wavefront: in step k of the strip the thread of its row i computes column
//! k - i. Since steps >= rows, a tile needs the next tile of the strip above. The strips of a band
//! are computed at the same time, each by a DMM, which works on tile q - 2i of strip i in phase q.
struct lcs_tiles {
  index rows;
  index steps;
  index strips;  //!< of a band, at most one for each DMM
  index bands;
  index turns;  //!< tiles of a strip

  //! There are as many strips as DMMs or more, of whole warps, and long tiles as long as the last
  //! strip begins before the first one has ended.
  [[nodiscard]] MMM_HOST_DEVICE static constexpr lcs_tiles divided(index w, index m, index n,
                                                                   index t, index d) {
    index const balanced = ceil_divide(ceil_divide(m, d), w) * w;
    index const rows = smaller(smaller(m, t), balanced);
    index const all = ceil_divide(m, rows);
    index const bands = ceil_divide(all, d);
    index const strips = ceil_divide(all, bands);
    index const steps = larger(rows, smaller(larger(8 * rows, t), n / (2 * strips)));
    return {rows, steps, strips, bands, (n + rows - 2) / steps + 1};
  }
  [[nodiscard]] MMM_HOST_DEVICE constexpr index phases() const { return turns + 2 * (strips - 1); }
  [[nodiscard]] MMM_HOST_DEVICE constexpr index all_rows() const { return bands * strips * rows; }
  //! Words of a tile: the entries above, which begin rows - 1 words before the first thread's.
  [[nodiscard]] MMM_HOST_DEVICE constexpr index words() const { return steps + rows - 1; }
  //! Words of a whole strip.
  [[nodiscard]] MMM_HOST_DEVICE constexpr index all_words() const {
    return turns * steps + rows - 1;
  }
};

//! The length of the longest common subsequence. Returns an array that begins with it.
struct lcs_program {
  template <class On, class Pattern, class Text, class Length>
  MMM_HOST_DEVICE constexpr auto operator()(On& on, Pattern pattern, index m, Text y, index n,
                                            Length) const {
    using symbol = typename Pattern::value_type;
    if constexpr (hierarchical_machine<typename On::machine_type>) {
      return in_tiles(on, pattern, m, y, n, Length{});
    } else {
      auto const row = on.template allocate<Length>(n);
      on.each(n, [=](auto j) { row[j] = Length{}; });
      auto const x = on.template registers<symbol>();
      auto const values = on.template registers<Length, 2>();
      wavefront<common_length, decltype(row), Text, decltype(x), decltype(values)> const table{
          row, y, x, values};
      // more rows than symbols or warps would not be computed at once
      index const rows = smaller(smaller(on.threads(), m), larger(n, on.machine().width()));
      index const strips = (m - 1) / rows;
      on.repeat(strips, [=, &on](auto k) { sweep(on, pattern, k * rows, rows, n, table); });
      sweep(on, pattern, index{strips * rows}, m - strips * rows, n, table);
      return row + (n - 1);
    }
  }

 private:
  //! Computes `count` rows from `first` on, in one memory. The table is a copy, since nvcc cannot
  //! evaluate as a constant what a lambda of a lambda captures through a reference.
  template <class On, class Pattern, class First, class Table>
  MMM_HOST_DEVICE static constexpr void sweep(On& on, Pattern pattern, First first, index count,
                                              index n, Table table) {
    using length = typename decltype(Table::row)::value_type;
    on.each(count, [=](auto i) {
      table.x[i] = load(pattern[first + i]);
      table.values(i, diagonal) = length{};
      table.values(i, left) = length{};
    });
    on.repeat(n + count - 1, [=, &on](auto step) {
      on.each(count, [=](auto i) {
        auto const column = step - i;
        auto const inside = column >= 0 && column < n;
        table.compute(i, inside, column, inside, column, inside);
      });
    });
  }

  //! On an HMM, tile by tile in the shared memories. In the global memory are the entries above the
  //! strips, and the registers of the strips' threads between two tiles. Columns that do not exist
  //! have words, too, and the threads of rows that do not exist leave the entries as they are.
  //! Returns the array that begins with the length.
  template <class On, class Pattern, class Text, class Length>
  MMM_HOST_DEVICE static constexpr auto in_tiles(On& on, Pattern pattern, index m, Text y, index n,
                                                 Length zero) {
    using symbol = typename Pattern::value_type;
    auto const tiles =
        lcs_tiles::divided(on.machine().width(), m, n, on.threads_per_dmm(), on.dmms());
    index const rows = tiles.rows, steps = tiles.steps, words = tiles.words();
    index const strips = tiles.strips, turns = tiles.turns, before = rows - 1;
    auto const all_row = on.template allocate<Length>(tiles.all_words());
    auto const all_text = on.template allocate<symbol>(tiles.all_words());
    auto const all_pattern = on.template allocate<symbol>(tiles.all_rows());
    auto const all_diagonal = on.template allocate<Length>(tiles.all_rows());
    auto const all_left = on.template allocate<Length>(tiles.all_rows());
    on.each(tiles.all_words(), [=](auto j) {
      all_row[j] = zero;
      all_text[j] = load_if(j >= before && j < n + before, y[j - before], symbol{});
    });
    on.each(tiles.all_rows(), [=](auto i) {
      all_pattern[i] = load_if(i < m, pattern[i], symbol{});
      all_diagonal[i] = zero;
      all_left[i] = zero;
    });
    auto const compute_tile = [=, &on](auto band, auto phase) {
      on.each_dmm(strips, [=](auto& block, auto dmm) {
        auto const turn = phase - 2 * dmm;
        auto const active = turn >= 0 && turn < turns;
        auto const first = turn * steps;
        auto const first_row = (band * strips + dmm) * rows;
        auto const part = block.template allocate<Length>(words);
        auto const text = block.template allocate<symbol>(words);
        auto const x = block.template registers<symbol>();
        auto const values = block.template registers<Length, 2>();
        wavefront<common_length, decltype(part), decltype(text), decltype(x),
                  decltype(values)> const table{part, text, x, values};
        block.each(words, [=](auto j) {
          store_if(active, part[j], load_if(active, all_row[first + j], zero));
          store_if(active, text[j], load_if(active, all_text[first + j], symbol{}));
        });
        block.each(rows, [=](auto i) {
          x[i] = load_if(active, all_pattern[first_row + i], symbol{});
          values(i, diagonal) = load_if(active, all_diagonal[first_row + i], zero);
          values(i, left) = load_if(active, all_left[first_row + i], zero);
        });
        block.repeat(steps, [=, &block](auto step) {
          block.each(rows, [=](auto i) {
            auto const word = step - i + before;
            auto const exists = first_row + i < m && first + step >= i;
            table.compute(i, active, word, active, word, exists);
          });
        });
        block.each(words, [=](auto j) {
          store_if(active, all_row[first + j], load_if(active, part[j], zero));
        });
        block.each(rows, [=](auto i) {
          store_if(active, all_diagonal[first_row + i], load(values(i, diagonal)));
          store_if(active, all_left[first_row + i], load(values(i, left)));
        });
      });
    };
    on.repeat(tiles.bands, [=, &on](auto band) {
      on.repeat(tiles.phases(), [=](auto phase) { compute_tile(band, phase); });
    });
    return all_row + (before + n - 1);
  }
};

//! The algorithm object behind mmm::lcs.
struct lcs_algorithm {
  static constexpr char const* name = "lcs";
  static constexpr char const* paper = "Bergroth, Hakonen and Raita 2000, by wavefront";
  static constexpr machine_kinds kinds{.dmm = 3, .umm = 6, .hmm = 8};

  struct problem {
    natural n;  //!< symbols of the text
    natural m;  //!< symbols of the pattern
    constexpr explicit problem(size text, taps pattern) : n(text.count), m(pattern.count) {}

    template <class On, class Pattern = no_data, class Text = no_data>
    constexpr index run(On& on, Pattern x = {}, Text y = {}) const {
      if (n == 0) return 0;
      return perform_for_value<std::int32_t>(on, lcs_program{}, reads(x, m), m.count, reads(y, n),
                                             n.count, std::int32_t{});
    }
    //! All symbols are read, and the length depends on them.
    [[nodiscard]] constexpr bound lower_bound(auto const& t) const {
      return n == 0 ? bound{} : table_bound(t, n + m, n, m);
    }
    //! lower_bound in letters.
    [[nodiscard]] static constexpr bound_formula lower_bound_formula(machine_terms const& t) {
      return table_formula(t, "(n + m)");
    }
    //! On one memory mn/w + mnl/p + (m + n) l, for as many threads as the table has anti-diagonals'
    //! entries at most. On an HMM the phases' time: that of a tile's steps, and of its words.
    [[nodiscard]] constexpr natural upper_bound(auto const& t) const {
      if (n == 0) return 0;
      if (!t.hmm) return m * n / t.w + m * n * t.l / smaller(t.p, smaller(m, n)) + (m + n) * t.l;
      auto const tiles = lcs_tiles::divided(t.w, m, n, t.t, t.d);
      natural const rows = tiles.rows, steps = tiles.steps, words = rows + steps;
      natural const phases = natural(tiles.bands) * tiles.phases();
      return n / t.w + (n + m) * t.L / t.p + t.L +
             phases * (steps * (rows / t.w + t.l) + tiles.strips * words / t.at_once() +
                       words / t.t * t.L);
    }
  };

  template <class On, class Pattern, class Text>
  index operator()(On on, Pattern x_first, Pattern x_last, Text y_first, Text y_last) const {
    static_assert(call_of<On, Pattern, Text>::accepted);
    if (x_first == x_last) return 0;
    return problem(size(y_last - y_first), taps(x_last - x_first)).run(on, x_first, y_first);
  }
};

}  // namespace detail

//! The length of the longest common subsequence of two strings of m and n symbols, `mmm::lcs(on,
//! first, last, text_first, text_last)`, a mmm::index: 0 if one of them is empty. Symbols have an
//! `==`.
//! Errors: std::length_error if the shared memories are too small for 18 times the rows of a strip,
//! at most one for each thread.
//! Time: at most 3 (mn/w + mnl/p + (m + n) l) on a DMM and 6 times that on a UMM, p <= min(m, n),
//! so that p = m threads take O(mn/w + (m + n) l); on an HMM at most 8 times the time of lcs_tiles:
//! `phases` times that of `steps` steps and of the words of a tile. Source: Bergroth, Hakonen and
//! Raita 2000.
//! Constant expressions: g++ and clang evaluate the cost for a text of 4096 symbols and m = 64 on a
//! UMM of 64 threads within their default limits.
inline constexpr detail::lcs_algorithm lcs{};

}  // namespace mmm
MMM_BODIES_END
