// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory_machine.hpp"

#include <atomic>
#include <bit>
#include <cmath>
#include <functional>
#include <thread>

using namespace memory_test;

namespace {

using u16 = std::uint16_t;
using u32 = std::uint32_t;
using s32 = std::int32_t;
using u64 = std::uint64_t;
using s64 = std::int64_t;

//! Some values, including the edge cases of the operations.
template <class T>
T interesting(int k) {
  T const values[] = {T{0},
                      T{1},
                      static_cast<T>(~T{0}),
                      static_cast<T>(T{1} << (sizeof(T) * 8 - 1)),
                      T{5},
                      T{17},
                      static_cast<T>(static_cast<T>(~T{0}) >> 1),
                      T{42}};
  return values[k % 8];
}

//! Lanes t and t + 16 operate on one of 16 words; memory and results must equal those of `f`,
//! applied lane by lane.
template <class T>
void compare(std::string const& operation_and_type, std::string const& d, std::string const& b,
             std::string const& c, std::function<T(T, T, T)> const& f) {
  for (int workers : {1, 2})
    for (std::string const where : {".global", ".shared", ""})
      for (std::string const order : {"", ".relaxed.gpu", ".acq_rel.sys", ".release.cta"})
        for (bool observed : {false, true}) {
          machine m(1, 4096, workers);
          if (observed) m.observe();
          u64 const at = m.memory.allocate(1024, allocation_kind::device, 0);
          std::byte* const words =
              where == ".shared" ? m.self.shared.data() : reinterpret_cast<std::byte*>(at);
          T expected[16];
          for (int k = 0; k < 16; ++k) expected[k] = interesting<T>(k);
          std::memcpy(words, expected, sizeof expected);
          auto const address = [&](int t) {
            u64 const offset = sizeof(T) * static_cast<u64>(t % 16);
            return where == ".shared" ? offset : at + offset;
          };
          m.set<u64>("%rd1", address);
          m.set<u32>("%r9", [&](int t) { return static_cast<u32>(address(t)); });
          m.set<T>(b, [](int t) { return interesting<T>(t / 2 + 3 * t); });
          if (!c.empty()) m.set<T>(c, [](int t) { return interesting<T>(t + 2); });
          std::string const base = where == ".shared" ? "[%r9]" : "[%rd1]";
          std::string const operands = base + ", " + b + (c.empty() ? "" : ", " + c) + ";";
          std::string const text =
              "atom" + order + where + "." + operation_and_type + " " + d + ", " + operands;
          INFO(text << " workers " << workers);
          bool changes = false;
          T results[32];
          for (int t = 0; t < 32; ++t) {
            T& word = expected[t % 16];
            results[t] = word;
            word = f(word, interesting<T>(t / 2 + 3 * t), interesting<T>(t + 2));
            changes |= word != results[t];
          }
          m.run(text);
          REQUIRE(std::memcmp(words, expected, sizeof expected) == 0);
          REQUIRE(std::memcmp(m.values<T>(d), results, sizeof results) == 0);
          if (observed) {
            REQUIRE(m.record.seen.size() == 1);
            REQUIRE(m.record.seen[0].kind == access_kind::update);
            REQUIRE(m.record.seen[0].where == (where == ".shared" ? space::shared : space::global));
            REQUIRE(m.record.seen[0].changes == changes);
          }
        }
}

}  // namespace

TEST_CASE("atomic operations on integers", "[memory]") {
  compare<u32>("add.u32", "%r1", "%r2", "", [](u32 o, u32 b, u32) { return o + b; });
  compare<u32>("add.s32", "%r1", "%r2", "", [](u32 o, u32 b, u32) { return o + b; });
  compare<u64>("add.u64", "%rd3", "%rd2", "", [](u64 o, u64 b, u64) { return o + b; });
  compare<u32>("inc.u32", "%r1", "%r2", "", [](u32 o, u32 b, u32) { return o >= b ? 0 : o + 1; });
  compare<u32>("dec.u32", "%r1", "%r2", "",
               [](u32 o, u32 b, u32) { return o == 0 || o > b ? b : o - 1; });
  compare<u32>("min.u32", "%r1", "%r2", "", [](u32 o, u32 b, u32) { return std::min(o, b); });
  compare<u32>("max.u32", "%r1", "%r2", "", [](u32 o, u32 b, u32) { return std::max(o, b); });
  compare<u32>("min.s32", "%r1", "%r2", "", [](u32 o, u32 b, u32) {
    return static_cast<u32>(std::min(static_cast<s32>(o), static_cast<s32>(b)));
  });
  compare<u32>("max.s32", "%r1", "%r2", "", [](u32 o, u32 b, u32) {
    return static_cast<u32>(std::max(static_cast<s32>(o), static_cast<s32>(b)));
  });
  compare<u64>("min.u64", "%rd3", "%rd2", "", [](u64 o, u64 b, u64) { return std::min(o, b); });
  compare<u64>("max.s64", "%rd3", "%rd2", "", [](u64 o, u64 b, u64) {
    return static_cast<u64>(std::max(static_cast<s64>(o), static_cast<s64>(b)));
  });
  compare<u32>("and.b32", "%r1", "%r2", "", [](u32 o, u32 b, u32) { return o & b; });
  compare<u32>("or.b32", "%r1", "%r2", "", [](u32 o, u32 b, u32) { return o | b; });
  compare<u64>("xor.b64", "%rd3", "%rd2", "", [](u64 o, u64 b, u64) { return o ^ b; });
  compare<u32>("exch.b32", "%r1", "%r2", "", [](u32, u32 b, u32) { return b; });
  compare<u64>("exch.b64", "%rd3", "%rd2", "", [](u64, u64 b, u64) { return b; });
  compare<u16>("cas.b16", "%rs1", "%rs2", "%rs3",
               [](u16 o, u16 b, u16 c) { return o == b ? c : o; });
  compare<u32>("cas.b32", "%r1", "%r2", "%r3", [](u32 o, u32 b, u32 c) { return o == b ? c : o; });
  compare<u64>("cas.b64", "%rd3", "%rd2", "%rd4",
               [](u64 o, u64 b, u64 c) { return o == b ? c : o; });
}

TEST_CASE("128-bit exchange and compare", "[memory]") {
  for (int workers : {1, 2}) {
    machine m(1, 4096, workers);
    u64 const at = m.memory.allocate(1024, allocation_kind::device, 0);
    auto* const words = reinterpret_cast<u64*>(at);
    m.set<u64>("%rd1", [&](int t) { return at + 16U * static_cast<unsigned>(t); });
    for (unsigned t = 0; t < 32; ++t) {
      words[2 * t] = t % 2;
      words[2 * t + 1] = t % 3;
      m.values<u64>("%rq2")[2 * t] = 1;
      m.values<u64>("%rq2")[2 * t + 1] = 2;
      m.values<u64>("%rq3")[2 * t] = 100 + t;
      m.values<u64>("%rq3")[2 * t + 1] = 200 + t;
    }
    m.run("atom.global.cas.b128 %rq1, [%rd1], %rq2, %rq3;");
    for (unsigned t = 0; t < 32; ++t) {
      bool const same = t % 2 == 1 && t % 3 == 2;
      REQUIRE(m.values<u64>("%rq1")[2 * t] == t % 2);
      REQUIRE(m.values<u64>("%rq1")[2 * t + 1] == t % 3);
      REQUIRE(words[2 * t] == (same ? 100 + t : t % 2));
      REQUIRE(words[2 * t + 1] == (same ? 200 + t : t % 3));
    }
    m.run("atom.global.exch.b128 %rq1, [%rd1], %rq2;");
    REQUIRE(words[10] == 1);
    REQUIRE(words[11] == 2);
    REQUIRE(m.values<u64>("%rq1")[10] == 105);
  }
}

TEST_CASE("all lanes of a request add to one word", "[memory]") {
  machine m;
  m.set<u32>("%r1", [](int) { return 64; });
  m.set<u32>("%r2", [](int t) { return t + 1; });
  m.run("atom.shared.add.u32 %r3, [%r1], %r2; red.shared.add.u32 [%r1], 1;", 0xffff0000U);
  u32 word = 0;
  std::memcpy(&word, m.self.shared.data() + 64, 4);
  REQUIRE(word == (17 + 32) * 16 / 2 + 16);
  REQUIRE(m.values<u32>("%r3")[18] == 17 + 18);
  m.run("atom.shared.add.u32 _, [%r1], %r2;", 1U);
  std::memcpy(&word, m.self.shared.data() + 64, 4);
  REQUIRE(word == (17 + 32) * 16 / 2 + 17);
}

TEST_CASE("atomic sums of floating numbers", "[memory]") {
  machine m;
  u64 const at = m.memory.allocate(1024, allocation_kind::device, 0);
  m.set<u64>("%rd1", [&](int) { return at; });
  m.set<u32>("%r1", [](int) { return 0; });
  SECTION("f32 and f64") {
    m.set<float>("%f1", [](int t) { return 0.5F + static_cast<float>(t); });
    m.set<double>("%fd1", [](int t) { return 0.25 * t; });
    m.run("red.global.add.f32 [%rd1], %f1; atom.shared.add.f32 %f2, [%r1], %f1; "
          "atom.global.add.f64 %fd2, [%rd1+8], %fd1;");
    REQUIRE(*reinterpret_cast<float*>(at) == 512.0F);
    REQUIRE(*reinterpret_cast<double*>(at + 8) == 124.0);
    REQUIRE(m.values<float>("%f2")[3] == 4.5F);
  }
  SECTION("global sums have no subnormals, shared ones have") {
    float const tiny = std::bit_cast<float>(5U);
    m.set<float>("%f1", [&](int) { return tiny; });
    m.run("red.global.add.f32 [%rd1], %f1; red.shared.add.f32 [%r1], %f1;", 3U);
    REQUIRE(*reinterpret_cast<u32*>(at) == 0);
    u32 bits = 0;
    std::memcpy(&bits, m.self.shared.data(), 4);
    REQUIRE(bits == 10);
  }
  SECTION("halves") {
    // 1.5 and 2 are 0x3e00 and 0x4000 in f16, 0x3fc0 and 0x4000 in bf16
    m.set<u16>("%rs1", [](int) { return 0x3e00; });
    m.set<u32>("%r2", [](int) { return 0x40003e00; });
    m.set<u16>("%rs2", [](int) { return 0x3fc0; });
    m.set<u32>("%r3", [](int) { return 0x40003fc0; });
    m.run("red.global.add.noftz.f16 [%rd1], %rs1; red.global.add.noftz.f16x2 [%rd1+4], %r2;"
          "red.global.add.noftz.bf16 [%rd1+8], %rs2; atom.global.add.noftz.bf16x2 %r4, [%rd1+12], "
          "%r3;",
          3U);
    REQUIRE(*reinterpret_cast<u16*>(at) == 0x4200);          // 3
    REQUIRE(*reinterpret_cast<u32*>(at + 4) == 0x44004200);  // 4, 3
    REQUIRE(*reinterpret_cast<u16*>(at + 8) == 0x4040);
    REQUIRE(*reinterpret_cast<u32*>(at + 12) == 0x40804040);
    REQUIRE(m.values<u32>("%r4")[1] == 0x40003fc0);
  }
  SECTION("vectors") {
    m.set<float>("%f1", [](int t) { return static_cast<float>(t); });
    m.set<float>("%f2", [](int) { return 2.0F; });
    m.observe();
    m.run("red.global.add.v2.f32 [%rd1], {%f1, %f2}; atom.global.v4.f32.add {%f3, %f4, %f5, _}, "
          "[%rd1+16], {%f1, %f2, %f1, %f2};");
    auto const* const f = reinterpret_cast<float*>(at);
    REQUIRE(f[0] == 496.0F);
    REQUIRE(f[1] == 64.0F);
    REQUIRE(f[4] == 496.0F);
    REQUIRE(f[7] == 64.0F);
    REQUIRE(m.values<float>("%f4")[31] == 62.0F);
    REQUIRE(m.record.seen.at(0).bytes == 8);
    REQUIRE(m.record.seen.at(1).bytes == 16);
    m.set<u16>("%rs1", [](int t) { return t == 7 ? 0x4400 : 0x3c00; });
    m.set<u16>("%rs2", [](int t) { return t == 9 ? 0xc000 : 0x3c00; });
    m.run("red.global.v2.f16.max.noftz [%rd1+64], {%rs1, %rs2}; red.global.v2.f16.min.noftz "
          "[%rd1+68], {%rs1, %rs2};");
    REQUIRE(*reinterpret_cast<u32*>(at + 64) == 0x3c004400);
    REQUIRE(*reinterpret_cast<u32*>(at + 68) == 0xc0000000);
  }
}

TEST_CASE("sums of halves at the ends of their range", "[memory]") {
  struct sum {
    u16 a;
    u16 b;
    u16 f16;
    u16 bf16;
  };
  // In f16: 65504 + 65504, 65504 + 16 (a tie), 65504 + 8, infinities, -0 - 0, NaN. In bf16 the same
  // bits are other numbers.
  sum const cases[] = {{0x7bff, 0x7bff, 0x7c00, 0x7c7f}, {0x7bff, 0x4c00, 0x7c00, 0x7bff},
                       {0x7bff, 0x4800, 0x7bff, 0x7bff}, {0x7c00, 0xfc00, 0x7fff, 0},
                       {0x8000, 0x8000, 0x8000, 0x8000}, {0x7e01, 0x3c00, 0x7fff, 0x7e01},
                       {0x7f80, 0xff80, 0x7fff, 0x7fff}, {0x7f7f, 0x7f7f, 0x7fff, 0x7f80}};
  machine m;
  u64 const at = m.memory.allocate(1024, allocation_kind::device, 0);
  m.set<u64>("%rd1", [&](int t) { return at + 4U * static_cast<unsigned>(t); });
  for (unsigned t = 0; t < std::size(cases); ++t) {
    reinterpret_cast<u16*>(at)[2 * t] = cases[t].a;
    reinterpret_cast<u16*>(at)[2 * t + 1] = cases[t].a;
    m.values<u16>("%rs1")[t] = cases[t].b;
  }
  m.run("red.global.add.noftz.f16 [%rd1], %rs1; red.global.add.noftz.bf16 [%rd1+2], %rs1;", 0xffU);
  for (unsigned t = 0; t < std::size(cases); ++t) {
    INFO("case " << t);
    REQUIRE(reinterpret_cast<u16*>(at)[2 * t] == cases[t].f16);
    REQUIRE(reinterpret_cast<u16*>(at)[2 * t + 1] == cases[t].bf16);
  }
}

TEST_CASE("sums of f16 are rounded to nearest", "[memory]") {
  // The reference computes in double and compares all neighbouring values.
  auto const value = [](u16 h) {
    double const fraction = h & 1023;
    int const e = h >> 10 & 31;
    double const v = e == 0 ? fraction * 0x1p-24 : (1024 + fraction) * std::ldexp(1.0, e - 25);
    return (h & 0x8000) != 0 ? -v : v;
  };
  machine m;
  u64 const at = m.memory.allocate(1024, allocation_kind::device, 0);
  m.set<u64>("%rd1", [&](int t) { return at + 2U * static_cast<unsigned>(t); });
  unsigned seed = 1;
  for (int round = 0; round < 300; ++round) {
    u16 a[32];
    u16 b[32];
    for (int t = 0; t < 32; ++t) {
      seed = seed * 1664525U + 1013904223U;
      a[t] = static_cast<u16>((seed >> 16 & 0x83ffU) | (seed >> 3 & 15U) << 10);
      b[t] = static_cast<u16>((seed >> 8 & 0x83ffU) | (seed >> 5 & 15U) << 10);
    }
    std::memcpy(reinterpret_cast<void*>(at), a, sizeof a);
    std::memcpy(m.values<u16>("%rs1"), b, sizeof b);
    m.run("red.global.add.noftz.f16 [%rd1], %rs1;");
    for (int t = 0; t < 32; ++t) {
      u16 const got = reinterpret_cast<u16*>(at)[t];
      double const exact = value(a[t]) + value(b[t]);
      double const error = std::abs(value(got) - exact);
      u16 const up = static_cast<u16>(got + 1);
      u16 const down = static_cast<u16>(got - 1);
      REQUIRE(error <= std::abs(value(up) - exact));
      if ((got & 0x7fff) != 0) REQUIRE(error <= std::abs(value(down) - exact));
      if ((got & 0x7fff) != 0 &&
          (error == std::abs(value(up) - exact) || error == std::abs(value(down) - exact)))
        REQUIRE((got & 1) == 0);
    }
  }
}

TEST_CASE("host threads that add lose nothing", "[memory]") {
  constexpr int threads = 4;
  constexpr int rounds = 2000;
  machine first(1, 4096, threads);
  u64 const at = first.memory.allocate(1024, allocation_kind::device, 0);
  std::atomic<int> torn{0};
  std::vector<std::thread> all;
  for (int n = 0; n < threads; ++n)
    all.emplace_back([&, n] {
      machine m(first, static_cast<u64>(n + 1), 1, 4096, threads);
      m.set<u64>("%rd1", [&](int t) { return at + 16U * static_cast<unsigned>(t % 2); });
      m.set<float>("%f1", [](int) { return 1.0F; });
      m.set<u16>("%rs1", [](int) { return 1; });
      for (int k = 0; k < rounds; ++k) {
        m.run("atom.global.add.u32 %r1, [%rd1], 1; red.global.add.f32 [%rd1+4], %f1;", 0xfU);
        m.run("red.global.add.u64 [%rd1+8], 3;", 0xfU);
        // A lock-free loop on 16 bytes, which increments both halves together.
        bool done = false;
        m.set<u64>("%rd2", [&](int) { return at + 64; });
        while (!done) {
          m.run("ld.relaxed.gpu.global.v2.u64 {%rd3, %rd4}, [%rd2];", 1U);
          u64 const low = m.values<u64>("%rd3")[0];
          u64 const high = m.values<u64>("%rd4")[0];
          if (low != high) ++torn;
          m.values<u64>("%rq2")[0] = low;
          m.values<u64>("%rq2")[1] = high;
          m.values<u64>("%rq3")[0] = low + 1;
          m.values<u64>("%rq3")[1] = high + 1;
          m.run("atom.global.cas.b128 %rq1, [%rd2], %rq2, %rq3;", 1U);
          done = m.values<u64>("%rq1")[0] == low && m.values<u64>("%rq1")[1] == high;
        }
      }
    });
  for (std::thread& t : all) t.join();
  REQUIRE(torn == 0);
  for (u64 const word : {at, at + 16}) {
    REQUIRE(*reinterpret_cast<u32*>(word) == threads * rounds * 2);
    REQUIRE(*reinterpret_cast<float*>(word + 4) == static_cast<float>(threads * rounds * 2));
    REQUIRE(*reinterpret_cast<u64*>(word + 8) == 3U * threads * rounds * 2);
  }
  REQUIRE(*reinterpret_cast<u64*>(at + 64) == threads * rounds);
  REQUIRE(*reinterpret_cast<u64*>(at + 72) == threads * rounds);
}

TEST_CASE("host threads that add to one word, all the time", "[memory]") {
  constexpr int threads = 4;
  constexpr u32 rounds = 20'000;
  machine first(1, 4096, threads);
  u64 const at = first.memory.allocate(1024, allocation_kind::device, 0);
  std::vector<std::thread> all;
  for (int n = 0; n < threads; ++n)
    all.emplace_back([&, n] {
      machine m(first, static_cast<u64>(n + 1), 1, 4096, threads);
      m.set<u64>("%rd1", [&](int) { return at; });
      m.repeat("red.global.add.u32 [%rd1], 1;", rounds);
    });
  for (std::thread& t : all) t.join();
  REQUIRE(*reinterpret_cast<u32*>(at) == threads * rounds * lanes);
}

TEST_CASE("a warp that waits gives its turn away", "[memory]") {
  machine m;
  u64 const at = m.memory.allocate(1024, allocation_kind::device, 0);
  m.set<u64>("%rd1", [&](int) { return at; });
  warp& w = m.self.warps[0];
  std::string const text =
      GENERATE("ld.volatile.global.u32 %r1, [%rd1];", "ld.acquire.gpu.global.u32 %r1, [%rd1];",
               "atom.global.cas.b32 %r1, [%rd1], 5, 6;", "atom.shared.exch.b32 %r1, [%r9], 0;");
  for (int k = 0; k < 10; ++k) m.run(text);
  REQUIRE(w.yielded);
  REQUIRE(w.polls == 10);
  m.run("st.global.u32 [%rd1], 0;");
  REQUIRE(w.polls == 0);
  m.run(text);
  REQUIRE(w.polls == 1);
  m.run("atom.global.add.u32 %r1, [%rd1], 1;");
  REQUIRE(w.polls == 0);
}

TEST_CASE("atomic operations that types do not have are refused", "[memory]") {
  machine m;
  for (std::string const text :
       {"atom.global.add.b32 %r1, [%rd1], %r2;", "atom.global.and.f32 %f1, [%rd1], %f2;",
        "atom.global.inc.u64 %rd2, [%rd1], %rd3;", "atom.local.add.u32 %r1, [%rd1], %r2;",
        "atom.global.add.v2.u32 {%r1, %r2}, [%rd1], {%r3, %r4};",
        "red.async.global.add.u32 [%rd1], %r2;", "atom.volatile.global.add.u32 %r1, [%rd1], %r2;",
        "atom.global.cas.f32 %f1, [%rd1], %f2, %f3;"})
    REQUIRE_THROWS_AS(m.run(text), unsupported);
}
