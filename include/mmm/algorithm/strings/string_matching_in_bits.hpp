// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/call/fold_forms.hpp>
#include <mmm/algorithm/call/forms.hpp>
#include <mmm/algorithm/reduce/sum.hpp>
#include <mmm/core/accumulator.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/iterator_types.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/execution/access.hpp>

#include <cstdint>

//! Approximate string matching with a column of the table in the bits of a word (Myers 1999), for
//! patterns of up to 64 symbols: a thread matches a part of the text alone.
MMM_BODIES_BEGIN
namespace mmm {
namespace detail {

//! A pattern of up to 64 symbols of `Planes` bits each, and a column of the table of edit distances
//! as the differences between neighbouring rows.
template <int Planes>
struct column_bits {
  std::uint64_t plane[Planes];  //!< bit k of plane b: bit b of the pattern's symbol k
  std::uint64_t more;           //!< the rows whose entry is one more than that above
  std::uint64_t less;           //!< the rows whose entry is one less than that above
  std::int64_t last;            //!< the entry of the last row: the distance
};

//! A column to begin with, for the pattern's first `length` symbols, and one more symbol.
struct append_symbol {
  template <int Planes, class Symbol>
  [[nodiscard]] MMM_HOST_DEVICE constexpr column_bits<Planes> operator()(
      column_bits<Planes> const& before, Symbol const& symbol) const {
    column_bits<Planes> c = before;
    auto const bits = static_cast<std::uint64_t>(symbol);
    for (int b = 0; b < Planes; ++b) c.plane[b] |= (bits >> b & 1) << c.last;
    c.more |= std::uint64_t{1} << c.last;
    ++c.last;
    return c;
  }
};

//! The column of the text's next symbol. Time: free of cost, 3 operations for each bit of a symbol
//! and 16 more.
struct next_column {
  int last_row;

  template <int Planes, class Symbol>
  [[nodiscard]] MMM_HOST_DEVICE constexpr column_bits<Planes> operator()(
      column_bits<Planes> const& before, Symbol const& symbol) const {
    column_bits<Planes> c = before;
    auto const bits = static_cast<std::uint64_t>(symbol);
    std::uint64_t same = ~std::uint64_t{0};
    for (int b = 0; b < Planes; ++b) same &= c.plane[b] ^ ((bits >> b & 1) - 1);
    std::uint64_t const down = same | c.less;
    std::uint64_t const across = (((same & c.more) + c.more) ^ c.more) | same;
    std::uint64_t const right_more = c.less | ~(across | c.more);
    std::uint64_t const right_less = c.more & across;
    c.last += static_cast<std::int64_t>(right_more >> last_row & 1) -
              static_cast<std::int64_t>(right_less >> last_row & 1);
    c.more = right_less << 1 | ~(down | right_more << 1);
    c.less = right_more << 1 & down;
    return c;
  }
};

//! The distance of a column, as a value of type T.
template <class T>
struct distance_of_column {
  template <int Planes, class Symbol>
  [[nodiscard]] MMM_HOST_DEVICE constexpr T operator()(column_bits<Planes> const& c,
                                                       Symbol const&) const {
    return static_cast<T>(c.last);
  }
};

//! The parts of the text: thread i of a tile begins at symbol i own of the tile's and matches
//! overlap + own symbols, of which the first 2m are also those of the thread before.
struct thread_parts {
  index threads;  //!< of a tile
  index overlap;
  index own;  //!< no factor in common with w, so that a warp's threads access different banks
  index tiles;

  //! Threads have 2m symbols of their own or more, 4m at most, fewer if `capacity` is too small.
  [[nodiscard]] MMM_HOST_DEVICE static constexpr thread_parts divided(index w, index m, index n,
                                                                      index t, index d,
                                                                      index capacity) {
    index const overlap = smaller(2 * m, n);
    index const rest = n - overlap;
    index const threads = larger(1, smaller(t, ceil_divide(rest / (2 * m), d)));
    index own = larger(2 * m, smaller(ceil_divide(rest, threads * d), 4 * m));
    index const room = (capacity / 2 - 2 * m - w) / threads - w;
    own = larger(1, smaller(own, room));
    while (gcd(own, w) > 1) ++own;
    return {threads, overlap, own, larger(1, ceil_divide(rest, threads * own))};
  }
};

//! Writes the n least distances to `out` and returns an array that begins with the least of them.
struct matching_in_bits {
  template <class On, class Pattern, class Text, class Output>
  MMM_HOST_DEVICE constexpr auto operator()(On& on, Pattern pattern, index m, Text y, Output out,
                                            index n) const {
    using value = typename Output::value_type;
    using symbol = typename Text::value_type;
    using column = column_bits<8 * static_cast<int>(sizeof(symbol))>;
    index const t = on.threads_per_dmm();
    auto const parts =
        thread_parts::divided(on.machine().width(), m, n, t, on.dmms(), on.machine().capacity());
    index const threads = parts.threads, own = parts.own, overlap = parts.overlap;
    index const in_tile = threads * own;
    next_column const next{static_cast<int>(m - 1)};
    auto const minima = on.template allocate<value>(parts.tiles * threads);
    on.each_tile(0, parts.tiles, [=](auto& block, auto tile) {
      auto const first = tile * in_tile;
      auto const x = block.template allocate<symbol>(m);
      // a word for each symbol, however small: no bank conflicts
      auto const text = block.template allocate<accumulator_t<symbol>>(overlap + in_tile);
      auto const distances = block.template allocate<value>(overlap + in_tile);
      auto const columns = block.template registers<column>();
      auto const least = block.template registers<value>();
      block.each(m, [=](auto k) { x[k] = load(pattern[k]); });
      block.each(overlap + in_tile,
                 [=](auto j) { text[j] = load_if(first + j < n, y[first + j], symbol{}); });
      auto const begin = static_cast<value>(m);
      block.each(
          threads,
          [=](auto i) {
            columns[i] = column{};
            least[i] = begin;
          },
          no_barrier);
      block.repeat(m, [=, &block](auto k) {
        block.each(
            threads,
            [=](auto i) { columns[i] = apply(append_symbol{}, load(columns[i]), load(x[k])); },
            no_barrier);
      });
      auto const match = [=](auto const& i, auto const& place) {
        auto const read = load(text[place]);
        columns[i] = apply(next, load(columns[i]), read);
        auto const distance = apply(distance_of_column<value>{}, load(columns[i]), read);
        auto const so_far = load(least[i]);
        least[i] = select(first + place < n, min(so_far, distance), so_far);
        return distance;
      };
      block.repeat(overlap, [=, &block](auto k) {  // only the first thread has its distances
        block.each(
            threads,
            [=](auto i) { store_if(i < 1, distances[i * own + k], match(i, i * own + k)); },
            no_barrier);
      });
      block.repeat(own, [=, &block](auto k) {
        block.each(
            threads,
            [=](auto i) {
              auto const place = i * own + k + overlap;
              distances[place] = match(i, place);
            },
            no_barrier);
      });
      block.each(threads, [=](auto i) { minima[tile * threads + i] = load(least[i]); });
      block.each(overlap + in_tile, [=](auto j) {
        auto const place = first + j;
        auto const mine = (j >= overlap || first < 1) && place < n;
        store_if(mine, out[place], load_if(mine, distances[j], value{}));
      });
    });
    return fold_by_levels<false, value>(on, minima, parts.tiles * threads, minimum{});
  }
};

//! The algorithm object behind mmm::string_matching_in_bits.
struct string_matching_in_bits_algorithm {
  static constexpr char const* name = "string-matching-in-bits";
  static constexpr char const* paper = "this library, after Myers 1999";
  static constexpr machine_kinds kinds{.hmm = 5};
  //! The parts of a text are as large as a shared memory has room for.
  static constexpr bool fills_capacity = true;

  struct problem {
    natural n;  //!< symbols of the text
    natural m;  //!< symbols of the pattern
    constexpr explicit problem(size text, taps pattern) : n(text.count), m(pattern.count) {
      if (m > 64) reject("the number of symbols of a pattern in the bits of a word", m, "1 to 64");
    }
    template <class On, class Pattern = no_data, class Text = no_data, class Out = no_data>
    constexpr auto run(On& on, Pattern x = {}, Text y = {}, Out out = {}) const {
      using value = iterator_value_t<Out>;
      if (n == 0) return static_cast<value>(m.count);
      return perform_for_value<value>(on, matching_in_bits{}, reads(x, m), m.count, reads(y, n),
                                      writes(out, n), n.count);
    }
    //! All symbols are read and all distances written; the least depends on all symbols.
    [[nodiscard]] constexpr bound lower_bound(auto const& t) const {
      if (n == 0) return {};
      bound b = access_bound(t, 2 * n + m, t.p);
      b.latency = natural(b.latency) + t.L;
      b.reduction = log2(n);
      return b;
    }
    //! lower_bound in letters.
    [[nodiscard]] static constexpr bound_formula lower_bound_formula(machine_terms const& t) {
      bound_formula f = access_formula(t, "(2n + m)");
      f.latency = f.latency + " + L";
      f.reduction = "log n";
      return f;
    }
    //! The symbols of a thread, and those of a DMM, 2m more than an equal share; the pattern's; and
    //! the trees of the minima.
    [[nodiscard]] constexpr natural upper_bound(auto const& t) const {
      if (n == 0) return 0;
      return n / t.at_once() + (n / t.p + 2 * m) * (t.t / t.w + t.l) +
             (n / t.d + 2 * m) / t.t * t.L + (t.L + t.l * log2(n)) * t.levels_of_dmms();
    }
  };

  template <class On, class Pattern, class Text, class Output>
  auto operator()(On on, Pattern x_first, Pattern x_last, Text y_first, Text y_last,
                  Output out) const {
    static_assert(call_of<On, Pattern, Text, Output>::accepted);
    static_assert(integral<iterator_value_t<Pattern>> && integral<iterator_value_t<Text>>,
                  "mmm: string_matching_in_bits takes symbols that are integers; "
                  "mmm::string_matching takes any that have an ==");
    auto const m = static_cast<index>(x_last - x_first);
    if (m < 1) reject("the number of symbols of a pattern", m, "1 to 64");
    using symbol = iterator_value_t<Text>;
    static_assert(sizeof(iterator_value_t<Pattern>) == sizeof(symbol),
                  "mmm: the symbols of the pattern and of the text have the same number of bits");
    return problem(size(y_last - y_first), taps(m)).run(on, x_first, y_first, out);
  }
};

}  // namespace detail

//! Approximate string matching of integers on an HMM, for patterns of 1 to 64 symbols: called as
//! mmm::string_matching, with the same results. A thread has a column of the table in the bits of a
//! word. For each symbol of the text it makes two accesses of the shared memory in place of 3m.
//! Errors besides those of mmm::string_matching: std::invalid_argument for more than 64 symbols.
//! Time: at most 5 (n/w + (n/p + 2m) (t/w + l) + (n/d + 2m) L/t + (L + l log n) log d/log t), twice
//! that for sizes that do not divide. Source: after G. Myers, A Fast Bit-Vector Algorithm for
//! Approximate String Matching Based on Dynamic Programming, Journal of the ACM 46(3), 1999.
inline constexpr detail::string_matching_in_bits_algorithm string_matching_in_bits{};

}  // namespace mmm
MMM_BODIES_END
