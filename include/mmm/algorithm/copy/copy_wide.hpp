// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/call/forms.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/vec.hpp>
#include <mmm/machine/machine.hpp>

#include <iterator>

//! A copy within the global memory by accesses of several words.
MMM_BODIES_BEGIN
namespace mmm {

//! Copies the n words of `a` to `out` by accesses of V words, adjacent threads to adjacent vecs. On
//! a UMM a thread reads 2 Vecs vecs before it writes the first one, so that as many are in flight.
//! On an HMM it reads Vecs vecs, and the DMMs take tiles of Vecs vecs per thread in turn: with two
//! vecs, 2048 threads of a multiprocessor have 64 KiB in flight. The rest of n is copied vec by vec
//! and then word by word.
//! Time on a UMM, or an HMM's global memory, of p threads, w | p (w | p/d), Vp | n and, on an HMM,
//! Vecs V p | n: exactly
//!   `2 n/(V p) (ceil(V p/(w g)) + L - 1)`:
//! the time of the contiguous access with V times as many threads.
template <index V = 4, index Vecs = 2>
struct wide_copy {
  static constexpr index words = V;  //!< words in an access
  static constexpr bool assigns_tiles = true;

  //! Number of blocks on a multiprocessor of 2048 threads: it has registers for two of 1024 threads
  //! with words of 4 bytes.
  template <class Word>
  [[nodiscard]] static constexpr index blocks_side_by_side() {
    return sizeof(Word) <= 4 ? 2 : 1;
  }

  //! The program for sequences that do not begin at multiples of V words.
  [[nodiscard]] static constexpr wide_copy<1, V * Vecs> by_words()
  requires(V > 1)
  {
    return {};
  }

  template <class Threads, class Iterator, class Output>
  MMM_HOST_DEVICE constexpr void operator()(Threads& threads, Iterator a, index n,
                                            Output out) const {
    index const vecs = n / V;
    index done = 0;
    if constexpr (hierarchical_machine<typename Threads::machine_type>) {
      index const t = threads.threads_per_dmm();
      index const tiles = vecs / (Vecs * t);
      threads.each_tile(
          0, tiles,
          [=](auto& block, auto tile) {
            block.each(
                t, [=](auto i) { copy_vecs<Vecs>(a, out, tile * (Vecs * t) + i, t); }, no_barrier);
          },
          no_barrier);
      done = tiles * Vecs * t;
    } else {
      index const p = threads.threads();
      index const passes = vecs / (2 * Vecs * p);
      threads.repeat(passes, [=, &threads](auto pass) {
        threads.each(
            p, [=](auto i) { copy_vecs<2 * Vecs>(a, out, pass * (2 * Vecs * p) + i, p); },
            no_barrier);
      });
      done = passes * 2 * Vecs * p;
    }
    threads.each(
        vecs - done, [=](auto i) { wide<V>(out)[done + i] = load(wide<V>(a)[done + i]); },
        no_barrier);
    index const last = vecs * V;
    threads.each(n - last, [=](auto i) { out[last + i] = load(a[last + i]); });
  }

 private:
  //! Copies `Count` vecs, `apart` vecs from each other.
  template <index Count, class Iterator, class Output, class First>
  MMM_HOST_DEVICE static constexpr void copy_vecs(Iterator const& a, Output const& out,
                                                  First const& first, index apart) {
    auto x = make_vec<Count>([&](index k) { return load(wide<V>(a)[first + k * apart]); });
    unroll<Count>([&](index k) { wide<V>(out)[first + k * apart] = x[k]; });
  }
};

namespace detail {

//! The algorithm object behind mmm::copy_wide.
template <index V, index Vecs>
struct wide_copy_algorithm : sequence_call<wide_copy_algorithm<V, Vecs>> {
  static constexpr char const* name = "copy-wide";
  static constexpr bool assigns_tiles = true;
  static constexpr char const* paper = "Nakano 2012, lemma 1, with wide accesses";
  static constexpr machine_kinds kinds{.umm = 2, .hmm = 2};

  struct problem {
    natural n;
    constexpr explicit problem(size words) : n(words.count) {}

    template <class On, class In = no_data, class Out = no_data>
    constexpr void run(On& on, In first = {}, Out out = {}) const {
      perform(on, wide_copy<V, Vecs>{}, reads(first, n), n.count,
              writes<std::iter_value_t<In>>(out, n));
    }
    //! A thread completes one access of V words in l time units.
    [[nodiscard]] constexpr bound lower_bound(auto const& m) const {
      return access_bound(m, 2 * n, V * m.p);
    }
    [[nodiscard]] constexpr natural upper_bound(auto const& m) const {
      return 2 * (n / m.w + n * m.L / smaller(larger(n, 1), V * m.p));
    }
  };
};

}  // namespace detail

//! Copies n words by accesses of four words: `mmm::copy_wide(on, first, last, out)` on a UMM or an
//! HMM. Errors: std::invalid_argument if they overlap. Time: at most 4 (n/w + nL/(4p)).
inline constexpr detail::wide_copy_algorithm<4, 2> copy_wide{};

}  // namespace mmm
MMM_BODIES_END
