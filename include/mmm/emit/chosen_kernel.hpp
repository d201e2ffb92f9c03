// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/parameters.hpp>
#include <mmm/choose/best.hpp>
#include <mmm/choose/known_candidates.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/emit/kernel_problem.hpp>
#include <mmm/gpu/devices.hpp>
#include <mmm/report/prediction_text.hpp>

#include <cstddef>
#include <iterator>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

//! The kernel for a problem on a GPU, chosen among mmm::known by predicted time.
namespace mmm {

//! A candidate's name and its prediction.
struct rated_candidate {
  std::string name;
  candidate_prediction found;
};

//! The chosen candidate, its launch, and the other candidates.
struct chosen_kernel {
  std::string candidate;  //!< its name in `rated`
  std::string algorithm;  //!< its name in C++, without namespace mmm
  grid_plan plan;
  prediction time;
  std::string machine;                 //!< the type of the machine of its launch in C++
  index threads = 0;                   //!< of all blocks
  std::vector<rated_candidate> rated;  //!< all candidates, in the order of the list
};

namespace detail {

//! The name of the algorithm that a candidate's name begins with: it ends before the launch.
[[nodiscard]] inline std::string algorithm_name(std::string const& candidate) {
  std::string const name = candidate.substr(0, candidate.find(", "));
  return name.substr(0, name.find(" on a "));
}

//! The machine of a launch. Its shared memories have the GPU's bytes, counted in values.
[[nodiscard]] inline planned_hmm launched_machine(gpu::device_facts const& facts,
                                                  grid_plan const& plan) {
  index const bytes = gpu::detail::split(facts, plan.blocks_per_sm).shared_bytes_per_block;
  return planned_hmm(facts.sms * plan.blocks_per_sm, facts.shared_latency, facts.global_latency,
                     bytes / plan.conditions.value_bytes, facts.ports());
}

//! The type of a machine in C++.
[[nodiscard]] inline std::string spelled(planned_hmm const& m) {
  std::string text = "mmm::hmm<" + std::to_string(m.dmms()) + ", 32";
  for (index const x :
       {m.shared().latency(), m.global().latency(), m.capacity(), m.global().ports()})
    text += ", " + std::to_string(x);
  return text + ">";
}
[[nodiscard]] inline std::string spelled(planned_umm const& m) {
  return "mmm::umm<32, " + std::to_string(m.latency()) + ", " + std::to_string(m.ports()) + ">";
}

template <problem_kind Kind>
using kind_constant = std::integral_constant<problem_kind, Kind>;

//! Calls `use` with the kind and with the candidates for a problem of it.
template <problem_kind Kind, class Use>
void with_candidates_of(kernel_problem const& problem, Use const& use) {
  auto const of_kind = [&](auto const& candidates) { use(kind_constant<Kind>{}, candidates); };
  if constexpr (Kind == problem_kind::copies) of_kind(known::copies);
  if constexpr (Kind == problem_kind::sums) of_kind(known::sums);
  if constexpr (Kind == problem_kind::scans) of_kind(known::scans);
  if constexpr (Kind == problem_kind::sorts) of_kind(known::sorts);
  if constexpr (Kind == problem_kind::transposes)
    of_kind(extended_candidates{known::transposes, known::further_transposes, problem.wide});
  if constexpr (Kind == problem_kind::products) of_kind(known::products);
  if constexpr (Kind == problem_kind::convolutions)
    of_kind(extended_candidates{known::convolutions(taps(problem.taps)),
                                known::further_convolutions(taps(problem.taps)), problem.wide});
  if constexpr (Kind == problem_kind::summed_areas) of_kind(known::summed_areas);
  if constexpr (Kind == problem_kind::image_convolutions)
    [&]<index... Radius>(std::integer_sequence<index, Radius...>) {
      (..., (problem.radius == Radius + 1 ? of_kind(known::images<Radius + 1>) : void()));
    }(std::make_integer_sequence<index, kernel_problem::max_radius>{});
}
//! Calls `use` with the candidates for a problem.
template <class Use>
void with_candidates(kernel_problem const& problem, Use const& use) {
  [&]<int... Kind>(std::integer_sequence<int, Kind...>) {
    (..., (problem.kind == static_cast<problem_kind>(Kind)
               ? with_candidates_of<static_cast<problem_kind>(Kind)>(problem, use)
               : void()));
  }(std::make_integer_sequence<int, static_cast<int>(std::size(problem_names))>{});
}

//! Calls `use(kind, machine, algorithm, parameters …)` for the chosen candidate among those that
//! `with` calls its argument with.
template <class With, class Use>
void with_chosen(gpu::device_facts const& facts, chosen_kernel const& chosen, With const& with,
                 Use const& use) {
  with([&](auto kind, auto const& candidates) {
    candidates.for_each([&](index, auto const& one) {
      if constexpr (requires { one.predict.with; }) {
        if (one.name == chosen.candidate)
          one.predict.with([&]<class A>(A const& a, auto const&... more) {
            if (chosen.plan.one_memory) {
              if constexpr (A::kinds.umm != 0)
                use(kind, planned_umm(facts.global_latency, facts.ports()), a, more...);
            } else {
              if constexpr (A::kinds.hmm != 0)
                use(kind, launched_machine(facts, chosen.plan), a, more...);
            }
          });
      }
    });
  });
}

//! The choice among the candidates that `with` calls its argument with.
template <class With>
[[nodiscard]] chosen_kernel chosen_among(gpu::device_facts const& facts,
                                         kernel_problem const& problem, With const& with) {
  problem.check();
  if (facts.compute_capability < least_capability)
    detail::reject("ten times the compute capability", facts.compute_capability,
                   "75 or more, which nvcc 13 compiles for");
  chosen_kernel chosen;
  with([&](auto, auto const& candidates) {
    int best = -1;
    candidates.for_each([&](index, auto const& one) {
      // An emitted kernel does not change what it transposes.
      if (problem.kind == problem_kind::transposes && one.plan.one_memory) return;
      if constexpr (requires { one.predict.with; }) {
        grid_plan plan = one.plan;
        plan.conditions.value_bytes = problem.type.bytes;
        chosen.rated.push_back({one.name, one.predict(facts, plan, size(problem.size))});
        candidate_prediction const& found = chosen.rated.back().found;
        if (!found.possible || (best >= 0 && chosen.time.microseconds <= found.time.microseconds))
          return;
        best = static_cast<int>(chosen.rated.size()) - 1;
        chosen.plan = plan;
        chosen.time = found.time;
      }
    });
    if (best < 0) {
      std::string text =
          std::string("mmm: no candidate for ") + problem.name() + " can run on this GPU:";
      for (rated_candidate const& one : chosen.rated)
        text += " " + one.name + ": " + report::detail::condition_text(one.found.unmet) + ";";
      text.back() = '.';
      throw std::invalid_argument(text);
    }
    static_cast<void>(detail::fitting(chosen.time));
    std::string const& name = chosen.candidate = chosen.rated[static_cast<std::size_t>(best)].name;
    chosen.algorithm = detail::algorithm_name(name);
    chosen.threads = facts.sms * chosen.plan.blocks_per_sm * chosen.plan.threads;
    if (chosen.plan.one_memory)
      chosen.machine = detail::spelled(detail::planned_umm(facts.global_latency, facts.ports()));
    else
      chosen.machine = detail::spelled(detail::launched_machine(facts, chosen.plan));
  });
  return chosen;
}

}  // namespace detail

//! The candidate of mmm::known with the least predicted time for a problem on a GPU, among those
//! that are one call of an algorithm, do not change what they read, and add up the values
//! themselves, not their transforms. Time: an estimate or two for each candidate. Errors:
//! std::invalid_argument for parameters that kernel_problem::check refuses, and for a GPU on which
//! no candidate can run; std::length_error if the arrays are larger than the GPU's memory.
template <class Problem = kernel_problem>  // candidates are instantiated where it is called
[[nodiscard]] chosen_kernel choose_kernel(gpu::device_facts const& facts,
                                          std::type_identity_t<Problem> const& problem) {
  return detail::chosen_among(facts, problem,
                              [&](auto const& use) { detail::with_candidates(problem, use); });
}
//! The same for a problem of kind `Kind`, without the instantiations of other kinds' candidates.
template <problem_kind Kind>
[[nodiscard]] chosen_kernel choose_kernel(gpu::device_facts const& facts, kernel_problem problem) {
  problem.kind = Kind;
  return detail::chosen_among(
      facts, problem, [&](auto const& use) { detail::with_candidates_of<Kind>(problem, use); });
}

}  // namespace mmm
