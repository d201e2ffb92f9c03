// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Straight runs of operations, which are executed and counted together: the same kernels operation
// by operation have the same counts and results.
#include "small_device.hpp"

#include <device/count/counter.hpp>

#include <cstdint>

namespace {

using checks::kernel;
using checks::small_device;

//! The counts of a launch that a fault may end.
device::launch_result counted(device::launch const& l) {
  device::execution e(l);
  try {
    if (!e.advance()) e.give_up();
  } catch (device::device_fault const&) {
  }
  return e.result();
}

constexpr char const* mixed = R"(
  mov.u32 %r1, 0;
  mov.u32 %r4, 0;
LOOP:
  ld.global.u32 %r2, [%rd1];
  add.u32 %r2, %r2, %r1;
  and.b32 %r3, %r2, 3;
  setp.eq.u32 %p1, %r3, 1;
  @%p1 add.u32 %r2, %r2, %r0;
  @!%p1 xor.b32 %r2, %r2, 5;
  st.global.u32 [%rd1], %r2;
  setp.gt.u32 %p2, %r3, 1;
  @%p2 bra HIGH;
  mul.lo.u32 %r2, %r2, 3;
  add.u32 %r4, %r4, %r2;
  bra MEET;
HIGH:
  shl.b32 %r2, %r2, 1;
  sub.u32 %r4, %r4, %r2;
MEET:
  mov.u32 %r5, %clock;
  add.u32 %r4, %r4, %r5;
  mov.u32 %r5, %clock;
  xor.b32 %r4, %r4, %r5;
  bar.sync 0;
  add.u32 %r1, %r1, 1;
  setp.lt.u32 %p3, %r1, 700;
  @%p3 bra LOOP;
  st.global.u32 [%rd1], %r4;
  ret;)";

}  // namespace

TEST_CASE("straight runs are counted, and have the clock, as single operations have") {
  // 700 rounds of 20 operations are longer than the turn of a warp; with a seed, turns are short.
  std::uint64_t const seed = GENERATE(0U, 1U, 2U);
  std::uint32_t const threads = GENERATE(1U, 40U, 96U);
  small_device gpu(kernel(mixed));
  gpu.seed = seed;
  auto* const out = gpu.array<std::uint32_t>(96);
  device::launch_result const r = gpu.run("k", {2, 1, 1}, {threads, 1, 1}, out, std::uint64_t{0});
  REQUIRE(r.counts.size() == 1);
  auto const& [code, counts] = r.counts.front();
  std::uint64_t const warps = (threads + 31) / 32;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (code->operations[k].kind != device::instruction_kind::barrier) continue;
    REQUIRE(counts[k].executed == 2 * warps * 700);
    REQUIRE(counts[k].lanes == std::uint64_t{2} * threads * 700);
  }
}

TEST_CASE("a fault in a straight run ends its counts there") {
  // All but the last two operations before the end are executed; the load is counted.
  std::uint32_t const threads = GENERATE(20U, 32U);
  small_device gpu(kernel(R"(
  add.u32 %r1, %r0, 1;
  mov.u64 %rd2, 64;
  ld.global.u32 %r2, [%rd2];
  add.u32 %r2, %r2, 1;
  st.global.u32 [%rd1], %r2;
  ret;)"));
  auto* const out = gpu.array<std::uint32_t>(32);
  device::launch l = gpu.launch_of("k", {1, 1, 1}, {threads, 1, 1}, out, std::uint64_t{0});
  device::launch_result const together = counted(l);
  l.stepwise = true;
  small_device::compare(together, counted(l));
  auto const& [code, counts] = together.counts.at(0);
  std::size_t load = 0;
  for (std::size_t k = 0; k < counts.size(); ++k)
    if (code->operations[k].kind == device::instruction_kind::load) load = k;
  REQUIRE(code->operations[load].straight > 1);
  REQUIRE(counts[load].lanes == threads);
  REQUIRE(counts[load + 1].executed == 0);
}

TEST_CASE("an observer that begins to follow a warp is told of each operation from then on") {
  struct follower final : device::observer {
    void access(device::memory_access const& a) override { a.of_warp->followed = true; }
    void executes(device::warp&, device::operation const& op, device::lane_mask, bool) override {
      seen.push_back(op.index);
    }
    std::vector<std::uint32_t> seen;
  };
  small_device gpu(kernel(R"(
  ld.global.u32 %r2, [%rd1];
  add.u32 %r2, %r2, 1;
  add.u32 %r2, %r2, 2;
  st.global.u32 [%rd1], %r2;
  ret;)"));
  auto* const out = gpu.array<std::uint32_t>(32);
  follower f;
  gpu.observers = {{&f}};
  auto const r = gpu.run("k", {1, 1, 1}, {32, 1, 1}, out, std::uint64_t{0});
  auto const& operations = r.counts.at(0).first->operations;
  std::vector<std::uint32_t> expected;
  bool loaded = false;
  for (device::operation const& op : operations) {
    if (loaded && op.index + 1 < operations.size()) expected.push_back(op.index);
    loaded =
        loaded || (op.kind == device::instruction_kind::load && op.where == device::space::global);
  }
  REQUIRE(f.seen == expected);
  REQUIRE(out[5] == 3);
}
