// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory_machine.hpp"

using namespace memory_test;

namespace {

constexpr lane_mask one_lane = 1U << 5;

}  // namespace

TEST_CASE("what a finding says", "[memory]") {
  machine m(2);
  std::uint64_t const at = m.memory.allocate(1000, allocation_kind::device, 0);
  m.self.index = {3, 2, 1};
  m.of.block = {8, 4, 2};
  m.of.number = 4;
  m.set<std::uint64_t>("%rd1", [&](int t) { return at + 4U * static_cast<unsigned>(t); });

  m.run("ld.global.u32 %r1, [%rd1+872];");  // 872 + 31 * 4 + 4 = 1000
  finding f = m.fault("ld.global.u32 %r1, [%rd1+876];");
  REQUIRE(f.check == check_kind::bounds);
  REQUIRE(f.kernel == "tested()");
  REQUIRE(f.launch == 4);
  INFO(f.message);
  REQUIRE(f.message.find("global load of 4 bytes by thread (7, 3, 0) of block (3, 2, 1)") !=
          std::string::npos);
  REQUIRE(f.message.find("it lies 0 bytes after the end of the allocation of 1000 bytes") !=
          std::string::npos);

  f = m.fault("st.global.u32 [%rd1+-4], %r1;");
  REQUIRE(f.message.find("store of 4 bytes by thread (0, 0, 0)") != std::string::npos);
  REQUIRE(f.message.find("it lies 4 bytes before") != std::string::npos);

  f = m.fault("atom.global.add.u32 %r1, [%rd1+880], 1;");
  REQUIRE(f.message.find("atomic operation") != std::string::npos);

  m.set<std::uint64_t>("%rd2", [&](int) { return at + (std::uint64_t{1} << 40); });
  f = m.fault("ld.global.u8 %r1, [%rd2];", one_lane);
  REQUIRE(f.message.find("thread (5, 0, 0)") != std::string::npos);
  REQUIRE(f.message.find("1 byte ") != std::string::npos);
  REQUIRE(f.message.find("no allocation") != std::string::npos);
}

TEST_CASE("an access across the end of an allocation, by one byte", "[memory]") {
  machine m;
  std::uint64_t const at = m.memory.allocate(1001, allocation_kind::device, 0);
  m.set<std::uint64_t>("%rd1", [&](int) { return at; });
  m.run("ld.global.u8 %r1, [%rd1+1000];");
  REQUIRE(m.fault("ld.global.u8 %r1, [%rd1+1001];").check == check_kind::bounds);
  finding const f = m.fault("ld.global.u16 %r1, [%rd1+1000];");
  REQUIRE(f.check == check_kind::bounds);
  REQUIRE(f.message.find("its last byte lies 1 byte after the end") != std::string::npos);
  REQUIRE(m.fault("ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1+992];").check ==
          check_kind::bounds);
}

TEST_CASE("misaligned accesses", "[memory]") {
  machine m;
  std::uint64_t const at = m.memory.allocate(4096, allocation_kind::device, 0);
  m.set<std::uint64_t>("%rd1", [&](int t) { return at + 16U * static_cast<unsigned>(t); });
  m.set<std::uint32_t>("%r1", [&](int t) { return 16 * t; });
  for (std::string const text :
       {"ld.global.u16 %r2, [%rd1+1];", "ld.global.u32 %r2, [%rd1+2];",
        "ld.global.u64 %rd2, [%rd1+4];", "ld.global.v2.u32 {%r2, %r3}, [%rd1+4];",
        "ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%rd1+8];", "st.shared.u32 [%r1+2], %r1;",
        "st.shared.v4.u32 [%r1+8], {%r1, %r1, %r1, %r1};", "st.u64 [%rd1+4], %rd2;",
        "atom.global.add.u32 %r2, [%rd1+2], 1;", "atom.shared.add.u32 %r2, [%r1+2], 1;",
        "st.relaxed.gpu.global.u32 [%rd1+2], %r1;", "ld.local.u32 %r2, [%r1+1];"}) {
    INFO(text);
    finding const f = m.fault(text);
    REQUIRE(f.check == check_kind::misaligned);
    REQUIRE(f.message.find("no multiple of") != std::string::npos);
  }
}

TEST_CASE("use after free", "[memory]") {
  for (std::string const text : {"ld.global.u32 %r1, [%rd1];", "st.global.u32 [%rd1], %r1;",
                                 "red.global.add.u32 [%rd1], 1;"}) {
    machine m;
    std::uint64_t const at = m.memory.allocate(1000, allocation_kind::device, 0);
    m.set<std::uint64_t>("%rd1", [&](int t) { return at + 4U * static_cast<unsigned>(t); });
    m.run(text);  // what this access remembers of the allocation must end with it
    m.memory.free(at);
    finding const f = m.fault(text);
    REQUIRE(f.check == check_kind::free);
    REQUIRE(f.message.find("which was freed") != std::string::npos);
  }
}

TEST_CASE("shared, local and parameter bounds", "[memory]") {
  machine m(1, 128);
  m.set<std::uint32_t>("%r1", [](int t) { return 4 * t; });
  m.set<std::uint32_t>("%r3", [](int) { return 0; });
  m.run("st.shared.u32 [%r1], %r1; st.shared.u8 [%r3+127], 1; st.local.u64 [%r3+56], 1;");
  REQUIRE(m.fault("st.shared.u32 [%r1+4], %r1;").message.find("128 bytes of shared memory") !=
          std::string::npos);
  REQUIRE(m.fault("ld.shared.u8 %r2, [%r3+128];").check == check_kind::bounds);
  REQUIRE(m.fault("ld.shared.u32 %r2, [%r3+-4];").check == check_kind::bounds);
  REQUIRE(m.fault("ld.local.u32 %r2, [%r3+64];").message.find("64 bytes of local memory") !=
          std::string::npos);
  m.set<std::uint64_t>("%rd1", [](int) { return shared_window + 124; });
  m.run("ld.u32 %r2, [%rd1];");
  REQUIRE(m.fault("ld.u32 %r2, [%rd1+4];").check == check_kind::bounds);
  m.set<std::uint64_t>("%rd2", [](int) { return function_window + 8; });
  REQUIRE(m.fault("ld.u32 %r2, [%rd2];").check == check_kind::bounds);
}

TEST_CASE("nothing happens to memory before an access that is not allowed", "[memory]") {
  machine m;
  m.observe();
  std::uint64_t const at = m.memory.allocate(64, allocation_kind::device, 0);
  m.set<std::uint64_t>("%rd1", [&](int t) { return at + 4U * static_cast<unsigned>(t); });
  m.set<std::uint32_t>("%r1", [](int) { return 9; });
  REQUIRE(m.fault("st.global.u32 [%rd1], %r1;").check == check_kind::bounds);
  REQUIRE(m.fault("red.global.add.u32 [%rd1], %r1;").check == check_kind::bounds);
  REQUIRE(*reinterpret_cast<std::uint32_t const*>(at) == 0);
  REQUIRE(m.record.seen.empty());
}

TEST_CASE("shared memory may end within an access", "[memory]") {
  machine m(1, 127);
  m.set<std::uint32_t>("%r1", [](int) { return 0; });
  m.set<std::uint64_t>("%rd1", [](int) { return shared_window; });
  for (std::string const text :
       {"ld.shared.u32 %r2, [%r1+124];", "ld.volatile.shared.u32 %r2, [%r1+124];",
        "ld.u32 %r2, [%rd1+124];", "atom.shared.add.u32 %r2, [%r1+124], 1;"}) {
    INFO(text);
    REQUIRE(m.fault(text).check == check_kind::bounds);
  }
  m.run(
      "ld.shared.u16 %r2, [%r1+124]; ld.volatile.shared.u8 %r2, [%r1+126]; ld.u8 %r2, [%rd1+126];");
}
