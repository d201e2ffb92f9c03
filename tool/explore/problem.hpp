// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/execution/simulate/simulate.hpp>

#include "algorithm_entry.hpp"

#include <common/failure.hpp>

#include <bit>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

//! From an algorithm object of the library to an entry of the program.
//!
//! A *problem* says what the library's object does not: how it is called on data and how its result
//! is checked.
//!
//!     struct reading_problem : problem_input {   // or changed_input
//!       static constexpr auto const& algorithm = mmm::contiguous;  // name, kinds, model, bounds
//!       static constexpr char const* summary = "…";
//!       static constexpr problem_shape shape = problem_shape::sequence;
//!       static constexpr extra_options uses{};
//!       // Only where the cost depends on the data.
//!       static closed_form estimate_of(machine, mmm::size, mmm::threads);
//!       … operator()(On on);  // runs the algorithm, returns its result
//!       // The result beside that of a plain computation.
//!       comparison compare(std::vector<double> const& input, result);
//!     };
namespace explore {

template <machine_kind Kind>
[[nodiscard]] constexpr bool is_among(mmm::machine_kinds const& all) {
  if constexpr (Kind == machine_kind::pram) return all.pram;
  if constexpr (Kind == machine_kind::bpram) return all.bpram;
  if constexpr (Kind == machine_kind::dmm) return all.dmm;
  if constexpr (Kind == machine_kind::umm) return all.umm;
  if constexpr (Kind == machine_kind::hmm || Kind == machine_kind::clusters) return all.hmm;
}
//! True if the problem is for machines of this kind; one with a member `in_clusters` is for
//! clusters only.
template <class Problem, machine_kind Kind>
[[nodiscard]] constexpr bool is_for() {
  constexpr bool in_clusters = requires { Problem::in_clusters; };
  return in_clusters == (Kind == machine_kind::clusters) &&
         is_among<Kind>(Problem::algorithm.kinds);
}

[[nodiscard]] std::string description(mmm::race const& r);

//! The input of a problem. `Words`: a vector, or a reference to one that nobody changes.
template <class Words>
struct input_as {
  Words words;
  index size;
  extra_numbers extra;
  std::uint64_t seed;

  //! The data that mmm::cost_of assumes, where the cost depends on the data; otherwise null.
  static constexpr char const* closed_form_of = nullptr;
  //! The arguments of mmm::cost_of and of the bounds after the threads, as a tuple.
  [[nodiscard]] static std::tuple<> more(extra_numbers const&) { return {}; }
};
using problem_input = input_as<std::vector<double> const&>;
using changed_input = input_as<std::vector<double>>;  // of an algorithm that works in place

//! Finds races; keeps a trace if told so at run time, for one instantiation instead of two.
struct observer {
  static constexpr bool races = true;
  static inline bool traced = false;
};

//! Simulates a problem on one machine.
template <class Problem, class Machine>
[[nodiscard]] simulated simulate_problem(Machine const& machine, task const& t) {
  Problem problem{{t.words, t.size, t.extra, t.seed}};
  observer::traced = t.keep_trace;
  auto done = mmm::simulate(
      machine, mmm::threads(t.threads), [&problem](auto on) { return problem(on); }, observer{});
  simulated s;
  s.cost = done.cost;
  s.pipelined_time = done.pipelined_time;
  s.races = done.race_count;
  if (!done.races.empty()) s.first_race = description(done.races.front());
  s.result = problem.compare(t.words, done.result);
  s.trace = std::move(done.trace);
  return s;
}

//! True if the sizes of a problem divide, so that its time is at most C upper bounds and not 2 C.
template <class Machine>
[[nodiscard]] bool sizes_divide(Machine const& machine, index items, index threads) {
  index const of_dmm = [&] {
    if constexpr (mmm::hierarchical_machine<Machine>)
      return threads / machine.dmms();
    else
      return threads;
  }();
  return std::has_single_bit(static_cast<std::uint64_t>(items)) && items % threads == 0 &&
         of_dmm % machine.width() == 0;
}

template <class Problem, class Machine>
[[nodiscard]] outcome run_problem(Machine const& machine, task const& t) {
  auto const& algorithm = Problem::algorithm;
  mmm::size const n(t.size);
  mmm::threads const p(t.threads);
  outcome o;
  auto const figures = [&](auto const&... more) {
    if constexpr (requires { Problem::estimate_of(machine, n, p); })
      o.estimate = Problem::estimate_of(machine, n, p);
    else
      o.estimate.least = o.estimate.most = mmm::cost_of(machine, algorithm, n, p, more...);
    mmm::bound const lower = mmm::lower_bound(machine, algorithm, n, p, more...);
    lower.for_each(mmm::lower_bound_formula(machine, algorithm),
                   [&o](char const* name, index value, mmm::formula const& f) {
                     o.limitations.push_back({name, value, f.letters});
                   });
    o.lower_bound = lower.time;
    o.upper_bound = mmm::upper_bound(machine, algorithm, n, p, more...);
  };
  std::apply(figures, Problem::more(t.extra));
  o.estimate.of = Problem::closed_form_of;
  index const items = Problem::uses.inputs ? t.extra.inputs : t.size;
  bool const divides = sizes_divide(machine, items, t.threads);
  o.constant = (divides ? 1 : 2) * mmm::constant_of(machine, algorithm);
  if (t.simulate)
    o.run = simulate_problem<Problem>(machine, t);
  else if (!o.estimate.known)
    throw tool::failure(std::string("the cost of ") + algorithm.name +
                        " on this machine depends on its input; leave out --no-simulate");
  return o;
}

template <class Problem>
[[nodiscard]] outcome run_on_choice(machine_choice const& choice, task const& t) {
  outcome o;
  auto const accepts = [](auto kind) { return hana::bool_c<is_for<Problem, kind.key>()>; };
  with_machine(choice, accepts, [&](auto const& machine) { o = run_problem<Problem>(machine, t); });
  return o;
}

template <class Problem>
[[nodiscard]] bool runs_on(machine_kind kind) {
  bool found = false;
  hana::for_each(kinds, [&](auto k) {
    if (k.key == kind) found = is_for<Problem, k.key>();
  });
  return found;
}

template <class Problem>
[[nodiscard]] algorithm_entry entry_of() {
  auto const& a = Problem::algorithm;
  return {a.name,        Problem::summary,       a.paper, runs_on<Problem>, Problem::shape,
          Problem::uses, run_on_choice<Problem>, nullptr};
}

}  // namespace explore
