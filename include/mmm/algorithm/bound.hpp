// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/bound_formula.hpp>
#include <mmm/algorithm/machine_terms.hpp>
#include <mmm/algorithm/natural.hpp>
#include <mmm/core/config.hpp>

//! Lower bounds of the time for a problem.
namespace mmm {

//! Lower bounds of the time for a problem on a machine, in time units, one for each limitation. A
//! limitation that does not apply is 0.
//! Source: Nakano 2013a, table II; Nakano 2012; Nakano and Ito 2014; Nakano 2014.
struct bound {
  //! the memory (the global one of an HMM) serves at most w words per stage
  index bandwidth = 0;
  index latency = 0;           //!< a thread completes at most one access of it in l time units
  index reduction = 0;         //!< values are merged two by two, each time at the cost of an access
  index speed_up = 0;          //!< p threads do at most p operations per time unit
  index dependency = 0;        //!< results that depend on each other, one after the other
  index shared_bandwidth = 0;  //!< d shared memories serve at most dw words per stage
  index shared_latency = 0;    //!< a thread completes at most one access of them in l time units
  index network_bandwidth = 0;  //!< a node of a cluster sends or receives a word in g time units
  index network_latency = 0;    //!< words of other nodes arrive after the network's latency
  index time = 0;               //!< the largest bound

  //! Calls `f(name, value)` for each limitation that applies.
  template <class F>
  constexpr void for_each(F&& f) const {
    for_each({}, [&f](char const* name, index value, formula const&) { f(name, value); });
  }
  //! Calls `f(name, value, formula)` for the limitations that apply.
  template <class F>
  constexpr void for_each(bound_formula const& in, F&& f) const {
    auto const one = [&f](char const* name, index value, formula const& letters) {
      if (value != 0) f(name, value, letters);
    };
    one("bandwidth", bandwidth, in.bandwidth);
    one("latency", latency, in.latency);
    one("reduction", reduction, in.reduction);
    one("speed-up", speed_up, in.speed_up);
    one("dependency", dependency, in.dependency);
    one("shared-bandwidth", shared_bandwidth, in.shared_bandwidth);
    one("shared-latency", shared_latency, in.shared_latency);
    one("network-bandwidth", network_bandwidth, in.network_bandwidth);
    one("network-latency", network_latency, in.network_latency);
  }
  friend constexpr bool operator==(bound const&, bound const&) = default;
};

//! The bounds for accessing each of n words at least once by p threads, in the memory where the
//! input lies: bandwidth n/(wg), latency nL/p; on the PRAM speed-up n/p.
[[nodiscard]] constexpr bound access_bound(machine_terms const& m, natural n, natural p) {
  if (m.conflicts == conflict::none) return {.speed_up = n / p};
  return {.bandwidth = n / m.w / m.g, .latency = n * m.L / p};
}

//! The bounds for folding n words into one by p threads, which read each of them. On a DMM or UMM
//! they are bandwidth n/w, latency nl/p + l, and reduction l log n: in l time units, in which each
//! thread completes one access, at most half of the values that are left merge with another one. On
//! the PRAM and the HMM, the reduction bound is log n. Source: Nakano 2014, theorem 2, which omits
//! the latency of storing the result; Nakano 2013a, table II.
[[nodiscard]] constexpr bound fold_bound(machine_terms const& m, natural n, natural p) {
  if (n <= 1) return {};
  bound b = access_bound(m, n, p);
  if (m.conflicts != conflict::none) b.latency = natural(b.latency) + m.L;
  b.reduction = m.hmm || m.pram() ? log2(n) : m.l * log2(n);
  return b;
}

}  // namespace mmm
