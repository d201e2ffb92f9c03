// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/call/check.hpp>
#include <mmm/algorithm/call/cluster_program.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/machine/machine.hpp>

//! The transpose of a square array of `side` rows, row-major, in place (Nakano 2012, section 4).
MMM_BODIES_BEGIN
namespace mmm {

//! Exchanges `a[j][k]` and `a[k][j]` for every j < k, pairs in row-major order: one of the two
//! accesses is strided. Nakano 2012, section 4. Time on a DMM: at most `4 (gcd(side, w) n/w + n
//! l/p)` with n = side^2, if p divides n and w divides p and the side.
struct straightforward_transpose {
  template <class Threads, class Iterator>
  MMM_HOST_DEVICE constexpr void operator()(Threads& threads, Iterator a, index side) const {
    using value = typename Iterator::value_type;
    threads.each(side, side, [=](auto j, auto k) {
      auto const above = j < k;
      auto const x = load_if(above, a[j * side + k], value{});
      auto const y = load_if(above, a[k * side + j], value{});
      store_if(above, a[j * side + k], y);
      store_if(above, a[k * side + j], x);
    });
  }
};

//! Copies `a` to the work array `b`, then reads `b` and writes `a` along diagonals, so that
//! neighbours are in different banks. Nakano 2012, lemma 2. Time on a DMM, if w divides the side
//! and p: exactly `4 (p/w + l - 1) n/p`, n = side^2. Where w does not divide the side, gcd(side +
//! 1, w) neighbours share a bank.
struct diagonal_transpose {
  template <class Threads, class Iterator, class Work>
  MMM_HOST_DEVICE constexpr void operator()(Threads& threads, Iterator a, Work b,
                                            index side) const {
    threads.each(side, side, [=](auto j, auto k) { b[j * side + k] = load(a[j * side + k]); });
    threads.each(side, side, [=](auto j, auto k) {
      auto const diagonal = (j + k) % side;
      a[diagonal * side + k] = load(b[k * side + diagonal]);
    });
  }
};

namespace detail {

//! A barrier of all threads: a parallel-for over no items.
template <class Threads>
MMM_HOST_DEVICE constexpr void barrier(Threads& threads) {
  threads.each(0, [](auto) {});
}

}  // namespace detail

//! Transposes blocks of w x w words, each by the w threads of a warp, which hold w words in
//! registers and visit the rows rotated; then swaps the block in row I, column J with the one in
//! row J, column I. Source: Nakano 2012, lemma 3.
//! Precondition: `side` is a multiple of w, and there are at least w threads.
//! Time on a UMM, for w | p, p <= n/w: at most `5 (n/w + n l/p)`, n = side^2.
struct rotating_transpose {
  template <class Threads, class Iterator>
  MMM_HOST_DEVICE constexpr void operator()(Threads& threads, Iterator a, index side) const {
    index const w = threads.machine().width();
    constexpr index max_lanes = detail::max_lanes<typename Threads::machine_type>;
    using value = typename Iterator::value_type;
    index const blocks = side / w;
    index const groups = threads.threads() / w;
    auto held = threads.template registers<value, max_lanes>();
    // Only one warp uses a block: its threads wait for each other once, when they have read it.
    threads.repeat(detail::ceil_divide(blocks * blocks, groups), [=, &threads](auto pass) {
      threads.template repeat<max_lanes>(w, [=, &threads](auto t) {
        threads.each(
            groups * w,
            [=](auto i) {
              auto const block = pass * groups + i / w;
              auto const first = block / blocks * w * side + block % blocks * w;
              auto const column = (t + i % w) % w;
              held(i, t) = load_if(block < blocks * blocks, a[first + t * side + column], value{});
            },
            no_barrier);
      });
      detail::barrier(threads);
      threads.repeat(w, [=, &threads](auto t) {
        threads.each(
            groups * w,
            [=](auto i) {
              auto const block = pass * groups + i / w;
              auto const first = block / blocks * w * side + block % blocks * w;
              auto const column = (t + w - i % w) % w;
              store_if(block < blocks * blocks, a[first + t * side + column],
                       load(held.chosen(i, column)));
            },
            no_barrier);
      });
    });
    detail::barrier(threads);
    threads.each(blocks * (blocks - 1) / 2, w * w, [=](auto pair, auto word) {
      // Visits every unordered pair of different blocks once, without a square root: I and I + 1, I
      // and I + 2, … modulo the number of blocks.
      auto const row = pair % blocks;
      auto const column = (row + pair / blocks + 1) % blocks;
      auto const here = (row * w + word / w) * side + column * w + word % w;
      auto const there = (column * w + word / w) * side + row * w + word % w;
      auto const x = load(a[here]);
      auto const y = load(a[there]);
      a[here] = y;
      a[there] = x;
    });
  }
};

//! rotating_transpose for a side that w does not divide, or p < w threads: the threads of a warp
//! hold a block and its mirror image at once, each up to s x s words, s = min(w, p), and write each
//! to the place of the other. Time on a UMM: at most twice rotating_transpose's bound.
struct ragged_rotating_transpose {
  template <class Threads, class Iterator>
  MMM_HOST_DEVICE constexpr void operator()(Threads& threads, Iterator a, index side) const {
    index const w = threads.machine().width();
    constexpr index max_lanes = detail::max_lanes<typename Threads::machine_type>;
    using value = typename Iterator::value_type;
    index const s = detail::smaller(w, threads.threads());
    index const blocks = detail::ceil_divide(side, s);
    index const pairs = blocks * (blocks + 1) / 2;
    index const groups = threads.threads() / s;
    auto upper = threads.template registers<value, max_lanes>();
    auto lower = threads.template registers<value, max_lanes>();
    threads.repeat(detail::ceil_divide(pairs, groups), [=, &threads](auto pass) {
      threads.template repeat<max_lanes>(s, [=, &threads](auto t) {
        threads.each(
            groups * s,
            [=](auto i) {
              auto const pair = pass * groups + i / s;
              auto const row = pair % blocks * s;
              auto const column = (pair % blocks + pair / blocks) % blocks * s;
              auto const c = (t + i % s) % s;
              upper(i, t) = load_if(pair < pairs && row + t < side && column + c < side,
                                    a[(row + t) * side + column + c], value{});
              lower(i, t) =
                  load_if(pair < pairs && row != column && column + t < side && row + c < side,
                          a[(column + t) * side + row + c], value{});
            },
            no_barrier);
      });
      detail::barrier(threads);
      threads.repeat(s, [=, &threads](auto t) {
        threads.each(
            groups * s,
            [=](auto i) {
              auto const pair = pass * groups + i / s;
              auto const row = pair % blocks * s;
              auto const column = (pair % blocks + pair / blocks) % blocks * s;
              auto const c = (t + s - i % s) % s;
              store_if(pair < pairs && column + t < side && row + c < side,
                       a[(column + t) * side + row + c], load(upper.chosen(i, c)));
              store_if(pair < pairs && row != column && row + t < side && column + c < side,
                       a[(row + t) * side + column + c], load(lower.chosen(i, c)));
            },
            no_barrier);
      });
    });
  }
};

namespace detail {

enum class transpose_kind { straightforward, diagonal, rotating };

template <transpose_kind Kind>
struct transpose_program {
  //! threads of a block in a kernel
  static constexpr index max_block_threads = Kind == transpose_kind::rotating ? 256 : 1024;

  template <class On, class Array>
  MMM_HOST_DEVICE constexpr void operator()(On& on, Array a, index side) const {
    using value = typename Array::value_type;
    if constexpr (Kind == transpose_kind::straightforward) {
      straightforward_transpose{}(on, a, side);
    } else if constexpr (Kind == transpose_kind::diagonal) {
      diagonal_transpose{}(on, a, on.template allocate<value>(side * side), side);
    } else {
      index const w = on.machine().width();
      if (side % w == 0 && on.threads() >= w)
        rotating_transpose{}(on, a, side);
      else
        ragged_rotating_transpose{}(on, a, side);
    }
  }
};

//! The algorithm object behind mmm::transpose_straightforward, _diagonal and _rotating.
template <transpose_kind Kind>
struct transpose_algorithm {
  static constexpr bool straightforward = Kind == transpose_kind::straightforward;
  static constexpr bool diagonal = Kind == transpose_kind::diagonal;
  static constexpr char const* name = straightforward ? "transpose-straightforward"
                                      : diagonal      ? "transpose-diagonal"
                                                      : "transpose-rotating";
  static constexpr char const* paper = straightforward ? "Nakano 2012, section 4"
                                       : diagonal      ? "Nakano 2012, lemma 2"
                                                       : "Nakano 2012, lemma 3";
  static constexpr machine_kinds kinds = straightforward ? machine_kinds::all(4)
                                         : diagonal      ? machine_kinds{.dmm = 4}
                                                         : machine_kinds{.umm = 5};

  struct problem {
    natural side;
    constexpr explicit problem(size rows) : side(rows.count) {}

    template <class On, class Array = no_data>
    constexpr void run(On& on, Array first = {}) const {
      perform(on, transpose_program<Kind>{}, updates(first, side * side, first), side.count);
    }
    //! The bound of accessing the words off the diagonal.
    [[nodiscard]] constexpr bound lower_bound(auto const& m) const {
      return side <= 1 ? bound{} : access_bound(m, side * (side - 1), m.p);
    }
    //! lower_bound in letters.
    [[nodiscard]] static constexpr bound_formula lower_bound_formula(machine_terms const& m) {
      return access_formula(m, "n(n - 1)");
    }
    [[nodiscard]] constexpr natural upper_bound(auto const& m) const {
      natural const n = side * side;
      if (m.conflicts == conflict::none) return n / m.p;
      if (m.conflicts == conflict::amount) return n / smaller(m.w, m.p);
      natural const useful = Kind == transpose_kind::rotating ? natural(n.count / m.w.count) : n;
      return stages(m, n) + n * m.L / larger(1, smaller(m.p, useful));
    }

   private:
    [[nodiscard]] constexpr natural stages(auto const& m, natural n) const {
      if (diagonal && side % m.w != 0)  // diagonal neighbours are side + 1 words apart
        return gcd(side + 1, m.w) * n / m.w;
      if (!straightforward) return n / m.w;
      if (m.conflicts == conflict::banks) return gcd(side, m.w) * n / m.w;
      return smaller(n, side * n / m.at_once());
    }
  };

  //! Transposes the `side * side` words from `first` on, row-major, in place.
  //! Errors: std::invalid_argument for a negative side.
  template <class On, class Iterator>
  void operator()(On on, Iterator first, index side) const {
    static_assert(call_of<On, Iterator>::accepted);
    call_parameters const sizes{call_parameter{"side", side}};
    called<transpose_algorithm>(on, sizes, [&] {
      if (side < 0) reject("the side of the array to transpose", side, "0 or more");
      problem_on_t<On, transpose_algorithm>(size(side)).run(on, first);
    });
  }
};

}  // namespace detail

//! The transpose of a square by exchanging pairs of words: see straightforward_transpose. Source:
//! Nakano 2012, section 4.
inline constexpr detail::transpose_algorithm<detail::transpose_kind::straightforward>
    transpose_straightforward{};
//! The transpose of a square along diagonals, for the DMM: see diagonal_transpose. Source: Nakano
//! 2012, lemma 2.
inline constexpr detail::transpose_algorithm<detail::transpose_kind::diagonal> transpose_diagonal{};
//! The transpose of a square by rotated blocks in registers, for the UMM: see rotating_transpose.
//! Source: Nakano 2012, lemma 3.
inline constexpr detail::transpose_algorithm<detail::transpose_kind::rotating> transpose_rotating{};

}  // namespace mmm
MMM_BODIES_END
