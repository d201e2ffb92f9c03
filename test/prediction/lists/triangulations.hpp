// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../cases.hpp"

#include <utility>

//! Triangulations of polygons.
namespace prediction::triangulations {

template <class Runs>
void run_list(Runs& runs) {
  constexpr struct {
    index n;
    index p;
  } polygons[] = {{3, 32}, {8, 64}, {20, 100}, {33, 256}, {40, 512}};
  for (auto const [n, p] : polygons) {
    auto const run = [&runs, n = n, p = p](char const* name, auto const& machine,
                                           auto const& algorithm) {
      runs.template run<float>(
          name, text("n", n), machine, p,
          [=](auto on, float* a, float*, float*) { static_cast<void>(algorithm(on, a, n)); });
    };
    run("triangulation", umm, mmm::triangulation);
    run("triangulation_dp", umm, mmm::triangulation_dp);
    if constexpr (!few) run("triangulation_dp", pram, mmm::triangulation_dp);
    run("triangulation_dp_in_memory", umm, mmm::triangulation_dp_in_memory);
  }
  constexpr struct {
    index n;
    index d;
    index p;
  } blocked[] = {{3, 1, 64}, {33, 2, 512}, {64, 3, 3072}, {100, 4, 256}, {70, 2, 200}};
  for (auto const [n, d, p] : blocked)
    runs.template run<float>("triangulation_blocked", text("n", n, "d", d), hierarchy(d), p,
                             [n = n](auto on, float* a, float*, float*) {
                               static_cast<void>(mmm::triangulation_blocked(on, a, n));
                             });
  for (auto const [n, d] : {std::pair<index, index>{3, 1}, {64, 2}, {65, 3}, {130, 2}, {180, 5}})
    runs.template run<float>("triangulation_in_registers", text("n", n, "d", d), hierarchy(d),
                             256 * d, [n = n](auto on, float* a, float*, float*) {
                               static_cast<void>(mmm::triangulation_in_registers(on, a, n));
                             });
}

}  // namespace prediction::triangulations
