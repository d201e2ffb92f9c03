// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory_machine.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <random>

using namespace memory_test;

// wgmma.mma_async.sp compared with a plain loop over the expanded matrix, and the rounding of wgmma
// and mma of random halves. Places of elements in shared memory are by PTX ISA 9.0, "Shared memory
// matrix layout" and "Canonical layouts"; metadata by the layouts of CUTLASS 4.2 (ELayout).
namespace {

using Catch::Matchers::Contains;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

//! The bits of 0 to 3 in a type, its sign, and what its sparse rows look like.
struct type_of_numbers {
  char const* text;  //!< what follows "m64n8" in the name of the instruction
  int bytes;
  std::array<u32, 4> numbers;
  u32 sign;  //!< 0: two's complement
  int group;
  int selectors;
};
type_of_numbers const types[] = {
    {"k32.f32.f16.f16", 2, {0, 0x3c00, 0x4000, 0x4200}, 0x8000, 4, 2},
    {"k32.f32.bf16.bf16", 2, {0, 0x3f80, 0x4000, 0x4040}, 0x8000, 4, 2},
    {"k16.f32.tf32.tf32", 4, {0, 0x3f800000, 0x40000000, 0x40400000}, 0x80000000, 2, 2},
    {"k64.f32.e4m3.e5m2", 1, {0, 0x38, 0x40, 0x44}, 0x80, 4, 1},
    {"k64.s32.s8.s8", 1, {0, 1, 2, 3}, 0, 4, 1},
};

u32 bits_of(type_of_numbers const& type, int value, bool of_b) {
  if (type.sign == 0) return static_cast<u32>(value) & 0xffU;
  constexpr u32 e5m2[] = {0, 0x3c, 0x40, 0x42};
  auto const size = static_cast<std::size_t>(std::abs(value));
  bool const is_e5m2 = of_b && type.bytes == 1;
  return (is_e5m2 ? e5m2[size] : type.numbers[size]) | (value < 0 ? type.sign : 0U);
}

//! The byte of a tile's element: rows of `span` bytes through the swizzle, or 0: matrices of 8 rows
//! of 16 bytes, down the rows first.
int byte_of(int row, int byte, int span, int rows) {
  if (span == 0) return byte / 16 * rows * 16 + row * 16 + byte % 16;
  int const plain = row * span + byte;
  return plain ^ (plain >> 7 & (span / 16 - 1)) << 4;
}
u64 descriptor(int start, int span, int rows) {
  auto const field = [](int bytes) { return static_cast<u64>(bytes >> 4 & 0x3fff); };
  u64 const mode = span == 128 ? 1 : span == 64 ? 2 : span == 32 ? 3 : 0;
  return field(start) | field(span == 0 ? rows * 16 : 16) << 16 |
         field(span == 0 ? 128 : 8 * span) << 32 | mode << 62;
}

struct warpgroup : machine {
  static constexpr int start_of_b = 16384;
  warpgroup() : machine(4, 32768) {}
  void put(int place, u32 bits, int bytes) {
    std::memcpy(self.shared.data() + place, &bits, static_cast<std::size_t>(bytes));
  }
  void run_all(std::string const& text) {
    for (int w = 0; w < 4; ++w) run(text, all_lanes, w);
  }
};

//! `f(warp, lane, i, row, column)` for the elements i of the accumulators of m64n8.
template <class F>
void each_sum(F const& f) {
  for (int w = 0; w < 4; ++w)
    for (int t = 0; t < lanes; ++t)
      for (int i = 0; i < 4; ++i) f(w, t, i, 16 * w + t / 4 + i / 2 * 8, t % 4 * 2 + i % 2);
}

}  // namespace

TEST_CASE("wgmma.mma_async.sp multiplies the expanded matrix", "[memory]") {
  std::mt19937 random(11);
  auto const below = [&](u32 n) { return static_cast<int>(random() % n); };
  for (type_of_numbers const& type : types)
    for (int const span : {0, 64, 128})
      for (bool const in_registers : {false, true})
        for (int selector = 0; selector < type.selectors; ++selector) {
          int const depth = 64 / type.bytes;
          int const groups = depth / type.group;
          int const kept = type.group / 2;
          warpgroup m;
          int stored[64][32] = {};
          int a[64][64] = {};
          int b[8][64] = {};
          u32 metadata[64][16] = {};
          for (int row = 0; row < 64; ++row)
            for (int g = 0; g < groups; ++g) {
              int const low = below(type.group == 2 ? 2 : 3);
              int const high = low + 1 + below(static_cast<u32>(3 - low));
              metadata[row][g] = type.group == 2 ? (low == 0 ? 0b0100U : 0b1110U)
                                                 : static_cast<u32>(low | high << 2);
              for (int k = 0; k < kept; ++k) {
                int const value = below(7) - 3;
                stored[row][g * kept + k] = value;
                a[row][g * type.group + (k == 0 ? low : high)] = value;
              }
            }
          for (auto& column : b)
            for (int& x : column) x = below(7) - 3;
          // A has 32 bytes a row: without a swizzle here, that of B is tested.
          for (int row = 0; row < 64; ++row)
            for (int k = 0; k < depth / 2; ++k)
              m.put(byte_of(row, k * type.bytes, 0, 64), bits_of(type, stored[row][k], false),
                    type.bytes);
          for (int column = 0; column < 8; ++column)
            for (int k = 0; k < depth; ++k)
              m.put(warpgroup::start_of_b + byte_of(column, k * type.bytes, span, 8),
                    bits_of(type, b[column][k], true), type.bytes);
          int const packed = 4 / type.bytes;
          for (int w = 0; w < 4; ++w) {
            m.set<u64>("%rd1", [](int) { return descriptor(0, 0, 64); }, w);
            m.set<u64>("%rd2", [&](int) { return descriptor(warpgroup::start_of_b, span, 8); }, w);
            *m.values<u32>("%p1", w) = ~0U;
            for (int t = 0; t < lanes; ++t) {
              u32 bits = 0;
              int const half = t % 4 % 2;
              for (int n = 0; n < 8; ++n) {
                int const row = 16 * w + t / 4 + 8 * (groups == 16 ? half : n / 4);
                int const g = groups == 16 ? t % 4 / 2 * 8 + n : half * 4 + n % 4;
                bits |= metadata[row][g] << 4 * n;
              }
              // lanes that are not selected give bits that must not be read
              m.values<u32>("%r9", w)[t] =
                  groups == 16 || t % 4 / 2 == selector ? bits : 0x55555555U;
              for (int r = 0; r < 4; ++r) {
                u32 word = 0;
                for (int k = 0; k < packed; ++k)
                  word |=
                      bits_of(type,
                              stored[16 * w + t / 4 + r % 2 * 8][(r / 2 * 4 + t % 4) * packed + k],
                              false)
                      << 8 * type.bytes * k % 32;
                m.values<u32>("%r" + std::to_string(10 + r), w)[t] = word;
              }
              for (int i = 0; i < 4; ++i) {
                m.values<float>("%f" + std::to_string(i), w)[t] = static_cast<float>(i - t);
                m.values<u32>("%r" + std::to_string(i), w)[t] = static_cast<u32>(i - t);
              }
            }
          }
          std::string const text =
              std::string("wgmma.mma_async.sp.sync.aligned.m64n8") + type.text +
              (type.sign == 0 ? " {%r0, %r1, %r2, %r3}, " : " {%f0, %f1, %f2, %f3}, ") +
              (in_registers ? "{%r10, %r11, %r12, %r13}" : "%rd1") + ", %rd2, %r9, " +
              std::to_string(selector) + ", %p1" + (type.sign == 0 ? "" : ", 1, 1") +
              (type.bytes != 2 ? ""
               : in_registers  ? ", 0"
                               : ", 0, 0") +
              ";";
          INFO(text << " span " << span);
          m.run_all(text);
          each_sum([&](int w, int t, int i, int row, int column) {
            int sum = i - t;
            for (int k = 0; k < depth; ++k) sum += a[row][k] * b[column][k];
            if (type.sign == 0)
              REQUIRE(static_cast<int>(m.values<u32>("%r" + std::to_string(i), w)[t]) == sum);
            else
              REQUIRE(m.values<float>("%f" + std::to_string(i), w)[t] == static_cast<float>(sum));
          });
        }
}

TEST_CASE("wgmma.mma_async.sp refuses metadata, selectors and a swizzle of 32 bytes", "[memory]") {
  warpgroup m;
  m.set<u64>("%rd1", [](int) { return descriptor(0, 0, 64); });
  m.set<u64>("%rd2", [](int) { return descriptor(warpgroup::start_of_b, 32, 8); });
  m.set<u64>("%rd3", [](int) { return descriptor(warpgroup::start_of_b, 64, 8); });
  *m.values<u32>("%p1") = ~0U;
  std::string const begin = "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%f0, %f1, %f2, "
                            "%f3}, %rd1, ";
  m.set<u32>("%r9", [](int) { return 0x44444444U; });
  CHECK(m.fault(begin + "%rd2, %r9, 0, %p1, 1, 1, 0, 0;")
            .message.find("swizzle of the descriptor "
                          "of B is 32") != std::string::npos);
  CHECK_NOTHROW(m.run(begin + "%rd3, %r9, 0, %p1, 1, 1, 0, 0;"));
  m.set<u32>("%r9", [](int t) { return t == 5 ? 0x4444444fU : 0x44444444U; });
  CHECK(m.fault(begin + "%rd3, %r9, 0, %p1, 1, 1, 0, 0;").message ==
        "wgmma.mma_async.sp: the metadata of row 1, columns 16 to 19, are 0b1111; accepted: two "
        "different places");
  CHECK_NOTHROW(m.run(begin + "%rd3, %r9, 1, %p1, 1, 1, 0, 0;"));
  CHECK_THROWS_WITH(m.run(begin + "%rd3, %r9, 2, %p1, 1, 1, 0, 0;"), Contains("0 to 1"));
  CHECK_THROWS_AS(
      m.run("wgmma.mma_async.sp.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, "
            "%rd1, %rd3, %r9, 0, %p1, 1, 1, 0, 0;"),
      unsupported);
}

namespace {

//! A half's value as a multiple of 2^-24.
std::int64_t parts_of(u16 bits) {
  int const exponent = bits >> 10 & 31;
  std::int64_t const mantissa = bits & 1023;
  std::int64_t const size = exponent == 0 ? mantissa : (mantissa | 1024) << (exponent - 1);
  return (bits & 0x8000) != 0 ? -size : size;
}

__extension__ using wide = __int128;

//! The sum and the sum of the sizes of its terms, exactly, as multiples of 2^-48.
struct exact_sum {
  wide sum = 0;
  wide sizes = 0;
  void add(wide term) {
    sum += term;
    sizes += term < 0 ? -term : term;
  }
  //! \param terms that the device adds, each time rounding to 53 bits; then it rounds to 24 bits.
  [[nodiscard]] bool is_rounded(float found, int terms) const {
    long double const exact = std::ldexp(static_cast<long double>(sum), -48);
    long double const tolerance =
        std::ldexp(std::fabs(exact), -24) +
        std::ldexp(static_cast<long double>(terms) * static_cast<long double>(sizes), -48 - 53) +
        std::ldexp(std::fabs(exact), -63);  // of this long double
    return std::fabs(static_cast<long double>(found) - exact) <= tolerance;
  }
};

}  // namespace

// The device's sums (execute/matrix/warpgroup.cpp) are in 53 bits, rounded once: an element is off
// by at most 2^-24 of its size and, of n terms, by n 2^-53 of the sum of their sizes. Sums of
// floats are far off where terms cancel.
TEST_CASE("wgmma of random halves is rounded once", "[memory]") {
  std::mt19937 random(5);
  int far_off = 0;
  int inexact = 0;
  for (int turn = 0; turn < 20; ++turn) {
    warpgroup m;
    // finite halves; half of the turns have terms that cancel
    auto const half = [&] {
      auto const bits = static_cast<u32>(random());
      u32 const exponent = turn % 2 == 0 ? 12 + (bits >> 16) % 8 : (bits >> 16) % 30;
      return static_cast<u16>((bits & 0x83ffU) | exponent << 10);
    };
    u16 a[64][16];
    u16 b[8][16];
    for (int row = 0; row < 64; ++row)
      for (int k = 0; k < 16; ++k) {
        a[row][k] = half();
        m.put(byte_of(row, 2 * k, 0, 64), a[row][k], 2);
      }
    for (int column = 0; column < 8; ++column)
      for (int k = 0; k < 16; ++k) {
        b[column][k] = half();
        m.put(warpgroup::start_of_b + byte_of(column, 2 * k, 128, 8), b[column][k], 2);
      }
    for (int w = 0; w < 4; ++w) {
      m.set<u64>("%rd1", [](int) { return descriptor(0, 0, 64); }, w);
      m.set<u64>("%rd2", [](int) { return descriptor(warpgroup::start_of_b, 128, 8); }, w);
      *m.values<u32>("%p1", w) = ~0U;
      for (int i = 0; i < 4; ++i)
        m.set<float>(
            "%f" + std::to_string(i),
            [](int t) { return std::ldexp(static_cast<float>(3 * t - 40), -20); }, w);
    }
    m.run_all("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd1, %rd2, "
              "%p1, 1, 1, 0, 0;");
    each_sum([&](int w, int t, int i, int row, int column) {
      exact_sum exact;
      exact.add(static_cast<wide>(3 * t - 40) << 28);
      float in_floats = std::ldexp(static_cast<float>(3 * t - 40), -20);
      for (int k = 0; k < 16; ++k) {
        std::int64_t const x = parts_of(a[row][k]);
        std::int64_t const y = parts_of(b[column][k]);
        exact.add(static_cast<wide>(x) * y);
        in_floats +=
            std::ldexp(static_cast<float>(x), -24) * std::ldexp(static_cast<float>(y), -24);
      }
      float const found = m.values<float>("%f" + std::to_string(i), w)[t];
      REQUIRE(exact.is_rounded(found, 17));
      far_off += exact.is_rounded(in_floats, 17) ? 0 : 1;
      inexact +=
          static_cast<wide>(std::ldexp(static_cast<long double>(found), 48)) == exact.sum ? 0 : 1;
    });
  }
  CHECK(far_off > 1000);  // the check finds sums that are rounded more often
  CHECK(inexact > 1000);
}

TEST_CASE("accumulators of halves are rounded once, not to a float before", "[memory]") {
  machine m;
  // 1 + 2^-11 + 2^-40: to a float, and then to a half whose last bit is even, it would be 1.
  m.set<u32>("%r1", [](int t) { return t % 4 == 0 ? 0x3c00U | 0x0010U << 16 : 0x1000U; });
  m.set<u32>("%r2", [](int) { return 0U; });
  m.set<u32>("%r3", [](int t) {
    return t % 4 == 0 ? 0x3c00U | 0x0010U << 16 : t % 4 == 1 ? 0x3c00U : 0U;
  });
  m.set<u32>("%r8", [](int) { return 0U; });
  m.run("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%r10, %r11}, {%r1, %r2}, {%r3}, {%r8, "
        "%r8};");
  CHECK(m.values<u32>("%r10")[0] == (0x3c01U | 0x3c01U << 16));
}
