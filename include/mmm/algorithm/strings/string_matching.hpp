// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/call/fold_forms.hpp>
#include <mmm/algorithm/call/forms.hpp>
#include <mmm/algorithm/reduce/sum.hpp>
#include <mmm/algorithm/strings/wavefront.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/iterator_types.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/machine/machine.hpp>

//! Approximate string matching of a pattern of m symbols in a text of n: for each place of the
//! text the least edit distance of the pattern to a substring that ends there (Nakano 2012c). With
//! D[0][j] = 0 and D[i][0] = i, D[i][j] is the least of D[i - 1][j] + 1, D[i][j - 1] + 1 and
//! D[i - 1][j - 1], the last one with 1 added where the symbols differ.
MMM_BODIES_BEGIN
namespace mmm {
namespace detail {

//! An entry of the table, D[i][j] + m - i: so the entries of row 0 and those left of the table are
//! m each, and those of row m the distances.
struct edit_distance {
  static constexpr bool has_least = true;

  template <class Value, class Same>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto operator()(Value const& diagonal, Value const& above,
                                                          Value const& left,
                                                          Same const& same) const {
    return min(select(same, diagonal - 1, diagonal), min(above, left + 1));
  }
};

//! The parts of a text that groups of threads match side by side, a thread for each row. Part k
//! begins at symbol k own and has overlap + own symbols, of which the first 2m are also those of
//! the part before: a substring of more than 2m symbols differs from the pattern in more than m
//! places, as many as the empty one. So the distances after the first 2m are those of the whole
//! text.
struct text_parts {
  index groups;   //!< parts that the threads of one memory match at once
  index pitch;    //!< threads of a group
  index overlap;  //!< 2m, or all of a shorter text
  index own;      //!< symbols of a part besides
  index tiles;    //!< `groups` parts each

  //! For p threads in each of d memories, with at most `max_own` symbols of their own at once,
  //! unless that is less than 4m: the time for the overlap is at most half of that for the rest.
  template <machine M>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr text_parts divided(M const& on, index m, index n,
                                                                    index p, index d,
                                                                    index max_own) {
    index const w = on.width();
    // whole warps or an even share of one, so that neighbouring threads access neighbours
    index pitch = m > w ? ceil_divide(m, w) * w : m;
    while (pitch < w && w % pitch != 0) ++pitch;
    index const overlap = m < n / 2 ? 2 * m : n;
    index const rest = n - overlap;
    index const least = smaller(2 * overlap, rest);
    index const useful = least == 0 ? 1 : rest / least;
    index const groups = larger(1, smaller(p / pitch, ceil_divide(useful, d)));
    index own = larger(ceil_divide(rest, groups * d), least);
    own = smaller(own, larger(max_own / groups, least));
    if (groups == 1) {  // more rows than symbols or warps would not be computed at once
      index const rows = smaller(m, larger(w, overlap + own));
      return {1, smaller(rows, p), overlap, own, own == 0 ? 1 : ceil_divide(rest, own)};
    }
    own = apart(own, pitch, w);
    index const parts = ceil_divide(rest, own);
    index const used = smaller(groups, ceil_divide(parts, d));
    return {used, pitch, overlap, own, ceil_divide(parts, used)};
  }
  [[nodiscard]] MMM_HOST_DEVICE constexpr index symbols() const { return overlap + own; }
  //! Words from the row of a group to that of the next on a machine of width w.
  [[nodiscard]] MMM_HOST_DEVICE constexpr index row_pitch(index w) const {
    return groups == 1 ? symbols() : apart(symbols(), pitch, w);
  }

 private:
  //! The least distance between groups from `distance` on with which threads of several groups in
  //! a warp access different banks.
  [[nodiscard]] MMM_HOST_DEVICE static constexpr index apart(index distance, index pitch, index w) {
    if (pitch >= w) return distance;
    index pitches = ceil_divide(distance, pitch);
    while (gcd(pitches, w / pitch) > 1) ++pitches;
    return pitches * pitch;
  }
};

//! The row and the group of an item.
struct items_of_one_group {
  template <class Item>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto row(Item const& i) const {
    return i;
  }
  template <class Item>
  [[nodiscard]] MMM_HOST_DEVICE constexpr index group(Item const&) const {
    return 0;
  }
};
struct items_of_groups {
  index pitch;
  template <class Item>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto row(Item const& i) const {
    return i % pitch;
  }
  template <class Item>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto group(Item const& i) const {
    return i / pitch;
  }
};

//! Matches parts of the text `y` in one memory, which has words for all symbols of the parts; n of
//! them exist. `rows` have a word for
//! each symbol of each group, m at first, from multiples of row_pitch on, and the distances in the
//! end; `least_of` gets the least distance of each group. The pattern may be in any memory. With
//! fewer threads than rows, a group computes `pitch` rows at a time.
//! Accesses of a thread: 3 for each entry, and 1 for each row.
struct matching_of_parts {
  text_parts parts;
  index row_pitch;

  template <class Threads, class Pattern, class Text, class Limit, class Rows, class Least>
  MMM_HOST_DEVICE constexpr void operator()(Threads& threads, Pattern pattern, index m, Text y,
                                            Limit n, Rows rows, Least least_of) const {
    if (parts.groups == 1)
      match(items_of_one_group{}, threads, pattern, m, y, n, rows, least_of);
    else
      match(items_of_groups{parts.pitch}, threads, pattern, m, y, n, rows, least_of);
  }

 private:
  template <class Places, class Threads, class Pattern, class Text, class Limit, class Rows,
            class Least>
  MMM_HOST_DEVICE constexpr void match(Places const& places, Threads& threads, Pattern pattern,
                                       index m, Text y, Limit n, Rows rows, Least least_of) const {
    using value = typename Rows::value_type;
    using symbol = typename Pattern::value_type;
    auto const x = threads.template registers<symbol>();
    auto const values = threads.template registers<value, 3>();
    value const begin = static_cast<value>(m);
    wavefront<edit_distance, Rows, Text, decltype(x), decltype(values)> const table{rows, y, x,
                                                                                    values};
    index const pitch = parts.pitch, items = parts.groups * pitch;
    index const strips = (m - 1) / pitch;
    index const last = m - strips * pitch;
    auto const self = *this;
    threads.repeat(strips, [=, &threads](auto k) {
      self.sweep(places, threads, pattern, k * pitch, pitch, begin, n, table);
    });
    sweep(places, threads, pattern, index{strips * pitch}, last, begin, n, table);
    threads.each(items, [=](auto i) {
      store_if(places.row(i) == last - 1, least_of[places.group(i)], load(values(i, least)));
    });
  }

  //! Computes `count` rows from `first` on in every group. The table is a copy, since nvcc cannot
  //! evaluate as a constant what a lambda of a lambda captures through a reference.
  template <class Places, class Threads, class Pattern, class First, class Limit, class Table,
            class Value>
  MMM_HOST_DEVICE constexpr void sweep(Places places, Threads& threads, Pattern pattern,
                                       First first, index count, Value begin, Limit n,
                                       Table table) const {
    using symbol = typename Pattern::value_type;
    index const own = parts.own, all = parts.symbols(), in_row = row_pitch;
    index const items = parts.groups * parts.pitch;
    threads.each(items, [=](auto i) {
      auto const row = places.row(i);
      table.x[i] = load_if(row < count, pattern[first + row], symbol{});
      unroll<3>([&](index k) { table.values(i, k) = begin; });
    });
    threads.repeat(all + count - 1, [=, &threads](auto step) {
      threads.each(items, [=](auto i) {
        auto const row = places.row(i);
        auto const column = step - row;
        auto const group = places.group(i);
        auto const inside = row < count && column >= 0 && column < all;
        auto const place = group * own + column;
        table.compute(i, inside, group * in_row + column, inside, place, inside && place < n);
      });
    });
  }
};

//! Writes the n least distances to `out` and returns an array that begins with the least of them.
struct string_matching_program {
  template <class On, class Pattern, class Text, class Output>
  MMM_HOST_DEVICE constexpr auto operator()(On& on, Pattern x, index m, Text y, Output out,
                                            index n) const {
    using value = typename Output::value_type;
    using symbol = typename Text::value_type;
    if constexpr (hierarchical_machine<typename On::machine_type>) {
      return in_tiles(on, x, m, y, out, n);
    } else {
      auto const parts = text_parts::divided(on.machine(), m, n, on.threads(), 1, INT64_MAX);
      index const groups = parts.groups;
      value const begin = static_cast<value>(m);
      auto const minima = on.template allocate<value>(groups);
      if (groups == 1) {  // one part: the whole text
        on.each(n, [=](auto j) { out[j] = begin; });
        matching_of_parts{parts, n}(on, x, m, y, n, out, minima);
        return minima;
      }
      index const row_pitch = parts.row_pitch(on.machine().width());
      index const all = parts.overlap + groups * parts.own;
      auto const text = on.template allocate<symbol>(all);
      auto const rows = on.template allocate<value>(groups * row_pitch);
      on.each(all, [=](auto j) { text[j] = load_if(j < n, y[j], symbol{}); });
      match(on, parts, x, m, text, n, rows, row_pitch, minima);
      on.each(parts.overlap, [=](auto j) { out[j] = load(rows[j]); });
      copy_own(on, parts, row_pitch, rows, out, index{0}, n);
      tree_sum<minimum>{}(on, minima, groups);
      return minima;
    }
  }

 private:
  template <class Threads, class Pattern, class Text, class Limit, class Rows, class Least>
  MMM_HOST_DEVICE static constexpr void match(Threads& threads, text_parts const& parts, Pattern x,
                                              index m, Text y, Limit n, Rows rows, index row_pitch,
                                              Least least_of) {
    auto const begin = static_cast<typename Rows::value_type>(m);
    threads.each(parts.groups, parts.symbols(),
                 [=](auto group, auto j) { rows[group * row_pitch + j] = begin; });
    matching_of_parts{parts, row_pitch}(threads, x, m, y, n, rows, least_of);
  }
  //! Copies the distances after the overlap of each group; the first group's text begins at symbol
  //! `first` of n.
  template <class Threads, class Rows, class Output, class First>
  MMM_HOST_DEVICE static constexpr void copy_own(Threads& threads, text_parts const& parts,
                                                 index row_pitch, Rows rows, Output out,
                                                 First first, index n) {
    index const own = parts.own, overlap = parts.overlap;
    threads.each(parts.groups, own, [=](auto group, auto j) {
      auto const place = first + overlap + group * own + j;
      auto const exists = place < n;
      store_if(exists, out[place],
               load_if(exists, rows[group * row_pitch + overlap + j], typename Rows::value_type{}));
    });
  }
  //! On an HMM: the parts of a tile in a shared memory.
  template <class On, class Pattern, class Text, class Output>
  MMM_HOST_DEVICE static constexpr auto in_tiles(On& on, Pattern x, index m, Text y, Output out,
                                                 index n) {
    using value = typename Output::value_type;
    using symbol = typename Text::value_type;
    index const t = on.threads_per_dmm();
    index const max_own = smaller(16 * t, on.machine().capacity() / 4);
    auto const parts = text_parts::divided(on.machine(), m, n, t, on.dmms(), max_own);
    index const row_pitch = parts.row_pitch(on.machine().width());
    index const groups = parts.groups, overlap = parts.overlap, in_tile = groups * parts.own;
    auto const minima = on.template allocate<value>(parts.tiles * groups);
    on.each_tile(0, parts.tiles, [=](auto& block, auto tile) {
      auto const first = tile * in_tile;
      auto const text = block.template allocate<symbol>(overlap + in_tile);
      auto const rows = block.template allocate<value>(groups * row_pitch);
      block.each(overlap + in_tile,
                 [=](auto j) { text[j] = load_if(first + j < n, y[first + j], symbol{}); });
      match(block, parts, x, m, text, n - first, rows, row_pitch, minima + tile * groups);
      block.each(overlap, [=](auto j) {  // nobody else has the first ones
        store_if(first < 1, out[j], load_if(first < 1, rows[j], value{}));
      });
      copy_own(block, parts, row_pitch, rows, out, first, n);
    });
    return fold_by_levels<false, value>(on, minima, parts.tiles * groups, minimum{});
  }
};

//! The algorithm object behind mmm::string_matching.
struct string_matching_algorithm {
  static constexpr char const* name = "string-matching";
  static constexpr char const* paper = "Nakano 2012c; Man, Nakano and Ito 2013";
  //! The parts of a text on an HMM are as large as a shared memory has room for.
  static constexpr bool fills_capacity = true;
  static constexpr machine_kinds kinds{.dmm = 11, .umm = 8, .hmm = 7};

  struct problem {
    natural n;  //!< symbols of the text
    natural m;  //!< symbols of the pattern
    constexpr explicit problem(size text, taps pattern) : n(text.count), m(pattern.count) {}

    template <class On, class Pattern = no_data, class Text = no_data, class Out = no_data>
    constexpr auto run(On& on, Pattern x = {}, Text y = {}, Out out = {}) const {
      using value = iterator_value_t<Out>;
      if (n == 0) return static_cast<value>(m.count);
      return perform_for_value<value>(on, string_matching_program{}, reads(x, m), m.count,
                                      reads(y, n), writes(out, n), n.count);
    }
    //! All symbols are read and all distances written; the least distance depends on all symbols.
    //! Source: Nakano 2012c.
    [[nodiscard]] constexpr bound lower_bound(auto const& t) const {
      return n == 0 ? bound{} : table_bound(t, 2 * n + m, n, m);
    }
    //! lower_bound in letters.
    [[nodiscard]] static constexpr bound_formula lower_bound_formula(machine_terms const& t) {
      return table_formula(t, "(2n + m)");
    }
    //! The papers' expression, for as many threads as have 4 symbols of the text each, and a tree
    //! for the parts' least distances. On a UMM with more threads than rows a request has m < w
    //! words at a time, those of a group. On an HMM n/d + 2m stands for the n/d symbols of a DMM,
    //! and the DMMs read the pattern.
    [[nodiscard]] constexpr natural upper_bound(auto const& t) const {
      if (n == 0) return 0;
      if (!t.hmm) {
        bool const apart = t.conflicts == conflict::groups && m < t.p;
        natural const at_once = apart ? smaller(t.w, m) : t.w;
        return m * n / at_once + m * n * t.l / smaller(t.p, larger(1, n.count / 4)) + t.l * log2(n);
      }
      natural const part = smaller(n, n / t.d + 2 * m);
      return n / t.at_once() + n * t.L / t.p + m * t.L / t.t + m * part / smaller(t.w, t.t) +
             m * part * t.l / smaller(t.t, larger(1, part.count / 4)) +
             (t.L + t.l * log2(n)) * t.levels_of_dmms();
    }
  };

  template <class On, class Pattern, class Text, class Output>
  auto operator()(On on, Pattern x_first, Pattern x_last, Text y_first, Text y_last,
                  Output out) const {
    static_assert(call_of<On, Pattern, Text, Output>::accepted);
    auto const m = static_cast<index>(x_last - x_first);
    if (m < 1) reject("the number of symbols of a pattern", m, "1 or more");
    return problem(size(y_last - y_first), taps(m)).run(on, x_first, y_first, out);
  }
};

}  // namespace detail

//! Approximate string matching, `mmm::string_matching(on, pattern_first, pattern_last, text_first,
//! text_last, distances)`: writes to `distances[j]` the least edit distance of the pattern, of m
//! symbols, to a substring of the text that ends with symbol j, for all n symbols of the text, and
//! returns the least of them, m for a text without symbols. An edit inserts, deletes or changes a
//! symbol; symbols have an `==`. A pattern may be longer than the text.
//! Errors: std::invalid_argument for a pattern without symbols, and for distances that overlap the
//! strings; std::length_error if the shared memories are too small for 12m words.
//! Time: at most 11 (mn/w + mnl/p + l log n) on a DMM; on a UMM 8 times that, with min(m, w) for w
//! if m < p; on an HMM at most 7 (n/w + mn/(dw) + nL/p + mnl/p + (L + l log n) log d/log t) for n
//! >= 2md and p <= n/4, see `upper_bound` for others; twice that for sizes that do not divide.
//! Constant expressions: clang evaluates the cost for a text of 2^20 symbols and m = 64 on 16 DMMs
//! of 256 threads each within its default limits; the cost on a DMM or UMM of 1024 threads exceeds
//! the limits of g++ and clang.
//! Source: Nakano 2012c; Man, Nakano and Ito 2013.
inline constexpr detail::string_matching_algorithm string_matching{};

}  // namespace mmm
MMM_BODIES_END
