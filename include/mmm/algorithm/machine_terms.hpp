// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/natural.hpp>
#include <mmm/core/config.hpp>
#include <mmm/machine/clustered.hpp>
#include <mmm/machine/machine.hpp>

//! The machine parameters that the papers' formulas name by letters.
namespace mmm {

//! A machine and its threads by the letters of the papers' formulas, for machines of any type.
struct machine_terms {
  bool hmm = false;                     //!< several shared memories under a global one
  conflict conflicts = conflict::none;  //!< of the memory where the input lies
  natural w = 1;                        //!< width
  natural l = 1;                        //!< latency of a shared memory, or of the only one
  natural L = 1;                        //!< latency of the memory where the input lies
  natural g = 1;                        //!< ports of that memory
  natural d = 1;                        //!< DMMs; 1 where there is one memory
  natural p = 1;                        //!< threads in all
  natural t = 1;                        //!< threads per DMM, 1 or more
  natural c = 1;                        //!< DMMs of a cluster; 1 on a machine without clusters
  natural lp = 1;                       //!< latency of a peer's memory in a cluster

  //! Average number of words in a request of a DMM's threads: w if w divides t, else fewer. On a
  //! machine with one memory, w. Upper bounds divide accesses of the global memory by it.
  [[nodiscard]] constexpr natural at_once() const {
    return hmm ? natural(t.count / (t / w).count) : w;
  }
  //! Number of levels in which t threads of a DMM fold the sums of d DMMs: log d / log t, 1 or
  //! more.
  [[nodiscard]] constexpr natural levels_of_dmms() const {
    return larger(1, log2(d) / larger(1, log2(t)));
  }
  [[nodiscard]] constexpr bool pram() const { return !hmm && conflicts == conflict::none; }
};

//! The terms of machine `m` with `p` threads in all.
template <machine M>
[[nodiscard]] constexpr machine_terms terms_of(M const& m, index p) {
  if constexpr (hierarchical_machine<M>) {
    machine_terms terms = terms_of(m.global(), p);
    terms.hmm = true;
    terms.l = m.shared().latency();
    terms.d = m.dmms();
    terms.t = p < m.dmms() ? 1 : p / m.dmms();
    if constexpr (clustered_machine<M>) {
      terms.c = m.cluster_size();
      terms.lp = m.peer().latency();
    }
    return terms;
  } else {
    return {.conflicts = M::conflicts,
            .w = m.width(),
            .l = m.latency(),
            .L = m.latency(),
            .g = m.ports(),
            .p = p,
            .t = p};
  }
}

}  // namespace mmm
