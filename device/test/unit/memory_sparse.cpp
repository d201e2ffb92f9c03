// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory_machine.hpp"

#include <array>
#include <bit>
#include <random>

using namespace memory_test;

// mma.sp for all shapes and types, compared with a plain loop over the expanded matrix. Lanes'
// elements are by PTX ISA 9.0, "Matrix fragments for multiply-accumulate operation with sparse
// matrix A"; their metadata by the layouts of CUTLASS 4.2 (ELayout in
// mma_traits_sm90_gmma_sparse.hpp and mma_traits_sm120_sparse.hpp).
namespace {

using Catch::Matchers::Contains;
using u32 = std::uint32_t;

struct form {
  char const* shape_and_types;  //!< from the shape on
  int depth;
  int bits;      //!< of an element in a register
  int group;     //!< elements of which half are stored
  int together;  //!< that are stored or not together
  int selectors;
  std::array<u32, 4> numbers;  //!< the bits of 0, 1, 2 and 3
  u32 sign;                    //!< the bit of the sign, or 0: two's complement
};

constexpr std::array<u32, 4> f16{0, 0x3c00, 0x4000, 0x4200}, bf16{0, 0x3f80, 0x4000, 0x4040},
    tf32{0, 0x3f800000, 0x40000000, 0x40400000}, e4m3{0, 0x38, 0x40, 0x44},
    e5m2{0, 0x3c, 0x40, 0x42}, e2m3{0, 0x08, 0x10, 0x14}, e3m2{0, 0x0c, 0x10, 0x12},
    e2m1{0, 0x08, 0x10, 0x14}, whole{0, 1, 2, 3};

form const forms[] = {
    {"m16n8k16.row.col.f32.f16.f16.f32", 16, 16, 4, 1, 4, f16, 0x8000},
    {"m16n8k32.row.col.f32.f16.f16.f32", 32, 16, 4, 1, 2, f16, 0x8000},
    {"m16n8k16.row.col.f32.bf16.bf16.f32", 16, 16, 4, 1, 4, bf16, 0x8000},
    {"m16n8k32.row.col.f32.bf16.bf16.f32", 32, 16, 4, 1, 2, bf16, 0x8000},
    {"m16n8k8.row.col.f32.tf32.tf32.f32", 8, 32, 2, 1, 4, tf32, 0x80000000},
    {"m16n8k16.row.col.f32.tf32.tf32.f32", 16, 32, 2, 1, 2, tf32, 0x80000000},
    {"m16n8k32.row.col.s32.s8.s8.s32", 32, 8, 4, 1, 2, whole, 0},
    {"m16n8k64.row.col.s32.s8.s8.s32", 64, 8, 4, 1, 1, whole, 0},
    {"m16n8k64.row.col.satfinite.s32.s4.s4.s32", 64, 4, 8, 2, 2, whole, 0},
    {"m16n8k128.row.col.s32.s4.s4.s32", 128, 4, 8, 2, 1, whole, 0},
    {"m16n8k64.row.col.f32.e4m3.e4m3.f32", 64, 8, 4, 1, 1, e4m3, 0x80},
    {"m16n8k64.row.col.f32.e5m2.e5m2.f32", 64, 8, 4, 1, 1, e5m2, 0x80},
    {"kind::f8f6f4.m16n8k64.row.col.f32.e2m3.e2m3.f32", 64, 8, 4, 1, 1, e2m3, 0x20},
    {"kind::f8f6f4.m16n8k64.row.col.f32.e3m2.e3m2.f32", 64, 8, 4, 1, 1, e3m2, 0x20},
    {"kind::f8f6f4.m16n8k64.row.col.f32.e2m1.e2m1.f32", 64, 8, 4, 1, 1, e2m1, 0x20},
};

u32 bits_of(form const& f, int value) {
  if (f.sign == 0) return static_cast<u32>(value) & ((1U << f.bits) - 1);
  return f.numbers[static_cast<std::size_t>(value < 0 ? -value : value)] |
         (value < 0 ? f.sign : 0U);
}

//! A sparse matrix: what is stored of it, the metadata of its groups, and all of it.
struct sparse_matrix {
  int stored[16][64] = {};
  u32 metadata[16][16] = {};  //!< of each row and group
  int all[16][128] = {};

  sparse_matrix(form const& f, std::mt19937& random, bool ordered) {
    auto const below = [&](u32 n) { return static_cast<int>(random() % n); };
    for (int row = 0; row < 16; ++row)
      for (int g = 0; g < f.depth / f.group; ++g) {
        int place[2] = {below(f.group == 2 ? 2 : 4), 0};
        do place[1] = below(4);
        while (place[1] == place[0] || (ordered && place[1] < place[0] && place[0] != 3));
        if (ordered && place[0] == 3) {
          place[0] = 0;
          place[1] = 3;
        }
        metadata[row][g] = f.group == 2
                               ? (place[0] == 0 ? 0b0100U : 0b1110U)
                               : static_cast<u32>(place[0]) | static_cast<u32>(place[1]) << 2;
        for (int k = 0; k < f.group / 2; ++k) {
          int const value = below(7) - 3;
          stored[row][g * f.group / 2 + k] = value;
          all[row][g * f.group + place[k / f.together] * f.together + k % f.together] = value;
        }
      }
  }

  //! ELayout: a lane's 32 bits are those of neighbouring groups of a row, or half of them in one
  //! row and half in the row 8 below.
  [[nodiscard]] u32 word(form const& f, int lane, int selector) const {
    int const groups = f.depth / f.group;
    int const givers = groups / 4;  // of the four lanes
    u32 bits = 0;
    for (int n = 0; n < 8; ++n) {
      int const row = lane / 4 + 8 * (givers == 4 ? lane % 2 : n / 4);
      int const group = givers == 4 ? lane % 4 / 2 * 8 + n : (lane % 4 % givers) * 4 + n % 4;
      if (lane % 4 / givers == selector) bits |= metadata[row][group] << 4 * n;
    }
    // others give bits that must not be read
    return lane % 4 / givers == selector ? bits : 0x55555555U;
  }
};

std::string list(std::string const& letter, int first, int count) {
  std::string text = "{";
  for (int k = 0; k < count; ++k)
    text += (k == 0 ? "" : ", ") + ("%" + letter) + std::to_string(first + k);
  return text + "}";
}

struct sparse_product : machine {
  form const& f;
  explicit sparse_product(form const& wanted) : f(wanted) {}

  [[nodiscard]] std::string text(bool ordered, int selector) const {
    int const registers = f.depth / 2 * f.bits / 64;
    std::string const sums = f.sign == 0 ? "r" : "f";
    return std::string("mma.sp") + (ordered ? "::ordered_metadata" : "") + ".sync.aligned." +
           f.shape_and_types + " " + list(sums, f.sign == 0 ? 20 : 1, 4) + ", " +
           list("r", 1, registers) + ", " + list("r", 5, registers) + ", " + list(sums, 10, 4) +
           ", %r9, " + std::to_string(selector) + ";";
  }
  //! Register r of a lane's part of A or B: rows lane / 4 and, of A, 8 further; `packed`
  //! neighbours.
  template <class Element>
  void fill(int first, int count, int row_groups, Element const& element) {
    int const packed = 32 / f.bits;
    for (int r = 0; r < count; ++r)
      for (int t = 0; t < lanes; ++t) {
        u32 bits = 0;
        for (int k = 0; k < packed; ++k)
          bits |= bits_of(f, element(t / 4 + r % row_groups * 8,
                                     (r / row_groups * 4 + t % 4) * packed + k))
                  << f.bits * k % 32;
        values<u32>("%r" + std::to_string(first + r))[t] = bits;
      }
  }
};

}  // namespace

TEST_CASE("mma.sp multiplies the expanded matrix", "[memory]") {
  std::mt19937 random(7);
  for (form const& f : forms)
    for (bool const ordered : {true, false})
      for (int selector = 0; selector < f.selectors; ++selector) {
        sparse_product m(f);
        sparse_matrix const a(f, random, ordered);
        int b[8][128];
        for (auto& column : b)
          for (int& x : column) x = static_cast<int>(random() % 7) - 3;
        int const registers = f.depth / 2 * f.bits / 64;
        m.fill(1, registers, 2, [&](int row, int k) { return a.stored[row][k]; });
        m.fill(5, registers, 1, [&](int row, int k) { return b[row][k]; });
        m.set<u32>("%r9", [&](int t) { return a.word(f, t, selector); });
        for (int i = 0; i < 4; ++i) {
          m.set<u32>("%r" + std::to_string(10 + i), [&](int t) { return static_cast<u32>(i - t); });
          m.set<float>("%f" + std::to_string(10 + i),
                       [&](int t) { return static_cast<float>(i - t); });
        }
        m.run(m.text(ordered, selector));
        INFO(m.text(ordered, selector));
        for (int t = 0; t < lanes; ++t)
          for (int i = 0; i < 4; ++i) {
            int sum = i - t;
            for (int k = 0; k < f.depth; ++k)
              sum += a.all[t / 4 + i / 2 * 8][k] * b[t % 4 * 2 + i % 2][k];
            if (f.sign == 0)
              REQUIRE(static_cast<int>(m.values<u32>("%r" + std::to_string(20 + i))[t]) == sum);
            else
              REQUIRE(m.values<float>("%f" + std::to_string(1 + i))[t] == static_cast<float>(sum));
          }
      }
}

TEST_CASE("mma.sp refuses metadata, selectors and shapes that PTX does not have", "[memory]") {
  sparse_product halves(forms[0]);
  halves.set<u32>("%r9", [](int t) { return t == 14 ? 0x44494444U : 0x44444444U; });
  CHECK_NOTHROW(halves.run(halves.text(true, 2)));
  halves.set<u32>("%r9", [](int t) { return t == 14 ? 0x44454444U : 0x44444444U; });
  CHECK_THROWS_WITH(halves.run(halves.text(false, 2)),
                    Contains("metadata of row 11, columns 0 to 3, are 0b0101") &&
                        Contains("two different places"));
  CHECK_NOTHROW(halves.run(halves.text(false, 1)));
  halves.set<u32>("%r9", [](int) { return 0x11111111U; });  // place 1, then place 0
  CHECK_NOTHROW(halves.run(halves.text(false, 0)));
  CHECK_THROWS_WITH(halves.run(halves.text(true, 0)), Contains("the lower one in the lower bits"));
  CHECK_THROWS_WITH(halves.run(halves.text(true, 4)), Contains("selector") && Contains("0 to 3"));

  sparse_product singles(forms[5]);
  singles.set<u32>("%r9", [](int t) { return t == 1 ? 0x444444e8U : 0x44444444U; });
  CHECK_THROWS_WITH(singles.run(singles.text(true, 0)),
                    Contains("row 0, columns 8 to 9, are 0b1000") && Contains("0b1110"));
  CHECK_THROWS_WITH(singles.run(singles.text(true, 2)), Contains("0 to 1"));

  machine m;
  for (char const* const text :
       {"mma.sp.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1}, {%r2}, "
        "{%f1, %f2, %f3, %f4}, %r9, 0;",
        "mma.sp.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2}, "
        "{%r3, %r4}, {%f1, %f2, %f3, %f4}, %r9, 0;",
        "mma.sp.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc {%r1, %r2, %r3, %r4}, {%r5, "
        "%r6}, {%r7, %r8}, {%r1, %r2, %r3, %r4}, %r9, 0;"})
    CHECK_THROWS_AS(m.run(text), unsupported);
}
