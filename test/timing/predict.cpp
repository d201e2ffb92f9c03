// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Predicted times and the choice among candidates: what decides changes as the theory says when a
// machine's parameter changes.
#include <mmm/fast.hpp>
#include <mmm/profile.hpp>
#include <mmm/space.hpp>

#include "catch.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace {

using mmm::index;
using mmm::time_limit;
using mmm::gpu::device_facts;

constexpr device_facts h100 = mmm::gpu::h100::facts;

mmm::prediction copied(device_facts const& facts, index n) {
  mmm::detail::planned_hmm const m = mmm::detail::machine_of(facts, {1, 1024});
  return mmm::predict_with(facts, mmm::gpu::timing_of(facts),
                           mmm::detail::code_of(mmm::copy_wide, "hmm", 1024, 4), {}, m,
                           mmm::copy_wide, mmm::size(n), mmm::threads(facts.sms * 1024));
}

mmm::prediction convolved(index d, index t, index v) {
  mmm::hmm<mmm::dynamic, 32, 29, 690> const m(d);
  return mmm::predict<mmm::gpu::h100>(m, mmm::image_convolution, mmm::size(1024),
                                      mmm::threads(d * t), mmm::radius(v));
}

bool near(double a, double b, double share) {
  return std::max(a, b) - std::min(a, b) <= share * std::max(a, b);
}

// A GPU for the theory: instructions and caches cost nothing, and the global memory's ports and the
// latencies are those given.
struct theory {
  index d;
  index shared_latency;
  index global_latency;
  index ports = 1;

  template <class A, class... More>
  mmm::prediction operator()(A const& a, index n, index threads_per_dmm,
                             More const&... more) const {
    device_facts facts = h100;
    facts.sms = d;
    facts.clock_mhz = 1000;
    facts.bandwidth_gb = 128 * ports;
    facts.l2_bytes = 0;
    facts.shared_latency = shared_latency;
    facts.global_latency = global_latency;
    mmm::gpu::timing_facts timing = mmm::gpu::timing_of(facts);
    timing.copy_share = 1;
    timing.global_latency = timing.l2_latency = static_cast<double>(global_latency);
    timing.l2_bytes = timing.sm_bytes = 1e9;
    timing.l2_scattered_sectors = 0;
    timing.launch_us = timing.grid_barrier_us = timing.arrival_clocks = 0;
    timing.barrier_clocks = timing.barrier_of_warp = 0;
    mmm::kernel_code none{};
    none.per_warp = none.per_step = none.per_item = none.per_global = none.per_shared = 0;
    mmm::hmm<mmm::dynamic, 32, mmm::dynamic, mmm::dynamic> const m(d, shared_latency,
                                                                   global_latency);
    return mmm::predict_with(facts, timing, none, {}, m, a, mmm::size(n),
                             mmm::threads(d * threads_per_dmm), more...);
  }
};

}  // namespace

TEST_CASE("a copy's demand is its words, read and written") {
  mmm::hmm<mmm::dynamic, 32, 1, 1> const m(4);
  auto const d = mmm::detail::demand_of(m, mmm::copy_wide, mmm::size(1 << 16), mmm::threads(1024));
  CHECK(d.traffic_bytes == 8.0 * (1 << 16));
  CHECK(d.read_bytes == 4.0 * (1 << 16));
  CHECK(d.warps == 32);
  CHECK(d.items == 256);  // of two vecs each
  CHECK(d.global_requests == 1024);
  CHECK(d.shared_requests == 0);
  auto const none = mmm::detail::demand_of(m, mmm::copy_wide, mmm::size(0), mmm::threads(1024));
  CHECK(none.traffic_bytes == 0);
}

TEST_CASE("time follows the bandwidth where it limits, and the launch where nothing else does") {
  index const n = index{1} << 28;
  mmm::prediction const p = copied(h100, n);
  CHECK(p.limit == time_limit::global_bandwidth);
  device_facts twice = h100;
  twice.bandwidth_gb *= 2;
  // but for the instructions, which overlap in part
  CHECK(near(2 * copied(twice, n).microseconds, p.microseconds, 0.06));
  device_facts much = h100;
  much.bandwidth_gb *= 100;
  CHECK(copied(much, n).limit != time_limit::global_bandwidth);
  mmm::prediction const none = copied(h100, 0);
  CHECK(none.limit == time_limit::launch);
  CHECK(none.microseconds < 1.2 * mmm::gpu::timing_of(h100).launch_us);
  double last = 0;
  for (index k = 10; k <= 28; k += 2) {
    double const time = copied(h100, index{1} << k).microseconds;
    CHECK(time >= last);
    last = time;
  }
}

TEST_CASE("waves: blocks that do not fit beside each other follow each other") {
  // 1024 threads of 64 registers are all that a multiprocessor has: 256 blocks take two rounds.
  CHECK(convolved(256, 1024, 3).blocks_per_sm == 1);
  CHECK(near(convolved(256, 1024, 3).microseconds, convolved(128, 1024, 3).microseconds, 0.03));
  CHECK(convolved(256, 64, 3).microseconds < 0.6 * convolved(128, 64, 3).microseconds);
}

TEST_CASE("barriers of the grid: one between two parallel-fors, in every trip of a loop") {
  mmm::umm<32, 690> const m;
  auto const barriers = [&](auto const& algorithm, auto const&... sizes) {
    return mmm::predict<mmm::gpu::h100>(m, algorithm, sizes...).grid_barriers;
  };
  // the copy of the words, which the sum works on, and ten levels
  CHECK(barriers(mmm::sum, mmm::size(1024), mmm::threads(512)) == 10);
  // Each tap's step is followed by one; so is that of the outputs that are left over, of which
  // there are none here, but a kernel waits all the same.
  index const few = barriers(mmm::convolution, mmm::size(512), mmm::threads(512), mmm::taps(8));
  index const many = barriers(mmm::convolution, mmm::size(512), mmm::threads(512), mmm::taps(72));
  CHECK(many - few == 2 * 64);
}

TEST_CASE("barriers of the grid: blocks arrive one after the other, and stores are waited for") {
  auto const timing = mmm::gpu::timing_of(h100);
  auto const after = [&](index blocks, mmm::access_kind kind) {
    mmm::detail::timing_model model(h100, timing, {blocks, 256, true, false}, {}, 4, false);
    auto const program = [&] {
      for (int k = 0; k < 101; ++k) {
        model.begin_step({blocks * 256, blocks * 256, 1, true, 1, true});
        model.access({false, kind, 1, blocks * 8});
        model.end_step();
      }
      model.end();
    };
    program();
    model.begin_timing();
    program();
    return model;
  };
  using enum mmm::access_kind;
  CHECK(after(132, write).grid_barriers() == 100);
  double const of_few = after(132, write).barrier_microseconds();
  double const of_many = after(528, write).barrier_microseconds();
  CHECK(near(of_few, 100 * 1.136, 0.01));  // as measured, with nothing between
  CHECK(near((of_many - of_few) * static_cast<double>(h100.clock_mhz), 100 * 396, 1e-9));
  // none is loaded, and the kernel's end waits as well
  CHECK(near(after(132, write).spent().memory_stall, 101 * timing.l2_latency, 1e-9));
}

// A program of two sets of tiles, each of its own part of the DMMs or of all.
static double tiles_take(index first_of_others, bool look_back) {
  mmm::kernel_code code{};
  code.registers = 16;
  mmm::detail::timing_model model(h100, mmm::gpu::timing_of(h100), {132, 256, false, false}, code,
                                  4, false);
  auto const program = [&] {
    model.allocated(false, 1 << 20);
    auto const tiles = [&](index first, index dmms) {
      model.assign_tiles({first, dmms}, 0, dmms * 8, 1);
      model.begin_step({256 * 16, 256, dmms, false, 8, true});
      model.access({false, mmm::access_kind::read, 1, dmms * 16 * 8 * 8});
      model.end_step();
      if (!look_back) return;
      model.look_back(32, mmm::detail::every_tile);
      model.begin_step({1, 256, dmms, false, 8, true});
      model.access({false, mmm::access_kind::update, 1, dmms * 8});
      model.end_step();
    };
    tiles(0, 66);
    tiles(first_of_others, 66);
    model.machine_wide_barrier(1);
    model.end();
  };
  program();
  model.begin_timing();
  program();
  return model.microseconds();
}

TEST_CASE("DMMs with tiles of their own work at the same time") {
  CHECK(tiles_take(66, false) < 0.6 * tiles_take(0, false));
}

// Tiles from number 0 on and more whose numbers begin at `from`, on 132 DMMs.
static double assigned_on(index tiles, index from, index more) {
  mmm::kernel_code code{};
  code.registers = 16;
  mmm::detail::timing_model model(h100, mmm::gpu::timing_of(h100), {132, 256, false, false}, code,
                                  4, false);
  auto const program = [&] {
    model.allocated(false, 1 << 20);
    for (index const count : {tiles, more}) {
      model.assign_tiles({0, 132}, count == tiles ? 0 : from, count, 1);
      for (index const dmms : {index{132}, count % 132}) {
        index const passes = dmms == 132 ? count / 132 : 1;
        if (passes == 0 || dmms == 0) continue;
        model.begin_step({256 * 16, 256, dmms, false, passes, true});
        model.access({false, mmm::access_kind::read, 1, dmms * 16 * 8 * passes});
        model.end_step();
      }
    }
    model.end();
  };
  program();
  model.begin_timing();
  program();
  return model.microseconds();
}

TEST_CASE("tiles whose numbers go on continue the assignment, without waiting") {
  double const one = assigned_on(100, 0, 30) / 2;  // each set from the first DMM on
  CHECK(near(assigned_on(100, 100, 30), one, 0.1));
  CHECK(near(assigned_on(100, 100, 40), 2 * one, 0.1));  // the first eight DMMs have two
  CHECK(near(assigned_on(264, 264, 30), 3 * one, 0.1));
  CHECK(near(assigned_on(270, 270, 30), 3 * one, 0.1));
  CHECK(near(assigned_on(270, 270, 162), assigned_on(270, 270, 132), 0.1));
  // Borders of a small image are other multiprocessors' work.
  mmm::detail::planned_hmm const m(264, 29, 690, mmm::unlimited, 1);
  auto const time = [&](index side) {
    return mmm::predict<mmm::gpu::h100>(m, mmm::image_convolution_in_registers<3>, mmm::size(side),
                                        mmm::threads(264 * 256))
        .microseconds;
  };
  CHECK(near(time(512), time(128), 0.02));
}

TEST_CASE("a last pass that few blocks take has multiprocessors for itself") {
  mmm::kernel_code code{};
  code.registers = 128;  // four blocks of 128 threads side by side
  auto const passes = [&](index last) {
    mmm::detail::timing_model model(h100, mmm::gpu::timing_of(h100), {528, 128, false, false}, code,
                                    4, false);
    auto const program = [&] {
      model.assign_tiles({0, 528}, 0, 528 + last, 1);
      for (index const dmms : {index{528}, last}) {
        if (dmms == 0) continue;
        model.begin_step({128 * 64, 128, dmms, false, 1, true});
        model.access({true, mmm::access_kind::read, 1, dmms * 4 * 64 * 8});
        model.end_step();
      }
      model.end();
    };
    program();
    model.begin_timing();
    program();
    return model.microseconds();
  };
  double const one = passes(0);
  CHECK(near(passes(528), 2 * one, 0.02));
  CHECK(passes(132) < 1.5 * one);
  CHECK(passes(132) > 1.1 * one);
  CHECK(near(passes(1), passes(132), 0.02));
  // 576 tiles of 64 x 64, on 132 multiprocessors with four blocks each
  auto const time = [](auto const& algorithm, index t) {
    mmm::detail::planned_hmm const m(264, 29, 690, mmm::unlimited, 1);
    return mmm::predict<mmm::gpu::h100>(m, algorithm, mmm::size(1536), mmm::threads(264 * t))
        .microseconds;
  };
  CHECK(time(mmm::matrix_multiply_in_smaller_tiles, 128) <
        time(mmm::matrix_multiply_in_registers, 256));
}

TEST_CASE("tiles that look back wait for each other") {
  double const waits = tiles_take(0, true) - tiles_take(0, false);
  auto const timing = mmm::gpu::timing_of(h100);
  // 132 tiles at once: three rounds of reading the states of 32 others, after the own is written
  CHECK(waits > 16 * 4 * timing.l2_latency / static_cast<double>(h100.clock_mhz));
}

TEST_CASE("lines that others have written leave the cache as a program's come") {
  auto const extra = [](index n) {
    mmm::prediction_conditions written;
    written.written_cache = true;
    auto const bytes = [&](mmm::prediction_conditions const& c) {
      auto const p = mmm::predict_under<mmm::gpu::h100>(
          c, mmm::detail::planned_hmm(132, 29, 690, mmm::unlimited, 1), mmm::sum_wide, mmm::size(n),
          mmm::threads(132 * 1024));
      return p.parts[static_cast<int>(time_limit::global_bandwidth)];
    };
    return bytes(written) / bytes({});
  };
  CHECK(near(extra(1 << 22), 1.65, 0.01));           // 17 MB: 65 % of the lines are to be written
  CHECK(near(extra(index{1} << 28), 1.032, 0.002));  // 34 MB of 1074 MB more
}

TEST_CASE("neighbouring lanes share wide loads of the shared memory, where that was measured") {
  auto const stages = [](device_facts const& facts, mmm::access_kind kind, index words,
                         auto const& address) {
    mmm::detail::timing_model model(facts, mmm::gpu::timing_of(facts), {1, 32, false, false}, {}, 4,
                                    false);
    model.begin_step({64, 32, 1, false, 1, true});
    return model.served({true, kind, words, 8}, address);
  };
  using enum mmm::access_kind;
  using mmm::item;
  CHECK(stages(h100, read, 4, item / 2) == 4);
  CHECK(stages(h100, read, 4, item / 4 * 2 + item % 2) == 4);
  CHECK(stages(h100, read, 2, item / 16 + 3) == 4);
  CHECK(stages(h100, read, 4, item) == 8);
  CHECK(stages(h100, read, 4, item % 8) == 8);
  CHECK(stages(h100, write, 4, item / 2) == 8);
  CHECK(stages(h100, read, 1, item / 2) == 8);
  device_facts ada = h100;
  ada.compute_capability = 89;
  CHECK(stages(ada, read, 4, item / 2) == 8);
}

TEST_CASE("predictions for an H100 are near what was measured there") {
  struct {
    index d;
    index t;
    index v;
    double measured;
  } const points[] = {{1, 64, 3, 91701.8},  {1, 256, 3, 26934.2},  {1, 1024, 3, 13457.6},
                      {16, 512, 3, 1083.0}, {128, 1024, 5, 251.9}, {1, 1024, 1, 4905.2}};
  for (auto const& [d, t, v, measured] : points) {
    CAPTURE(d, t, v);
    CHECK(near(convolved(d, t, v).microseconds, measured, 0.15));
  }
  CHECK(convolved(1, 64, 3).limit == time_limit::latency);
  CHECK(convolved(1, 1024, 3).limit == time_limit::instruction_issue);
}

TEST_CASE("what limits a product without instructions is what the paper says: m against d") {
  int compared = 0;
  for (index const d : {2, 4, 8, 32, 64, 128})
    for (index const m : {4, 8, 16, 32, 64}) {
      if (m == d) continue;  // both take the same time
      CAPTURE(d, m);
      mmm::prediction const p = theory{d, 1, 1}(mmm::matrix_multiply, 512, 1024, mmm::tile(m));
      mmm::hmm<mmm::dynamic, 32, 1, 1> const machine(d);
      mmm::regime const r = mmm::regime_of(machine, mmm::threads(d * 1024), mmm::tile(m));
      if (m < 32) continue;  // a row of such a submatrix is less than an address group
      CHECK((p.parts[static_cast<int>(time_limit::global_bandwidth)] >
             p.parts[static_cast<int>(time_limit::shared_bandwidth)]) ==
            (r.limited_by == mmm::limited_by::bandwidth));
      ++compared;
    }
  CHECK(compared == 10);
}

TEST_CASE("the chooser takes larger submatrices where the global memory decides: m g < d") {
  auto const of_side = [](char const* name, index d, index ports, index m) {
    return mmm::candidate{
        name, mmm::grid_plan{}, [=](device_facts const&, mmm::grid_plan const&, mmm::size n) {
          return mmm::candidate_prediction{
              true, theory{d, 1, 1, ports}(mmm::matrix_multiply, n.count, 1024, mmm::tile(m))};
        }};
  };
  for (index const d : {8, 64, 128})
    for (index const ports : {1, 8}) {
      CAPTURE(d, ports);
      mmm::candidates const both{of_side("32", d, ports, 32), of_side("64", d, ports, 64)};
      mmm::candidates const small{of_side("32", d, ports, 32)};
      double const least = mmm::best(h100, both, mmm::size(1024)).time.microseconds;
      bool const gains = mmm::best(h100, small, mmm::size(1024)).time.microseconds > 1.3 * least;
      CHECK(gains == (32 * ports < d));
      if (gains) CHECK(mmm::best(h100, both, mmm::size(1024)).number == 1);
    }
}

TEST_CASE("what limits an image convolution without instructions: (2v + 1)^2 against d") {
  for (index const d : {2, 4, 8, 64, 128})
    for (index const v : {0, 1, 2, 3, 7}) {
      index const area = (2 * v + 1) * (2 * v + 1);
      if (area < 3 * d && d < 3 * area) continue;  // about the same time
      CAPTURE(d, v);
      mmm::prediction const p = theory{d, 1, 1}(mmm::image_convolution, 1024, 1024, mmm::radius(v));
      mmm::hmm<mmm::dynamic, 32, 1, 1> const machine(d);
      mmm::regime const r = mmm::regime_of(machine, mmm::threads(d * 1024), mmm::radius(v));
      CHECK((p.parts[static_cast<int>(time_limit::global_bandwidth)] >
             p.parts[static_cast<int>(time_limit::shared_bandwidth)]) ==
            (r.limited_by == mmm::limited_by::bandwidth));
    }
}

TEST_CASE("latency is hidden by the threads that the paper asks for: w L <= p") {
  for (index const latency : {8, 64, 512})
    for (index const t : {32, 128, 1024}) {
      index const d = 16;
      CAPTURE(latency, t);
      mmm::prediction const p = theory{d, 1, latency}(mmm::copy_through_shared, 1 << 16, t);
      bool const hidden = 32 * latency <= d * t;
      CHECK((p.parts[static_cast<int>(time_limit::bytes_in_flight)] <=
             p.parts[static_cast<int>(time_limit::global_bandwidth)]) == hidden);
    }
}

TEST_CASE("the choice changes with the machine") {
  auto const product = [](device_facts const& facts, index side = 1024) {
    return mmm::best(facts, mmm::known::products, mmm::size(side));
  };
  CHECK(std::string(product(h100).name).find("_larger_parts") != std::string::npos);
  CHECK(std::string(product(h100, 4096).name).find("_registers") != std::string::npos);
  device_facts little = h100;  // shared memories too small for tiles in registers
  little.shared_bytes_per_block = 16384;
  CHECK(std::string(product(little).name).find("m = ") != std::string::npos);
  device_facts none = h100;
  none.shared_bytes_per_block = 512;
  CHECK_THROWS_AS(product(none), std::invalid_argument);
  device_facts few = h100;
  few.max_threads_per_block = 256;
  CHECK(product(few).plan.threads <= 256);

  // With few multiprocessors there are enough of the larger tiles, which need fewer loads.
  device_facts narrow = h100;
  narrow.sms = 8;
  CHECK(std::string(product(narrow).name).find("_smaller_tiles") == std::string::npos);

  // One multiprocessor has nobody to divide a sum with.
  index const n = 1 << 10;
  device_facts one = h100;
  one.sms = 1;
  mmm::choice const alone = mmm::best(one, mmm::known::sums, mmm::size(n));
  CHECK(alone.time.microseconds <=
        mmm::best(h100, mmm::known::sums, mmm::size(n)).time.microseconds);
  CHECK(alone.time.grid_barriers == 0);
  CHECK(mmm::best(h100, mmm::known::sums, mmm::size(1 << 24)).time.microseconds <
        mmm::best(one, mmm::known::sums, mmm::size(1 << 24)).time.microseconds / 20);
}

TEST_CASE("tiles side by side read the same words once") {
  // 201 MB of matrices, of which the cache holds a quarter
  mmm::prediction const p =
      mmm::best<mmm::gpu::rtx4090>(mmm::known::products, mmm::size(4096)).time;
  CHECK(p.limit == time_limit::instruction_issue);
  CHECK(p.parts[static_cast<int>(time_limit::global_bandwidth)] < 0.5 * p.microseconds);
}

TEST_CASE("values of 8 bytes are moved as twice as many of 4 bytes") {
  index const n = 1 << 26;
  mmm::prediction_conditions doubles;
  doubles.value_bytes = 8;
  double const time = mmm::best(h100, mmm::known::copies, mmm::size(n), doubles).time.microseconds;
  CHECK(near(time, mmm::best(h100, mmm::known::copies, mmm::size(2 * n)).time.microseconds, 0.03));
}

TEST_CASE("kernels of halves have code of their own, where it was counted") {
  auto const of = [](auto const& algorithm, index bytes) {
    return std::string(mmm::detail::code_of(algorithm, "hmm", 256, bytes).kernel);
  };
  CHECK(of(mmm::prefix_sums_one_pass, 2) == "prefix-sums-one-pass/hmm/halves");
  CHECK(of(mmm::prefix_sums_one_pass, 4) == "prefix-sums-one-pass/hmm");
  CHECK(of(mmm::prefix_sums_one_pass, 8) == "prefix-sums-one-pass/hmm");
  CHECK(of(mmm::sum_wide, 2) == "sum-wide/hmm");
  CHECK(of(mmm::matrix_multiply_in_registers, 2) == "matrix-multiply-in-registers/hmm/halves");
  CHECK(of(mmm::matrix_multiply_in_smaller_tiles, 2) == "matrix-multiply-in-registers/hmm");
  // measured on an H100: 3,243 microseconds by the kernel that mmm::fastest chose
  mmm::prediction_conditions halves;
  halves.value_bytes = 2;
  halves.written_cache = true;
  CHECK(near(mmm::best(h100, mmm::known::products, mmm::size(4096), halves).time.microseconds,
             3242.7, 0.1));
}

TEST_CASE("the places of the smallest and the largest value have code of their own") {
  auto const of = [](auto const& algorithm) {
    return mmm::detail::code_of(algorithm, "hmm", 256, 4);
  };
  using wide = std::remove_const_t<decltype(mmm::sum_wide)>;
  auto const small = of(mmm::detail::located_algorithm<wide, mmm::detail::less_than>{});
  auto const large = of(mmm::detail::located_algorithm<wide, mmm::detail::greater_than>{});
  CHECK(std::string(small.kernel) == "argmin/hmm");
  CHECK(small.variant == 1);
  CHECK(large.kernel == small.kernel);
  CHECK(large.variant == 1);
  CHECK(of(mmm::argmin).variant == 0);
  CHECK(std::string(of(mmm::argmax).kernel) == "argmin/hmm");
}

TEST_CASE("own candidates, in a list or in a tuple of Boost.Hana") {
  mmm::prediction quick{};
  quick.microseconds = 0.5;
  mmm::candidate const own{"mine", mmm::grid_plan{1, 64, false},
                           [=](device_facts const&, mmm::grid_plan const&, auto const&) {
                             return mmm::candidate_prediction{true, quick};
                           }};
  auto const wide = mmm::candidate_of("sum_wide", {1, 1024}, mmm::sum_wide);
  mmm::candidates const both{wide, own};
  CHECK(mmm::best<mmm::gpu::a100>(both, mmm::size(1000)).number == 1);
  CHECK(std::string(mmm::best<mmm::gpu::a100>(both, mmm::size(1000)).name) == "mine");
  mmm::candidates const only{wide};
  mmm::chooser<mmm::gpu::a100, decltype(only)> choose(only);
  for (int k = 0; k < 2; ++k)
    for (index const n : {0, 1, 1000, 1 << 20})
      CHECK(choose(n).time.microseconds ==
            mmm::best<mmm::gpu::a100>(only, mmm::size(n)).time.microseconds);
}

TEST_CASE("large copies and sums are limited by the memory on every GPU, the faster ones first") {
  double last = 1e9;
  mmm::gpu::for_each_device([&](char const* name, auto gpu) {
    CAPTURE(name);
    index const n = index{1} << 28;
    mmm::choice const c = mmm::best<decltype(gpu)>(mmm::known::sums, mmm::size(n));
    CHECK(c.time.limit == time_limit::global_bandwidth);
    CHECK(c.time.microseconds > 4e-3 * static_cast<double>(n) / decltype(gpu)::facts.bandwidth_gb);
    if (std::string(name) == "rtx4090") return;  // not a GPU with stacked memory
    CHECK(c.time.microseconds < last);
    last = c.time.microseconds;
  });
}

TEST_CASE(
    "a ranking has the bytes, the share of each limit and the cache's state of each candidate") {
  mmm::candidates const both{mmm::candidate_of("copy", {4, 256}, mmm::copy_wide),
                             mmm::candidate_of("uncounted", {1, 1024}, mmm::contiguous)};
  mmm::size const n(1 << 24);
  mmm::prediction_conditions const written{true, 4};
  auto const clean_rows = mmm::report::why<mmm::gpu::h100>(both, n).rows();
  auto const written_rows = mmm::report::why<mmm::gpu::h100>(both, n, written).rows();
  for (auto const* rows : {&clean_rows, &written_rows})
    for (auto const& row : *rows) {
      bool const copy = row[0] == "copy";
      CAPTURE(row[0]);
      auto const found = both.first.predict(
          mmm::gpu::h100::facts,
          {4, 256, false, rows == &written_rows ? written : mmm::prediction_conditions{}}, n);
      CHECK(row[3] == (copy ? "134" : "67"));  // 4 bytes are read of each element, 4 written
      CHECK((row[1].back() == '?') == !copy);
      if (!copy) continue;
      CHECK(found.time.counted);
      for (std::size_t k = 0; k < mmm::prediction::limits; ++k)
        CHECK(std::abs(std::stod(row[4 + k]) -
                       100 * found.time.parts[k] / found.time.microseconds) <= 0.5);
    }
  CHECK(clean_rows[0].back() == "clean");
  CHECK(written_rows[0].back() == "written");
  auto const quick = mmm::best<mmm::gpu::h100>(both, n);
  auto const slow = mmm::best<mmm::gpu::h100>(both, n, written);
  CHECK((!quick.time.written_cache && slow.time.written_cache));
  CHECK(quick.time.microseconds < slow.time.microseconds);
}

TEST_CASE("the picture of a ranking has a bar for each limit, as long as its time") {
  mmm::candidates const both{mmm::candidate_of("copy", {4, 256}, mmm::copy_wide),
                             mmm::candidate_of("uncounted", {1, 1024}, mmm::contiguous)};
  mmm::size const n(1 << 24);
  std::string const picture = mmm::report::why_svg<mmm::gpu::h100>("Copies", both, n);
  auto const place = [&](char const* text) { return picture.find(text); };
  auto const rows = mmm::report::why<mmm::gpu::h100>(both, n).rows();
  CHECK(place((rows[0][0] + ": " + rows[0][1] + " µs").c_str()) <
        place((rows[1][0] + ": " + rows[1][1].substr(0, rows[1][1].size() - 1) + " µs?").c_str()));
  double longest = 0;
  both.for_each([&](index, auto const& one) {
    auto const time = one.predict(mmm::gpu::h100::facts, one.plan, n).time;
    longest = std::max(longest, time.microseconds);
    for (double const alone : time.parts) longest = std::max(longest, alone);
  });
  auto const found = both.first.predict(mmm::gpu::h100::facts, {4, 256, false, {}}, n).time;
  std::size_t bars = 0;
  for (std::size_t at = 0; (at = picture.find("µs</title>", at)) != std::string::npos; ++at) ++bars;
  CHECK(bars == 2 * mmm::prediction::limits);
  auto const width = std::lround(found.parts[0] / longest * 610);
  CHECK(place((" width=\"" + std::to_string(width) + "\" height=\"9\"").c_str()) !=
        std::string::npos);
  CHECK(mmm::report::why_svg<mmm::gpu::gtx580>("Products", mmm::known::products, mmm::size(256))
            .find("left out: ") != std::string::npos);
}

TEST_CASE("arrays larger than a GPU's memory have no predicted time, but the bytes of both") {
  auto const rows = mmm::report::why<mmm::gpu::h100>(mmm::known::copies, mmm::size(index{1} << 34));
  auto const all = rows.rows();
  CHECK(std::count_if(all.begin(), all.end(), [](auto const& row) {
          return row[2] == "needs 137.4 GB, the GPU has 85.9";
        }) >= 2);
  for (auto const& row : all)
    CHECK((row[2] == "needs 137.4 GB, the GPU has 85.9" ||
           row[2].rfind("cannot run here: ", 0) == 0));
  CHECK_THAT(
      mmm::report::why_svg<mmm::gpu::h100>("Copies", mmm::known::copies, mmm::size(index{1} << 34)),
      Catch::Matchers::Contains("needs 137.4 GB, the GPU has 85.9"));
  auto const at = [](index n) {
    return mmm::predict<mmm::gpu::h100>(mmm::copy_wide, mmm::size(n), mmm::threads(132 * 1024));
  };
  index const words = (index{81920} << 20) / 8;  // of two arrays of floats
  CHECK(at(words).memory_bytes == at(words).gpu_bytes);
  CHECK(at(words).fits());
  CHECK_THROWS_WITH(at(words + 132 * 1024),
                    Catch::Matchers::Contains(
                        "bytes of arrays on this GPU: 85900427264 needed, 85899345920 available"));
  // a choice is made all the same
  auto const chosen = mmm::best<mmm::gpu::h100>(mmm::known::copies, mmm::size(index{1} << 34));
  CHECK_FALSE(chosen.time.fits());
}

TEST_CASE("fewer words than a tile of the one-pass scan take more steps than a whole tile") {
  using gpu = mmm::gpu::split<mmm::gpu::h100, 4>;
  mmm::threads const p(gpu::sms * 256);
  auto const steps = [&](index n) {
    auto const profile = mmm::profile_of<gpu>(mmm::prefix_sums_one_pass, mmm::size(n), p);
    return profile.rows[profile.count - 1].step + 1;
  };
  CHECK(steps(1024) == 14);
  CHECK(steps(256 * 32) == 6);
  mmm::known::scans.for_each([](index number, auto const& one) {
    if (number > 1) return;
    auto const time = [&](index n) {
      return one.predict(mmm::gpu::h100::facts, one.plan, mmm::size(n)).time.microseconds;
    };
    CHECK(time(1024) > time(65536));
  });
}

TEST_CASE(
    "a kernel without counted instructions is marked, and the library's candidates have none") {
  CHECK(!mmm::predict<mmm::gpu::h100>(mmm::contiguous, mmm::size(1 << 20), mmm::threads(132 * 256))
             .counted);
  CHECK(
      mmm::predict<mmm::gpu::h100>(mmm::sum, mmm::size(1 << 20), mmm::threads(132 * 256)).counted);
  auto const all_counted = [](auto const& candidates, auto const& n) {
    candidates.for_each([&](index, auto const& one) {
      CAPTURE(one.name);
      auto const found = one.predict(mmm::gpu::h100::facts, one.plan, n);
      CHECK((!found.possible || found.time.counted));
    });
  };
  all_counted(mmm::known::copies, mmm::size(1 << 20));
  all_counted(mmm::known::sums, mmm::size(1 << 20));
  all_counted(mmm::known::products, mmm::size(256));
  all_counted(mmm::known::sorts, mmm::size(1 << 20));
}

TEST_CASE("a ranking names each candidate, its time and its limit, the chosen one first") {
  std::string const text =
      mmm::report::text(mmm::report::why<mmm::gpu::gtx580>(mmm::known::products, mmm::size(256)));
  mmm::choice const c = mmm::best<mmm::gpu::gtx580>(mmm::known::products, mmm::size(256));
  CHECK(text.find(c.name) < text.find("matrix_multiply, m = 64"));
  CHECK(text.find("cannot run here") != std::string::npos);
  CHECK(text.find("instruction issue") != std::string::npos);
}
