// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The simulation against two machines written straight from the model's text.
#include <mmm/execution/simulate/simulate.hpp>

#include "catch.hpp"
#include "support/random_program.hpp"

namespace {

using mmm::index;
using namespace random_program;

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

// A DMM's only memory counts as shared memory in a program, and its latency is shared_latency in
// the description.
TEST_CASE("simulation of random programs on one memory agrees with the model's text",
          "[simulate]") {
  for (unsigned seed = 0; seed < 150; ++seed) {
    shape const s{seed % 3 != 0, 30, 3};
    compare_memories<1>(seed, s);
    compare_memories<4>(seed, s);
#ifdef MMM_ALL_TESTS
    compare_memories<2>(seed, s);
    compare_memories<5>(seed, s);
#endif
    compare_memories<mmm::dynamic>(seed, {s.masked, 150, 3});
  }
}

TEST_CASE("simulation of random programs on a hierarchical machine agrees with the model's text",
          "[simulate]") {
  for (unsigned seed = 0; seed < 200; ++seed) {
    shape const s{seed % 3 != 0, 20, 3};
    compare_hierarchies<1>(seed, s);
    compare_hierarchies<4>(seed, s);
#ifdef MMM_ALL_TESTS
    compare_hierarchies<2>(seed, s);
#endif
    compare_hierarchies<mmm::dynamic>(seed, {s.masked, 150, 3});
  }
}

// With several ports, round-robin dispatching can be slower than lock step: the last warp's chain
// of requests starts late, behind requests of rounds that would hide it in lock step. Pipelined
// time is therefore the minimum of both.
TEST_CASE("pipelined time is never more than synchronous time, even where greedy dispatching is",
          "[simulate]") {
  machine const m{1, true, false, 1, 1, 1, 2, 9};
  step s{9, {}};
  for (index r = 0; r < 8; ++r) {
    random_program::access a{true, false, std::vector<index>(9, -1)};
    a.address[static_cast<std::size_t>(r)] = r;
    a.address[8] = 8;
    s.accesses.push_back(a);
  }
  program const whole{{true, s, {}}};
  auto const run = mmm::simulate<mmm::umm<1, 1, 2>>(
      mmm::threads(9), [&](auto on) { random_program::run(on, whole); });
  CHECK(lock_step(m, whole).time == 8);
  CHECK(ticking(m, whole) > 8);
  CHECK(run.cost.time == 8);
  CHECK(run.pipelined_time == 8);

  // Two DMMs: a later parallel-for of the second DMM delays an earlier one of the first DMM, which
  // cannot happen in lock step.
  machine const two{1, false, false, 2, 1, 1, 1, 8};
  auto const all = [](bool global) {
    step result{8, {}};
    for (index r = 0; r < 4; ++r)
      result.accesses.push_back({global, false, {0, 1, 2, 3, 4, 5, 6, 7}});
    return result;
  };
  program const phases{{false, {}, {{all(true), all(false)}, {step{}, all(true)}}}};
  auto const both = mmm::simulate<mmm::hmm<2, 1, 1, 1>>(
      mmm::threads(16), [&](auto on) { random_program::run(on, phases); });
  CHECK(lock_step(two, phases).time == 64);
  CHECK(ticking(two, phases) > 64);
  CHECK(both.cost.time == 64);
  CHECK(both.pipelined_time == 64);
}

}  // namespace
