// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory_machine.hpp"

#include <numeric>

using namespace memory_test;

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

u32 shared_word(machine const& m, std::size_t offset) {
  u32 word = 0;
  std::memcpy(&word, m.self.shared.data() + offset, 4);
  return word;
}

u64 numbered(machine& m, std::size_t words) {
  u64 const at = m.memory.allocate(words * 4, allocation_kind::device, 0);
  std::iota(reinterpret_cast<u32*>(at), reinterpret_cast<u32*>(at) + words, 1U);
  return at;
}

//! The bits of a predicate register, one per lane.
lane_mask predicate(machine& m, std::string const& name) { return *m.values<lane_mask>(name); }

}  // namespace

TEST_CASE("cp.async copies, with zeros behind a short source", "[memory]") {
  machine m;
  m.observe();
  u64 const at = numbered(m, 128);
  std::memset(m.self.shared.data(), 0xff, m.self.shared.size());
  m.set<u64>("%rd1", [&](int t) { return at + 16U * static_cast<unsigned>(t); });
  m.set<u32>("%r1", [](int t) { return 16 * (31 - t); });
  SECTION("16 bytes") {
    m.run("cp.async.cg.shared.global.L2::128B [%r1+512], [%rd1], 16; cp.async.commit_group; "
          "cp.async.wait_group 0;");
    for (u32 t = 0; t < lanes; ++t)
      for (u32 k = 0; k < 4; ++k)
        REQUIRE(shared_word(m, 512 + 16 * (31 - t) + 4 * k) == 4 * t + k + 1);
    REQUIRE(m.record.seen.size() == 2);
    REQUIRE(m.record.seen[0].kind == access_kind::read);
    REQUIRE(m.record.seen[0].where == space::global);
    REQUIRE(m.record.seen[0].bytes == 16);
    REQUIRE(m.record.seen[1].kind == access_kind::write);
    REQUIRE(m.record.seen[1].where == space::shared);
    REQUIRE(m.record.seen[1].address[0] == 512 + 16 * 31);
  }
  SECTION("a size of the source for each lane; none needs no valid address") {
    m.set<u32>("%r2", [](int t) { return t % 2 == 0 ? 0 : t == 1 ? 12 : 16; });
    m.set<u64>("%rd1",
               [&](int t) { return t % 2 == 0 ? 64U : at + 16U * static_cast<unsigned>(t); });
    m.run("cp.async.ca.shared.global [%r1], [%rd1], 16, %r2; cp.async.wait_all;");
    for (u32 t = 0; t < lanes; ++t)
      for (u32 k = 0; k < 4; ++k)
        REQUIRE(shared_word(m, 16 * (31 - t) + 4 * k) ==
                (t % 2 == 0 || (t == 1 && k == 3) ? 0 : 4 * t + k + 1));
    REQUIRE(m.record.seen.size() == 4);
    REQUIRE(m.record.seen[0].active == 0xaaaaaaa8U);
    REQUIRE(m.record.seen[1].bytes == 8);
    REQUIRE(m.record.seen[1].active == 2);
    REQUIRE(m.record.seen[2].bytes == 4);
    REQUIRE(m.record.seen[2].address[1] == at + 16 + 8);
  }
  SECTION("sources that are ignored") {
    *m.values<lane_mask>("%p1") = 0x0000ffffU;
    m.run("cp.async.ca.shared.global [%r1], [%rd1], 8, %p1;");
    REQUIRE(shared_word(m, 16 * (31 - 15)) == 0);
    REQUIRE(shared_word(m, 16 * (31 - 16)) == 4 * 16 + 1);
    REQUIRE(shared_word(m, 16 * (31 - 16) + 8) == 0xffffffffU);
  }
  SECTION("bounds of both sides") {
    REQUIRE(m.fault("cp.async.ca.shared.global [%r1+4096], [%rd1], 4;").check ==
            check_kind::bounds);
    REQUIRE(m.fault("cp.async.ca.shared.global [%r1], [%rd1+16], 16;").check == check_kind::bounds);
    REQUIRE(m.fault("cp.async.ca.shared.global [%r1+4], [%rd1], 8;").check ==
            check_kind::misaligned);
  }
}

TEST_CASE("the phases of an mbarrier", "[memory]") {
  machine m;
  m.set<u32>("%r1", [](int) { return 64; });
  m.run("mbarrier.init.shared.b64 [%r1], 33;", 1U);
  m.run("mbarrier.arrive.shared.b64 %rd1, [%r1];");
  m.run("mbarrier.pending_count.b64 %r2, %rd1;");
  for (u32 t = 0; t < lanes; ++t) REQUIRE(m.values<u32>("%r2")[t] == 33 - t);
  m.run("mbarrier.test_wait.shared.b64 %p1, [%r1], %rd1;");
  REQUIRE(predicate(m, "%p1") == 0);
  REQUIRE_FALSE(m.self.warps[0].yielded);
  m.run("mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r1], 0;");
  REQUIRE(predicate(m, "%p1") == 0);
  REQUIRE(m.self.warps[0].yielded);
  m.run("mbarrier.arrive.release.cta.shared::cta.b64 %rd2, [%r1];", 1U);
  m.run("mbarrier.test_wait.shared.b64 %p1, [%r1], %rd1; mbarrier.try_wait.parity.shared.b64 %p2, "
        "[%r1], 0;"
        "mbarrier.test_wait.parity.shared.b64 %p3, [%r1], 1;");
  REQUIRE(predicate(m, "%p1") == all_lanes);
  REQUIRE(predicate(m, "%p2") == all_lanes);
  REQUIRE(predicate(m, "%p3") == 0);
  // The second phase expects fewer arrivals: one thread drops out permanently.
  m.run("mbarrier.arrive_drop.shared.b64 %rd1, [%r1];", 1U);
  m.run("mbarrier.arrive.shared.b64 %rd1, [%r1], 32;", 2U);
  m.run("mbarrier.test_wait.parity.shared.b64 %p1, [%r1], 1;");
  REQUIRE(predicate(m, "%p1") == all_lanes);
  m.run("mbarrier.arrive.shared.b64 %rd1, [%r1];");  // from now on 32 arrivals are expected
  m.run("mbarrier.test_wait.shared.b64 %p1, [%r1], %rd1;");
  REQUIRE(predicate(m, "%p1") == all_lanes);
  m.run("mbarrier.inval.shared.b64 [%r1];", 1U);
  REQUIRE_THROWS_AS(m.run("mbarrier.arrive.shared.b64 %rd1, [%r1];"), device_fault);
}

TEST_CASE("an mbarrier waits for bytes", "[memory]") {
  machine m;
  m.set<u64>("%rd9", [](int) { return shared_window + 8; });
  m.set<u32>("%r1", [](int) { return 8; });
  m.run("mbarrier.init.b64 [%rd9], 1; mbarrier.arrive.expect_tx.b64 %rd1, [%rd9], 128;", 1U);
  m.run("mbarrier.test_wait.shared.b64 %p1, [%r1], %rd1;", 1U);
  REQUIRE((predicate(m, "%p1") & 1) == 0);
  SECTION("that are counted by hand") {
    m.run("mbarrier.complete_tx.shared.b64 [%r1], 100;", 1U);
    m.run("mbarrier.test_wait.shared.b64 %p1, [%r1], %rd1;", 1U);
    REQUIRE((predicate(m, "%p1") & 1) == 0);
    m.run("mbarrier.complete_tx.shared.b64 [%r1], 28;", 1U);
  }
  SECTION("of a bulk copy") {
    u64 const at = numbered(m, 64);
    m.set<u64>("%rd2", [&](int) { return at + 16; });
    m.set<u32>("%r2", [](int) { return 256; });
    m.observe();
    m.run("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd2], 128, "
          "[%r1];",
          1U);
    for (u32 k = 0; k < 32; ++k) REQUIRE(shared_word(m, 256 + 4 * k) == 5 + k);
    REQUIRE(m.record.seen.size() == 3);  // 8 pieces of each side in one call, and the mbarrier
    REQUIRE((m.record.seen[0].active == 0xffU && m.record.seen[1].bytes == 16));
    m.set<u64>("%rd3", [&](int) { return at; });
    m.run(
        "cp.async.bulk.global.shared::cta.bulk_group [%rd3], [%r2], 64; cp.async.bulk.commit_group;"
        "cp.async.bulk.wait_group.read 0;",
        1U);
    REQUIRE(reinterpret_cast<u32*>(at)[15] == 20);
    REQUIRE(m.fault("cp.async.bulk.global.shared::cta.bulk_group [%rd3], [%r2], 272;", 1U).check ==
            check_kind::bounds);
  }
  SECTION("of red.async") {
    std::string const red =
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes";
    m.set<u32>("%r2", [](int t) { return 256 + 8 * static_cast<u32>(t % 2); });
    m.set<u32>("%r3", [](int t) { return static_cast<u32>(t); });
    m.run(red + ".add.u32 [%r2], %r3, [%r1];", 0xffffU);
    REQUIRE(shared_word(m, 256) == 2 + 4 + 6 + 8 + 10 + 12 + 14);
    REQUIRE(shared_word(m, 264) == 1 + 3 + 5 + 7 + 9 + 11 + 13 + 15);
    m.run(red + ".max.s32 [%r2], %r3, [%r1+0];", 0xf0000U);
    REQUIRE(shared_word(m, 264) == 64);  // more than 17 and 19
    m.run(red + ".and.b32 [%r2], %r3, [%r1];", 0xf0000000U);
    REQUIRE(shared_word(m, 256) == (56U & 28U & 30U));
    m.set<u64>("%rd5", [](int) { return u64{1} << 40; });
    m.run(red + ".add.u64 [%r2+512], %rd5, [%r1];", 0x55U);
    REQUIRE((shared_word(m, 768) == 0 && shared_word(m, 772) == 1024));
    REQUIRE_THROWS_AS(m.run(red + ".add.f32 [%r2], %f1, [%r1];"), unsupported);
    REQUIRE_THROWS_AS(m.run(red + ".exch.b32 [%r2], %r3, [%r1];"), unsupported);
  }
  m.run("mbarrier.test_wait.shared.b64 %p1, [%r1], %rd1;", 1U);
  REQUIRE((predicate(m, "%p1") & 1) == 1);
}

TEST_CASE("cp.async arrives at an mbarrier", "[memory]") {
  machine m;
  m.set<u32>("%r1", [](int) { return 0; });
  m.run("mbarrier.init.shared.b64 [%r1], 32;", 1U);
  m.run("cp.async.mbarrier.arrive.shared.b64 [%r1];");  // expects one more arrival, and makes it
  m.run("mbarrier.test_wait.parity.shared.b64 %p1, [%r1], 0;");
  REQUIRE(predicate(m, "%p1") == 0);
  m.run("cp.async.mbarrier.arrive.noinc.shared.b64 [%r1];");
  m.run("mbarrier.test_wait.parity.shared.b64 %p1, [%r1], 0;");
  REQUIRE(predicate(m, "%p1") == all_lanes);
}

TEST_CASE("an mbarrier that is used in another way than it may", "[memory]") {
  machine m;
  m.set<u32>("%r1", [](int) { return 0; });
  REQUIRE_THROWS_AS(m.run("mbarrier.test_wait.parity.shared.b64 %p1, [%r1], 0;"), device_fault);
  REQUIRE_THROWS_AS(m.run("mbarrier.init.shared.b64 [%r1], 0;", 1U), device_fault);
  m.run("mbarrier.init.shared.b64 [%r1], 2;", 1U);
  REQUIRE_THROWS_AS(m.run("mbarrier.arrive.shared.b64 %rd1, [%r1], 3;", 1U), device_fault);
  REQUIRE(m.fault("mbarrier.init.shared.b64 [%r1+4], 2;", 1U).check == check_kind::misaligned);
  for (std::string const text :
       {"mbarrier.arrive.gpu.shared.b64 %rd1, [%r1];", "mbarrier.init.shared.b64 [%r1];",
        "cp.async.ca.shared.global [%r1], [%rd1], 12;",
        "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u8 [%rd1], [%r1], 16;",
        "cp.async.bulk.tensor.1d.shared::cluster.global.tile [%r1], [%rd1], 16;"})
    REQUIRE_THROWS_AS(m.run(text), unsupported);
}
