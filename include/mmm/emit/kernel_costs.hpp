// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/call/perform.hpp>
#include <mmm/algorithm/global_sectors.hpp>
#include <mmm/algorithm/parameters.hpp>
#include <mmm/algorithm/scatter.hpp>
#include <mmm/core/config.hpp>
#include <mmm/cost/cost.hpp>
#include <mmm/emit/chosen_kernel.hpp>
#include <mmm/emit/kernel_problem.hpp>
#include <mmm/gpu/devices.hpp>
#include <mmm/machine/machine.hpp>

#include <string>
#include <type_traits>

//! The costs of a chosen kernel.
namespace mmm {

//! The costs of a kernel's program on the machine of its launch.
struct kernel_costs {
  std::string parameters;  //!< besides the size and the threads, in C++: ", mmm::taps(32)"
  cost least;              //!< the cost
  cost greatest;           //!< differs from `least` if the cost depends on the data
  bool depends_on_data = false;
  global_sectors least_sectors;  //!< of the global memory
  global_sectors greatest_sectors;
  index bound = 0;  //!< the lower bound of the time
};

namespace detail {

//! A parameter in C++.
[[nodiscard]] inline std::string spelled(taps x) {
  return "mmm::taps(" + std::to_string(x.count) + ")";
}
[[nodiscard]] inline std::string spelled(tile x) {
  return "mmm::tile(" + std::to_string(x.side) + ")";
}
[[nodiscard]] inline std::string spelled(radius x) {
  return "mmm::radius(" + std::to_string(x.v) + ")";
}

//! The sectors and the cost of algorithm `a` as an emitted kernel calls it: a sum is stored.
template <problem_kind Kind, machine M, algorithm A, class... More>
[[nodiscard]] global_sectors sectors_of_call(M const& m, A const& a, index value_bytes,
                                             size const& n, threads p, More const&... more) {
  if constexpr (Kind == problem_kind::sums) {
    auto const problem = problem_of<A>(n, more...);
    global_sectors found = global_sectors_of_program(
        m, value_bytes, p, [&](auto& on) { problem.run(on, no_data{}, no_data{}); });
    found.cost = cost_of(m, a, n, p, more...);
    return found;
  } else {
    return global_sectors_of(m, a, value_bytes, n, p, more...);
  }
}

//! The costs of algorithm `a` on machine `m`: the least and the greatest ones, if they depend on
//! the data.
template <problem_kind Kind, machine M, algorithm A, class... More>
[[nodiscard]] kernel_costs costs_on(M const& m, A const& a, index value_bytes, index n, threads p,
                                    More const&... more) {
  kernel_costs found;
  found.depends_on_data = std::is_constructible_v<typename A::problem, size, More..., scatter>;
  auto const sectors = [&](auto const&... scattered) {
    return sectors_of_call<Kind>(m, a, value_bytes, size(n), p, more..., scattered...);
  };
  if constexpr (std::is_constructible_v<typename A::problem, size, More..., scatter>) {
    found.least_sectors = sectors(scatter::contiguous);
    found.greatest_sectors = sectors(scatter::conflicting);
  } else {
    found.least_sectors = found.greatest_sectors = sectors();
  }
  found.least = found.least_sectors.cost;
  found.greatest = found.greatest_sectors.cost;
  found.bound = lower_bound(m, a, size(n), p, more...).time;
  (..., (found.parameters += ", " + spelled(more)));
  return found;
}

//! The costs of a choice among the candidates that `with` calls its argument with.
template <class With>
[[nodiscard]] kernel_costs costs_among(gpu::device_facts const& facts,
                                       kernel_problem const& problem, chosen_kernel const& chosen,
                                       With const& with) {
  kernel_costs found;
  with_chosen(facts, chosen, with,
              [&](auto kind, auto const& m, auto const& a, auto const&... more) {
                found = costs_on<decltype(kind)::value>(m, a, problem.type.bytes, problem.size,
                                                        threads(chosen.threads), more...);
              });
  return found;
}

}  // namespace detail

//! The costs of the kernel that choose_kernel has chosen for a problem on a GPU. Time: an estimate,
//! or two if they depend on the data.
template <class Problem = kernel_problem>  // candidates are instantiated where it is called
[[nodiscard]] kernel_costs costs_of(gpu::device_facts const& facts,
                                    std::type_identity_t<Problem> const& problem,
                                    chosen_kernel const& chosen) {
  return detail::costs_among(facts, problem, chosen,
                             [&](auto const& use) { detail::with_candidates(problem, use); });
}

}  // namespace mmm
