// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/cost/cost.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/simulate/hierarchy.hpp>
#include <mmm/execution/simulate/memory.hpp>
#include <mmm/machine/machine.hpp>

#include <type_traits>
#include <utility>
#include <vector>

//! Simulation of a program on a machine: its data, exact cost, pipelined time, races and trace.
namespace mmm {

//! The result of a program that returns nothing.
struct nothing {
  friend constexpr bool operator==(nothing, nothing) = default;
};

//! The result of a simulation.
template <class Result, machine M>
struct simulation {
  Result result{};   //!< the program's return value
  mmm::cost cost{};  //!< synchronous: the papers' accounting
  //! of the asynchronous machine with barriers (Nakano 2012b): time units; at most cost.time
  index pipelined_time = 0;
  //! races in the order in which they were found, 1000 at most; each (step, word, kind) once
  std::vector<race> races{};
  index race_count = 0;    //!< the number of all races
  machine_trace<M> trace;  //!< every access, if observed
};

//! Simulates `program(on)` on a machine; `on` is the handle that algorithms run on.
//!
//! \param m the machine.
//! \param p threads of the whole machine: a multiple of the number of DMMs, 1 or more.
//! \param program called once; its return value is the result's `result`.
//! \param observe mmm::observe_all (default), mmm::observe_races (no trace) or mmm::observe_cost
//! (neither races nor a trace: the fast one).
//! \param executor mmm::sequential, or mmm::parallel (execution/simulate/parallel.hpp): with
//! observe_cost, the DMMs of a hierarchical machine on all cores, with the same results.
//! Errors: std::invalid_argument for a number of threads that the machine cannot have,
//! std::out_of_range for an access outside an array, std::length_error for more shared memory than
//! there is, std::logic_error for warps that make different accesses; exceptions of the program.
//! Memory: the data plus O(threads) with observe_cost on machines with one memory as long as every
//! warp has an access in every round; otherwise two bytes per request of a parallel-for or, on
//! hierarchical machines, between two machine-wide barriers.
template <machine M, class Program, class Observe = observe_all_t, class Executor = sequential_t>
auto simulate(M const& m, threads p, Program&& program, Observe = {}, Executor executor = {}) {
  using engine_type = detail::simulated_machine<M, Observe>;
  engine_type engine(m, p.count, executor);
  auto on = engine.handle();
  using returned = decltype(program(on));
  using result_type =
      std::conditional_t<std::is_void_v<returned>, nothing, std::remove_cvref_t<returned>>;
  simulation<result_type, M> run{.trace = {{}, m}};
  if constexpr (std::is_void_v<returned>)
    program(on);
  else
    run.result = program(on);
  run.cost = engine.cost_so_far();
  run.pipelined_time = engine.pipelined_time();
  run.race_count = engine.races().count();
  run.races = std::move(engine.races().list());
  run.trace.entries = std::move(engine.traced().entries);
  return run;
}

//! Simulates a machine whose parameters its type knows:
//! `mmm::simulate<mmm::dmm<4, 5>>(mmm::threads(8), program)`.
template <machine M, class Program, class Observe = observe_all_t, class Executor = sequential_t>
auto simulate(threads p, Program&& program, Observe observe = {}, Executor executor = {}) {
  return simulate(detail::machine_of<M>(), p, std::forward<Program>(program), observe, executor);
}

}  // namespace mmm
