// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../cases.hpp"

//! Bulk executions.
namespace prediction::bulk {

template <class Runs>
void run_list(Runs& runs) {
  constexpr struct {
    index n;
    index k;
    index p;
  } cases[] = {{2, 1, 32}, {3, 32, 32}, {8, 500, 96}, {32, 256, 256}, {33, 100, 512}};
  for (auto const [n, k, p] : cases) {
    auto const run = [&runs, n = n, k = k, p = p](char const* name, auto const& algorithm) {
      runs.template run<float>(name, text("n", n, "inputs", k), umm, p,
                               [=](auto on, float* a, float*, float*) {
                                 algorithm(on, a, mmm::size(n), mmm::inputs(k));
                               });
    };
    run("bulk_prefix_sums by columns", mmm::bulk(mmm::oblivious_prefix_sums{}, mmm::by_columns));
    run("bulk_prefix_sums by rows", mmm::bulk(mmm::oblivious_prefix_sums{}, mmm::by_rows));
    run("bulk_sort by columns", mmm::bulk(mmm::oblivious_sort{}, mmm::by_columns));
    if constexpr (!few) run("bulk_sort by rows", mmm::bulk(mmm::oblivious_sort{}, mmm::by_rows));
    if (n < 3 || n * n * k > max_words) continue;
    run("bulk_triangulation by columns",
        mmm::bulk(mmm::oblivious_triangulation{}, mmm::by_columns));
    if constexpr (!few)
      run("bulk_triangulation by rows", mmm::bulk(mmm::oblivious_triangulation{}, mmm::by_rows));
  }
}

}  // namespace prediction::bulk
