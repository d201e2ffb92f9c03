// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory_machine.hpp"

#include <functional>
#include <random>
#include <set>

using namespace memory_test;

// Litmus tests: small programs of two or three threads, whose steps are interleaved at random. Over
// many seeds, every outcome must be allowed by the memory model, and the weak outcomes that it
// allows must occur.

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr int seeds = 400;

//! A program of one thread (a lane of a warp of a block), step by step.
struct thread_program {
  int block;
  int warp;
  std::vector<std::string> steps;
};

struct world {
  explicit world(u64 seed)
      : weak(seed), random(seed * 7919 + 1), first(2), second(first, 1, 2), third(first, 2, 2) {
    for (machine* m : blocks()) m->self.weak = &weak;
    at = first.memory.allocate(4096, allocation_kind::device, 0);
    for (machine* m : blocks())
      for (int w = 0; w < 2; ++w) {
        m->set<u64>("%rd1", [&](int) { return at; }, w);         // x
        m->set<u64>("%rd2", [&](int) { return at + 512; }, w);   // y
        m->set<u64>("%rd3", [&](int) { return at + 1024; }, w);  // z
        m->set<u32>("%r8", [](int) { return 0; }, w);
        m->set<u32>("%r9", [](int) { return 1; }, w);
      }
  }
  std::array<machine*, 3> blocks() { return {&first, &second, &third}; }

  //! Runs the threads with random interleaving.
  void run(std::vector<thread_program> const& threads) {
    std::vector<std::size_t> next(threads.size());
    for (std::size_t left = threads.size(); left != 0;) {
      std::size_t const k = random() % threads.size();
      thread_program const& t = threads[k];
      if (next[k] == t.steps.size()) continue;
      std::string const& step = t.steps[next[k]++];
      machine& m = *blocks()[static_cast<std::size_t>(t.block)];
      if (step == "barrier of the block")
        weak.show_block(m.self.number);
      else if (step == "pause")  // accesses of other threads, which drain stores
        for (int n = 0; n < 20; ++n) m.run("ld.global.u32 %r20, [%rd3+64];", 1U, t.warp);
      else
        m.run(step, 1U, t.warp);
      if (next[k] == t.steps.size()) --left;
    }
  }

  u32 value(int block, int warp_number, std::string const& name) {
    return blocks()[static_cast<std::size_t>(block)]->values<u32>(name, warp_number)[0];
  }
  u32 word(std::size_t offset) const { return *reinterpret_cast<u32 const*>(at + offset); }

  weak_memory weak;
  std::mt19937_64 random;
  machine first;
  machine second;
  machine third;
  u64 at = 0;
};

//! The set of outcomes over all seeds.
std::set<std::vector<u32>> outcomes(std::vector<thread_program> const& threads,
                                    std::function<std::vector<u32>(world&)> const& seen) {
  std::set<std::vector<u32>> all;
  for (u64 seed = 0; seed < seeds; ++seed) {
    world w(seed);
    w.run(threads);
    all.insert(seen(w));
  }
  return all;
}

std::string const store_x = "st.global.u32 [%rd1], 1;";
std::string const store_y = "st.global.u32 [%rd2], 1;";
std::string const store_y_relaxed = "st.relaxed.gpu.global.u32 [%rd2], 1;";
std::string const read_y = "ld.relaxed.gpu.global.u32 %r1, [%rd2];";
std::string const read_x = "ld.global.u32 %r2, [%rd1];";

std::vector<u32> second_sees(world& w) { return {w.value(1, 0, "%r1"), w.value(1, 0, "%r2")}; }

}  // namespace

TEST_CASE("message passing between blocks", "[memory]") {
  std::vector<u32> const stale{1, 0};
  auto const run = [&](std::vector<std::string> const& writer) {
    return outcomes({{0, 0, writer}, {1, 0, {"pause", read_y, "fence.acq_rel.gpu;", read_x}}},
                    second_sees);
  };
  SECTION("without a fence the flag overtakes") {
    auto const seen = run({store_x, store_y_relaxed, "pause"});
    REQUIRE(seen.contains(stale));
    REQUIRE(seen.contains({1, 1}));
    REQUIRE(seen.contains({0, 0}));
  }
  SECTION("plain stores overtake each other, too") {
    REQUIRE(run({store_x, store_y, "pause", "pause"}).contains(stale));
  }
  SECTION("a fence of the block's scope is too small") {
    REQUIRE(run({store_x, "fence.acq_rel.cta;", store_y_relaxed, "pause"}).contains(stale));
    REQUIRE(run({store_x, "membar.cta;", store_y_relaxed, "pause"}).contains(stale));
    REQUIRE(run({store_x, "st.release.cta.global.u32 [%rd2], 1;", "pause"}).contains(stale));
  }
  SECTION("a fence, a release or an atomic release of the device's scope orders them") {
    for (std::string const fence :
         {"fence.acq_rel.gpu;", "membar.gl;", "membar.sys;", "fence.sc.sys;"})
      REQUIRE_FALSE(run({store_x, fence, store_y_relaxed, "pause"}).contains(stale));
    REQUIRE_FALSE(run({store_x, "st.release.gpu.global.u32 [%rd2], 1;", "pause"}).contains(stale));
    REQUIRE_FALSE(
        run({store_x, "red.release.gpu.global.add.u32 [%rd2], 1;", "pause"}).contains(stale));
    REQUIRE_FALSE(run({store_x, "atom.acq_rel.gpu.global.exch.b32 %r3, [%rd2], %r9;", "pause"})
                      .contains(stale));
    REQUIRE(run({store_x, "atom.global.exch.b32 %r3, [%rd2], %r9;", "pause"}).contains(stale));
  }
}

TEST_CASE("message passing within a block", "[memory]") {
  std::vector<u32> const stale{1, 0};
  auto const run = [&](std::string const& between) {
    return outcomes(
        {{0, 0, {store_x, between, store_y_relaxed, "pause"}}, {0, 1, {"pause", read_y, read_x}}},
        [](world& w) { return std::vector<u32>{w.value(0, 1, "%r1"), w.value(0, 1, "%r2")}; });
  };
  REQUIRE(run("pause").contains(stale));
  REQUIRE_FALSE(run("fence.acq_rel.cta;").contains(stale));
  REQUIRE_FALSE(run("membar.cta;").contains(stale));
  REQUIRE_FALSE(run("barrier of the block").contains(stale));
}

TEST_CASE("a fence orders what its thread has seen of others' (cumulativity)", "[memory]") {
  // Warp 0 of block 0 writes x; after a barrier of the block its warp 1 writes the flag for block
  // 1.
  auto const run = [&](std::vector<std::string> const& flagged) {
    std::set<std::vector<u32>> all;
    for (u64 seed = 0; seed < seeds; ++seed) {
      world w(seed);
      w.run({{0, 0, {store_x, "barrier of the block"}}});
      w.run({{0, 1, flagged}, {1, 0, {"pause", read_y, "fence.acq_rel.gpu;", read_x}}});
      all.insert(second_sees(w));
    }
    return all;
  };
  REQUIRE(run({store_y_relaxed, "pause"}).contains({1, 0}));
  REQUIRE_FALSE(run({"fence.acq_rel.gpu;", store_y_relaxed, "pause"}).contains({1, 0}));
}

TEST_CASE("store buffering", "[memory]") {
  std::string const other_y = "ld.global.u32 %r1, [%rd2];";
  std::string const other_x = "ld.global.u32 %r1, [%rd1];";
  auto const seen = [](world& w) {
    return std::vector<u32>{w.value(0, 0, "%r1"), w.value(1, 0, "%r1")};
  };
  REQUIRE(
      outcomes({{0, 0, {store_x, other_y}}, {1, 0, {store_y, other_x}}}, seen).contains({0, 0}));
  REQUIRE_FALSE(outcomes({{0, 0, {store_x, "fence.sc.gpu;", other_y}},
                          {1, 0, {store_y, "fence.sc.gpu;", other_x}}},
                         seen)
                    .contains({0, 0}));
}

TEST_CASE("a thread sees its own stores at once, and one address's values in order", "[memory]") {
  for (u64 seed = 0; seed < seeds; ++seed) {
    world w(seed);
    std::vector<std::string> writer;
    for (u32 k = 1; k <= 20; ++k) {
      std::string const value = std::to_string(k);
      // Different kinds of stores to one word alternate, with another width in between.
      if (k % 5 == 3)
        writer.push_back("st.relaxed.gpu.global.u32 [%rd1], " + value + ";");
      else if (k % 5 == 4)
        writer.push_back("st.global.u8 [%rd1], " + value + ";");
      else
        writer.push_back("st.global.u32 [%rd1], " + value + ";");
    }
    u32 last_seen[3] = {0, 0, 0};
    for (u32 k = 1; k <= 20; ++k) {
      w.first.run(writer[k - 1], 1U);
      w.first.run("ld.global.u32 %r2, [%rd1]; ld.global.u8 %r3, [%rd1];", 1U);
      if (w.value(0, 0, "%r2") != k || w.value(0, 0, "%r3") != k)
        FAIL("own store not seen, seed " << seed);
      for (int other = 0; other < 3; ++other) {
        machine& m = *w.blocks()[static_cast<std::size_t>(other)];
        int const warp_number = other == 0 ? 1 : 0;
        m.run(w.random() % 2 == 0 ? "ld.global.u32 %r4, [%rd1];"
                                  : "ld.relaxed.gpu.global.u32 %r4, [%rd1];",
              1U, warp_number);
        u32 const now = w.value(other, warp_number, "%r4");
        if (now < last_seen[other] || now > k) FAIL("values out of order, seed " << seed);
        last_seen[other] = now;
      }
    }
    w.weak.end();
    REQUIRE(w.word(0) == 20);
    REQUIRE(w.weak.waiting() == 0);
  }
}

TEST_CASE("an atomic operation acts on what its thread has written", "[memory]") {
  for (u64 seed = 0; seed < seeds; ++seed) {
    world w(seed);
    w.first.run("st.global.u32 [%rd1], 7;", 1U);
    w.first.run("atom.global.add.u32 %r1, [%rd1], 1;", 1U);
    if (w.value(0, 0, "%r1") != 7) FAIL("the store came after the sum, seed " << seed);
    w.first.run("st.global.u32 [%rd1], 20;", 1U);
    w.first.run("membar.cta;", 1U);
    // by another warp of the block, which has read 20
    w.first.run("atom.global.add.u32 %r1, [%rd1], 1;", 1U, 1);
    if (w.value(0, 1, "%r1") != 20) FAIL("the block's store came after the sum, seed " << seed);
    w.weak.end();
    REQUIRE(w.word(0) == 21);
  }
}

TEST_CASE("eight bytes are stored whole, four-byte elements of a vector apart", "[memory]") {
  std::set<u64> whole;
  std::set<u64> apart;
  for (u64 seed = 0; seed < seeds; ++seed) {
    world w(seed);
    w.first.set<u64>("%rd4", [](int) { return 0x0000000100000001U; });
    w.first.run("st.global.u64 [%rd1], %rd4; st.global.v2.u32 [%rd2], {%r9, %r9};", 1U);
    for (int k = 0; k < 40; ++k) {
      w.second.run(
          "ld.relaxed.gpu.global.u64 %rd5, [%rd1]; ld.relaxed.gpu.global.u64 %rd6, [%rd2];", 1U);
      whole.insert(w.second.values<u64>("%rd5")[0]);
      apart.insert(w.second.values<u64>("%rd6")[0]);
    }
  }
  REQUIRE(whole == std::set<u64>{0, 0x0000000100000001U});
  REQUIRE(apart.size() == 4);
}

TEST_CASE("shared memory is late within its block", "[memory]") {
  int stale = 0;
  for (u64 seed = 0; seed < seeds; ++seed) {
    world w(seed);
    w.first.run("st.shared.u32 [%r8], 1;", 1U);
    w.first.run("ld.shared.u32 %r1, [%r8];", 1U, 1);
    stale += w.value(0, 1, "%r1") == 0 ? 1 : 0;
    w.weak.show_block(0);
    w.first.run("ld.shared.u32 %r1, [%r8];", 1U, 1);
    REQUIRE(w.value(0, 1, "%r1") == 1);
    w.first.run("st.shared.u32 [%r8], 2;", 1U);
    w.weak.end_block(0);  // as at the end of a block, before its shared memory is freed
    REQUIRE(w.weak.waiting() == 0);
  }
  REQUIRE(stale > seeds / 4);
  REQUIRE(stale < seeds);
}

TEST_CASE("overlapping stores of a thread stay in order", "[memory]") {
  for (u64 seed = 0; seed < seeds; ++seed) {
    world w(seed);
    w.first.set<u64>("%rd4", [](int) { return 0x0404040404040404U; });
    w.first.run("st.global.u8 [%rd1+7], 1; st.global.u8 [%rd1], 2; st.global.u32 [%rd1+4], 3; "
                "st.global.u64 [%rd1], %rd4;"
                "st.global.u8 [%rd1+2], 5;",
                1U);
    for (int k = 0; k < 10; ++k) w.first.run("ld.global.u32 %r1, [%rd1+4];", 1U, 1);
    w.weak.end();
    REQUIRE(w.word(0) == 0x04050404U);
    REQUIRE(w.word(4) == 0x04040404U);
  }
}

TEST_CASE("the end of a kernel makes all visible", "[memory]") {
  world w(3);
  for (int k = 0; k < 200; ++k) {
    w.first.set<u64>("%rd4", [&](int t) { return w.at + static_cast<u64>(k % 8 * 128 + t * 4); });
    w.first.set<u32>("%r1",
                     [&](int t) { return static_cast<u32>(1000 * (k / 8) + 32 * (k % 8) + t); });
    w.first.run("st.global.u32 [%rd4], %r1;");
  }
  w.weak.end_block(0);
  REQUIRE(w.weak.waiting() > 0);
  w.weak.end();
  REQUIRE(w.weak.waiting() == 0);
  for (u32 k = 0; k < 256; ++k) REQUIRE(w.word(k * 4) == 24'000 + k);
}

TEST_CASE("asynchronous copies come late, and in time", "[memory]") {
  int late = 0;
  int early = 0;
  for (u64 seed = 0; seed < seeds; ++seed) {
    world w(seed);
    reinterpret_cast<u32*>(w.at)[0] = 1;
    w.first.run("cp.async.ca.shared.global [%r8], [%rd1], 4; cp.async.commit_group;", 1U);
    w.first.run("cp.async.ca.shared.global [%r8+4], [%rd1], 4; cp.async.commit_group;", 1U);
    w.first.run("ld.shared.u32 %r1, [%r8];", 1U);
    (w.value(0, 0, "%r1") == 0 ? late : early) += 1;
    w.first.run("cp.async.wait_group 1; ld.shared.u32 %r1, [%r8];", 1U);
    REQUIRE(w.value(0, 0, "%r1") == 1);
    w.first.run("cp.async.wait_all; ld.shared.u32 %r1, [%r8+4];", 1U);
    REQUIRE(w.value(0, 0, "%r1") == 1);
  }
  REQUIRE(late > early);
  REQUIRE(early > 0);
}

TEST_CASE("who waits for a plain store sees it in the end", "[memory]") {
  for (u64 seed = 0; seed < 20; ++seed) {
    world w(seed);
    w.first.set<u64>("%rd4", [&](int t) { return w.at + 2048 + 4U * static_cast<unsigned>(t); });
    w.first.run("st.global.u32 [%rd4], %r9;");  // the other stores that wait
    w.first.run(store_x, 1U);
    int turns = 0;
    do {
      w.second.run("ld.volatile.global.u32 %r1, [%rd1];", 1U);
    } while (w.value(1, 0, "%r1") == 0 && ++turns < 5000);
    REQUIRE(w.value(1, 0, "%r1") == 1);
  }
}
