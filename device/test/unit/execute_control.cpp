// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches, calls, barriers and warp-wide instructions, in kernels written in PTX.
#include "catch.hpp"
#include "small_device.hpp"

#include <device/core/failure.hpp>

#include <algorithm>
#include <numeric>

namespace {

using checks::kernel;
using checks::small_device;

[[nodiscard]] std::vector<std::uint32_t> results(std::string const& text, std::uint32_t threads,
                                                 std::uint64_t seed = 0) {
  small_device gpu(text);
  gpu.seed = seed;
  auto* const out = gpu.array<std::uint32_t>(threads + 1);
  gpu.run("k", {1, 1, 1}, {threads, 1, 1}, out, std::uint64_t{0});
  return {out, out + threads};
}

}  // namespace

TEST_CASE("lanes that branch differently meet again") {
  // Each lane counts up to its own number; after the loop, activemask names all lanes again.
  auto const found = results(kernel(R"(
  mov.u32 %r1, 0;
LOOP:
  setp.ge.u32 %p1, %r1, %r0;
  @%p1 bra DONE;
  add.u32 %r1, %r1, 1;
  bra LOOP;
DONE:
  activemask.b32 %r2;
  setp.ne.u32 %p2, %r2, 0xffffffff;
  @%p2 mov.u32 %r1, 1000;
  st.global.u32 [%rd1], %r1;
  ret;)"),
                             32);
  for (std::uint32_t t = 0; t < 32; ++t) CHECK(found[t] == t);
}

TEST_CASE("lanes that leave a loop meet again where others end in it") {
  // Every fourth lane ends in the loop, the others leave it after as many rounds as their number.
  auto const found = results(kernel(R"(
  mov.u32 %r1, 0;
  and.b32 %r3, %r0, 3;
LOOP:
  setp.ne.u32 %p1, %r3, 0;
  @%p1 bra ON;
  bra END;
ON:
  setp.ge.u32 %p2, %r1, %r0;
  @%p2 bra DONE;
  add.u32 %r1, %r1, 1;
  bra LOOP;
DONE:
  activemask.b32 %r2;
  st.global.u32 [%rd1], %r2;
END:
  ret;)"),
                             32);
  for (std::uint32_t t = 0; t < 32; ++t) CHECK(found[t] == (t % 4 == 0 ? 0U : 0xeeeeeeeeU));
}

TEST_CASE("both sides of a branch are executed, each by its lanes, and nested ones") {
  auto const found = results(kernel(R"(
  and.b32 %r1, %r0, 1;
  setp.eq.u32 %p1, %r1, 0;
  and.b32 %r2, %r0, 2;
  setp.eq.u32 %p2, %r2, 0;
  @%p1 bra EVEN;
  mov.u32 %r3, 10;
  @%p2 bra ODD_LOW;
  activemask.b32 %r4;
  add.u32 %r3, %r3, 1;
ODD_LOW:
  activemask.b32 %r5;
  bra MEET;
EVEN:
  activemask.b32 %r5;
  mov.u32 %r3, 20;
MEET:
  popc.b32 %r5, %r5;
  shl.b32 %r5, %r5, 8;
  add.u32 %r3, %r3, %r5;
  st.global.u32 [%rd1], %r3;
  ret;)"),
                             32);
  for (std::uint32_t t = 0; t < 32; ++t) {
    std::uint32_t const side = t % 2 == 0 ? 20 : t % 4 == 1 ? 10 : 11;
    CHECK(found[t] == side + (16U << 8));
  }
}

TEST_CASE("lanes that return early do not hold up the others") {
  auto const found = results(kernel(R"(
  setp.lt.u32 %p1, %r0, 5;
  @%p1 ret;
  setp.gt.u32 %p2, %r0, 40;
  @%p2 exit;
  bar.sync 0;
  st.global.u32 [%rd1], %r0;
  ret;)"),
                             70);
  for (std::uint32_t t = 0; t < 70; ++t) CHECK(found[t] == (t >= 5 && t <= 40 ? t : 0));
}

TEST_CASE("functions are called, recursively and by address, by some of the lanes") {
  std::string const functions = R"(
.visible .func (.param .b32 result) fibonacci(.param .b32 n)
{
  .reg .pred %p<4>;
  .reg .b32 %r<10>;
  ld.param.u32 %r1, [n];
  setp.lt.u32 %p1, %r1, 2;
  @%p1 bra SMALL;
  sub.u32 %r2, %r1, 1;
  { .param .b32 a; .param .b32 b;
  st.param.b32 [a], %r2;
  call.uni (b), fibonacci, (a);
  ld.param.b32 %r3, [b]; }
  sub.u32 %r2, %r1, 2;
  { .param .b32 a; .param .b32 b;
  st.param.b32 [a], %r2;
  call.uni (b), fibonacci, (a);
  ld.param.b32 %r4, [b]; }
  add.u32 %r1, %r3, %r4;
SMALL:
  st.param.b32 [result], %r1;
  ret;
}
.visible .func (.param .b32 result) twice(.param .b32 n)
{
  .reg .b32 %r<4>;
  ld.param.u32 %r1, [n];
  shl.b32 %r1, %r1, 1;
  st.param.b32 [result], %r1;
  ret;
}
.global .u64 table[2] = {fibonacci, twice};
)";
  auto const found = results(kernel(R"(
  and.b32 %r1, %r0, 1;
  mul.wide.u32 %rd2, %r1, 8;
  mov.u64 %rd3, table;
  add.u64 %rd3, %rd3, %rd2;
  ld.global.u64 %rd4, [%rd3];
  rem.u32 %r2, %r0, 10;
  { .param .b32 a; .param .b32 b;
  st.param.b32 [a], %r2;
  proto : .callprototype (.param .b32 _) _ (.param .b32 _);
  call (b), %rd4, (a), proto;
  ld.param.b32 %r3, [b]; }
  activemask.b32 %r4;
  setp.eq.u32 %p1, %r4, 0xffffffff;
  @!%p1 mov.u32 %r3, 7777;
  st.global.u32 [%rd1], %r3;
  ret;)",
                                    functions),
                             32);
  std::uint32_t const fibonacci[] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34};
  for (std::uint32_t t = 0; t < 32; ++t)
    CHECK(found[t] == (t % 2 == 0 ? fibonacci[t % 10] : t % 10 * 2));
}

TEST_CASE("a table of branches") {
  auto const found = results(kernel(R"(
  and.b32 %r1, %r0, 3;
  mov.u32 %r2, 0;
  T: .branchtargets A, B, C, D;
  brx.idx %r1, T;
A:
  add.u32 %r2, %r2, 1;
B:
  add.u32 %r2, %r2, 10;
  bra D;
C:
  mov.u32 %r2, 5;
D:
  activemask.b32 %r3;
  popc.b32 %r3, %r3;
  mad.lo.u32 %r2, %r3, 1000, %r2;
  st.global.u32 [%rd1], %r2;
  ret;)"),
                             32);
  std::uint32_t const expected[] = {11, 10, 5, 0};
  for (std::uint32_t t = 0; t < 32; ++t) CHECK(found[t] == 32000 + expected[t % 4]);
}

TEST_CASE("barriers of a block order its warps, also named ones of some warps, and reduce") {
  for (std::uint64_t const seed : {0, 1, 2, 3}) {
    auto const found = results(kernel(R"(
  .shared .align 4 .b8 words[1024];
  mov.u32 %r1, words;
  shl.b32 %r2, %r0, 2;
  add.u32 %r3, %r1, %r2;
  st.shared.u32 [%r3], %r0;
  bar.sync 0;
  xor.b32 %r4, %r0, 255;
  shl.b32 %r4, %r4, 2;
  add.u32 %r4, %r1, %r4;
  ld.shared.u32 %r5, [%r4];
  setp.lt.u32 %p1, %r0, 64;
  @%p1 bar.sync 3, 64;
  setp.lt.u32 %p2, %r0, 10;
  bar.red.popc.u32 %r6, 0, %p2;
  bar.red.and.pred %p3, 0, %p2;
  bar.red.or.pred %p4, 0, %p2;
  mad.lo.u32 %r5, %r6, 1000, %r5;
  @%p3 add.u32 %r5, %r5, 1000000;
  @!%p4 add.u32 %r5, %r5, 2000000;
  st.global.u32 [%rd1], %r5;
  ret;)"),
                               256, seed);
    for (std::uint32_t t = 0; t < 256; ++t) CHECK(found[t] == 10000 + 255 - t);
  }
}

TEST_CASE("warp-wide instructions wait for the lanes that they name") {
  // Lanes of two branches meet at one ballot only if its mask names them all.
  auto const found = results(kernel(R"(
  setp.lt.u32 %p1, %r0, 16;
  mov.u32 %r3, 0xffff0000;
  @%p1 mov.u32 %r3, 0x0000ffff;
  and.b32 %r4, %r0, 1;
  setp.eq.u32 %p2, %r4, 1;
  vote.sync.ballot.b32 %r5, %p2, %r3;
  shfl.sync.down.b32 %r6|%p3, %r0, 1, 31, 0xffffffff;
  selp.u32 %r7, 1, 0, %p3;
  redux.sync.add.u32 %r8, %r0, %r3;
  match.any.sync.b32 %r9, %r4, 0xffffffff;
  bar.warp.sync 0xffffffff;
  add.u32 %r10, %r5, %r6;
  add.u32 %r10, %r10, %r7;
  add.u32 %r10, %r10, %r8;
  xor.b32 %r10, %r10, %r9;
  st.global.u32 [%rd1], %r10;
  ret;)"),
                             32);
  for (std::uint32_t t = 0; t < 32; ++t) {
    std::uint32_t const ballot = t < 16 ? 0x0000aaaaU : 0xaaaa0000U;
    std::uint32_t const down = t == 31 ? 31 : t + 1;
    std::uint32_t const sum = t < 16 ? 120 : 376;
    std::uint32_t const same = t % 2 == 0 ? 0x55555555U : 0xaaaaaaaaU;
    CHECK(found[t] == ((ballot + down + (t == 31 ? 0U : 1U) + sum) ^ same));
  }
}

TEST_CASE("lanes of one warp take a lock in turn") {
  auto const found = results(kernel(R"(
AGAIN:
  atom.global.cas.b32 %r1, [lock], 0, 1;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra AGAIN;
  ld.volatile.global.u32 %r2, [sum];
  add.u32 %r2, %r2, 1;
  st.volatile.global.u32 [sum], %r2;
  membar.gl;
  atom.global.exch.b32 %r3, [lock], 0;
  st.global.u32 [%rd1], %r2;
  ret;)",
                                    ".global .u32 lock = 0;\n.global .u32 sum = 100;\n"),
                             96);
  std::vector<std::uint32_t> sorted(found);
  std::sort(sorted.begin(), sorted.end());
  for (std::uint32_t t = 0; t < 96; ++t) CHECK(sorted[t] == 101 + t);
}

TEST_CASE(
    "a block may wait for one before it, and all blocks of a cooperative launch for each other") {
  std::string const text = R"(
.visible .entry chain(.param .u64 flags)
{
  .reg .pred %p<4>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [flags];
  mov.u32 %r1, %ctaid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd2, %rd1, %rd2;
WAIT:
  ld.acquire.gpu.u32 %r2, [%rd2];
  setp.eq.u32 %p1, %r2, 0;
  @%p1 bra WAIT;
  add.u32 %r3, %r2, 1;
  st.release.gpu.u32 [%rd2+4], %r3;
  ret;
})";
  for (int const workers : {1, 2}) {
    small_device gpu(text);
    gpu.workers = workers;
    gpu.seed = workers == 1 ? 5 : 0;
    auto* const flags = gpu.array<std::uint32_t>(101);
    flags[0] = 1;
    gpu.run("chain", {100, 1, 1}, {1, 1, 1}, flags);
    for (std::uint32_t k = 0; k <= 100; ++k) CHECK(flags[k] == k + 1);
  }
}

TEST_CASE("the device runtime's barrier of a grid: all blocks wait for each other") {
  small_device gpu(R"(
.extern .func (.param .b64 h) cudaCGGetIntrinsicHandle(.param .b32 scope);
.extern .func (.param .b32 s) cudaCGSynchronize(.param .b64 h, .param .b32 flags);
.visible .entry turn(.param .u64 words, .param .u64 status)
{
  .reg .pred %p;
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  .param .b64 h; .param .b32 s; .param .b32 scope; .param .b32 flags;
  mov.u32 %r0, 1;
  st.param.b32 [scope], %r0;
  call (h), cudaCGGetIntrinsicHandle, (scope);
  ld.param.b64 %rd1, [h];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %nctaid.x;
  mov.u32 %r3, 0;
AGAIN:  // each block's word becomes its right neighbour's plus 1
  add.u32 %r4, %r1, 1;
  rem.u32 %r4, %r4, %r2;
  ld.param.u64 %rd2, [words];
  mul.wide.u32 %rd3, %r4, 4;
  add.u64 %rd3, %rd2, %rd3;
  ld.global.u32 %r5, [%rd3];
  call (s), cudaCGSynchronize, (h, flags);
  mul.wide.u32 %rd3, %r1, 4;
  add.u64 %rd3, %rd2, %rd3;
  add.u32 %r5, %r5, 1;
  st.global.u32 [%rd3], %r5;
  call (s), cudaCGSynchronize, (h, flags);
  add.u32 %r3, %r3, 1;
  setp.lt.u32 %p, %r3, 5;
  @%p bra AGAIN;
  ld.param.b32 %r6, [s];
  ld.param.u64 %rd4, [status];
  st.global.u32 [%rd4], %r6;
  ret;
})");
  auto* const words = gpu.array<std::uint32_t>(7);
  auto* const status = gpu.array<std::uint32_t>(1);
  for (std::uint32_t k = 0; k < 7; ++k) words[k] = 100 * k;
  device::launch l = gpu.launch_of("turn", {7, 1, 1}, {64, 1, 1}, words, status);
  l.resident_blocks = 7;
  l.grid_workspace = reinterpret_cast<std::uint64_t>(gpu.array<std::uint64_t>(32));
  static_cast<void>(device::run(l));
  for (std::uint32_t k = 0; k < 7; ++k) CHECK(words[k] == (k + 5) % 7 * 100 + 5);
  CHECK(*status == 0);
  l.grid_workspace = 0;  // no cooperative launch: cudaErrorInvalidValue, at once
  static_cast<void>(device::run(l));
  CHECK(*status == 1);
}

TEST_CASE("a device function has shared memory of its own") {
  std::string const functions = R"(
.func (.param .b32 sum) total(.param .b32 value)
{
  .reg .b32 %r<4>;
  .shared .align 4 .b8 own[4];
  mov.u32 %r1, 0;
  st.shared.u32 [own], %r1;
  bar.sync 0;
  ld.param.b32 %r2, [value];
  red.shared.add.u32 [own], %r2;
  bar.sync 0;
  ld.shared.u32 %r3, [own];
  st.param.b32 [sum], %r3;
  ret;
})";
  std::string const caller = R"(
.visible .entry k(.param .u64 out)
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  .shared .align 4 .b8 NAME[8];
  .param .b32 value; .param .b32 sum;
  mov.u32 %r1, %tid.x;
  st.shared.u32 [NAME+4], %r1;
  st.param.b32 [value], %r1;
  call (sum), total, (value);
  ld.param.b32 %r2, [sum];
  ld.shared.u32 %r3, [NAME+4];
  ld.param.u64 %rd1, [out];
  st.global.v2.u32 [%rd1], {%r2, %r3};
  ret;
})";
  auto const with = [&](std::string const& name) {
    std::string text = functions + caller;
    for (std::size_t at = text.find("NAME"); at != std::string::npos; at = text.find("NAME"))
      text.replace(at, 4, name);
    return text;
  };
  small_device gpu(with("mine"));
  auto* const out = gpu.array<std::uint32_t>(2);
  gpu.run("k", {1, 1, 1}, {40, 1, 1}, out);
  CHECK(out[0] == 40 * 39 / 2);
  CHECK(out[1] < 40);  // one of the threads' words
  CHECK_THROWS_AS(small_device(with("own")), device::unsupported);
}

TEST_CASE("threads that wait for each other are a deadlock, and found") {
  small_device at_barriers(kernel(R"(
  setp.lt.u32 %p1, %r0, 32;
  @%p1 bar.sync 1;
  @!%p1 bar.sync 2;
  ret;)"));
  CHECK_THROWS_AS(at_barriers.run("k", {1, 1, 1}, {64, 1, 1}, std::uint64_t{0}, std::uint64_t{0}),
                  device::device_fault);
  REQUIRE(!at_barriers.findings.empty());
  CHECK(at_barriers.findings.back().check == device::check_kind::deadlock);

  small_device polling(kernel(R"(
WAIT:
  ld.volatile.global.u32 %r1, [%rd1];
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra WAIT;
  ret;)"));
  auto* const out = polling.array<std::uint32_t>(32);
  CHECK_THROWS_AS(polling.run("k", {1, 1, 1}, {32, 1, 1}, out, std::uint64_t{0}),
                  device::device_fault);
  REQUIRE(!polling.findings.empty());
  CHECK(polling.findings.back().check == device::check_kind::deadlock);
}

TEST_CASE(
    "threads that poll memory for ever are found at a line of their loop, wherever a turn ends") {
  small_device gpu(kernel(R"(
  .loc 1 7 0
  mov.u32 %r2, 0;
WAIT:
  .loc 1 9 0
  ld.volatile.global.u32 %r1, [%rd0];
  setp.eq.u32 %p1, %r1, %r2;
  @%p1 bra WAIT;
  .loc 1 11 0
  ret;)") + ".file 1 \"kernel.cu\"\n");
  auto* const out = gpu.array<std::uint32_t>(1);
  // With the later seeds the last turn ends with the loop's branch.
  for (std::uint64_t const seed : {1, 2, 61, 324, 399, 464, 560}) {
    gpu.seed = seed;
    CHECK_THROWS_AS(gpu.run("k", {1, 1, 1}, {32, 1, 1}, out, std::uint64_t{0}),
                    device::device_fault);
    REQUIRE(!gpu.findings.empty());
    CHECK(gpu.findings.back().line == 9);
  }
}

TEST_CASE("threads that wait for what nobody does are found when the other host threads have "
          "nothing left to do") {
  small_device gpu(kernel(R"(
  mov.u32 %r1, %ctaid.x;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 ret;
WAIT:
  ld.volatile.global.u32 %r2, [%rd0];
  setp.eq.u32 %p2, %r2, 0;
  @%p2 bra WAIT;
  ret;)"));
  gpu.workers = 8;
  auto* const out = gpu.array<std::uint32_t>(1);
  CHECK_THROWS_AS(gpu.run("k", {3, 1, 1}, {1, 1, 1}, out, std::uint64_t{0}), device::device_fault);
}

TEST_CASE("a barrier that a part of a warp reaches is found") {
  small_device gpu(kernel(R"(
  setp.lt.u32 %p1, %r0, 16;
  @%p1 bra LOW;
  bar.sync 0;
  bra MEET;
LOW:
  bar.sync 0;
MEET:
  ret;)"));
  gpu.run("k", {1, 1, 1}, {32, 1, 1}, std::uint64_t{0}, std::uint64_t{0});
  REQUIRE(!gpu.findings.empty());
  CHECK(gpu.findings.front().check == device::check_kind::barrier);
}

TEST_CASE("a shuffle that reads a lane which has ended is found where its value is used") {
  auto const findings = [](std::uint32_t ended, std::string const& use) {
    small_device gpu(kernel(R"(
  ld.global.u32 %r2, [%rd0];
  setp.lt.u32 %p1, %r0, %r2;
  @%p1 ret;
  shfl.sync.up.b32 %r1, %r0, 3, 0, 0xffffffff;
  mov.b32 %r3, %r1;
  )" + use + "\n  st.global.u32 [%rd1], %r4;\n  ret;"));
    auto* const out = gpu.array<std::uint32_t>(32);
    out[0] = ended;
    gpu.run("k", {1, 1, 1}, {32, 1, 1}, out, std::uint64_t{0});
    return gpu.findings;
  };
  CHECK(findings(0, "add.u32 %r4, %r3, 1;").empty());
  CHECK(findings(4, "selp.u32 %r4, %r3, 1, %p1;").empty());
  CHECK(findings(4, "add.u32 %r4, %r3, 1; selp.u32 %r4, %r4, 1, %p1;").empty());
  CHECK(findings(4, "@%p1 add.u32 %r4, %r3, 1;").empty());
  auto const found = findings(4, "add.u32 %r4, %r3, 1;");
  REQUIRE(found.size() == 1);
  CHECK(found[0].check == device::check_kind::shuffle);
  CHECK_THAT(found[0].message, Catch::Contains("3 lanes") && Catch::Contains("reads lane 1"));
}

TEST_CASE("operations are counted by warps and by lanes") {
  small_device gpu(kernel(R"(
  setp.lt.u32 %p1, %r0, 8;
  @%p1 st.global.u32 [%rd1], %r0;
  ret;)"));
  auto* const out = gpu.array<std::uint32_t>(64);
  auto const result = gpu.run("k", {3, 1, 1}, {40, 1, 1}, out, std::uint64_t{0});
  REQUIRE(result.counts.size() == 1);
  std::uint64_t stores = 0;
  std::uint64_t lanes = 0;
  for (std::size_t k = 0; k < result.counts[0].second.size(); ++k)
    if (result.counts[0].first->operations[k].kind == device::instruction_kind::store) {
      stores += result.counts[0].second[k].executed;
      lanes += result.counts[0].second[k].lanes;
    }
  CHECK(stores == 3);  // the second warp of each block has no active lane at the store
  CHECK(lanes == 24);
}

TEST_CASE("what is not supported is named with its place") {
  small_device gpu(kernel("  tex.1d.v4.f32.s32 {%r1, %r2, %r3, %r4}, [t, {%r0}];\n  ret;"));
  CHECK_THROWS_WITH(gpu.run("k", {1, 1, 1}, {32, 1, 1}, std::uint64_t{0}, std::uint64_t{0}),
                    Catch::Contains("tex.1d"));
}

TEST_CASE("a launch whose threads wait for memory goes on when it has changed") {
  small_device gpu(kernel(R"(
wait:
  ld.volatile.global.u32 %r1, [%rd0];
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra wait;
  add.u32 %r1, %r1, %r0;
  st.global.u32 [%rd1+4], %r1;
  ret;)"));
  auto* const out = gpu.array<std::uint32_t>(101);
  for (gpu.workers = 1; gpu.workers <= 2; ++gpu.workers) {
    out[0] = 0;
    device::launch const l = gpu.launch_of("k", {3, 1, 1}, {40, 1, 1}, out, std::uint64_t{0});
    device::execution e(l);
    CHECK_FALSE(e.advance());
    CHECK_FALSE(e.advance());
    CHECK_FALSE(e.made_progress());
    out[0] = 60;
    CHECK(e.advance());
    for (std::uint32_t t = 0; t < 40; ++t) CHECK(out[1 + t] == 60 + t);
    CHECK(e.result().counts.size() == 1);
  }
  CHECK(gpu.findings.empty());
  out[0] = 0;
  CHECK_THROWS_WITH(gpu.run("k", {1, 1, 1}, {32, 1, 1}, out, std::uint64_t{0}),
                    Catch::Contains("memory that nobody changes"));
}

TEST_CASE("calls within calls end when there is no room for them") {
  small_device gpu(R"(
.func (.param .b32 to) down(.param .b32 n)
{
  .reg .b32 %r<4>;
  ld.param.u32 %r1, [n];
  add.u32 %r1, %r1, 1;
  {
  .param .b32 p;
  .param .b32 q;
  st.param.b32 [p], %r1;
  call (q), down, (p);
  ld.param.b32 %r2, [q];
  }
  st.param.b32 [to], %r2;
  ret;
}
.visible .entry k()
{
  .reg .b32 %r<4>;
  {
  .param .b32 p;
  .param .b32 q;
  st.param.b32 [p], 0;
  call (q), down, (p);
  ld.param.b32 %r2, [q];
  }
  ret;
}
)");
  CHECK_THROWS_AS(gpu.run("k", {1, 1, 1}, {32, 1, 1}), device::device_fault);
  REQUIRE(gpu.findings.size() == 1);
  CHECK(gpu.findings.front().check == device::check_kind::bounds);
  CHECK(gpu.findings.front().message.find("a recursion without end") != std::string::npos);
}

TEST_CASE("numbers of threads at barriers") {
  auto const found = [](std::string const& barriers) {
    small_device gpu(R"(
.visible .entry k()
{
  .reg .pred %p<3>;
  .reg .b32 %r<4>;
  mov.u32 %r1, %tid.x;
  setp.lt.u32 %p1, %r1, 32;
)" + barriers + "\n  ret;\n}\n");
    (void)gpu.run("k", {1, 1, 1}, {64, 1, 1});
    std::string text;
    for (device::finding const& f : gpu.findings)
      text += std::string(name_of(f.check)) + ": " + f.message + "\n";
    return text;
  };
  CHECK(found("bar.sync 1, 64;").empty());
  CHECK(found("@%p1 bar.sync 1, 64; @!%p1 bar.arrive 1, 64;").empty());
  CHECK(found("@%p1 bar.sync 0; @!%p1 bar.sync 0, 64;").empty());
  CHECK(found("@%p1 bar.sync 1, 32; bar.sync 1, 64;").empty());
  CHECK(found("bar.sync 1, 40;") ==
        "barrier: barrier 1 is to wait for 40 threads: the number is no multiple of the 32 of a "
        "warp; thread (0, 0, 0) of block (0, 0, 0) asks for it\n"
        "barrier: barrier 1 is to wait for 40 threads: the number is no multiple of the 32 of a "
        "warp; thread (32, 0, 0) of block (0, 0, 0) asks for it\n");
  CHECK(found("@%p1 bar.arrive 1, 64; @!%p1 bar.sync 1, 32;")
            .find("barrier 1 waits for 64 threads, of which 32 have arrived, and now is to wait "
                  "for 32; thread (32, 0, 0)") != std::string::npos);
  CHECK(found("@%p1 bar.sync 0; @!%p1 bar.red.popc.u32 %r2, 0, %p1;")
            .find("is used by bar.red and by bar.sync") != std::string::npos);
}
