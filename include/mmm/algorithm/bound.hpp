// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/cost/cost.hpp>
#include <mmm/execution/estimate.hpp>
#include <mmm/machine/machine.hpp>

//! What every algorithm object offers besides running: its model cost, its bounds, where it comes from.
namespace mmm {

//! Lower bounds of the time for a problem on a machine, by the limitation that each follows from, in time units.
//! A limitation that does not apply is 0. Source: papers 000 (table II), 001, 003, 004.
struct bound {
  index bandwidth = 0;  //!< a memory serves at most w words per stage
  index latency = 0;    //!< a thread completes at most one access in l time units
  index reduction = 0;  //!< values are merged two by two, each time at the cost of an access
  index speed_up = 0;   //!< p threads do at most p things per time unit
  index time = 0;       //!< the largest of them

  //! Calls `f(name, value)` for the limitations that apply.
  template <class F>
  constexpr void for_each(F&& f) const {
    if (bandwidth != 0) f("bandwidth", bandwidth);
    if (latency != 0) f("latency", latency);
    if (reduction != 0) f("reduction", reduction);
    if (speed_up != 0) f("speed-up", speed_up);
  }
  friend constexpr bool operator==(bound const&, bound const&) = default;
};

//! The kinds of machines that an algorithm is stated for.
struct machine_kinds {
  bool pram = false;
  bool bpram = false;
  bool dmm = false;
  bool umm = false;
  bool hmm = false;
};

namespace detail {

//! Finds the largest limitation.
[[nodiscard]] constexpr bound with_time(bound b) {
  b.time = larger(larger(b.bandwidth, b.latency), larger(b.reduction, b.speed_up));
  return b;
}

//! `ceil(a * b / c)` for `a, b >= 0`, `c > 0`, checked.
[[nodiscard]] constexpr index share(index a, index b, index c) { return ceil_divide(checked_multiply(a, b), c); }

template <machine M>
[[nodiscard]] constexpr bool is_among(M const&, machine_kinds kinds) {
  if constexpr (hierarchical_machine<M>)
    return kinds.hmm;
  else if constexpr (M::conflicts == conflict::none)
    return kinds.pram;
  else if constexpr (M::conflicts == conflict::amount)
    return kinds.bpram;
  else if constexpr (M::conflicts == conflict::banks)
    return kinds.dmm;
  else
    return kinds.umm;
}

//! The memory where a machine's input lies.
template <machine M>
[[nodiscard]] constexpr auto main_memory(M const& m) {
  if constexpr (hierarchical_machine<M>)
    return m.global();
  else
    return m;
}

//! Least time to access `n` words at least once: bandwidth n/(wg), latency nl/p; on the PRAM speed-up n/p.
template <machine M>
[[nodiscard]] constexpr bound access_limitations(M const& m, index n, index p) {
  auto const memory = main_memory(m);
  bound b;
  if constexpr (decltype(memory)::conflicts == conflict::none) {
    b.speed_up = ceil_divide(n, p);
  } else {
    b.bandwidth = ceil_divide(ceil_divide(n, memory.width), memory.ports());
    b.latency = share(n, memory.latency(), p);
  }
  return b;
}

}  // namespace detail

//! **Concept: algorithm.** An object that can be costed by its size.
template <class A>
concept algorithm = requires(A const& a) {
  { a.name } -> std::convertible_to<char const*>;
  { a.kinds } -> std::convertible_to<machine_kinds>;
};

//! The exact synchronous cost of an algorithm for size `n` with `p` threads.
//! Errors: std::invalid_argument if it is not stated for the machine's kind; else as mmm::estimate.
template <machine M, algorithm A>
[[nodiscard]] constexpr cost cost_of(M const& m, A const& a, size n, threads p) {
  return estimate(m, p, [&](auto& on) { a.model(on, n.count); });
}
template <machine M, algorithm A>
[[nodiscard]] constexpr cost cost_of(A const& a, size n, threads p) {
  return cost_of(M{}, a, n, p);
}

//! The lower bounds of an algorithm's problem, by limitation.
template <machine M, algorithm A>
[[nodiscard]] constexpr bound lower_bound(M const& m, A const& a, size n, threads p) {
  return detail::with_time(a.limitations(m, n.count, p.count));
}
template <machine M, algorithm A>
[[nodiscard]] constexpr bound lower_bound(A const& a, size n, threads p) {
  return lower_bound(M{}, a, n, p);
}

//! The paper's expression for an algorithm's time, without its constant factor: `time <= a.constant(m) * upper_bound`,
//! twice that where sizes do not divide.
template <machine M, algorithm A>
[[nodiscard]] constexpr index upper_bound(M const& m, A const& a, size n, threads p) {
  return a.expression(m, n.count, p.count);
}
template <machine M, algorithm A>
[[nodiscard]] constexpr index upper_bound(A const& a, size n, threads p) {
  return upper_bound(M{}, a, n, p);
}

}  // namespace mmm
