// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/access/reading.hpp>
#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/call/forms.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/machine/machine.hpp>

//! Contiguous access.
MMM_BODIES_BEGIN
namespace mmm {

//! Thread i reads `a[t p + i]` for t = 0, 1, …, into its register. Source: Nakano 2012, section 3;
//! Nakano 2013a, lemma 1.
//! Time on a DMM or UMM, for w | p | n: `(p/w + l - 1) n/p`.
struct contiguous_access {
  template <class Threads, class Iterator, class Registers>
  MMM_HOST_DEVICE constexpr void operator()(Threads& threads, Iterator a, index n,
                                            Registers r) const {
    threads.each(n, [=](auto i) { r[i] = load(r[i]) + load(a[i]); });
  }
};

namespace detail {

//! The algorithm object behind mmm::contiguous.
struct contiguous_algorithm : sequence_call<contiguous_algorithm> {
  static constexpr char const* name = "contiguous";
  static constexpr char const* paper = "Nakano 2012, theorem 1; Nakano 2013a, lemma 1";
  static constexpr machine_kinds kinds = machine_kinds::all(1);

  struct problem {
    natural n;
    constexpr explicit problem(size words) : n(words.count) {}

    template <class On, class In = no_data>
    constexpr auto run(On& on, In first = {}) const {
      return total_of_threads(on, contiguous_access{}, reads(first, n), n.count);
    }
    [[nodiscard]] constexpr bound lower_bound(auto const& m) const {
      return access_bound(m, n, m.p);
    }
    //! lower_bound in letters.
    [[nodiscard]] static constexpr bound_formula lower_bound_formula(machine_terms const& m) {
      return access_formula(m, "n");
    }
    [[nodiscard]] constexpr natural upper_bound(auto const& m) const {
      if (n == 0) return 0;
      if (m.conflicts == conflict::none) return n / m.p;
      if (m.conflicts == conflict::amount) return n / smaller(m.w, m.p);
      return n / m.at_once() + n * m.L / m.p + m.L;
    }
  };
};

}  // namespace detail

//! Contiguous access to n words, item i to word i: `mmm::contiguous(on, first, last)` reads them
//! and returns the sum of all words read; the threads' sums are added up free of cost.
//! Time: at most n/w + nl/p + l (n/p on a PRAM, n/w on a BPRAM). Source: Nakano 2012, theorem 1;
//! Nakano 2013a, lemma 1.
inline constexpr detail::contiguous_algorithm contiguous{};

}  // namespace mmm
MMM_BODIES_END
