// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/execution/kernel/host_threads.hpp>
#include <mmm/fast.hpp>

#include "catch.hpp"
#include "support/tensor_core_checks.hpp"

namespace checks::tensor_cores {

using machine = mmm::hmm<2, 32, 2, 7>;
//! Four warps, so that host threads can run them.
inline constexpr mmm::detail::tensor_core_algorithm<mmm::tensor_core_tiles<64, 64, 32, 32, 3>>
    small_tiles{};

//! The same with rows of 128 bytes in the shared memory.
inline constexpr mmm::detail::tensor_core_algorithm<mmm::tensor_core_tiles<64, 64, 32, 32, 2, 8>>
    long_steps{};

//! Compares a simulation with plain loops and with the estimate, and host threads, too, if asked.
template <class Multiply, class Example, class... Form>
void check_with(Multiply const& multiply, Example const& x, bool on_host_threads,
                Form const&... form) {
  CAPTURE(x.shape.rows, x.shape.inner, x.shape.columns, x.gap);
  auto const p = mmm::threads(2 * 128);
  auto const expected = x.expected();
  auto out = x.c;
  auto const call = [&](auto on) {
    x.run(multiply, on, x.a.begin(), x.b.begin(), out.begin(), form...);
  };
  auto const run = mmm::simulate<machine>(p, call);
  CHECK(out == expected);
  CHECK(run.races.empty());
  auto const cost = mmm::estimate<machine>(p, call);
  CHECK(cost.time == run.cost.time);
  CHECK(cost.stages == run.cost.stages);
  CHECK(cost.rounds == run.cost.rounds);
  if (!on_host_threads) return;
  out = x.c;
  call(mmm::host_threads<machine>(p));
  CHECK(out == expected);
}

template <class Example, class... Form>
void check(Example const& x, bool on_host_threads, Form const&... form) {
  check_with(small_tiles, x, on_host_threads, form...);
}

}  // namespace checks::tensor_cores
