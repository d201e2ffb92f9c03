// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/bound.hpp>
#include <mmm/algorithm/overlap.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/execution/vec.hpp>
#include <mmm/machine/machine.hpp>

#include <iterator>

//! A copy within the global memory, several words at a time.
MMM_BODIES_BEGIN
namespace mmm {

//! Copies the n words of `a` to `out`: all threads side by side, V words in an access, `Vecs` of
//! which a thread reads before it writes the first, so that as many are under way. What is left of
//! n goes a vec and then a word at a time. Time on a UMM, or an HMM's global memory, of p threads,
//! w | p (w | p/d), Vp | n: exactly `2 n/(V p) (ceil(V p/(w g)) + L - 1)`: that of the contiguous
//! access with V times as many threads.
template <index V = 4, index Vecs = 4>
struct wide_copy {
  template <class Threads, class Iterator, class Output>
  MMM_HOST_DEVICE constexpr void operator()(Threads& threads, Iterator a, index n,
                                            Output out) const {
    index const p = threads.threads();
    index const vecs = n / V;
    index const passes = vecs / (Vecs * p);
    threads.repeat(passes, [=, &threads](auto pass) {
      threads.each(
          p,
          [=](auto i) {
            auto first = pass * (Vecs * p) + i;
            auto x = make_vec<Vecs>([&](index k) { return load(wide<V>(a)[first + k * p]); });
            unroll<Vecs>([&](index k) { wide<V>(out)[first + k * p] = x[k]; });
          },
          no_barrier);
    });
    index const done = passes * Vecs * p;
    threads.each(
        vecs - done, [=](auto i) { wide<V>(out)[done + i] = load(wide<V>(a)[done + i]); },
        no_barrier);
    index const last = vecs * V;
    threads.each(n - last, [=](auto i) { out[last + i] = load(a[last + i]); });
  }
};

namespace detail {

//! The algorithm object behind mmm::copy_wide.
template <index V, index Vecs>
struct wide_copy_algorithm {
  char const* name = "copy-wide";
  char const* paper = "001 lemma 1, with wide accesses";
  machine_kinds kinds{.umm = true, .hmm = true};

  //! Copies [first, last) to `out`, which must not overlap it: else std::invalid_argument.
  template <class On, class Iterator, class Output>
  void operator()(On on, Iterator first, Iterator last, Output out) const {
    using value = std::iter_value_t<Iterator>;
    auto const n = static_cast<index>(last - first);
    reject_overlap("the copy", first, n, out, n);
    mmm::run(on, wide_copy<V, Vecs>{}, reads<value>(first, n), n, writes<value>(out, n));
  }

  //! The same without data.
  template <class On>
  constexpr void model(On& on, index n) const {
    auto const a = on.template allocate<float>(n);
    wide_copy<V, Vecs>{}(on, a, n, on.template allocate<float>(n));
  }

  //! A thread completes one access of V words in l time units.
  template <machine M>
  [[nodiscard]] constexpr bound limitations(M const& m, index n, index p) const {
    return access_limitations(m, checked_multiply(2, n), checked_multiply(V, p));
  }

  template <machine M>
  [[nodiscard]] constexpr index expression(M const& m, index n, index p) const {
    return checked_multiply(2, checked_add(ceil_divide(n, M::width),
                                           share(n, main_memory(m).latency(),
                                                 smaller(larger(n, 1), checked_multiply(V, p)))));
  }

  template <machine M>
  [[nodiscard]] constexpr index constant(M const&) const {
    return 2;
  }
};

}  // namespace detail

//! The copy of n words by accesses of four, four of them at a time under way for each thread.
inline constexpr detail::wide_copy_algorithm<4, 4> copy_wide{};

}  // namespace mmm
MMM_BODIES_END
