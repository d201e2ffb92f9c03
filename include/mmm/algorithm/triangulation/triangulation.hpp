// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/triangulation/polygon.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/iterator_types.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/index/trapezoid.hpp>
#include <mmm/machine/machine.hpp>

//! The optimal triangulation of a convex polygon by dynamic programming (Nakano 2013b): the chords
//! of least total weight.
//!
//! For n vertices 0 … n - 1, M[i][j] (1 <= i <= j < n) is the least weight of the triangulated part
//! between the vertices i - 1 and j, including the chord (i - 1, j): M[i][i] = 0, and M[i][j] = c[i
//! - 1][j] + min over i <= k < j of M[i][k] + M[k + 1][j]. Diagonal r consists of the M[i][i + r].
//! Tables are row-major with n words in a row. All programs need weights of 0 for edges and c[0][n
//! - 1] (only the latter is read), and an `infinity` that no sum of weights exceeds: nothing is
//! added to it.
MMM_BODIES_BEGIN
namespace mmm {

namespace detail {

//! The weights of chords: row-major, n words in a row.
template <class Weights>
struct chord_weights {
  static constexpr bool of_triangles = false;
  Weights c;
  index n;

  //! The weight of the chord between two vertices. One access.
  template <class First, class Last>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto chord(First const& first, Last const& last) const {
    return load(c[first * n + last]);
  }
  //! The same where the condition holds; otherwise `zero`, without an access.
  template <class Condition, class First, class Last, class Value>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto ends_if(Condition const& condition,
                                                       First const& first, Last const& last,
                                                       Value const& zero) const {
    return load_if(condition, c[first * n + last], zero);
  }
};

//! Algorithm DP-OPT for a table with rows of `pitch` words and weights of chords, or of triangles.
//! Accesses: 2 for each sum and 1 for each entry, and those of the weights.
struct dp_by_diagonals {
  template <class Threads, class Table, class Weights, class Value>
  MMM_HOST_DEVICE constexpr void operator()(Threads& threads, Table m, index pitch, Weights weights,
                                            index n, Value infinity) const {
    index const p = threads.threads();
    auto least = threads.template registers<Value>();
    [[maybe_unused]] auto ends = threads.template registers<Value>();
    if constexpr (Weights::of_triangles)  // all words, since a DMM's kernel copies all of them
      threads.each(pitch * pitch, [=](auto i) { m[i] = Value{}; });
    else
      threads.each(n - 1, [=](auto i) { m[(i + 1) * (pitch + 1)] = Value{}; });
    threads.diagonals(1, n - 1, [=, &threads](index r) {
      index const entries = n - r - 1;
      // `count` entries: at most as many as there are threads
      auto const some = [=, &threads](auto first, index count) {
        threads.each(
            count,
            [=](auto i) {
              least[i] = infinity;
              if constexpr (Weights::of_triangles)
                ends[i] = weights.ends(first + i, first + i + 1 + r);
            },
            no_barrier);
        threads.repeat(r, [=, &threads](auto k) {
          threads.each(
              count,
              [=](auto i) {
                auto const e = first + i;
                auto const x = load(m[(e + 1) * pitch + e + 1 + k]);
                auto const y = load(m[(e + 2 + k) * pitch + e + 1 + r]);
                if constexpr (Weights::of_triangles)
                  least[i] =
                      min(load(least[i]), x + y + weights.triangle(load(ends[i]), e + 1 + k));
                else
                  least[i] = min(load(least[i]), x + y);
              },
              no_barrier);
        });
        threads.each(count, [=](auto i) {
          auto const e = first + i;
          if constexpr (Weights::of_triangles) {
            m[(e + 1) * pitch + e + 1 + r] = load(least[i]);
          } else {
            auto const weight = weights.chord(e, e + 1 + r);
            m[(e + 1) * pitch + e + 1 + r] = load(least[i]) + weight;
          }
        });
      };
      index const whole = (entries - 1) / p;
      threads.repeat(whole, [=](auto group) { some(group * p, p); });
      some(index{whole * p}, entries - whole * p);
    });
  }
};

}  // namespace detail

//! Algorithm DP-OPT: diagonal by diagonal, p entries at a time, a thread for each, which tries its
//! k one after the other.
//! Nakano 2013b, section III. Time on a UMM with w <= n + 1, where all accesses are strided: with
//! t_r = ceil((n - r - 1)/p), exactly `2 T + (n - 1)^2 + (l - 1) (ceil((n - 1)/p) + sum of (2 r +
//! 2) t_r)`, T = n (n - 1) (n - 2)/6.
struct dp_triangulation {
  template <class Threads, class Table, class Weights, class Value>
  MMM_HOST_DEVICE constexpr void operator()(Threads& threads, Table m, Weights c, index n,
                                            Value infinity) const {
    detail::dp_by_diagonals{}(threads, m, n, detail::chord_weights<Weights>{c, n}, n, infinity);
  }
};

//! Algorithm DP-OPT as printed: the minima are in M, which costs four accesses per sum instead of
//! the two of dp_triangulation.
struct dp_triangulation_in_memory {
  template <class Threads, class Table, class Weights, class Value>
  MMM_HOST_DEVICE constexpr void operator()(Threads& threads, Table m, Weights c, index n,
                                            Value infinity) const {
    threads.each(trapezoid{n - 2, n - 2, n - 2},
                 [=](auto i, auto j) { m[(i + 1) * n + i + 2 + j] = infinity; });
    threads.each(n - 1, [=](auto i) { m[(i + 1) * (n + 1)] = Value{}; });
    threads.diagonals(1, n - 1, [=, &threads](index r) {
      threads.repeat(r, [=, &threads](auto k) {
        threads.each(n - r - 1, [=](auto i) {
          auto const least = load(m[(i + 1) * n + i + 1 + r]);
          auto const x = load(m[(i + 1) * n + i + 1 + k]);
          auto const y = load(m[(i + 2 + k) * n + i + 1 + r]);
          m[(i + 1) * n + i + 1 + r] = min(least, x + y);
        });
      });
      threads.each(n - r - 1, [=](auto i) {
        auto const least = load(m[(i + 1) * n + i + 1 + r]);
        auto const weight = load(c[i * n + i + 1 + r]);
        m[(i + 1) * n + i + 1 + r] = least + weight;
      });
    });
  }
};

//! Algorithm UMM-OPT: stage r updates all entries with a sum in which one side is on diagonal `r -
//! 1`, row by row, so that the access is sequential; that diagonal is also in `b`, n words. Source:
//! Nakano 2013b, section IV and theorem 2.
//! Loop C copies the words that loop F of the stage before has just computed, for the same i: a
//! thread still has them, so both are one loop here.
//! Time on a UMM: that of 12 sequential accesses per stage and 3 before, whose lengths and
//! fragmentations are those of table_access; at most `12 (n^3/w + n^3 l/p + n l)`.
struct umm_triangulation {
  template <class Threads, class Table, class Weights, class Work, class Value>
  MMM_HOST_DEVICE constexpr void operator()(Threads& threads, Table m, Weights c, Work b, index n,
                                            Value infinity) const {
    threads.each(trapezoid{n - 2, n - 2, n - 2},
                 [=](auto i, auto j) { m[(i + 1) * n + i + 2 + j] = infinity; });
    threads.each(n - 1, [=](auto i) {
      m[(i + 1) * (n + 1)] = Value{};
      b[i + 1] = Value{};
    });
    threads.diagonals(1, n - 1, [=, &threads](index r) {
      // Rows 1 … n - r - 1 of M; in row i the columns i + r … min(n - 1, i + 2 r - 1).
      trapezoid const entries{n - r - 1, r, n - r - 1};
      threads.each(entries, [=](auto i, auto j) {
        auto const least = load(m[(i + 1) * n + i + 1 + r + j]);
        auto const x = load(m[(i + 1) * n + i + r]);
        auto const y = load(m[(i + 1 + r) * n + i + 1 + r + j]);
        m[(i + 1) * n + i + 1 + r + j] = min(least, x + y);
      });
      threads.each(entries, [=](auto i, auto j) {
        auto const least = load(m[(i + 1) * n + i + 1 + r + j]);
        auto const x = load(m[(i + 1) * n + i + 1 + j]);
        auto const y = load(b[i + j + 2]);
        m[(i + 1) * n + i + 1 + r + j] = min(least, x + y);
      });
      threads.each(n - r - 1, [=](auto i) {
        auto const least = load(m[(i + 1) * n + i + 1 + r]);
        auto const entry = least + load(c[i * n + i + 1 + r]);
        m[(i + 1) * n + i + 1 + r] = entry;
        b[i + 1] = entry;
      });
    });
  }
};

namespace detail {

enum class triangulation_kind { dp, dp_in_memory, umm };

template <triangulation_kind Kind>
struct triangulation_program {
  template <class On, class Table, class Weights, class Value>
  MMM_HOST_DEVICE constexpr void operator()(On& on, Table m, Weights c, index n,
                                            Value infinity) const {
    if constexpr (Kind == triangulation_kind::dp)
      dp_triangulation{}(on, m, c, n, infinity);
    else if constexpr (Kind == triangulation_kind::dp_in_memory)
      dp_triangulation_in_memory{}(on, m, c, n, infinity);
    else
      umm_triangulation{}(on, m, c, on.template allocate<Value>(n), n, infinity);
  }
};

//! The algorithm object behind mmm::triangulation, mmm::triangulation_dp and
//! mmm::triangulation_dp_in_memory.
template <triangulation_kind Kind>
struct triangulation_algorithm : polygon_call<triangulation_algorithm<Kind>> {
  static constexpr bool diagonals = Kind != triangulation_kind::umm;
  static constexpr char const* name = Kind == triangulation_kind::dp ? "triangulation-dp"
                                      : diagonals                    ? "triangulation-dp-in-memory"
                                                                     : "triangulation";
  static constexpr char const* paper =
      diagonals ? "Nakano 2013b, section III" : "Nakano 2013b, theorems 2 and 3";
  static constexpr machine_kinds kinds =
      diagonals ? machine_kinds{.pram = 2, .umm = 2} : machine_kinds{.umm = 12};

  struct problem : polygon_size {
    using polygon_size::polygon_size;

    //! The table has n rows of n words, and M[i][j] is entry (i, j).
    template <machine M>
    [[nodiscard]] constexpr natural pitch(M const&) const {
      return n;
    }
    [[nodiscard]] static constexpr index first_row(auto const&) { return 0; }

    template <class On, class Table = no_data, class Weights = no_data>
    constexpr void run(On& on, Table table = {}, Weights weights = {}) const {
      perform(on, triangulation_program<Kind>{}, writes(table, n * n), reads(weights, n * n),
              n.count, infinity_of<iterator_value_t<Weights>>());
    }
    //! Each of the n (n - 1) (n - 2)/6 sums reads at least one of its two values from memory; a
    //! diagonal needs the one before. Source: Nakano 2013b, theorem 3.
    [[nodiscard]] constexpr bound lower_bound(auto const& m) const {
      bound b = access_bound(m, sums(), m.p);
      b.dependency = (n - 2) * m.l;
      return b;
    }
    //! lower_bound in letters.
    [[nodiscard]] static constexpr bound_formula lower_bound_formula(machine_terms const& m) {
      bound_formula f = access_formula(m, "n(n - 1)(n - 2)", "6");
      f.dependency = m.pram() ? "n - 2" : "(n - 2)l";
      return f;
    }
    [[nodiscard]] constexpr natural upper_bound(auto const& m) const {
      natural const cube = n * n * n;
      if (m.pram()) return cube / m.p + n * n;
      return (diagonals ? cube : cube / m.w) + cube * m.l / m.p + (diagonals ? n * n : n) * m.l;
    }
  };
};

}  // namespace detail

//! The triangulation of least weight, diagonal by diagonal: see dp_triangulation. Source: Nakano
//! 2013b, section III.
inline constexpr detail::triangulation_algorithm<detail::triangulation_kind::dp> triangulation_dp{};
//! The triangulation of mmm::triangulation_dp with its minima in memory, as printed: see
//! dp_triangulation_in_memory.
inline constexpr detail::triangulation_algorithm<detail::triangulation_kind::dp_in_memory>
    triangulation_dp_in_memory{};
//! The triangulation of least weight by sequential accesses: see umm_triangulation. Source: Nakano
//! 2013b, theorems 2 and 3.
inline constexpr detail::triangulation_algorithm<detail::triangulation_kind::umm> triangulation{};

}  // namespace mmm
MMM_BODIES_END
