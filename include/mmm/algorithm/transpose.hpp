// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/bound.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/machine/machine.hpp>

#include <iterator>

//! The transpose of a square array of `side` rows, row-major, in place (paper 001, section 4).
MMM_BODIES_BEGIN
namespace mmm {

//! Exchanges `a[j][k]` and `a[k][j]` for every j < k, pairs in row-major order: one of the two
//! accesses is strided. Paper 001, section 4. Time on a DMM: at most `4 (gcd(side, w) n/w + n l/p)`
//! with n = side^2 and side, p, w dividing.
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

//! Copies `a` to the work array `b`, then reads `b` and writes `a` along diagonals: neighbours are
//! in different banks. Paper 001, lemma 2. Time on a DMM, if w divides the side and p: exactly
//! `4 (p/w + l - 1) n/p`, n = side^2. Where w does not divide the side, gcd(side + 1, w) neighbours
//! share a bank.
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

//! All threads wait for each other: a parallel-for over nothing.
template <class Threads>
MMM_HOST_DEVICE constexpr void barrier(Threads& threads) {
  threads.each(0, [](auto) {});
}

}  // namespace detail

//! Transposes blocks of w x w words, each by the w threads of a warp that hold w words in registers
//! and visit the rows rotated; then swaps the block in row I, column J with the one in row J,
//! column I. Paper 001, lemma 3. `side` must be a multiple of w, and there must be w threads. Time
//! on a UMM, for w | p, p <= n/w: at most `5 (n/w + n l/p)`, n = side^2.
struct rotating_transpose {
  template <class Threads, class Iterator>
  MMM_HOST_DEVICE constexpr void operator()(Threads& threads, Iterator a, index side) const {
    constexpr index w = Threads::machine_type::width;
    using value = typename Iterator::value_type;
    index const blocks = side / w;
    index const groups = threads.threads() / w;
    auto held = threads.template registers<value, w>();
    // Nobody else uses a warp's block: its threads wait for each other once, when they have read
    // it.
    threads.repeat(detail::ceil_divide(blocks * blocks, groups), [=, &threads](auto pass) {
      threads.template repeat<w>(w, [=, &threads](auto t) {
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
      // Every unordered pair of different blocks once, without a square root: I and I + 1, I and I
      // + 2, … around.
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

//! The same idea for a side that w does not divide, or p < w threads: the threads of a warp hold a
//! block and its mirror image at once, each up to s x s words, s = min(w, p), and write each where
//! the other was. Time on a UMM: at most twice that of rotating_transpose's bound.
struct ragged_rotating_transpose {
  template <class Threads, class Iterator>
  MMM_HOST_DEVICE constexpr void operator()(Threads& threads, Iterator a, index side) const {
    constexpr index w = Threads::machine_type::width;
    using value = typename Iterator::value_type;
    index const s = detail::smaller(w, threads.threads());
    index const blocks = detail::ceil_divide(side, s);
    index const pairs = blocks * (blocks + 1) / 2;
    index const groups = threads.threads() / s;
    auto upper = threads.template registers<value, w>();
    auto lower = threads.template registers<value, w>();
    threads.repeat(detail::ceil_divide(pairs, groups), [=, &threads](auto pass) {
      threads.template repeat<w>(s, [=, &threads](auto t) {
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
  //! in a kernel
  static constexpr index most_block_threads = Kind == transpose_kind::rotating ? 256 : 1024;

  template <class On, class Array>
  MMM_HOST_DEVICE constexpr void operator()(On& on, Array a, index side) const {
    using value = typename Array::value_type;
    if constexpr (Kind == transpose_kind::straightforward) {
      straightforward_transpose{}(on, a, side);
    } else if constexpr (Kind == transpose_kind::diagonal) {
      diagonal_transpose{}(on, a, on.template allocate<value>(side * side), side);
    } else {
      if (side % On::machine_type::width == 0 && on.threads() >= On::machine_type::width)
        rotating_transpose{}(on, a, side);
      else
        ragged_rotating_transpose{}(on, a, side);
    }
  }
};

template <transpose_kind Kind>
struct transpose_algorithm {
  char const* name = Kind == transpose_kind::straightforward ? "transpose-straightforward"
                     : Kind == transpose_kind::diagonal      ? "transpose-diagonal"
                                                             : "transpose-rotating";
  char const* paper = Kind == transpose_kind::straightforward ? "001 section 4"
                      : Kind == transpose_kind::diagonal      ? "001 lemma 2"
                                                              : "001 lemma 3";
  machine_kinds kinds = Kind == transpose_kind::straightforward
                            ? machine_kinds{true, true, true, true, true}
                        : Kind == transpose_kind::diagonal ? machine_kinds{.dmm = true}
                                                           : machine_kinds{.umm = true};

  //! Transposes the `side * side` words from `first` on, row-major, in place.
  //! Errors: std::invalid_argument for a negative side.
  template <class On, class Iterator>
  void operator()(On on, Iterator first, index side) const {
    if (side < 0) reject("the side of the array to transpose", side, "0 or more");
    using value = std::iter_value_t<Iterator>;
    mmm::run(on, transpose_program<Kind>{},
             updates<value>(first, checked_multiply(side, side), first), side);
  }

  template <class On>
  constexpr void model(On& on, index side) const {
    transpose_program<Kind>{}(on, on.template allocate<float>(checked_multiply(side, side)), side);
  }

  template <machine M>
  [[nodiscard]] constexpr bound limitations(M const& m, index side, index p) const {
    return side <= 1 ? bound{} : access_limitations(m, side * (side - 1), p);
  }

  template <machine M>
  [[nodiscard]] constexpr index expression(M const& m, index side, index p) const {
    index const n = checked_multiply(side, side);
    auto const memory = main_memory(m);
    constexpr conflict conflicts = decltype(memory)::conflicts;
    if constexpr (conflicts == conflict::none) {
      return ceil_divide(n, p);
    } else if constexpr (conflicts == conflict::amount) {
      return ceil_divide(n, smaller(memory.width, p));
    } else {
      index stages = ceil_divide(n, memory.width);
      // diagonal neighbours are side + 1 words apart
      if constexpr (Kind == transpose_kind::diagonal)
        stages =
            side % memory.width == 0 ? stages : share(gcd(side + 1, memory.width), n, memory.width);
      else if constexpr (Kind == transpose_kind::straightforward && conflicts == conflict::banks)
        stages = share(gcd(side, memory.width), n, memory.width);
      else if constexpr (Kind == transpose_kind::straightforward)
        stages = smaller(n, share(side, n, memory.width));
      index const useful = Kind == transpose_kind::rotating ? n / memory.width : n;
      index const in_use = larger(1, smaller(p, useful));
      return checked_add(stages, share(n, memory.latency(), in_use));
    }
  }

  template <machine M>
  [[nodiscard]] constexpr index constant(M const&) const {
    return Kind == transpose_kind::rotating ? 5 : 4;
  }
};

}  // namespace detail

//! Paper 001, section 4: see straightforward_transpose.
inline constexpr detail::transpose_algorithm<detail::transpose_kind::straightforward>
    transpose_straightforward{};
//! Paper 001, lemma 2, for the DMM: see diagonal_transpose.
inline constexpr detail::transpose_algorithm<detail::transpose_kind::diagonal> transpose_diagonal{};
//! Paper 001, lemma 3, for the UMM: see rotating_transpose.
inline constexpr detail::transpose_algorithm<detail::transpose_kind::rotating> transpose_rotating{};

}  // namespace mmm
MMM_BODIES_END
