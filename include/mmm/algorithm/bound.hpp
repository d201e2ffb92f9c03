// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/cost/cost.hpp>
#include <mmm/execution/estimate/estimate.hpp>
#include <mmm/machine/machine.hpp>

#include <concepts>

//! What every algorithm object offers besides running: its model cost, its bounds, where it comes
//! from.
namespace mmm {

//! Lower bounds of the time for a problem on a machine, by the limitation that each follows from,
//! in time units. A limitation that does not apply is 0. Source: papers 000 (table II), 001, 003,
//! 004.
struct bound {
  //! the memory (of an HMM: the global one) serves at most w words per stage
  index bandwidth = 0;
  index latency = 0;           //!< a thread completes at most one access of it in l time units
  index reduction = 0;         //!< values are merged two by two, each time at the cost of an access
  index speed_up = 0;          //!< p threads do at most p things per time unit
  index dependency = 0;        //!< results that need each other follow each other
  index shared_bandwidth = 0;  //!< d shared memories serve at most dw words per stage
  index shared_latency = 0;    //!< a thread completes at most one access of them in l time units
  index time = 0;              //!< the largest of them

  //! Calls `f(name, value)` for the limitations that apply.
  template <class F>
  constexpr void for_each(F&& f) const {
    if (bandwidth != 0) f("bandwidth", bandwidth);
    if (latency != 0) f("latency", latency);
    if (reduction != 0) f("reduction", reduction);
    if (speed_up != 0) f("speed-up", speed_up);
    if (dependency != 0) f("dependency", dependency);
    if (shared_bandwidth != 0) f("shared-bandwidth", shared_bandwidth);
    if (shared_latency != 0) f("shared-latency", shared_latency);
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
  b.for_each([&b](char const*, index value) { b.time = larger(b.time, value); });
  return b;
}

//! `ceil(a * b / c)` for `a, b >= 0`, `c > 0`, checked.
[[nodiscard]] constexpr index share(index a, index b, index c) {
  return ceil_divide(checked_multiply(a, b), c);
}

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

//! Least time to access `n` words at least once: bandwidth n/(wg), latency nl/p; on the PRAM
//! speed-up n/p.
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

//! What an algorithm's members take for the size: the plain number where it is one.
[[nodiscard]] constexpr index plain(size n) { return n.count; }
template <class Shape>
[[nodiscard]] constexpr Shape const& plain(Shape const& shape) {
  return shape;
}

}  // namespace detail

//! **Concept: algorithm.** An object that can be costed by its size.
template <class A>
concept algorithm = requires(A const& a) {
  { a.name } -> std::convertible_to<char const*>;
  { a.kinds } -> std::convertible_to<machine_kinds>;
};

//! The exact synchronous cost of an algorithm for size `n` with `p` threads. Algorithms that need
//! more than a size take it after the threads: `mmm::cost_of<M>(mmm::convolution, mmm::size(n),
//! mmm::threads(p), mmm::taps(m))`. Errors: std::invalid_argument for parameters that the algorithm
//! does not accept; else as mmm::estimate.
template <machine M, algorithm A, class Size, class... More>
[[nodiscard]] constexpr cost cost_of(M const& m, A const& a, Size const& n, threads p,
                                     More const&... more) {
  return estimate(m, p, [&](auto& on) { a.model(on, detail::plain(n), more...); });
}
template <machine M, algorithm A, class Size, class... More>
[[nodiscard]] constexpr cost cost_of(A const& a, Size const& n, threads p, More const&... more) {
  return cost_of(M{}, a, n, p, more...);
}

//! The lower bounds of an algorithm's problem, by limitation.
template <machine M, algorithm A, class Size, class... More>
[[nodiscard]] constexpr bound lower_bound(M const& m, A const& a, Size const& n, threads p,
                                          More const&... more) {
  return detail::with_time(a.limitations(m, detail::plain(n), p.count, more...));
}
template <machine M, algorithm A, class Size, class... More>
[[nodiscard]] constexpr bound lower_bound(A const& a, Size const& n, threads p,
                                          More const&... more) {
  return lower_bound(M{}, a, n, p, more...);
}

//! The paper's expression for an algorithm's time, without its constant factor:
//! `time <= a.constant(m) * upper_bound`, twice that where sizes do not divide.
template <machine M, algorithm A, class Size, class... More>
[[nodiscard]] constexpr index upper_bound(M const& m, A const& a, Size const& n, threads p,
                                          More const&... more) {
  return a.expression(m, detail::plain(n), p.count, more...);
}
template <machine M, algorithm A, class Size, class... More>
[[nodiscard]] constexpr index upper_bound(A const& a, Size const& n, threads p,
                                          More const&... more) {
  return upper_bound(M{}, a, n, p, more...);
}

}  // namespace mmm
