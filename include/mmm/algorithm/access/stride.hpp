// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/access/contiguous.hpp>
#include <mmm/algorithm/access/reading.hpp>
#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/call/forms.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/machine/machine.hpp>

//! Stride access.
MMM_BODIES_BEGIN
namespace mmm {

//! Thread i reads the i-th of p blocks of `s = ceil(n/p)` words one by one, and adds them up in its
//! register.
//! Source: Nakano 2012, section 3. Time for w | p | n: DMM `(gcd(s,w) p/w + l - 1) s`; UMM, s >= w:
//! `(p + l - 1) s`.
struct stride_access {
  template <class Threads, class Iterator, class Registers>
  MMM_HOST_DEVICE constexpr void operator()(Threads& threads, Iterator a, index n,
                                            Registers r) const {
    index const p = threads.threads();
    index const block = detail::ceil_divide(n, p);
    threads.repeat(block, [=, &threads](auto t) {
      threads.each(p, [=](auto i) {
        auto const place = i * block + t;
        auto const inside = place < n;
        auto const so_far = load(r[i]);
        auto const x = load_if(inside, a[place], so_far);
        r[i] = select(inside, so_far + x, so_far);
      });
    });
  }
};

namespace detail {

//! The algorithm object behind mmm::stride.
struct stride_algorithm : sequence_call<stride_algorithm> {
  static constexpr char const* name = "stride";
  static constexpr char const* paper = "Nakano 2012, theorem 1";
  static constexpr machine_kinds kinds = machine_kinds::all(1);

  struct problem : contiguous_algorithm::problem {
    using contiguous_algorithm::problem::problem;

    template <class On, class In = no_data>
    constexpr auto run(On& on, In first = {}) const {
      return total_of_threads(on, stride_access{}, reads(first, n), n.count);
    }
    [[nodiscard]] constexpr natural upper_bound(auto const& m) const {
      natural const s = n / m.p;
      if (n == 0 || m.conflicts == conflict::none || m.conflicts == conflict::amount)
        return contiguous_algorithm::problem::upper_bound(m);
      return (m.conflicts == conflict::banks ? gcd(s, m.w) * n / m.w
                                             : smaller(n, n * s / m.at_once())) +
             n * m.L / m.p + m.L;
    }
  };
};

}  // namespace detail

//! Stride access to n words: thread i reads the i-th block of s = n/p words. `mmm::stride(on,
//! first, last)` returns the sum of all words read; the threads' sums are added up free of cost.
//! Time: at most gcd(s, w) n/w + nl/p + l on a DMM, min(n, sn/w) + nl/p + l on a UMM. Source:
//! Nakano 2012, theorem 1.
inline constexpr detail::stride_algorithm stride{};

}  // namespace mmm
MMM_BODIES_END
