// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of the timing model, each against figures that are computed by hand.
#include <mmm/gpu/devices.hpp>
#include <mmm/timing/program_record.hpp>
#include <mmm/timing/timing_model.hpp>

#include "catch.hpp"

#include <cmath>

namespace {

using mmm::index;
using mmm::detail::resource_clocks;
using kind = mmm::access_kind;

bool equal(double a, double b) { return std::abs(a - b) <= 1e-9 * std::abs(b); }

mmm::gpu::device_facts facts_with(index compute_capability) {
  mmm::gpu::device_facts facts = mmm::gpu::h100::facts;
  facts.compute_capability = static_cast<int>(compute_capability);
  return facts;
}

//! The timing facts that are the same for most GPUs: 4 schedulers, 128 lanes for floats, 64 for
//! integers, 16 for conversions.
mmm::gpu::timing_facts common_timing() {
  mmm::gpu::timing_facts timing = mmm::gpu::timing_of(mmm::gpu::h100::facts);
  timing.shared_bytes_per_sm = 65536;
  return timing;
}

//! A step of one block of 4 warps whose stalls and wavefronts take so many clocks.
mmm::detail::branch_step step_of(double stalls, double wavefronts, index bodies = 1,
                                 index blocks = 1, index resident = 1) {
  mmm::detail::branch_step step;
  step.spent.dependency_stall = stalls;
  step.spent.shared_banks = wavefronts;
  step.bodies = bodies;
  step.blocks_per_sm = blocks;
  step.resident = resident;
  return step;
}

double clocks_of_branch(mmm::detail::branch_step const& step, bool in_step = false) {
  mmm::detail::dmm_branch branch;
  branch.add(step, 4);
  if (in_step) branch.set_in_step();
  return branch.end(4);
}

}  // namespace

TEST_CASE("clocks of two resources overlap as the sides of a right angle") {
  CHECK(equal(mmm::detail::overlapped(300, 400), 500));
  CHECK(mmm::detail::square_root(0) == 0);
  CHECK(equal(mmm::detail::square_root(1e-6), 1e-3));
  resource_clocks c;
  c.issue = 3;
  c.shared_banks = 4;
  c.global_memory = 6;
  c.l2_cache = 2;
  CHECK(c.throughput() == 6);
  c.global_memory = 1;
  CHECK(equal(c.throughput(), 5));
  c.memory_stall = 10;
  c.barrier_stall = 1;
  CHECK(c.latency() == 11);
  resource_clocks const all = c.of_blocks(3, 2);  // stalls of blocks side by side coincide
  CHECK(all.issue == 18);
  CHECK(all.memory_stall == 20);
}

TEST_CASE("occupancy: the scarcest of blocks, threads, registers and shared memory") {
  auto const timing = common_timing();
  auto const resident = [&](index capability, index threads, index registers, index bytes) {
    return mmm::detail::resident_blocks(facts_with(capability), timing, threads, registers, bytes);
  };
  CHECK(resident(70, 32, 16, 0) == 32);
  CHECK(resident(70, 256, 16, 0) == 8);
  CHECK(resident(70, 256, 33, 0) == 6);   // 40 registers are allocated
  CHECK(resident(70, 240, 128, 0) == 2);  // and those of 8 whole warps
  CHECK(resident(70, 256, 16, 20000) == 3);
  CHECK(resident(80, 256, 16, 20000) == 3);
  CHECK(resident(80, 256, 16, 21000) == 2);  // and 1024 bytes that the system takes
  CHECK(resident(80, 256, 16, 65536) == 0);
}

TEST_CASE("warps that work in step: of a block, or of a multiprocessor where there are no DMMs") {
  auto const groups = [](mmm::detail::launched_blocks const& launch) {
    auto const g = mmm::detail::warp_groups_of(launch, 132);
    return g.count * 1000 + g.warps;
  };
  CHECK(groups({300, 250, false, false}) == 300008);
  CHECK(groups({300, 256, true, false}) == 132024);  // up to three blocks each
  CHECK(groups({5, 256, true, false}) == 5008);
}

TEST_CASE("instruction issue: the slowest unit sets the interval") {
  auto const timing = common_timing();
  mmm::kernel_code code{};
  code.integers = 0.4;
  code.multiplies = code.floats = 0.5;
  code.special = 0.01;
  CHECK(mmm::detail::issue_interval(timing, code) == 1);
  code.floats = 0;  // 0.5 x 128 / 64 lanes
  CHECK(mmm::detail::issue_interval(timing, code) == 1);
  code.multiplies = 0.75;
  CHECK(equal(mmm::detail::issue_interval(timing, code), 1.5));
  code.integers = 0.8;
  CHECK(equal(mmm::detail::issue_interval(timing, code), 1.6));
  code.special = 0.25;
  CHECK(equal(mmm::detail::issue_interval(timing, code), 2));
  code.clocks = 2.5;
  CHECK(equal(mmm::detail::dependency_interval(timing, code), 7.5));  // 20 for one in four
  CHECK(mmm::detail::schedulers_in_use(timing, 3) == 3);
  CHECK(mmm::detail::schedulers_in_use(timing, 9) == 4);
}

TEST_CASE("register ports: an FFMA of three reads takes a clock more, unless its units take two") {
  auto timing = common_timing();
  mmm::kernel_code code{};
  code.integers = 0.4;
  code.multiplies = code.floats = 0.9;
  code.special = 0;
  code.clocks = 2;
  code.per_step = 0;
  code.per_item = 20;
  code.per_shared = 0;
  mmm::detail::step_requests requests;
  requests.shared_requests = 3;
  mmm::detail::step_bodies bodies;
  bodies.step = {
      .items = 128, .threads = 128, .dmms = 1, .machine_wide = false, .times = 1, .barrier = false};
  bodies.launched = {1, 4};
  auto const clocks = [&](double three_reads) {
    code.three_reads = three_reads;
    return mmm::detail::clocks_of_step(mmm::gpu::h100::facts, timing, code, {}, bodies, requests,
                                       0);
  };
  // a warp on each scheduler: 20 instructions, and 3 x 2 clocks more
  CHECK(equal(clocks(0).issue, 20));
  CHECK(equal(clocks(2).issue, 26));
  CHECK(equal(clocks(2).dependency_stall - clocks(0).dependency_stall, 6));
  timing.integer_lanes = 16;  // 20 x 0.4 x 128 / 16: those of the slower unit
  CHECK(equal(clocks(2).issue, 64));
  timing.integer_lanes = 64;
  timing.float_lanes = 64;  // 20 x 0.9 x 128 / 64: an FFMA takes two clocks with two reads, too
  CHECK(equal(clocks(2).issue, 36));
  CHECK(equal(clocks(2).dependency_stall, clocks(0).dependency_stall));
  timing.float_lanes = 128;
  timing.port_clocks = 1;
  CHECK(equal(clocks(2).issue, 20));
}

TEST_CASE("bodies of a step: one of a warp for every 32 items that it has") {
  mmm::detail::step_bodies bodies{{100, 64, 3, false, 2, true}, {3, 2}};
  CHECK(bodies.per_warp() == 2);
  CHECK(bodies.groups() == 3);
  CHECK(bodies.per_group() == 4);
  CHECK(bodies.total() == 24);
  bodies.step.machine_wide = true;  // 192 lanes
  CHECK(bodies.per_warp() == 1);
  CHECK(bodies.groups() == 2);
  CHECK(bodies.per_group() == 2);
  CHECK(bodies.total() == 8);
  bodies.step.items = 20;
  CHECK(bodies.busy_warps() == 1);
}

TEST_CASE("requests of a step: sectors of 32 bytes, as few as hold the words") {
  mmm::detail::step_requests coalesced;
  coalesced.add({false, kind::read, 1, 4}, 4, 4);
  CHECK(coalesced.global_bytes == 512);
  CHECK(coalesced.read_bytes == 512);
  CHECK(coalesced.loads_global);
  CHECK_FALSE(coalesced.stores_global);
  mmm::detail::step_requests scattered;
  scattered.add({false, kind::write, 1, 32}, 4, 1);
  CHECK(scattered.global_bytes == 1024);
  CHECK(scattered.read_bytes == 0);
  CHECK(scattered.stores_global);
  mmm::detail::step_requests shared;
  shared.add({true, kind::update, 2, 3}, 8, 1);
  CHECK(shared.shared_stages == 6);
  CHECK(shared.global_bytes == 0);
  CHECK(shared.loads_shared);
  mmm::kernel_code code{};
  code.per_item = 7;
  code.per_shared = 2;
  code.per_word = 0.5;
  CHECK(shared.instructions(code) == 10);
}

TEST_CASE("scattered sectors: requests of more lines than their bytes fill sectors") {
  using mmm::detail::scattered_sectors;
  CHECK(scattered_sectors(32, 128) == 32);  // a column
  CHECK(scattered_sectors(5, 128) == 5);
  CHECK(scattered_sectors(4, 128) == 0);  // each line has 32 bytes of the request
  CHECK(scattered_sectors(1, 32) == 0);
  CHECK(scattered_sectors(0, 0) == 0);
  mmm::detail::step_requests requests;
  requests.add({false, kind::read, 1, 4}, 4, 4);
  CHECK(requests.scattered == 0);
  requests.add({false, kind::write, 1, 128}, 4, 4);
  CHECK(requests.scattered == 128);
  requests.add({true, kind::write, 1, 128}, 4, 4);  // banks
  CHECK(requests.scattered == 128);
  auto timing = common_timing();
  timing.l2_scattered_sectors = 16;
  CHECK(mmm::detail::scattered_sector_clocks(timing, 128) == 8);
  // 4 warps on 2 of 8 multiprocessors: 4608 bytes at 512 a clock, and 128 sectors at 16
  timing.l2_bytes = 512;
  mmm::gpu::device_facts facts = mmm::gpu::h100::facts;
  facts.sms = 8;
  mmm::detail::step_bodies bodies;
  bodies.step = {
      .items = 64, .threads = 64, .dmms = 2, .machine_wide = false, .times = 1, .barrier = false};
  bodies.launched = {2, 2};
  auto const clocks =
      mmm::detail::clocks_of_step(facts, timing, mmm::kernel_code{}, {}, bodies, requests, 0);
  timing.l2_scattered_sectors = 0;  // not known
  auto const without =
      mmm::detail::clocks_of_step(facts, timing, mmm::kernel_code{}, {}, bodies, requests, 0);
  CHECK(equal(clocks.l2_cache - without.l2_cache, 8));
  CHECK(without.l2_cache > 0);
}

TEST_CASE("cold code: lines of 128 bytes, as many in flight as the stream buffer has entries") {
  auto timing = common_timing();
  timing.l2_latency = 300;
  timing.code_lines_in_flight = 10;
  mmm::kernel_code code{};
  CHECK(mmm::detail::cold_code_clocks(timing, code) == 0);  // not counted
  code.path = 800;                                          // of 16 bytes
  CHECK(equal(mmm::detail::cold_code_clocks(timing, code), 3000));
  timing.instruction_bytes = 8;
  CHECK(equal(mmm::detail::cold_code_clocks(timing, code), 1500));
}

TEST_CASE("cold code is added to a kernel's time once") {
  auto const clocks = [](double path) {
    mmm::kernel_code code{};
    code.path = path;
    mmm::detail::timing_model model(mmm::gpu::h100::facts, common_timing(),
                                    {132, 256, false, false}, code, 4, false);
    model.begin_timing();
    for (int k = 0; k < 2; ++k) {
      model.begin_step({4096, 256, 132, false, 3, true});
      model.end_step();
      model.machine_wide_barrier(1);
    }
    model.end();
    return model.microseconds() * static_cast<double>(mmm::gpu::h100::facts.clock_mhz);
  };
  double const added = clocks(1000) - clocks(0);
  CHECK(std::abs(added - 1000.0 * 16 / 128 * common_timing().l2_latency / 16) < 1e-6);
}

TEST_CASE("a kernel ends when its last stores are in the level-2 cache") {
  auto const clocks = [](bool shared, kind last) {
    mmm::detail::timing_model model(mmm::gpu::h100::facts, common_timing(),
                                    {132, 256, false, false}, {}, 4, false);
    model.begin_timing();
    model.begin_step({256, 256, 132, false, 1, true});
    model.access({false, kind::write, 1, 8 * 132});
    model.end_step();
    model.begin_step({256, 256, 132, false, 1, true});
    model.access({shared, last, 1, 8 * 132});
    model.end_step();
    model.end();
    return model.microseconds() * static_cast<double>(mmm::gpu::h100::facts.clock_mhz);
  };
  double const latency = common_timing().l2_latency;
  // an update waits for its load, too, as a read does
  CHECK(std::abs(clocks(false, kind::update) - clocks(false, kind::read) - latency) < 1e-6);
  CHECK(clocks(true, kind::write) + latency < clocks(false, kind::write) + 1e-6);
}

TEST_CASE("misses of the level-2 cache: first accesses, and later ones of evicted words") {
  mmm::detail::program_demand demand;
  demand.only_tiles = false;
  demand.words_global = 100;
  demand.traffic_bytes = 1200;
  demand.read_bytes = 800;
  auto const misses = [&](bool overwritten) {
    return mmm::detail::l2_misses_of(demand, 1000, 4, overwritten);
  };
  CHECK(equal(misses(false).load_share, 400.0 / 1200));
  // A third of the 400 bytes written are still in the cache at the end.
  CHECK(equal(misses(false).memory_share, (400 - 400.0 / 3) / 1200));
  CHECK(equal(misses(true).memory_share, (400 - 400.0 / 3 + 0.65 * 400) / 1200));
  // Twice what the cache retains: half of the later accesses miss.
  demand.words_global = 325;
  demand.traffic_bytes = demand.read_bytes = 3900;
  CHECK(equal(misses(false).load_share, 2.0 / 3));
  demand.only_tiles = true;
  demand.tile_passes = 1.5;  // each pass moves each word once
  CHECK(equal(misses(false).load_share, 0.5));
  demand.traffic_bytes = demand.read_bytes = 0;
  CHECK(misses(false).load_share == 1);
}

TEST_CASE("look-back: a tile inspects one window more in each round") {
  using mmm::detail::look_back_rounds;
  CHECK(look_back_rounds(32, 1) == 1);
  CHECK(look_back_rounds(32, 32) == 1);
  CHECK(look_back_rounds(32, 33) == 2);
  CHECK(look_back_rounds(32, 96) == 2);
  CHECK(look_back_rounds(32, 132) == 3);
  CHECK(look_back_rounds(4, 24) == 3);
  mmm::detail::look_back_wait wait;
  wait.announce(4, 24);
  CHECK_FALSE(wait.active());
  wait.begin_step();
  CHECK(wait.active());
  CHECK_FALSE(wait.in_step());
  CHECK(wait.latencies() == 4);
  wait.begin_step();
  CHECK_FALSE(wait.active());
}

TEST_CASE("barriers of the grid: a constant, and one block's arrival after the other") {
  auto timing = common_timing();
  timing.grid_barrier_us = 1;
  timing.arrival_clocks = 2;
  mmm::detail::grid_barrier_counter barriers;
  barriers.add(3);
  CHECK(barriers.pending());
  CHECK(equal(barriers.microseconds(timing, 250, 1000), 3 * 1.5));
  barriers.remove_pending();
  CHECK(barriers.count() == 2);
  CHECK_FALSE(barriers.pending());
  barriers.add(1);
  barriers.settle();
  CHECK(barriers.count() == 3);
  CHECK_FALSE(barriers.pending());
}

TEST_CASE("a branch: bodies overlap, and the last one before a barrier does not") {
  // latency 300, and three quarters of 400 clocks for other warps
  CHECK(equal(clocks_of_branch(step_of(300, 400)), 600));
  // the first of two bodies overlaps: 500
  CHECK(equal(clocks_of_branch(step_of(600, 800, 2)), 500 + 600));
  // two blocks side by side share what the barrier costs: 600 - 500
  CHECK(equal(clocks_of_branch(step_of(300, 400, 1, 2, 2)), std::hypot(300, 800) + 50));
  // one after the other
  CHECK(equal(clocks_of_branch(step_of(300, 400, 1, 2, 1)), 1200));
  CHECK(equal(clocks_of_branch(step_of(300, 400), true), 700 + 100));
}

TEST_CASE(
    "a branch: a phase that awaits copies overlaps as a whole, and its copies share latencies") {
  auto const clocks = [](index latest, double trips) {
    mmm::detail::branch_step step = step_of(100.0 * trips, 400.0 * trips);
    step.spent.memory_stall = 600.0 * trips;
    step.spent.barrier_stall = 50.0 * trips;
    step.trips = trips;
    step.barrier = true;
    mmm::detail::branch_step copying = step;
    copying.barrier = false;
    copying.spent.barrier_stall = copying.spent.shared_banks = copying.spent.dependency_stall = 0;
    step.spent.memory_stall = 0;
    mmm::detail::dmm_branch branch;
    branch.add(copying, 4);
    if (latest >= 0) branch.await_copies(latest);
    branch.add(step, 4);
    return branch.end(4);
  };
  // as it would be without await_copies: of two bodies one overlaps
  CHECK(equal(clocks(-1, 1), std::hypot(375, 200) + 375 + 150));
  CHECK(equal(clocks(0, 1), 50 + std::hypot(600 + 100, 400)));
  CHECK(equal(clocks(2, 1), 50 + std::hypot(200 + 100, 400)));  // three groups in flight
  CHECK(equal(clocks(2, 7), 7 * (50 + std::hypot(200 + 100, 400))));
}

TEST_CASE("a section takes the time of its longest branch, or of the memory for all") {
  auto const elapsed = [](index first_dmm, double bytes) {
    mmm::detail::grid_section section(4);
    for (index const first : {index{0}, first_dmm}) {
      section.assign_tiles({first, 66}, 0, 66);
      auto step = step_of(300, 400);
      step.spent.global_memory = bytes;
      section.branch().add(step, 4);
    }
    return section.end().elapsed;
  };
  CHECK(equal(elapsed(66, 0), 600));
  CHECK(equal(elapsed(0, 0), 1100));  // two bodies of one branch
  CHECK(equal(elapsed(66, 350), 700));
}

TEST_CASE("a partial last pass of continued tiles is a branch") {
  auto const elapsed = [](index first) {
    mmm::detail::grid_section section(4);
    section.assign_tiles({0, 132}, 0, 100);
    section.begin_step(100, false);
    section.branch().add(step_of(300, 400), 4);
    section.assign_tiles({0, 132}, first, 30);
    section.begin_step(30, false);
    section.branch().add(step_of(300, 400), 4);
    return section.end().elapsed;
  };
  CHECK(equal(elapsed(100), 600));
  CHECK(equal(elapsed(0), 1100));
  CHECK(equal(elapsed(101), 1100));  // tile 100 is missing
}

TEST_CASE("a replayed record gives another model what the first one had") {
  using mmm::detail::timing_model;
  auto const model = [] {
    return timing_model(mmm::gpu::h100::facts, common_timing(), {132, 256, false, false}, {}, 4,
                        false);
  };
  timing_model first = model();
  mmm::detail::program_record record(first, true);
  record.argument(mmm::detail::argument_use::update, 4096, 4096, false);
  record.allocated(false, 4096);
  record.allocated(true, 64);
  record.look_back_states(132);
  record.assign_tiles({0, 132}, 0, 264, 3);
  record.begin_step({256, 256, 132, false, 2, true});
  record.access({true, kind::update, 2, 99});
  record.end_step();
  record.await_copies(1);
  record.look_back(32, 132);
  record.begin_step({1, 256, 132, false, 2, true});
  record.access({false, kind::write, 1, 132});
  record.end_step();
  record.machine_wide_barrier(1);
  record.first_alone();
  first.end();
  CHECK(record.complete());
  timing_model second = model();
  record.replay(second);
  second.end();
  CHECK(second.demand().traffic_bytes == first.demand().traffic_bytes);
  CHECK(second.demand().words_copied == 4096);
  CHECK(second.demand().words_shared == 64);
  CHECK(second.demand().tiles == 792);
  CHECK(second.demand().items == first.demand().items);
  first.begin_timing();
  record.replay(first);
  first.end();
  // of the argument's copy and the states' clearing: first_alone takes the last one's place
  CHECK(first.grid_barriers() == 2);
  CHECK(first.microseconds() > first.barrier_microseconds());
  for (int k = 0; k < 1 << 16; ++k) record.allocated(false, 1);
  CHECK_FALSE(record.complete());
}
