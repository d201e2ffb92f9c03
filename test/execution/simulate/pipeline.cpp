// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The simulation against two machines written straight from the model's text.
#include "pipeline_checks.hpp"

namespace {

using mmm::index;
using namespace random_program;

// A DMM's only memory counts as shared memory in a program, and its latency is shared_latency in
// the description.
TEST_CASE("simulation of random programs on one memory agrees with the model's text",
          "[simulate]") {
  for (unsigned seed = 0; seed < 150; ++seed) {
    shape const s{seed % 3 != 0, 30, 3};
    compare_memories<1>(seed, s);
    compare_memories<4>(seed, s);
    compare_memories<mmm::dynamic>(seed, {s.masked, 150, 3});
  }
}

TEST_CASE("simulation of random programs on a hierarchical machine agrees with the model's text",
          "[simulate]") {
  for (unsigned seed = 0; seed < 200; ++seed) {
    shape const s{seed % 3 != 0, 20, 3};
    compare_hierarchies<1>(seed, s);
    compare_hierarchies<4>(seed, s);
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
