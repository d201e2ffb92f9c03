// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory_machine.hpp"

#include <bit>
#include <cmath>

using namespace memory_test;

namespace {

using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

void put(machine& m, std::size_t offset, u16 value) {
  std::memcpy(m.self.shared.data() + offset, &value, 2);
}
u16 get(machine const& m, std::size_t offset) {
  u16 value = 0;
  std::memcpy(&value, m.self.shared.data() + offset, 2);
  return value;
}

//! The offset of element (row, column) of matrix k, whose value is 100 k + 10 row + column; rows
//! begin 48 bytes apart.
std::size_t place(u32 k, u32 row, u32 column) { return 1024 * k + 48 * row + 2 * column; }

struct matrices : machine {
  matrices() {
    for (u32 k = 0; k < 4; ++k)
      for (u32 row = 0; row < 8; ++row)
        for (u32 column = 0; column < 8; ++column)
          put(*this, place(k, row, column), static_cast<u16>(100 * k + 10 * row + column));
    set<u32>("%r9", [](int t) {
      return static_cast<u32>(place(static_cast<u32>(t) / 8, static_cast<u32>(t) % 8, 0));
    });
  }
};

}  // namespace

// The mapping is that of CUTLASS 4.2 (copy_traits_sm100.hpp), with the bytes as the instruction
// gives them.
TEST_CASE("ldmatrix of bytes gives each lane four rows of a column", "[memory]") {
  machine m;
  m.observe();
  // Byte (row, column) of matrix k is 100 k + 4 row + column; rows begin 32 bytes apart.
  for (u32 k = 0; k < 2; ++k)
    for (u32 row = 0; row < 16; ++row)
      for (u32 column = 0; column < 16; ++column)
        m.self.shared[512 * k + 32 * row + column] =
            static_cast<std::byte>(100 * k + 4 * row + column);
  m.set<u32>("%r9", [](int t) { return 32 * static_cast<u32>(t); });
  m.run("ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8 {%r1, %r2, %r3, %r4}, [%r9]; "
        "ldmatrix.sync.aligned.m16n16.x1.trans.shared::cta.b8 {%r5, %r6}, [%r9];");
  for (u32 t = 0; t < lanes; ++t)
    for (u32 n = 0; n < 4; ++n)
      for (u32 b = 0; b < 4; ++b) {
        u32 const wanted = 100 * (n / 2) + 4 * (t % 4 * 4 + b) + t / 4 + n % 2 * 8;
        REQUIRE((m.values<u32>("%r" + std::to_string(n + 1))[t] >> 8 * b & 0xffU) == wanted);
        if (n < 2)
          REQUIRE((m.values<u32>("%r" + std::to_string(n + 5))[t] >> 8 * b & 0xffU) == wanted);
      }
  REQUIRE((m.record.seen[0].active == all_lanes && m.record.seen[1].active == 0xffffU));
  REQUIRE_THROWS_AS(m.run("ldmatrix.sync.aligned.m16n16.x1.shared.b8 {%r5, %r6}, [%r9];"),
                    unsupported);
}

// PTX ISA 9.0, ldmatrix: "thread 0 holds elements 0 and 1 of row 0, thread 1 elements 2 and 3 of
// row 0, …, thread 31 elements 6 and 7 of row 7".
TEST_CASE("ldmatrix gives each lane its part of a row", "[memory]") {
  matrices m;
  m.observe();
  m.run("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r3, %r4}, [%r9];");
  for (u32 t = 0; t < lanes; ++t)
    for (u32 k = 0; k < 4; ++k) {
      u32 const low = 100 * k + 10 * (t / 4) + 2 * (t % 4);
      REQUIRE(m.values<u32>("%r" + std::to_string(k + 1))[t] == (low | (low + 1) << 16));
    }
  REQUIRE(m.record.seen.size() == 1);
  REQUIRE(m.record.seen[0].bytes == 16);
  REQUIRE(m.record.seen[0].active == all_lanes);
  REQUIRE(m.record.seen[0].address[9] == place(1, 1, 0));
  m.run("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r5}, [%r9]; "
        "ldmatrix.sync.aligned.x2.m8n8.shared::cta.b16 {%r6, %r7}, [%r9];");
  REQUIRE(m.record.seen[1].active == 0xffU);
  REQUIRE(m.record.seen[2].active == 0xffffU);
  REQUIRE(m.values<u32>("%r5")[31] == (76U | 77U << 16));
  REQUIRE(m.values<u32>("%r7")[4] == (110U | 111U << 16));
}

TEST_CASE("ldmatrix.trans gives each lane its part of a column", "[memory]") {
  matrices m;
  m.run("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r1, %r2}, [%r9];");
  for (u32 t = 0; t < lanes; ++t)
    for (u32 k = 0; k < 2; ++k) {
      u32 const low = 100 * k + 10 * (2 * (t % 4)) + t / 4;
      REQUIRE(m.values<u32>("%r" + std::to_string(k + 1))[t] == (low | (low + 10) << 16));
    }
  // For one matrix, lanes 8 to 31 give no valid address.
  m.set<u32>("%r8", [](int t) {
    return t < 8 ? static_cast<u32>(place(0, static_cast<u32>(t), 0)) : 1'000'000U;
  });
  m.run("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%r3}, [%r8];");
  REQUIRE(m.values<u32>("%r3")[5] == (21U | 31U << 16));
}

// The mapping is that of CUTLASS 4.2 (copy_traits_sm100.hpp, SM100_U8x4_STSM_T).
TEST_CASE("stmatrix of bytes puts four rows of a column apart", "[memory]") {
  machine m;
  for (u32 k = 0; k < 2; ++k)
    m.set<u32>("%r" + std::to_string(1 + k),
               [&](int t) { return 0x03020100U + 0x01010101U * (100 * k + static_cast<u32>(t)); });
  m.set<u32>("%r9", [](int t) { return 32 * static_cast<u32>(t); });
  m.run("stmatrix.sync.aligned.m16n8.x2.trans.shared.b8 [%r9], {%r1, %r2};");
  for (u32 k = 0; k < 2; ++k)
    for (u32 t = 0; t < lanes; ++t)
      for (u32 b = 0; b < 4; ++b) {
        u32 const bit = t % 4 * 256 + t / 4 * 8 + b % 2 * 128 + b / 2 * 64;  // of 8 rows of 128
        REQUIRE(m.self.shared[256 * k + bit / 128 * 32 + bit % 128 / 8] ==
                static_cast<std::byte>(100 * k + t + b));
      }
  for (std::string const text : {"stmatrix.sync.aligned.m16n8.x1.shared.b8 [%r9], {%r1};",
                                 "stmatrix.sync.aligned.m16n16.x1.trans.shared.b8 [%r9], {%r1};",
                                 "ldmatrix.sync.aligned.m16n8.x1.trans.shared.b8 {%r1}, [%r9];"})
    REQUIRE_THROWS_AS(m.run(text), unsupported);
}

TEST_CASE("stmatrix puts back what ldmatrix takes", "[memory]") {
  matrices m;
  m.run("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r3, %r4}, [%r9];");
  std::fill(m.self.shared.begin(), m.self.shared.end(), std::byte{0});
  m.run("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r9], {%r1, %r2, %r3, %r4};");
  for (u32 k = 0; k < 4; ++k)
    for (u32 row = 0; row < 8; ++row)
      for (u32 column = 0; column < 8; ++column)
        REQUIRE(get(m, place(k, row, column)) == 100 * k + 10 * row + column);
  m.run("stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%r9], {%r2};");
  for (u32 row = 0; row < 8; ++row)
    for (u32 column = 0; column < 8; ++column)
      REQUIRE(get(m, place(0, row, column)) == 100 + 10 * column + row);
  m.run("movmatrix.sync.aligned.m8n8.trans.b16 %r5, %r2; ldmatrix.sync.aligned.m8n8.x1.shared.b16 "
        "{%r6}, [%r9];");
  for (int t = 0; t < lanes; ++t) REQUIRE(m.values<u32>("%r5")[t] == m.values<u32>("%r6")[t]);
}

TEST_CASE("matrices that may not be loaded so", "[memory]") {
  matrices m;
  REQUIRE(
      m.fault("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r3, %r4}, [%r9+8];").check ==
      check_kind::misaligned);
  REQUIRE(
      m.fault("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r3, %r4}, [%r9+4096];").check ==
      check_kind::bounds);
  REQUIRE_THROWS_AS(m.run("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r9];", 0xffffU),
                    device_fault);
  for (std::string const text :
       {"ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b6x16_p32 {%r1}, [%r9];",
        "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1}, [%r9];",
        "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%f1, %f2}, {%r1, %r2}, {%r3, %r4}, {%f1, "
        "%f2};",
        "mma.sync.aligned.m16n8k8.row.col.f32.bf16.f16.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2}, {%r3}, "
        "{%f1,%f2,%f3,%f4};"})
    REQUIRE_THROWS_AS(m.run(text), unsupported);
}

// The positions of elements in registers, by the formulas of PTX ISA 9.0, "Matrix Fragments for
// mma.m16n8k16 with floating point type" and "… with integer type".
TEST_CASE("mma of 16-bit floats", "[memory]") {
  machine m;
  // small whole numbers, whose sums are exact
  auto const a = [](int i, int k) { return static_cast<float>((3 * i + 5 * k) % 7 - 3); };
  auto const b = [](int k, int j) { return static_cast<float>((2 * k + j) % 5 - 2); };
  auto const c = [](int i, int j) { return static_cast<float>(i - 2 * j); };
  bool const brain = GENERATE(false, true);
  auto const bits = [&](float v) -> u32 {
    if (brain) return std::bit_cast<u32>(v) >> 16;
    u32 const w = std::bit_cast<u32>(v);
    return v == 0 ? 0 : (w >> 16 & 0x8000U) | ((w >> 23 & 255U) - 112U) << 10 | (w >> 13 & 1023U);
  };
  for (int t = 0; t < lanes; ++t) {
    int const group = t >> 2;
    int const in_group = t % 4;
    u32 held_a[8];
    for (int i = 0; i < 8; ++i) {
      int const row = i % 4 < 2 ? group : group + 8;
      int const column = in_group * 2 + (i & 1) + (i >= 4 ? 8 : 0);
      held_a[i] = bits(a(row, column));
    }
    for (int r = 0; r < 4; ++r)
      m.values<u32>("%r" + std::to_string(1 + r))[t] = held_a[2 * r] | held_a[2 * r + 1] << 16;
    for (int r = 0; r < 2; ++r) {
      u32 both = 0;
      for (int e = 0; e < 2; ++e) both |= bits(b(in_group * 2 + e + 8 * r, group)) << 16 * e;
      m.values<u32>("%r" + std::to_string(5 + r))[t] = both;
    }
    for (int i = 0; i < 4; ++i)
      m.values<float>("%f" + std::to_string(1 + i))[t] =
          c(i < 2 ? group : group + 8, in_group * 2 + (i & 1));
  }
  std::string const types = brain ? ".f32.bf16.bf16.f32 " : ".f32.f16.f16.f32 ";
  int const depth = GENERATE(8, 16);
  m.run(depth == 16
            ? "mma.sync.aligned.m16n8k16.row.col" + types +
                  "{%f5, %f6, %f7, %f8}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, {%f1, %f2, %f3, %f4};"
            : "mma.sync.aligned.m16n8k8.row.col" + types +
                  "{%f5, %f6, %f7, %f8}, {%r1, %r2}, {%r5}, {%f1, %f2, %f3, %f4};");
  for (int t = 0; t < lanes; ++t)
    for (int i = 0; i < 4; ++i) {
      int const row = i < 2 ? t / 4 : t / 4 + 8;
      int const column = t % 4 * 2 + (i & 1);
      float sum = c(row, column);
      for (int k = 0; k < depth; ++k) sum += a(row, k) * b(k, column);
      REQUIRE(m.values<float>("%f" + std::to_string(5 + i))[t] == sum);
    }
  if (brain) return;
  // accumulators of halves
  for (int t = 0; t < lanes; ++t)
    for (int r = 0; r < 2; ++r)
      m.values<u32>("%r" + std::to_string(8 + r))[t] =
          bits(c(t / 4 + 8 * r, t % 4 * 2)) | bits(c(t / 4 + 8 * r, t % 4 * 2 + 1)) << 16;
  m.run("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%r10, %r11}, {%r1, %r2, %r3, %r4}, "
        "{%r5, %r6}, {%r8, %r9};");
  for (int t = 0; t < lanes; ++t)
    for (int r = 0; r < 2; ++r)
      for (int e = 0; e < 2; ++e) {
        float sum = c(t / 4 + 8 * r, t % 4 * 2 + e);
        for (int k = 0; k < 16; ++k) sum += a(t / 4 + 8 * r, k) * b(k, t % 4 * 2 + e);
        REQUIRE((m.values<u32>("%r" + std::to_string(10 + r))[t] >> 16 * e & 0xffffU) == bits(sum));
      }
}

// The positions of elements by PTX ISA 9.0, "Matrix Fragments for mma.m16n8k256": a register has 32
// neighbours of a row.
TEST_CASE("mma of single bits", "[memory]") {
  machine m;
  auto const word = [](u32 matrix, u32 row, u32 column) {
    return (row * 2654435761U + column * 40503U + matrix * 97U + 1) * 2246822519U;
  };
  for (u32 r = 0; r < 4; ++r)
    m.set<u32>("%r" + std::to_string(1 + r), [&](int lane) {
      auto const t = static_cast<u32>(lane);
      return word(0, t / 4 + r % 2 * 8, t % 4 + r / 2 * 4);
    });
  for (u32 r = 0; r < 2; ++r)
    m.set<u32>("%r" + std::to_string(5 + r), [&](int lane) {
      auto const t = static_cast<u32>(lane);
      return word(1, t / 4, t % 4 + r * 4);
    });
  for (u32 r = 0; r < 4; ++r)
    m.set<u32>("%r" + std::to_string(7 + r),
               [&](int lane) { return 100 * r - static_cast<u32>(lane); });
  auto const check = [&](std::string const& form, bool exclusive, u32 words, u32 sums) {
    m.run("mma.sync.aligned." + form);
    for (u32 t = 0; t < lanes; ++t)
      for (u32 r = 0; r < sums; ++r) {
        int wanted = static_cast<int>(100 * r - t);
        for (u32 k = 0; k < words; ++k) {
          u32 const x = word(0, t / 4 + r / 2 * 8, k);
          u32 const y = word(1, t % 4 * 2 + r % 2, k);
          wanted += std::popcount(exclusive ? x ^ y : x & y);
        }
        REQUIRE(static_cast<int>(m.values<u32>("%r" + std::to_string(20 + r))[t]) == wanted);
      }
  };
  std::string const four = "{%r20, %r21, %r22, %r23}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, {%r7, %r8, "
                           "%r9, %r10};";
  check("m16n8k256.row.col.s32.b1.b1.s32.xor.popc " + four, true, 8, 4);
  check("m16n8k256.row.col.s32.b1.b1.s32.and.popc " + four, false, 8, 4);
  std::string const half = "{%r20, %r21, %r22, %r23}, {%r1, %r2}, {%r5}, {%r7, %r8, %r9, %r10};";
  check("m16n8k128.row.col.s32.b1.b1.s32.and.popc " + half, false, 4, 4);
  check("m8n8k128.row.col.s32.b1.b1.s32.xor.popc {%r20, %r21}, {%r1}, {%r5}, {%r7, %r8};", true, 4,
        2);
  for (std::string const& text : {"m16n8k256.row.col.s32.b1.b1.s32 " + four,
                                  "m16n8k256.row.col.s32.s8.s8.s32.xor.popc " + four,
                                  "m16n8k64.row.col.s32.b1.b1.s32.xor.popc " + half})
    REQUIRE_THROWS_AS(m.run("mma.sync.aligned." + text), unsupported);
}

TEST_CASE("mma of bytes, tf32 and f64", "[memory]") {
  machine m;
  auto const a = [](int i, int k) { return (31 * i + 17 * k) % 256 - 128; };
  auto const b = [](int k, int j) { return (13 * k + 29 * j) % 256 - 128; };
  SECTION("s8, 32 deep, and u8 with s8") {
    for (int t = 0; t < lanes; ++t) {
      int const group = t >> 2;
      int const in_group = t % 4;
      u32 held[4] = {};
      for (int i = 0; i < 16; ++i) {
        bool const upper = (i >= 0 && i < 4) || (i >= 8 && i < 12);
        int const row = upper ? group : group + 8;
        int const column = in_group * 4 + (i & 3) + (i >= 8 ? 16 : 0);
        held[i / 4] |= static_cast<u32>(a(row, column) & 255) << 8 * (i % 4);
      }
      for (int r = 0; r < 4; ++r) m.values<u32>("%r" + std::to_string(1 + r))[t] = held[r];
      u32 right[2] = {};
      for (int i = 0; i < 8; ++i)
        right[i / 4] |= static_cast<u32>(b(in_group * 4 + (i & 3) + (i >= 4 ? 16 : 0), group) & 255)
                        << 8 * (i % 4);
      m.values<u32>("%r5")[t] = right[0];
      m.values<u32>("%r6")[t] = right[1];
      for (int i = 0; i < 4; ++i)
        m.values<u32>("%r" + std::to_string(10 + i))[t] = static_cast<u32>(-1000 * i);
    }
    bool const is_unsigned = GENERATE(false, true);
    m.run(std::string("mma.sync.aligned.m16n8k32.row.col.s32.") + (is_unsigned ? "u8" : "s8") +
          ".s8.s32 {%r20, %r21, %r22, %r23}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, {%r10, %r11, %r12, "
          "%r13};");
    for (int t = 0; t < lanes; ++t)
      for (int i = 0; i < 4; ++i) {
        int sum = -1000 * i;
        for (int k = 0; k < 32; ++k) {
          int const left = a(i < 2 ? t / 4 : t / 4 + 8, k);
          sum += (is_unsigned ? left & 255 : left) * b(k, t % 4 * 2 + (i & 1));
        }
        REQUIRE(static_cast<int>(m.values<u32>("%r" + std::to_string(20 + i))[t]) == sum);
      }
    for (int i = 0; i < 4; ++i)
      m.set<u32>("%r" + std::to_string(10 + i), [](int) { return 0x7fffffff; });
    m.set<u32>("%r1", [](int) { return 0x01010101; });
    m.set<u32>("%r2", [](int) { return 0x01010101; });
    m.set<u32>("%r5", [](int) { return 0x01010101; });
    m.run("mma.sync.aligned.m16n8k16.row.col.satfinite.s32.s8.s8.s32 {%r20, %r21, %r22, %r23}, "
          "{%r1, %r2}, {%r5}, "
          "{%r10, %r11, %r12, %r13};");
    REQUIRE(m.values<u32>("%r20")[0] == 0x7fffffff);
    m.run("mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%r20, %r21, %r22, %r23}, {%r1, %r2}, "
          "{%r5}, "
          "{%r10, %r11, %r12, %r13};");
    REQUIRE(m.values<u32>("%r20")[0] == 0x7fffffffU + 16U);
  }
  SECTION("tf32 looks at 19 bits") {
    for (int t = 0; t < lanes; ++t) {
      int const group = t >> 2;
      int const in_group = t % 4;
      // The low bits, which the instruction ignores, are set.
      auto const word = [](int v) {
        return std::bit_cast<u32>(static_cast<float>(v)) | (v == 0 ? 0U : 0x1000U);
      };
      m.values<u32>("%r1")[t] = word(a(group, in_group));
      m.values<u32>("%r2")[t] = word(a(group + 8, in_group));
      m.values<u32>("%r3")[t] = word(a(group, in_group + 4));
      m.values<u32>("%r4")[t] = word(a(group + 8, in_group + 4));
      m.values<u32>("%r5")[t] = word(b(in_group, group));
      m.values<u32>("%r6")[t] = word(b(in_group + 4, group));
    }
    m.run("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2, "
          "%r3, %r4}, {%r5, %r6}, "
          "{%f5, %f6, %f7, %f8};");
    for (int t = 0; t < lanes; ++t)
      for (int i = 0; i < 4; ++i) {
        int sum = 0;
        for (int k = 0; k < 8; ++k)
          sum += a(i < 2 ? t / 4 : t / 4 + 8, k) * b(k, t % 4 * 2 + (i & 1));
        REQUIRE(m.values<float>("%f" + std::to_string(1 + i))[t] == static_cast<float>(sum));
      }
  }
  SECTION("f64") {
    for (int t = 0; t < lanes; ++t) {
      m.values<double>("%fd1")[t] = a(t / 4, t % 4);
      m.values<double>("%fd2")[t] = b(t % 4, t / 4);
      m.values<double>("%fd3")[t] = 0.5;
      m.values<double>("%fd4")[t] = 0.25;
    }
    m.run("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%fd5, %fd6}, {%fd1}, {%fd2}, {%fd3, "
          "%fd4};");
    for (int t = 0; t < lanes; ++t)
      for (int i = 0; i < 2; ++i) {
        double sum = i == 0 ? 0.5 : 0.25;
        for (int k = 0; k < 4; ++k) sum += a(t / 4, k) * b(k, t % 4 * 2 + i);
        REQUIRE(m.values<double>("%fd" + std::to_string(5 + i))[t] == sum);
      }
  }
}
