// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/bound.hpp>
#include <mmm/algorithm/bound_formula.hpp>
#include <mmm/algorithm/call/perform.hpp>
#include <mmm/algorithm/machine_terms.hpp>
#include <mmm/algorithm/natural.hpp>
#include <mmm/algorithm/parameters.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/cost/cost.hpp>
#include <mmm/execution/estimate/estimate.hpp>
#include <mmm/machine/machine.hpp>

//! The cost and the bounds of algorithm objects, and the parts that an object's declaration needs:
//! parameters, machine_terms, natural, bound, perform.
namespace mmm {

//! The kinds of machines that an algorithm is stated for, each with the constant factor C of its
//! upper bound: `time <= C * upper_bound`, twice that where sizes do not divide. A factor of 0
//! means that the algorithm is not stated for the kind.
struct machine_kinds {
  index pram = 0;
  index bpram = 0;
  index dmm = 0;
  index umm = 0;
  index hmm = 0;

  //! One constant factor for all kinds.
  [[nodiscard]] static constexpr machine_kinds all(index constant) {
    return {constant, constant, constant, constant, constant};
  }
};

//! **Concept: algorithm.** A function object whose cost and bounds can be computed.
//!
//! Minimal definition: `name`, the machines' `kinds`, and `problem`, a class that is constructed
//! from the parameters of mmm::cost_of without the threads: `problem(size(n), taps(m))`. Its
//! members:
//! - `run(on, sequences…)` calls mmm::perform with a program and its arguments. The sequences are
//!   the caller's iterators, with mmm::no_data for defaults: a call of the object on data and its
//!   cost come from one declaration;
//! - `lower_bound(terms)` returns a mmm::bound, `upper_bound(terms)` a mmm::natural, in time units,
//!   for mmm::machine_terms; `lower_bound_formula(terms)`, static, returns a mmm::bound_formula.
//!   All are optional.
template <class A>
concept algorithm = requires(A const& a) {
  { a.name } -> detail::convertible_to<char const*>;
  { a.kinds } -> detail::convertible_to<machine_kinds>;
  typename A::problem;
};

namespace detail {

template <class A, class... Parameters>
[[nodiscard]] constexpr auto problem_of(Parameters const&... parameters) {
  static_assert(
      __is_constructible(typename A::problem, Parameters const&...),
      "mmm: the algorithm has other parameters: a size or shape and, after the threads, taps, a "
      "radius or a tile");
  return typename A::problem(parameters...);
}

//! The terms of the bounds of algorithm A on machine `m` with p threads in all.
template <class A, machine M>
[[nodiscard]] constexpr machine_terms terms_for(M const& m, A const&, index p) {
  constexpr machine_kinds kinds = A::kinds;
  static_assert(hierarchical_machine<M> ? kinds.hmm != 0
                                        : (kinds.pram | kinds.bpram | kinds.dmm | kinds.umm) != 0,
                "mmm: the algorithm has no bounds on this kind of machine");
  return terms_of(m, p);
}

}  // namespace detail

//! The exact synchronous cost of an algorithm for size `n` with `p` threads. Further parameters of
//! the algorithm follow the threads:
//!   `mmm::cost_of<M>(mmm::convolution, mmm::size(n), mmm::threads(p), mmm::taps(m))`;
//! a shape takes the place of a size.
//! Errors: std::invalid_argument for parameters that the algorithm does not accept; otherwise those
//! of mmm::estimate.
template <machine M, algorithm A, class Size, class... More>
[[nodiscard]] constexpr cost cost_of(M const& m, A const&, Size const& n, threads p,
                                     More const&... more) {
  return estimate(m, p, [problem = detail::problem_of<A>(n, more...)](auto& on) {
    static_cast<void>(problem.run(on));
  });
}
template <machine M, algorithm A, class Size, class... More>
[[nodiscard]] constexpr cost cost_of(A const& a, Size const& n, threads p, More const&... more) {
  return cost_of(detail::machine_of<M>(), a, n, p, more...);
}

//! The lower bounds of the time for an algorithm's problem, in time units, one for each limitation;
//! parameters as for cost_of. Errors: std::overflow_error with the operands, a compile error in a
//! constant expression, where a formula's value needs more than 63 bits.
template <machine M, algorithm A, class Size, class... More>
[[nodiscard]] constexpr bound lower_bound(M const& m, A const& a, Size const& n, threads p,
                                          More const&... more) {
  bound b = detail::problem_of<A>(n, more...).lower_bound(detail::terms_for(m, a, p.count));
  b.for_each([&b](char const*, index value) { b.time = value > b.time ? value : b.time; });
  return b;
}
template <machine M, algorithm A, class Size, class... More>
[[nodiscard]] constexpr bound lower_bound(A const& a, Size const& n, threads p,
                                          More const&... more) {
  return lower_bound(detail::machine_of<M>(), a, n, p, more...);
}

//! mmm::lower_bound of an algorithm in letters, for the kind of machine and of one port or several;
//! empty for algorithms whose problem has no `lower_bound_formula(terms)`.
template <machine M, algorithm A>
[[nodiscard]] constexpr bound_formula lower_bound_formula(M const& m, A const& a) {
  machine_terms const terms = detail::terms_for(m, a, 1);
  if constexpr (requires { A::problem::lower_bound_formula(terms); })
    return A::problem::lower_bound_formula(terms);
  else
    return {};
}

//! The paper's expression for an algorithm's time, in time units and without its constant factor:
//! `time <= constant_of(m, a) * upper_bound`, twice that where sizes do not divide. Parameters and
//! errors as for lower_bound.
template <machine M, algorithm A, class Size, class... More>
[[nodiscard]] constexpr index upper_bound(M const& m, A const& a, Size const& n, threads p,
                                          More const&... more) {
  return detail::problem_of<A>(n, more...).upper_bound(detail::terms_for(m, a, p.count));
}
template <machine M, algorithm A, class Size, class... More>
[[nodiscard]] constexpr index upper_bound(A const& a, Size const& n, threads p,
                                          More const&... more) {
  return upper_bound(detail::machine_of<M>(), a, n, p, more...);
}

//! The constant factor C of an algorithm's upper bound on the kind of machine that `m` is.
template <machine M, algorithm A>
[[nodiscard]] constexpr index constant_of(M const&, A const& a) {
  machine_kinds const kinds = a.kinds;
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

}  // namespace mmm
