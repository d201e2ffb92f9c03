// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/machine/cluster.hpp>

//! Calls of algorithm objects on the nodes of a cluster.
namespace mmm::detail {

//! A handle of a cluster's nodes.
template <class On>
concept runs_on_nodes =
    requires { typename On::machine_type; } && cluster_machine<typename On::machine_type>;

//! An algorithm on a cluster. Its specialization is in the algorithm's room, in a header that
//! <mmm/cluster.hpp> includes, and has the class `problem`, as algorithm objects have: constructed
//! from the same parameters, with `run(on, sequences …)` on a cluster handle, `lower_bound(terms)`
//! and `upper_bound(terms)` for mmm::cluster_terms.
template <class Algorithm>
struct cluster_program {
  static constexpr bool missing = true;
};

//! The problem of an algorithm for what its call runs on: the object's own on one machine, that of
//! its cluster_program on a cluster.
template <class On, class Algorithm>
struct problem_on : type_identity<typename Algorithm::problem> {};
template <runs_on_nodes On, class Algorithm>
struct problem_on<On, Algorithm> {
  static_assert(
      !requires { cluster_program<Algorithm>::missing; },
      "mmm: the algorithm is called on a cluster: include <mmm/cluster.hpp>. If that is "
      "included, the algorithm has no program for clusters");
  using type = typename cluster_program<Algorithm>::problem;
};
template <class On, class Algorithm>
using problem_on_t = typename problem_on<On, Algorithm>::type;

//! Parameters of a call that all processes give alike, with names for their comparison.
struct call_parameter {
  char const* name;
  index value;
};
template <int N>
struct call_parameters {
  call_parameter values[N];
};
template <class... Parameters>
call_parameters(call_parameter, Parameters...) -> call_parameters<1 + sizeof...(Parameters)>;

//! Compares a type that all processes give alike, as that of an order: their handle has
//! `note_type<T>(name)`.
template <class T, class On>
constexpr void compare_type([[maybe_unused]] On const& on, [[maybe_unused]] char const* name) {
  if constexpr (requires { on.template note_type<T>(name); }) on.template note_type<T>(name);
}

//! Compares the initial value of a fold, if it is a number: all processes give the same one.
template <class On, class Initial>
constexpr void compare_initial([[maybe_unused]] On const& on,
                               [[maybe_unused]] Initial const& initial) {
  if constexpr (requires { on.note_value("initial value", initial.value); })
    on.note_value("initial value", initial.value);
}

//! Compares n words that all processes give alike, as the taps of a convolution. An estimate and a
//! simulation have them once.
template <class On, class In>
constexpr void compare_words([[maybe_unused]] On const& on, [[maybe_unused]] char const* name,
                             [[maybe_unused]] In first, [[maybe_unused]] index n) {
  if constexpr (requires { on.note_words(name, first, n); }) on.note_words(name, first, n);
}

//! The result of `call()`, a call of an algorithm on `on`. Processes that can fail on their own
//! agree on its outcome, and compare its parameters: their handle has `agreed(name, call)` and
//! `agreed(name, parameters, call)`.
template <class Algorithm, class On, class Call>
constexpr decltype(auto) called(On const& on, Call const& call) {
  if constexpr (requires { on.agreed(Algorithm::name, call); })
    return on.agreed(Algorithm::name, call);
  else
    return call();
}
template <class Algorithm, class On, class Parameters, class Call>
constexpr decltype(auto) called(On const& on, Parameters const& given, Call const& call) {
  if constexpr (requires { on.agreed(Algorithm::name, given, call); })
    return on.agreed(Algorithm::name, given, call);
  else
    return call();
}

}  // namespace mmm::detail
