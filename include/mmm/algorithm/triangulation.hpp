// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/bound.hpp>
#include <mmm/algorithm/polygon.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/index/trapezoid.hpp>
#include <mmm/machine/machine.hpp>

#include <cstddef>
#include <iterator>
#include <vector>

//! The optimal triangulation of a convex polygon by dynamic programming (paper 002): the chords of
//! least total weight.
//!
//! Of n vertices 0 … n - 1, M[i][j] (1 <= i <= j < n) is the least weight of the triangulated part
//! between the vertices i - 1 and j, the chord (i - 1, j) included: M[i][i] = 0, and M[i][j] = c[i
//! - 1][j] + min over i <= k < j of M[i][k] + M[k + 1][j]. Diagonal r holds the M[i][i + r]. Tables
//! are row-major with n words in a row. All need edges and c[0][n - 1] to weigh 0 (only the latter
//! is read), and an `infinity` that no sum of weights exceeds: it is never added to.
MMM_BODIES_BEGIN
namespace mmm {

//! Algorithm DP-OPT: diagonal by diagonal, p entries at a time, a thread for each, which goes
//! through its k one after the other.
//! Paper 002, section III. Time on a UMM with w <= n + 1, where all is strided: with t_r = ceil((n
//! - r - 1)/p), exactly `2 T + (n - 1)^2 + (l - 1) (ceil((n - 1)/p) + sum of (2 r + 2) t_r)`, T = n
//! (n - 1) (n - 2)/6.
struct dp_triangulation {
  template <class Threads, class Table, class Weights, class Value>
  MMM_HOST_DEVICE constexpr void operator()(Threads& threads, Table m, Weights c, index n,
                                            Value infinity) const {
    index const p = threads.threads();
    auto least = threads.template registers<Value>();
    threads.each(n - 1, [=](auto i) { m[(i + 1) * (n + 1)] = Value{}; });
    for (index r = 1; r <= n - 2; ++r) {
      index const entries = n - r - 1;
      // as many as there are threads, or fewer
      auto const some = [=, &threads](auto first, index count) {
        threads.each(count, [=](auto i) { least[i] = infinity; }, no_barrier);
        threads.repeat(r, [=, &threads](auto k) {
          threads.each(
              count,
              [=](auto i) {
                auto const e = first + i;
                auto const x = load(m[(e + 1) * n + e + 1 + k]);
                auto const y = load(m[(e + 2 + k) * n + e + 1 + r]);
                least[i] = min(load(least[i]), x + y);
              },
              no_barrier);
        });
        threads.each(count, [=](auto i) {
          auto const e = first + i;
          auto const weight = load(c[e * n + e + 1 + r]);
          m[(e + 1) * n + e + 1 + r] = load(least[i]) + weight;
        });
      };
      index const whole = (entries - 1) / p;
      threads.repeat(whole, [=](auto group) { some(group * p, p); });
      some(index{whole * p}, entries - whole * p);
    }
  }
};

//! The same as printed: minima are kept in M, which costs four accesses per sum instead of two.
struct dp_triangulation_in_memory {
  template <class Threads, class Table, class Weights, class Value>
  MMM_HOST_DEVICE constexpr void operator()(Threads& threads, Table m, Weights c, index n,
                                            Value infinity) const {
    threads.each(trapezoid{n - 2, n - 2, n - 2},
                 [=](auto i, auto j) { m[(i + 1) * n + i + 2 + j] = infinity; });
    threads.each(n - 1, [=](auto i) { m[(i + 1) * (n + 1)] = Value{}; });
    for (index r = 1; r <= n - 2; ++r) {
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
    }
  }
};

//! Algorithm UMM-OPT: stage r updates all entries with a sum in which one side is of diagonal r -
//! 1, row by row, for the access to be sequential; that diagonal is kept in `b`, n words, too.
//! Paper 002, section IV and theorem 2. Loop C copies what loop F of the stage before has just
//! computed, for the same i: a thread still has it, so both are one loop here. Time on a UMM: that
//! of 12 sequential accesses per stage and 3 before, whose lengths and fragmentations are those of
//! table_access; at most `12 (n^3/w + n^3 l/p + n l)`.
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
    for (index r = 1; r <= n - 2; ++r) {
      // Rows 1 … n - r - 1 of M, in row i the columns i + r … min(n - 1, i + 2 r - 1).
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
    }
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

template <triangulation_kind Kind>
struct triangulation_algorithm {
  static constexpr bool diagonals = Kind != triangulation_kind::umm;
  char const* name = Kind == triangulation_kind::dp             ? "triangulation-dp"
                     : Kind == triangulation_kind::dp_in_memory ? "triangulation-dp-in-memory"
                                                                : "triangulation";
  char const* paper = diagonals ? "002 section III" : "002 theorem 2";
  machine_kinds kinds{.pram = diagonals, .umm = true};

  //! The triangulation of least weight of the polygon of n vertices whose chord (i, j), i < j,
  //! weighs `weights[i * n + j]`; edges and (0, n - 1) count as 0. The chords are found from M
  //! afterwards, free of cost. Sums of weights must be values of their type.
  //! Errors: std::invalid_argument for fewer than 3 vertices and for a chord's weight that is not
  //! finite.
  template <class On, class Iterator>
  auto operator()(On on, Iterator weights, index n) const {
    using value = std::iter_value_t<Iterator>;
    demand_polygon(n);
    index const words = checked_multiply(n, n);
    demand_finite(on, weights, n);
    std::vector<value> m(static_cast<std::size_t>(words));
    mmm::run(on, triangulation_program<Kind>{}, writes_to_host(m.data(), words),
             reads<value>(polygon_weights<Iterator>{weights, n - 1}, words), n,
             infinity_of<value>());
    return triangulation_of<value>(
        n, [&](index i, index j) { return m[static_cast<std::size_t>(i * n + j)]; });
  }

  template <class On>
  constexpr void model(On& on, index n) const {
    demand_polygon(n);
    auto const m = on.template allocate<float>(checked_multiply(n, n));
    auto const c = on.template allocate<float>(n * n);
    triangulation_program<Kind>{}(on, m, c, n, infinity_of<float>());
  }

  //! The work is n (n - 1) (n - 2)/6 sums, each of which reads at least one of its two values from
  //! memory; a diagonal needs the one before. Paper 002, theorem 3.
  template <machine M>
  [[nodiscard]] constexpr bound limitations(M const& m, index n, index p) const {
    demand_polygon(n);
    bound b = access_limitations(m, sums_of_triangulation(n), p);
    b.dependency = checked_multiply(n - 2, m.latency());
    return b;
  }

  template <machine M>
  [[nodiscard]] constexpr index expression(M const& m, index n, index p) const {
    demand_polygon(n);
    index const square = checked_multiply(n, n);
    index const cube = checked_multiply(square, n);
    if constexpr (M::conflicts == conflict::none) {
      return checked_add(ceil_divide(cube, p), square);
    } else {
      index const stages = diagonals ? cube : ceil_divide(cube, M::width);
      index const steps = checked_multiply(diagonals ? square : n, m.latency());
      return checked_add(checked_add(stages, share(cube, m.latency(), p)), steps);
    }
  }

  template <machine M>
  [[nodiscard]] constexpr index constant(M const&) const {
    return diagonals ? 2 : 12;
  }
};

}  // namespace detail

//! Paper 002, section III: see dp_triangulation.
inline constexpr detail::triangulation_algorithm<detail::triangulation_kind::dp> triangulation_dp{};
//! The same as printed: see dp_triangulation_in_memory.
inline constexpr detail::triangulation_algorithm<detail::triangulation_kind::dp_in_memory>
    triangulation_dp_in_memory{};
//! Paper 002, theorems 2 and 3: see umm_triangulation.
inline constexpr detail::triangulation_algorithm<detail::triangulation_kind::umm> triangulation{};

}  // namespace mmm
MMM_BODIES_END
