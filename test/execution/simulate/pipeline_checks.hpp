// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/execution/simulate/simulate.hpp>

#include "catch.hpp"
#include "support/random_program.hpp"

#include <algorithm>
#include <random>

//! Random programs: the simulation against two machines written straight from the model's text.
namespace random_program {

template <class M>
void compare(M const& m, machine const& description, unsigned seed, shape const& s) {
  std::mt19937 bits(seed);
  program const whole = random(bits, description, s);
  auto const run = mmm::simulate(m, mmm::threads(description.dmms * description.threads_per_dmm),
                                 [&](auto on) { random_program::run(on, whole); });
  auto const fast = mmm::simulate(
      m, mmm::threads(description.dmms * description.threads_per_dmm),
      [&](auto on) { random_program::run(on, whole); }, mmm::observe_cost);
  figures const expected = lock_step(description, whole);
  index const ticks = ticking(description, whole);
  CAPTURE(seed, description.width, description.dmms, description.threads_per_dmm,
          description.global_latency, description.shared_latency, description.ports);
  REQUIRE(run.cost.time == expected.time);
  REQUIRE(run.cost.rounds == expected.rounds);
  REQUIRE(run.cost.stages == expected.stages);
  REQUIRE_FALSE(run.cost.closed_form);
  REQUIRE(mmm::recomputed_time(m, run.trace) == expected.time);
  REQUIRE(run.pipelined_time == std::min(ticks, expected.time));
  REQUIRE(run.pipelined_time <= run.cost.time);
  // With one memory and one port, dispatching is never slower than rounds, so that pipelined time
  // needs no minimum.
  if (description.ports == 1 && (description.global_only || description.shared_only))
    REQUIRE(ticks <= expected.time);
  REQUIRE(fast.cost == run.cost);
  REQUIRE(fast.pipelined_time == run.pipelined_time);
  REQUIRE(fast.trace.entries.empty());
}

//! `W` is a width, or mmm::dynamic for any.
template <index W>
void compare_memories(unsigned seed, shape const& s) {
  std::mt19937 bits(seed * 77 + 1);
  auto const from_1_to = [&](index n) {
    return 1 + static_cast<index>(bits() % static_cast<unsigned>(n));
  };
  index const l = from_1_to(9);
  index const ports = from_1_to(3);
  if constexpr (W == mmm::dynamic) {
    using mmm::dynamic;
    index const w = from_1_to(64);
    index const p = from_1_to(3 * w);
    compare(mmm::dmm<dynamic, dynamic>(w, l), {w, false, true, 1, l, l, 1, p}, seed, s);
    compare(mmm::umm<dynamic, dynamic, dynamic>(w, l, ports), {w, true, false, 1, 1, l, ports, p},
            seed, s);
  } else {
    index const p = from_1_to(5 * W);
    compare(mmm::dmm<W, mmm::dynamic>(l), {W, false, true, 1, l, l, 1, p}, seed, s);
    compare(mmm::umm<W, mmm::dynamic>(l), {W, true, false, 1, 1, l, 1, p}, seed, s);
    compare(mmm::umm<W, mmm::dynamic, mmm::dynamic>(l, ports), {W, true, false, 1, 1, l, ports, p},
            seed, s);
  }
}

template <index W>
void compare_hierarchies(unsigned seed, shape const& s) {
  std::mt19937 bits(seed * 99 + 5);
  auto const from_1_to = [&](index n) {
    return 1 + static_cast<index>(bits() % static_cast<unsigned>(n));
  };
  index const d = from_1_to(4);
  index const l = from_1_to(4);
  index const global = from_1_to(12);
  index const ports = from_1_to(3);
  using mmm::dynamic, mmm::unlimited;
  if constexpr (W == dynamic) {
    index const w = from_1_to(64);
    mmm::hmm<dynamic, dynamic, dynamic, dynamic, unlimited, dynamic> const m(d, w, l, global,
                                                                             ports);
    compare(m, {w, false, false, d, l, global, ports, from_1_to(3 * w)}, seed, s);
  } else {
    mmm::hmm<dynamic, W, dynamic, dynamic, unlimited, dynamic> const m(d, l, global, ports);
    compare(m, {W, false, false, d, l, global, ports, from_1_to(4 * W)}, seed, s);
  }
}

}  // namespace random_program
