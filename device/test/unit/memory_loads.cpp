// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory_machine.hpp"
#include "pattern.hpp"

#include <device/execute/memory/usual.hpp>

using namespace memory_test;

namespace {

std::uint64_t bytes_on_device(machine& m, std::size_t bytes) {
  std::uint64_t const at = m.memory.allocate(bytes, allocation_kind::device, 0);
  REQUIRE(at != 0);
  for (std::size_t k = 0; k < bytes; ++k)
    reinterpret_cast<unsigned char*>(at)[k] = static_cast<unsigned char>(k * 7 + 129);
  return at;
}

template <class T>
T host_value(std::uint64_t at) {
  T v;
  std::memcpy(&v, reinterpret_cast<void const*>(at), sizeof v);
  return v;
}

//! Compares have_stride with its definition for addresses of a stride, and for those in which one
//! lane is elsewhere.
template <class Address>
void check_stride(Address first, Address stride) {
  INFO(first << " and multiples of " << stride);
  using device::memory_access_detail::have_stride;
  Address address[lanes];
  for (Address t = 0; t < lanes; ++t) address[t] = first + t * stride;
  CHECK(have_stride(address, stride));
  CHECK_FALSE(have_stride(address, Address{stride + 1}));
  int found = 0;
  for (int t = 0; t < lanes; ++t)
    for (Address const bit : {Address{1}, Address{Address{1} << (8 * sizeof(Address) - 1)}}) {
      address[t] ^= bit;
      found += have_stride(address, stride) ? 1 : 0;
      address[t] ^= bit;
    }
  CHECK(found == 0);
}

}  // namespace

TEST_CASE("a stride is that of all lanes", "[memory]") {
  for (std::uint32_t const first : {0U, 100U, 0xfffffff0U})
    for (std::uint32_t const stride : {0U, 1U, 4U, 132U, 0x08000000U, 0U - 4U, 0x80000001U})
      check_stride(first, stride);
  for (std::uint64_t const first :
       {std::uint64_t{0}, std::uint64_t{0x7ea739c00fa0}, ~std::uint64_t{15}})
    for (std::uint64_t const stride : {std::uint64_t{0}, std::uint64_t{4}, std::uint64_t{1} << 32U,
                                       ~std::uint64_t{7}, std::uint64_t{0x123456789abcdef1}})
      check_stride(first, stride);
}

TEST_CASE("loads of all widths widen by sign or by zeros", "[memory]") {
  machine m;
  std::uint64_t const at = bytes_on_device(m, 4096);
  int const stride = GENERATE(0, 1, 3);  // in elements; with 1 they are consecutive
  auto const address = [&](int t, std::uint64_t bytes) {
    return at + static_cast<std::uint64_t>(t * stride) * bytes;
  };
  auto const addresses = [&](std::uint64_t bytes) {
    m.set<std::uint64_t>("%rd1", [&](int t) { return address(t, bytes) - 16; });
  };
  lane_mask const active = GENERATE(lane_mask{all_lanes}, 0x0f0f00f1U);
  auto const check = [&]<class M, class R>(std::string const& text, std::string const& to, M, R) {
    INFO(text << " stride " << stride);
    addresses(sizeof(M));
    m.set<R>(to, [](int) { return 77; });
    m.run(text, active);
    for (int t = 0; t < lanes; ++t) {
      R const expected =
          (active >> t & 1) != 0 ? static_cast<R>(host_value<M>(address(t, sizeof(M)))) : R{77};
      REQUIRE(m.values<R>(to)[t] == expected);
    }
  };
  using u8 = std::uint8_t;
  using s8 = std::int8_t;
  using u16 = std::uint16_t;
  using s16 = std::int16_t;
  using u32 = std::uint32_t;
  using s32 = std::int32_t;
  using u64 = std::uint64_t;
  for (std::string const order : {"", ".volatile", ".relaxed.gpu", ".acquire.sys"}) {
    std::string const ld = "ld" + order + ".global";
    check(ld + ".u8 %rs1, [%rd1+16];", "%rs1", u8{}, u16{});
    check(ld + ".s8 %rs1, [%rd1+16];", "%rs1", s8{}, u16{});
    check(ld + ".u8 %r1, [%rd1+16];", "%r1", u8{}, u32{});
    check(ld + ".s8 %r1, [%rd1+16];", "%r1", s8{}, u32{});
    check(ld + ".s8 %rd2, [%rd1+16];", "%rd2", s8{}, u64{});
    check(ld + ".b8 %r1, [%rd1+16];", "%r1", u8{}, u32{});
    check(ld + ".u16 %rs1, [%rd1+16];", "%rs1", u16{}, u16{});
    check(ld + ".s16 %r1, [%rd1+16];", "%r1", s16{}, u32{});
    check(ld + ".u16 %r1, [%rd1+16];", "%r1", u16{}, u32{});
    check(ld + ".s16 %rd2, [%rd1+16];", "%rd2", s16{}, u64{});
    check(ld + ".u32 %r1, [%rd1+16];", "%r1", u32{}, u32{});
    check(ld + ".f32 %f1, [%rd1+16];", "%f1", u32{}, u32{});
    check(ld + ".s32 %rd2, [%rd1+16];", "%rd2", s32{}, u64{});
    check(ld + ".u32 %rd2, [%rd1+16];", "%rd2", u32{}, u64{});
    check(ld + ".u64 %rd2, [%rd1+16];", "%rd2", u64{}, u64{});
    check(ld + ".f64 %fd2, [%rd1+16];", "%fd2", u64{}, u64{});
  }
  check("ld.global.nc.L1::no_allocate.L2::128B.u32 %r1, [%rd1+16];", "%r1", u32{}, u32{});
  check("ldu.global.u32 %r1, [%rd1+16];", "%r1", u32{}, u32{});
  check("ld.u32 %r1, [%rd1+16];", "%r1", u32{}, u32{});
  check("ld.const.u32 %r1, [%rd1+16];", "%r1", u32{}, u32{});
  check("ld.weak.global.ca.L2::cache_hint.u32 %r1, [%rd1+16], %rd5;", "%r1", u32{}, u32{});
}

TEST_CASE("128-bit loads and stores", "[memory]") {
  machine m;
  std::uint64_t const at = bytes_on_device(m, 1024);
  std::uint64_t const to = bytes_on_device(m, 1024);
  m.set<std::uint64_t>("%rd1", [&](int t) { return at + 16U * static_cast<unsigned>(t); });
  m.set<std::uint64_t>("%rd2", [&](int t) { return to + 16U * static_cast<unsigned>(31 - t); });
  m.run("ld.global.b128 %rq1, [%rd1]; st.global.b128 [%rd2], %rq1;");
  for (unsigned t = 0; t < lanes; ++t)
    for (unsigned b = 0; b < 16; b += 8)
      REQUIRE(host_value<std::uint64_t>(to + 16 * (31 - t) + b) ==
              host_value<std::uint64_t>(at + 16 * t + b));
}

TEST_CASE("vectors of loads and stores", "[memory]") {
  machine m;
  std::uint64_t const at = bytes_on_device(m, 4096);
  std::uint64_t const to = bytes_on_device(m, 4096);
  unsigned const stride = GENERATE(1U, 2U);
  lane_mask const active = GENERATE(lane_mask{all_lanes}, 0x80000001U);
  auto const place = [&](unsigned bytes) {
    m.set<std::uint64_t>("%rd1",
                         [&](int t) { return at + bytes * stride * static_cast<unsigned>(t); });
    m.set<std::uint64_t>("%rd2",
                         [&](int t) { return to + bytes * stride * static_cast<unsigned>(t); });
    std::memset(reinterpret_cast<void*>(to), 0, 4096);
  };
  auto const compare = [&](std::string const& text, unsigned bytes) {
    INFO(text);
    place(bytes);
    m.run(text, active);
    for (unsigned t = 0; t < lanes; ++t)
      for (unsigned b = 0; b < bytes; ++b) {
        std::uint64_t const k = bytes * stride * t + b;
        bool const is_active = (active >> t & 1) != 0;
        REQUIRE(host_value<std::uint8_t>(to + k) ==
                (is_active ? host_value<std::uint8_t>(at + k) : 0));
      }
  };
  for (std::string const order : {"", ".volatile", ".relaxed.gpu"}) {
    compare("ld" + order + ".global.v2.u8 {%rs1, %rs2}, [%rd1]; st" + order +
                ".global.v2.u8 [%rd2], {%rs1, %rs2};",
            2);
    compare("ld" + order + ".global.v4.u8 {%r1, %r2, %r3, %r4}, [%rd1]; st" + order +
                ".global.v4.u8 [%rd2], {%r1, %r2, %r3, %r4};",
            4);
    compare("ld" + order + ".global.v4.u16 {%rs1, %rs2, %rs3, %rs4}, [%rd1]; st" + order +
                ".global.v4.u16 [%rd2], {%rs1, %rs2, %rs3, %rs4};",
            8);
    compare("ld" + order + ".global.v2.f32 {%f1, %f2}, [%rd1]; st" + order +
                ".global.v2.f32 [%rd2], {%f1, %f2};",
            8);
    compare("ld" + order + ".global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1]; st" + order +
                ".v4.u32 [%rd2], {%r1, %r2, %r3, %r4};",
            16);
    compare("ld" + order + ".global.v2.u64 {%rd3, %rd4}, [%rd1]; st" + order +
                ".global.v2.u64 [%rd2], {%rd3, %rd4};",
            16);
    compare("ld" + order + ".global.v4.u64 {%rd3, %rd4, %rd5, %rd6}, [%rd1]; st" + order +
                ".global.v4.u64 [%rd2], {%rd3, %rd4, %rd5, %rd6};",
            32);
    compare("ld" + order + ".global.v8.b32 {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, [%rd1]; st" +
                order + ".global.v8.b32 [%rd2], {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8};",
            32);
  }
}

TEST_CASE("a vector's element that nobody wants is dropped, and constants are stored", "[memory]") {
  machine m;
  std::uint64_t const at = bytes_on_device(m, 1024);
  m.set<std::uint64_t>("%rd1", [&](int t) { return at + 16U * static_cast<unsigned>(t); });
  m.run("ld.global.v4.u32 {%r1, _, %r3, _}, [%rd1];");
  for (unsigned t = 0; t < lanes; ++t) {
    REQUIRE(m.values<std::uint32_t>("%r1")[t] == host_value<std::uint32_t>(at + 16 * t));
    REQUIRE(m.values<std::uint32_t>("%r3")[t] == host_value<std::uint32_t>(at + 16 * t + 8));
  }
  m.run("st.global.v4.u32 [%rd1], {%r1, 7, %r3, -1};");
  REQUIRE(host_value<std::uint32_t>(at + 16 * 5 + 4) == 7);
  REQUIRE(host_value<std::uint32_t>(at + 16 * 5 + 12) == 0xffffffffU);
  m.run("st.global.u8 [%rd1+3], 200;");
  REQUIRE(host_value<std::uint8_t>(at + 16 * 9 + 3) == 200);
  m.run("st.global.f32 [%rd1], 0f3F800000;");
  REQUIRE(host_value<float>(at + 16 * 9) == 1.0F);
}

TEST_CASE("stores keep the low bytes of wider registers", "[memory]") {
  machine m;
  std::uint64_t const at = bytes_on_device(m, 512);
  m.set<std::uint64_t>("%rd1", [&](int t) { return at + 8U * static_cast<unsigned>(t); });
  m.set<std::uint32_t>("%r1", [](int t) { return 0x11223300 + t; });
  m.set<std::uint64_t>("%rd2",
                       [](int t) { return 0x1122334455667700ULL + static_cast<unsigned>(t); });
  m.run("st.global.u64 [%rd1], 0; st.global.u8 [%rd1], %r1; st.global.u16 [%rd1+2], %r1; "
        "st.global.u32 [%rd1+4], %rd2;");
  for (unsigned t = 0; t < lanes; ++t)
    REQUIRE(host_value<std::uint64_t>(at + 8 * t) ==
            ((0x55667700ULL + t) << 32 | (0x3300ULL + t) << 16 | t));
}

TEST_CASE("shared, local and parameter memory", "[memory]") {
  machine m;
  m.set<std::uint32_t>("%r1", [](int t) { return (t * 5 % 32) * 4; });
  m.set<std::uint32_t>("%r2", [](int t) { return 1000 + t; });
  SECTION("shared") {
    m.run("st.shared.u32 [%r1+64], %r2; ld.shared.u32 %r3, [%r1+64];");
    std::uint32_t first = 0;
    std::memcpy(&first, m.self.shared.data() + 64 + 4 * (3 * 5), 4);
    REQUIRE(first == 1003);
    m.set<std::uint64_t>(
        "%rd1", [](int t) { return shared_window + 64 + static_cast<unsigned>(t * 5 % 32) * 4; });
    m.run("ld.u32 %r4, [%rd1]; ld.shared::cta.volatile.u32 %r5, [%r1+64];");
    m.set<std::uint64_t>("%rd2", [](int t) { return 64 + static_cast<unsigned>(t * 5 % 32) * 4; });
    m.run("ld.shared.v2.u16 {%rs1, %rs2}, [%rd2];");
    for (int t = 0; t < lanes; ++t) {
      REQUIRE(m.values<std::uint32_t>("%r3")[t] == 1000U + static_cast<unsigned>(t));
      REQUIRE(m.values<std::uint32_t>("%r4")[t] == 1000U + static_cast<unsigned>(t));
      REQUIRE(m.values<std::uint32_t>("%r5")[t] == 1000U + static_cast<unsigned>(t));
      REQUIRE(m.values<std::uint16_t>("%rs1")[t] == 1000 + t);
    }
  }
  SECTION("local memory is every thread's own") {
    m.set<std::uint32_t>("%r1", [](int t) { return t % 4 * 4; });
    m.run("st.local.u32 [%r1], %r2;");
    m.set<std::uint64_t>("%rd1",
                         [](int t) { return local_window + static_cast<unsigned>(t % 4) * 4; });
    m.run("ld.u32 %r4, [%rd1];");
    for (int t = 0; t < lanes; ++t)
      REQUIRE(m.values<std::uint32_t>("%r4")[t] == 1000U + static_cast<unsigned>(t));
  }
  SECTION("a kernel's parameters") {
    m.name_parameter("given", 8, true);
    std::uint32_t const words[] = {5, 6, 7, 8, 9, 10};
    std::memcpy(m.of.params.data(), words, sizeof words);
    m.run("ld.param.u32 %r3, [given+4]; ld.param.v2.u32 {%r4, %r5}, [given+8];", 0xffff0000U);
    REQUIRE(m.values<std::uint32_t>("%r3")[31] == 8);
    REQUIRE(m.values<std::uint32_t>("%r3")[0] == 0);
    REQUIRE(m.values<std::uint32_t>("%r5")[31] == 10);
    m.set<std::uint64_t>("%rd1",
                         [](int t) { return param_window + static_cast<unsigned>(t % 4) * 4; });
    m.run("ld.u32 %r6, [%rd1]; ld.param.u32 %r7, [%rd1];");
    REQUIRE(m.values<std::uint32_t>("%r6")[3] == 8);
    REQUIRE(m.values<std::uint32_t>("%r7")[2] == 7);
    REQUIRE(m.fault("st.u32 [%rd1], %r6;").check == check_kind::bounds);
  }
  SECTION("a call's parameters are every thread's own") {
    m.name_parameter("call", 16, false);
    m.run("st.param.b32 [call+4], %r2; ld.param.b32 %r3, [call+4];");
    std::uint32_t seventh = 0;
    std::memcpy(&seventh, m.self.warps[0].current->params + 7 * param_bytes + 20, 4);
    REQUIRE(seventh == 1007);
    REQUIRE(m.values<std::uint32_t>("%r3")[31] == 1031);
  }
  SECTION("generic addresses lead each lane elsewhere") {
    std::uint64_t const at = bytes_on_device(m, 256);
    m.observe();
    m.set<std::uint64_t>("%rd1", [&](int t) {
      auto const offset = static_cast<unsigned>(t) * 4;
      return t < 8 ? at + offset : t < 16 ? shared_window + offset : local_window + offset % 32;
    });
    m.run("st.u32 [%rd1], %r2; ld.u32 %r3, [%rd1];");
    for (int t = 0; t < lanes; ++t)
      REQUIRE(m.values<std::uint32_t>("%r3")[t] == 1000U + static_cast<unsigned>(t));
    REQUIRE(m.record.seen.size() == 6);
    REQUIRE(m.record.seen[0].where == space::global);
    REQUIRE(m.record.seen[0].active == 0xffU);
    REQUIRE(m.record.seen[0].address[3] == at + 12);
    REQUIRE(m.record.seen[1].where == space::shared);
    REQUIRE(m.record.seen[1].active == 0xff00U);
    REQUIRE(m.record.seen[1].address[9] == 36);
    REQUIRE(m.record.seen[2].where == space::local);
    REQUIRE(m.record.seen[2].address[31] == 31 * 4 % 32);
    REQUIRE(m.record.seen[5].kind == access_kind::read);
  }
}

TEST_CASE("observers see each request once, with all its lanes' addresses", "[memory]") {
  machine m;
  m.observe();
  std::uint64_t const at = bytes_on_device(m, 4096);
  m.set<std::uint64_t>("%rd1", [&](int t) { return at + 16U * static_cast<unsigned>(t); });
  m.set<std::uint32_t>("%r1", [](int t) { return 64 - 2 * t; });
  m.run("ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1]; st.global.v4.f32 [%rd1+512], {%f1, %f2, "
        "%f3, %f4};");
  m.run("st.shared.u16 [%r1], %rs1;", 0x3U);
  m.run("fence.acq_rel.gpu; membar.cta;");
  REQUIRE(m.record.seen.size() == 3);
  for (seen_access const& a : m.record.seen)
    REQUIRE(a.bytes == (a.where == space::shared ? 2 : 16));
  REQUIRE(m.record.seen[0].kind == access_kind::read);
  REQUIRE(m.record.seen[1].kind == access_kind::write);
  REQUIRE(m.record.seen[1].address[31] == at + 512 + 31 * 16);
  REQUIRE(m.record.seen[2].active == 3);
  REQUIRE(m.record.seen[2].address[1] == 62);
  REQUIRE(m.record.fences == 2);
}

TEST_CASE("unknown modifiers are refused", "[memory]") {
  machine m;
  for (std::string const text :
       {"ld.global.tf32 %r1, [%rd1];", "ld.release.gpu.global.u32 %r1, [%rd1];",
        "ld.global.u64 %r1, [%rd1];", "st.const.u32 [%rd1], %r1;",
        "ld.global.v4.u64 {%rd1, %rd2}, [%rd1];", "fence.acq_rel;", "membar.cluster;"})
    REQUIRE_THROWS_AS(m.run(text), unsupported);
}

TEST_CASE("vectors in shared memory", "[memory]") {
  machine m;
  bool const observed = GENERATE(false, true);
  if (observed) m.observe();
  for (std::size_t k = 0; k < 1024; ++k) m.self.shared[k] = static_cast<std::byte>(k * 11 + 5);
  m.set<std::uint32_t>("%r1", [](int t) { return 16 * (t * 3 % 32); });
  lane_mask const active = GENERATE(lane_mask{all_lanes}, 0x00ff00f0U);
  m.run("ld.shared.v4.u32 {%r2, %r3, %r4, %r5}, [%r1]; st.shared.v4.u32 [%r1+1024], {%r2, %r3, "
        "%r4, %r5};",
        active);
  m.run("ld.shared.v2.u16 {%rs2, %rs3}, [%r1+4]; st.shared.v2.u16 [%r1+2048], {%rs2, %rs3};",
        active);
  for (std::size_t t = 0; t < lanes; ++t) {
    std::size_t const at = 16 * (t * 3 % 32);
    bool const is_active = (active >> t & 1) != 0;
    std::byte const zeros[16] = {};
    std::byte const* const expected = is_active ? &m.self.shared[at] : zeros;
    REQUIRE(std::memcmp(&m.self.shared[1024 + at], expected, 16) == 0);
    REQUIRE(std::memcmp(&m.self.shared[2048 + at], is_active ? expected + 4 : zeros, 4) == 0);
  }
  REQUIRE(m.record.seen.size() == (observed ? 4 : 0));
  if (observed) REQUIRE(m.record.seen[1].bytes == 16);
}

TEST_CASE("requests of every pattern reach their bytes, and observers know the pattern",
          "[memory]") {
  machine m;
  m.observe();
  std::uint64_t const at = bytes_on_device(m, 4096);
  for (std::size_t k = 0; k < 4096; ++k) m.self.shared[k] = static_cast<std::byte>(k * 7 + 129);
  lane_mask const active = GENERATE(lane_mask{all_lanes}, 0xf0f0f0f0U, 0x80000000U, 0x7fffffffU);
  // uniform, consecutive, reversed, every other, and uniform or every other but for one
  int const kind = GENERATE(range(0, 6));
  auto const check = [&](std::string const& modifiers, std::string const& registers, int bytes) {
    auto const offset = [&](int t) {
      int const others[] = {5, t, 31 - t, 2 * t, t == 31 ? 1 : 2, t == 30 ? 3 : 2 * t};
      int const number = others[kind];
      return static_cast<std::uint32_t>(number * bytes);
    };
    m.set<std::uint64_t>("%rd1", [&](int t) { return at + offset(t); });
    m.set<std::uint64_t>("%rd2", [&](int t) { return at + 1024 + offset(t); });
    m.set<std::uint32_t>("%r1", offset);
    for (bool const shared : {false, true}) {
      std::string const from = shared ? ".shared" : ".global";
      INFO(modifiers << from << " mask " << active << " kind " << kind);
      std::byte* const begin = shared ? m.self.shared.data() : reinterpret_cast<std::byte*>(at);
      std::vector<std::byte> const zeros(1024);
      std::memcpy(begin + 1024, zeros.data(), 1024);
      m.record.seen.clear();
      m.run("ld" + from + modifiers + " " + registers + ", [" + (shared ? "%r1" : "%rd1") + "];",
            active);
      m.run(
          "st" + from + modifiers + " [" + (shared ? "%r1+1024" : "%rd2") + "], " + registers + ";",
          active);
      std::vector<std::byte> expected(1024);
      for (int t = 0; t < lanes; ++t)
        if ((active >> t & 1) != 0)
          std::memcpy(expected.data() + offset(t), begin + offset(t),
                      static_cast<std::size_t>(bytes));
      REQUIRE(std::memcmp(begin + 1024, expected.data(), 1024) == 0);
      REQUIRE(m.record.seen.size() == 2);
      for (seen_access const& a : m.record.seen) {
        memory_access described{};
        described.active = a.active;
        described.bytes = a.bytes;
        described.address = a.address.data();
        describe(described);
        REQUIRE(a.bytes == bytes);
        REQUIRE(a.pattern == described.pattern);
        REQUIRE(a.begin == described.begin);
        REQUIRE(a.end == described.end);
      }
    }
  };
  check(".u8", "%rs1", 1);
  check(".u16", "%rs1", 2);
  check(".u32", "%r3", 4);
  check(".u64", "%rd3", 8);
  check(".v2.u8", "{%rs1, %rs2}", 2);
  check(".v4.u16", "{%r3, %r4, %r5, %r6}", 8);
  check(".v2.u32", "{%r3, %r4}", 8);
  check(".v4.f32", "{%f1, %f2, %f3, %f4}", 16);
}

TEST_CASE("consecutive words at the ends of shared memory", "[memory]") {
  bool const observed = GENERATE(false, true);
  std::uint32_t const first = GENERATE(3968U, 3972U, 0xffff'ffc0U, 4U, 2U);
  machine m;
  if (observed) m.observe();
  m.set<std::uint32_t>("%r1", [&](int t) { return first + 4 * static_cast<std::uint32_t>(t); });
  INFO("from byte " << first);
  if (first == 3968 || first == 4) {
    m.run("ld.shared.u32 %r2, [%r1];");
    REQUIRE(m.findings.empty());
  } else {
    REQUIRE(m.fault("ld.shared.u32 %r2, [%r1];").check ==
            (first == 2 ? check_kind::misaligned : check_kind::bounds));
  }
}

TEST_CASE("addresses with a stride that wrap around are out of bounds between their ends",
          "[memory]") {
  bool const observed = GENERATE(false, true);
  machine m;
  if (observed) m.observe();
  // 31 strides are 120 bytes modulo 2^32, 108 bytes modulo 2^64
  m.set<std::uint32_t>("%r1", [](int t) { return 0x842'1088U * static_cast<std::uint32_t>(t); });
  REQUIRE(m.fault("ld.shared.u32 %r2, [%r1];").check == check_kind::bounds);
  REQUIRE(m.fault("st.shared.u32 [%r1], %r2;").check == check_kind::bounds);
  std::uint64_t const at = bytes_on_device(m, 4096);
  m.set<std::uint64_t>(
      "%rd1", [at](int t) { return at + 0x842'1084'2108'4214U * static_cast<std::uint64_t>(t); });
  REQUIRE(m.fault("ld.global.u32 %r2, [%rd1];").check == check_kind::bounds);
  REQUIRE(m.fault("st.global.u32 [%rd1], %r2;").check == check_kind::bounds);
}

TEST_CASE("words with a stride that is no multiple of their size are misaligned", "[memory]") {
  machine m;
  int const stride = GENERATE(2, 6, -6);
  m.set<std::uint32_t>("%r1", [=](int t) { return 1024 + stride * t; });
  REQUIRE(m.fault("ld.shared.u32 %r2, [%r1];").check == check_kind::misaligned);
}

TEST_CASE("observers are told what a store writes", "[memory]") {
  machine m;
  m.observe();
  std::uint64_t const at = bytes_on_device(m, 4096);
  m.set<std::uint64_t>("%rd1", [&](int t) { return at + 8U * static_cast<unsigned>(t / 2); });
  m.set<std::uint32_t>("%r1", [](int t) { return 8 * (t / 2); });
  m.set<std::uint32_t>("%r2", [](int t) { return 100 + t; });
  m.set<std::uint32_t>("%r3", [](int t) { return 200 + t; });
  // Stores in which lanes share an address, on each of the code paths for stores.
  for (std::string const text :
       {"st.global.v2.u32 [%rd1], {%r2, %r3};", "st.v2.u32 [%rd1], {%r2, %r3};",
        "st.shared.v2.u32 [%r1], {%r2, %r3};", "st.volatile.global.v2.u32 [%rd1], {%r2, %r3};",
        "st.local.v2.u32 [%r4], {%r2, %r3};"}) {
    INFO(text);
    m.record.seen.clear();
    m.run(text);
    REQUIRE(m.record.seen.size() == 1);
    std::vector<std::byte> const& values = m.record.seen[0].values;
    REQUIRE(values.size() == 8 * lanes);
    for (std::uint32_t t = 0; t < lanes; ++t) {
      std::uint32_t pair[2];
      std::memcpy(pair, &values[8 * t], sizeof pair);
      REQUIRE(pair[0] == 100 + t);
      REQUIRE(pair[1] == 200 + t);
    }
  }
  m.record.seen.clear();
  m.run("st.shared.u8 [%r1], %r2; st.global.u16 [%rd1], %r2;");
  for (std::size_t t = 0; t < lanes; ++t) {
    REQUIRE(m.record.seen.at(0).values.at(t) == static_cast<std::byte>(100 + t));
    REQUIRE(m.record.seen.at(1).values.at(2 * t) == static_cast<std::byte>(100 + t));
  }
}
