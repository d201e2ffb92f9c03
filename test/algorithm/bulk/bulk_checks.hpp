// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/bulk/bulk.hpp>
#include <mmm/execution/kernel/host_threads.hpp>

#include "support/problem_checks.hpp"

//! Bulk executions of a program, compared with plain programs.
namespace checks {

using words = std::vector<word>;
using matrix = std::vector<words>;  // the words of each input

//! The inputs as an arrangement has them in memory.
template <class Arrangement>
words arranged(Arrangement, matrix const& inputs, index of_input) {
  auto const k = static_cast<index>(inputs.size());
  words a(static_cast<std::size_t>(k * of_input));
  for (index i = 0; i < k; ++i)
    for (index j = 0; j < of_input; ++j)
      a[static_cast<std::size_t>(Arrangement::coalesced ? j * k + i : i * of_input + j)] =
          inputs[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  return a;
}

//! A program on inputs, simulated on a UMM and run on host threads. `expected`: the inputs
//! afterwards, by a plain program.
template <class Program, class Arrangement, class M>
void check_bulk(Program program, Arrangement arrangement, M const& m, index n, index p,
                matrix const& inputs, matrix const& expected) {
  auto const bulk = mmm::bulk(program, arrangement);
  auto const k = static_cast<index>(inputs.size());
  index const w = m.width();
  CAPTURE(bulk.name, Arrangement::coalesced, w, n, p, k);
  index const of_input = k == 0 ? 0 : static_cast<index>(inputs.front().size());
  words a = arranged(arrangement, inputs, of_input), of_kernel = a;
  words const right = arranged(arrangement, expected, of_input);
  auto const run = mmm::simulate(
      m, mmm::threads(p), [&](auto on) { bulk(on, a.begin(), mmm::size(n), mmm::inputs(k)); });
  CHECK(a == right);
  bool const divides = !Arrangement::coalesced || (p % w == 0 && k % p == 0);
  problem_figures(m, bulk, mmm::size(n), p, run, divides ? 1 : 2, mmm::inputs(k));
  index const t = mmm::memory_steps(program, mmm::size(n));
  if (k > 0 && k % p == 0) {  // the exact times, on one port
    if (Arrangement::coalesced && p % w == 0)
      CHECK(run.cost.time == t * (p / w + m.latency() - 1) * (k / p));
    if (!Arrangement::coalesced && of_input >= w)
      CHECK(run.cost.time == t * (p + m.latency() - 1) * (k / p));
  }
  if (w != 4) return;
  bulk(mmm::host_threads(mmm::umm<4, 5>{}, mmm::threads(p)), of_kernel.begin(), mmm::size(n),
       mmm::inputs(k));
  CHECK(of_kernel == right);
}

//! Both arrangements on narrow and wide machines.
template <class Program>
void check_bulk_on_all(Program program, index n, index p, matrix const& inputs,
                       matrix const& expected) {
  using machine = mmm::umm<mmm::dynamic, mmm::dynamic>;
  for (machine const& m : {machine(4, 5), machine(1, 1), machine(32, 1)}) {
    check_bulk(program, mmm::by_columns, m, n, p, inputs, expected);
    check_bulk(program, mmm::by_rows, m, n, p, inputs, expected);
  }
}

//! k inputs of n words: random, ascending, descending, all equal.
inline matrix sequences(index n, index k) {
  matrix inputs;
  for (index i = 0; i < k; ++i) {
    words a = numbers(n);
    for (index j = 0; j < n; ++j) {
      auto& x = a[static_cast<std::size_t>(j)];
      x = i % 4 == 0 ? (x * (i + 1)) % 97 : i % 4 == 1 ? j : i % 4 == 2 ? n - j : 7;
    }
    inputs.push_back(a);
  }
  return inputs;
}

}  // namespace checks
