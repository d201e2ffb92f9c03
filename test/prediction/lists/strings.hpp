// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../cases.hpp"

//! Dynamic programming: tables of two strings, and orders of chains of matrices.
namespace prediction::strings {

template <class Runs>
void run_list(Runs& runs) {
  constexpr struct {
    index n;
    index m;
    index d;
    index p;
  } cases[] = {{1, 1, 1, 32},    {100, 64, 2, 64}, {200, 5, 3, 192},
               {150, 33, 2, 80}, {30, 50, 1, 100}, {600, 32, 2, 256}};
  for (auto const [n, m, d, p] : cases) {
    auto const with = text("n", n, "m", m);
    auto const run = [&runs, &with, n = n, m = m](auto const& machine, index threads) {
      runs.template run<float>("string_matching", with, machine, threads,
                               [=](auto on, float* a, float* b, float* c) {
                                 static_cast<void>(mmm::string_matching(on, a, a + m, b, b + n, c));
                               });
      runs.template run<float>("lcs", with, machine, threads,
                               [=](auto on, float* a, float* b, float*) {
                                 static_cast<void>(mmm::lcs(on, a, a + m, b, b + n));
                               });
    };
    if constexpr (!few) run(dmm, p / d);
    if constexpr (!few) run(umm, p);
    run(hierarchy(d), p);
    runs.template run<float>(
        "string_matching_in_bits", with, hierarchy(d), p,
        [n = n, m = m](auto on, float* a, float* b, float* c) {
          auto const* const x = reinterpret_cast<char const*>(a);
          auto const* const y = reinterpret_cast<char const*>(b);
          static_cast<void>(mmm::string_matching_in_bits(on, x, x + m, y, y + n, c));
        });
  }
  constexpr struct {
    index n;
    index d;
    index p;
  } chains[] = {{1, 1, 64}, {2, 2, 128}, {20, 2, 200}, {33, 4, 256}};
  for (auto const [n, d, p] : chains) {
    auto const run = [&runs, n = n](auto const& machine, index threads) {
      runs.template run<float>("matrix_chain", text("n", n), machine, threads,
                               [=](auto on, float* a, float*, float*) {
                                 static_cast<void>(mmm::matrix_chain(on, a, a + n + 1));
                               });
    };
    if constexpr (!few) run(dmm, p / d);
    if constexpr (!few) run(umm, p);
    run(hierarchy(d), p);
  }
}

}  // namespace prediction::strings
