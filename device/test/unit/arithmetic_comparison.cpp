// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "arithmetic_exact.hpp"

#include <device/execute/launch.hpp>

using namespace checks;

namespace {

using u16 = std::uint16_t;
using s32 = std::int32_t;
using u32 = std::uint32_t;
using s64 = std::int64_t;
using u64 = std::uint64_t;

//! A comparison of PTX: its result for less, equal and greater operands, and for a NaN operand.
struct comparison {
  char const* name;
  bool less, equal, greater, unordered;
};
constexpr comparison ordered[] = {
    {"eq", false, true, false, false}, {"ne", true, false, true, false},
    {"lt", true, false, false, false}, {"le", true, true, false, false},
    {"gt", false, false, true, false}, {"ge", false, true, true, false}};
constexpr comparison of_unsigned[] = {{"lo", true, false, false, false},
                                      {"ls", true, true, false, false},
                                      {"hi", false, false, true, false},
                                      {"hs", false, true, true, false}};
constexpr comparison of_floating[] = {
    {"equ", false, true, false, true}, {"neu", true, false, true, true},
    {"ltu", true, false, false, true}, {"leu", true, true, false, true},
    {"gtu", false, false, true, true}, {"geu", false, true, true, true},
    {"num", true, true, true, false},  {"nan", false, false, false, true}};

template <class T>
bool holds(comparison const& c, T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return a < b ? c.less : a > b ? c.greater : c.equal;
  } else {
    if (is_nan(a) || is_nan(b)) return c.unordered;
    quad const x = exact_value(a), y = exact_value(b);
    return x < y ? c.less : x > y ? c.greater : c.equal;
  }
}

template <class T>
void check_comparison(lane_machine& m, comparison const& c, std::string const& type) {
  std::string const a = register_of<T>(1), b = register_of<T>(2);
  std::string const text = std::string("setp.") + c.name;
  std::string const sources = ", " + a + ", " + b;
  auto const is = [&](T x, T y) { return holds(c, x, y); };
  check_text<bool, T, T>(m, text + type + " %p0" + sources + ";", is, 15);
  check_text<bool, T, T, bool>(
      m, text + ".and" + type + " %p0" + sources + ", %p3;",
      [&](T x, T y, bool p) { return is(x, y) && p; }, 6);
  check_text<bool, T, T, bool>(
      m, text + ".or" + type + " %p0|%p5" + sources + ", !%p3;",
      [&](T x, T y, bool p) { return is(x, y) || !p; }, 6);
  check_text<bool, T, T, bool>(
      m, text + ".xor" + type + " %p5|%p0" + sources + ", %p3;",
      [&](T x, T y, bool p) { return !is(x, y) != p; }, 6);
  check_text<u32, T, T>(
      m, "set." + std::string(c.name) + ".u32" + type + " %r0" + sources + ";",
      [&](T x, T y) { return is(x, y) ? ~0U : 0U; }, 6);
  check_text<float, T, T, bool>(
      m, "set." + std::string(c.name) + ".and.f32" + type + " %r0" + sources + ", %p3;",
      [&](T x, T y, bool p) { return is(x, y) && p ? 1.0F : 0.0F; }, 6);
}
template <class T>
void check_comparisons(lane_machine& m, std::string const& type) {
  for (comparison const& c : ordered) check_comparison<T>(m, c, type);
  if constexpr (!std::is_integral_v<T>) {
    for (comparison const& c : of_floating) check_comparison<T>(m, c, type);
  } else if constexpr (std::is_unsigned_v<T>) {
    for (comparison const& c : of_unsigned) check_comparison<T>(m, c, type);
  }
}

}  // namespace

TEST_CASE("arithmetic: comparisons") {
  lane_machine m;
  check_comparisons<std::int16_t>(m, ".s16");
  check_comparisons<u16>(m, ".u16");
  check_comparisons<s32>(m, ".s32");
  check_comparisons<u32>(m, ".u32");
  check_comparisons<s64>(m, ".s64");
  check_comparisons<u64>(m, ".u64");
  check_comparisons<float>(m, ".f32");
  check_comparisons<double>(m, ".f64");
  check_comparisons<half_bits>(m, ".f16");
  check_comparisons<brain_bits>(m, ".bf16");
  check<bool, u32, u32>(m, "setp.eq.b32", [](u32 a, u32 b) { return a == b; });
  check<bool, float, float>(m, "setp.gt.ftz.f32", [](float a, float b) {
    auto const flushed = [](float x) { return std::fpclassify(x) == FP_SUBNORMAL ? 0.0F : x; };
    return flushed(a) > flushed(b);
  });
  CHECK_THROWS_AS(m.compile("setp.lo.s32 %p0, %r1, %r2;"), device::unsupported);
  CHECK_THROWS_AS(m.compile("setp.lt.b32 %p0, %r1, %r2;"), device::unsupported);
  CHECK_THROWS_AS(m.compile("setp.lt.and.s32 %p0, %r1, %r2;"), device::unsupported);
}

TEST_CASE("arithmetic: a predicate that is compared into is read before") {
  lane_machine m;
  m.set("%r1", std::array<u32, 32>{5, 5, 5, 5});
  m.fill("%r2", 5U);
  m.set_predicate("%p0", 0x6);
  m.run("setp.eq.and.b32 %p0|%p1, %r1, %r2, %p0;", 0xff);
  CHECK(m.predicate("%p0") == 0x6);
  CHECK((m.predicate("%p1") & 0xff) == 0);
}

TEST_CASE("arithmetic: comparisons of two halves") {
  lane_machine m;
  auto const upper = [](half_pair v) {
    return exact_value(half_bits{static_cast<u16>(v.bits >> 16)});
  };
  auto const lower = [](half_pair v) { return exact_value(half_bits{static_cast<u16>(v.bits)}); };
  check_text<bool, half_pair, half_pair>(
      m, "setp.lt.f16x2 %p0|%p5, %r1, %r2;",
      [&](half_pair a, half_pair b) { return lower(a) < lower(b); });
  check_text<bool, half_pair, half_pair, bool>(
      m, "setp.geu.or.f16x2 %p5|%p0, %r1, %r2, %p3;",
      [&](half_pair a, half_pair b, bool p) { return !(upper(a) < upper(b)) || p; });
  check_text<u32, half_pair, half_pair>(
      m, "set.gt.f16x2.f16x2 %r0, %r1, %r2;", [&](half_pair a, half_pair b) {
        return (upper(a) > upper(b) ? 0x3c00'0000U : 0) | (lower(a) > lower(b) ? 0x3c00U : 0);
      });
  check_text<u32, half_pair, half_pair>(
      m, "set.le.u32.f16x2 %r0, %r1, %r2;", [&](half_pair a, half_pair b) {
        return (upper(a) <= upper(b) ? 0xffff'0000U : 0) | (lower(a) <= lower(b) ? 0xffffU : 0);
      });
  check_text<u16, half_bits, half_bits>(
      m, "set.ne.bf16.bf16 %h0, %h1, %h2;", [](half_bits a, half_bits b) {
        quad const x = exact_value(brain_bits{a.bits}), y = exact_value(brain_bits{b.bits});
        return static_cast<u16>(x < y || x > y ? 0x3f80 : 0);
      });
}

TEST_CASE("arithmetic: selections") {
  lane_machine m;
  auto const select = [](auto a, auto b, bool c) { return c ? a : b; };
  check<u16, u16, u16, bool>(m, "selp.b16", select);
  check<u32, u32, u32, bool>(m, "selp.s32", select);
  check<u64, u64, u64, bool>(m, "selp.f64", select);  // moves bits: a NaN is unchanged
  check_text<u32, bool>(m, "selp.f32 %r0, 0f3F800000, 2.5, %p1;",
                        [](bool p) { return std::bit_cast<u32>(p ? 1.0F : 2.5F); });
  check_text<u32, bool>(m, "selp.u32 %r0, 7, -1, !%p1;", [](bool p) { return p ? ~0U : 7U; });
  check<u32, u32, u32, s32>(m, "slct.u32.s32", [](u32 a, u32 b, s32 c) { return c >= 0 ? a : b; });
  check<u64, u64, u64, float>(m, "slct.f64.f32",
                              [](u64 a, u64 b, float c) { return c >= 0 ? a : b; });
  check<u32, u32, u32, float>(m, "slct.ftz.b32.f32", [](u32 a, u32 b, float c) {
    return std::fpclassify(c) == FP_SUBNORMAL || c >= 0 ? a : b;
  });
}

TEST_CASE("arithmetic: moves") {
  lane_machine m;
  auto const same_value = [](auto a) { return a; };
  check<u16, u16>(m, "mov.u16", same_value);
  check<u32, u32>(m, "mov.f32", same_value);
  check<u64, u64>(m, "mov.b64", same_value);
  check<bool, bool>(m, "mov.pred", same_value);
  check_text<u32, u16, u16>(m, "mov.b32 %r0, {%h1, %h2};",
                            [](u16 a, u16 b) { return a | (u32{b} << 16); });
  check_text<u64, u32, u32>(m, "mov.b64 %d0, {%r1, %r2};",
                            [](u32 a, u32 b) { return a | (u64{b} << 32); });
  check_text<u64, u16, u16, u16, u16>(m, "mov.b64 %d0, {%h1, %h2, %h3, %h4};",
                                      [](u16 a, u16 b, u16 c, u16 d) {
                                        return a | (u64{b} << 16) | (u64{c} << 32) | (u64{d} << 48);
                                      });
  check_text<u32, u16>(m, "mov.b32 %r0, {0, %h1};", [](u16 a) { return u32{a} << 16; });
  check_text<u16, u32>(m, "mov.b32 {%h5, %h0}, %r1;",
                       [](u32 a) { return static_cast<u16>(a >> 16); });
  check_text<u32, u64>(m, "mov.b64 {%r0, _}, %d1;", [](u64 a) { return static_cast<u32>(a); });
  check_text<u16, u64>(m, "mov.b64 {%h5, %h6, %h0, %h7}, %d1;",
                       [](u64 a) { return static_cast<u16>(a >> 32); });
  check_text<u64, u64, u64>(
      m, "mov.b128 %q0, {%d1, %d2}; mov.b128 %q1, %q0; mov.b128 {%d5, %d0}, %q1;",
      [](u64, u64 b) { return b; });
  check_text<u32, u32>(
      m, ".reg .b8 %b<4>; mov.b32 {%b0, %b1, %b2, %b3}, %r1; mov.b32 %r0, {%b3, %b2, %b1, %b0};",
      [](u32 a) { return __builtin_bswap32(a); });
  CHECK_THROWS_AS(m.compile("mov.b32 {%h0, %h1, %h2}, %r1;"), device::unsupported);
  CHECK_THROWS_AS(m.compile("mov.b64 {%h0, %h1}, %r1;"), device::unsupported);
}

TEST_CASE("arithmetic: generic addresses") {
  lane_machine m;
  check_text<u64, u64>(m, "cvta.global.u64 %d0, %d1;", [](u64 a) { return a; });
  check_text<u64, u64>(m, "cvta.shared.u64 %d5, %d1; cvta.to.shared.u64 %d0, %d5;",
                       [](u64 a) { return a; });
  m.fill("%d1", u64{0x40});
  device::launch launched;
  device::block own, other;
  own.of_launch = &launched;
  own.number = 3;
  m.warp().of_block = &own;
  m.run("cvta.shared.u64 %d2, %d1; cvta.local.u64 %d3, %d1; isspacep.shared %p1, %d2; "
        "isspacep.local %p2, %d2;"
        "isspacep.global %p3, %d1; isspacep.global %p4, %d3; isspacep.local %p5, %d3;"
        "isspacep.shared::cluster %p6, %d2;");
  CHECK(m.predicate("%p1") == device::all_lanes);
  CHECK(m.predicate("%p2") == 0);
  CHECK(m.predicate("%p3") == device::all_lanes);
  CHECK(m.predicate("%p4") == 0);
  CHECK(m.predicate("%p5") == device::all_lanes);
  CHECK(m.predicate("%p6") == device::all_lanes);
  launched.names_owners = true;
  m.run("cvta.local.u64 %d2, %d1; isspacep.local %p5, %d2;");
  CHECK(m.predicate("%p5") == device::all_lanes);
  for (std::uint32_t t = 0; t < 32; ++t)
    CHECK(m.get<u64>("%d2")[t] ==
          (device::local_window | u64{3 * 1024 + t + 1} << device::owner_shift | 0x40));
  check_text<u32, u32>(m, "mapa.shared::cluster.u32 %r0, %r1, 0;",
                       [](u32 a) { return a & 0xff'ffffU; });
  own.of_cluster = std::make_shared<device::cluster>();
  own.of_cluster->blocks = {&other, &own};
  own.rank = 1;
  m.fill("%r1", u32{0x40});
  m.run("mapa.shared::cluster.u32 %r2, %r1, 0; getctarank.shared::cluster.u32 %r0, %r2;"
        "getctarank.shared::cluster.u32 %r3, %r1;");
  CHECK(m.get<u32>("%r0")[5] == 0);
  CHECK(m.get<u32>("%r3")[5] == 1);
  CHECK((m.get<u32>("%r2")[5] & 0xff'ffffU) == 0x40);
  CHECK_THROWS_AS(m.run("mapa.shared::cluster.u32 %r2, %r1, 2;"), device::device_fault);
  CHECK_THROWS_AS(m.compile("isspacep.const %p1, %d2;"), device::unsupported);
}

TEST_CASE("arithmetic: special registers") {
  lane_machine m;
  device::launch l;
  l.block = {8, 3, 4};
  l.grid = {5, 6, 7};
  l.dynamic_shared = 96;
  l.grid_workspace = 0x123456789abcU;
  l.multiprocessors = 132;
  device::block b;
  b.of_launch = &l;
  b.index = {1, 2, 3};
  b.executed = 0x1'0000'0005U;
  b.shared.resize(128);
  b.warps.resize(3);
  m.warp().of_block = &b;
  m.warp().number = 2;
  auto const read = [&](std::string const& name) {
    m.run("mov.u32 %r0, %" + name + ";");
    return m.get<u32>("%r0");
  };
  bool all = true;
  for (u32 t = 0; t < 32; ++t) {
    u32 const thread = 64 + t;
    all = all && read("tid.x")[t] == thread % 8 && read("tid.y")[t] == thread / 8 % 3 &&
          read("tid.z")[t] == thread / 24;
    all = all && read("laneid")[t] == t && read("lanemask_eq")[t] == 1U << t;
    all = all && read("lanemask_lt")[t] == (1U << t) - 1 &&
          read("lanemask_ge")[t] == ~((1U << t) - 1);
    all = all && read("lanemask_le")[t] == static_cast<u32>((u64{2} << t) - 1) &&
          read("lanemask_gt")[t] == ~static_cast<u32>((u64{2} << t) - 1);
  }
  // Blocks in which warps lie in one row, in two, or end with it.
  for (device::dim3 const size : {device::dim3{100, 3, 2}, device::dim3{96, 2, 3},
                                  device::dim3{33, 2, 2}, device::dim3{1, 5, 13}})
    for (u32 const number : {0U, 1U, 2U}) {
      l.block = size;
      m.warp().number = number;
      for (u32 t = 0; t < 32; ++t) {
        u32 const thread = number * 32 + t;
        all = all && read("tid.x")[t] == thread % size.x &&
              read("tid.y")[t] == thread / size.x % size.y &&
              read("tid.z")[t] == thread / size.x / size.y;
      }
    }
  l.block = {8, 3, 4};
  m.warp().number = 2;
  CHECK(all);
  CHECK(read("ntid.y")[31] == 3);
  CHECK(read("ctaid.z")[0] == 3);
  CHECK(read("nctaid.x")[7] == 5);
  CHECK(read("warpid")[0] == 2);
  CHECK(read("nsmid")[0] == 132);
  CHECK(read("envreg1")[0] == 0x1234);
  CHECK(read("envreg2")[0] == 0x56789abc);
  CHECK(read("dynamic_smem_size")[0] == 96);
  CHECK(read("total_smem_size")[0] == 128);
  CHECK(read("clock")[3] == 5);
  CHECK(read("clock_hi")[3] == 1);
  CHECK(read("cluster_nctarank")[0] == 1);
  CHECK(read("clusterid.y")[0] == 2);
  m.run("mov.u64 %d0, %clock64; mov.u16 %h0, %tid.x; mov.pred %p1, %is_explicit_cluster;");
  CHECK(m.get<u64>("%d0")[9] == 0x1'0000'0005U);
  CHECK(m.get<u16>("%h0")[9] == 73 % 8);
  CHECK(m.predicate("%p1") == 0);
  m.run("add.s32 %r0, %tid.x, %ctaid.x;");
  CHECK(m.get<u32>("%r0")[9] == 73 % 8 + 1);
  m.fill("%r0", 77U);
  m.run("mov.u32 %r0, %laneid;", 0x10);
  CHECK(m.get<u32>("%r0")[3] == 77);
  CHECK(m.get<u32>("%r0")[4] == 4);
  CHECK_THROWS_AS(m.compile("mov.u32 %r0, %pm0;"), device::unsupported);
  CHECK_THROWS_AS(read("reserved_smem_offset_1"), device::unsupported);
  b.reserved_shared = 64;
  CHECK(read("reserved_smem_offset_1")[5] == 64);
}
