// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// alloca, stacksave and stackrestore; kernels whose instructions are not all supported; launches of
// which some blocks are executed.
#include "catch.hpp"
#include "small_device.hpp"

#include <device/core/failure.hpp>

#include <set>

namespace {

using checks::small_device;
using device::device_fault;

//! A kernel k(out): %r0 is the thread's number, %rd1 the address of its 8 bytes of `out`.
[[nodiscard]] std::string kernel(std::string const& body) {
  return R"(
.visible .entry k(.param .u64 k_param_0)
{
  .reg .pred %p<4>;
  .reg .b32 %r<16>;
  .reg .b64 %rd<24>;
  .local .align 4 .b8 fixed[12];
  ld.param.u64 %rd0, [k_param_0];
  mov.u32 %r0, %tid.x;
  mul.wide.u32 %rd1, %r0, 8;
  add.s64 %rd1, %rd0, %rd1;
  cvt.u64.u32 %rd2, %r0;
)" + body +
         "\n  ret;\n}\n";
}

[[nodiscard]] std::vector<std::uint64_t> results(std::string const& body, std::uint32_t threads) {
  small_device gpu(kernel(body));
  auto* const out = gpu.array<std::uint64_t>(threads, 77);
  gpu.run("k", {1, 1, 1}, {threads, 1, 1}, out);
  return {out, out + threads};
}

//! The finding's message; the launch ends by a fault.
[[nodiscard]] std::string overflow(std::string const& body) {
  small_device gpu(kernel(body));
  auto* const out = gpu.array<std::uint64_t>(32);
  CHECK_THROWS_AS(gpu.run("k", {1, 1, 1}, {32, 1, 1}, out), device_fault);
  REQUIRE(gpu.findings.size() == 1);
  CHECK(gpu.findings.front().check == device::check_kind::bounds);
  return gpu.findings.front().message;
}

//! The numbers of the blocks that a launch executes.
[[nodiscard]] std::vector<std::uint32_t> executed(std::uint64_t sampled, device::dim3 grid,
                                                  device::dim3 cluster = {}) {
  small_device gpu(R"(
.visible .entry mark(.param .u64 p)
{
  .reg .b32 %r<8>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd0, [p];
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %nctaid.x;
  mov.u32 %r2, %ctaid.y;
  mad.lo.u32 %r0, %r1, %r2, %r0;
  mul.wide.u32 %rd1, %r0, 4;
  add.s64 %rd0, %rd0, %rd1;
  st.global.u32 [%rd0], 1;
  ret;
})");
  auto* const marks = gpu.array<std::uint32_t>(grid.count(), 0);
  device::launch l = gpu.launch_of("mark", grid, {1, 1, 1}, marks);
  l.cluster = cluster;
  l.sampled_blocks = sampled;
  (void)device::run(l);
  std::vector<std::uint32_t> found;
  for (std::uint32_t b = 0; b < grid.count(); ++b)
    if (marks[b] != 0) found.push_back(b);
  return found;
}

}  // namespace

TEST_CASE("alloca gives each thread memory of its own size behind its local variables") {
  // A thread gets two pieces, of 8 * its number and of 4 bytes, and fills both.
  auto const found = results(R"(
  shl.b64 %rd3, %rd2, 3;
  alloca.u64 %rd4, %rd3;
  alloca.u64 %rd5, 4;
  st.local.u32 [%rd5], %r0;
  st.local.u32 [fixed], 5;
  mov.u64 %rd6, 0;
LOOP:
  setp.ge.u64 %p1, %rd6, %rd2;
  @%p1 bra DONE;
  shl.b64 %rd7, %rd6, 3;
  add.s64 %rd7, %rd4, %rd7;
  st.local.u64 [%rd7], %rd6;
  add.s64 %rd6, %rd6, 1;
  bra LOOP;
DONE:
  ld.local.u32 %r1, [%rd5];
  ld.local.u32 %r2, [fixed];
  mad.lo.u32 %r1, %r1, 1000, %r2;
  setp.eq.u32 %p2, %r0, 0;
  @%p2 bra STORE;
  ld.local.u64 %rd8, [%rd7];
  cvt.u32.u64 %r3, %rd8;
  mad.lo.u32 %r1, %r3, 1000000, %r1;
STORE:
  cvt.u64.u32 %rd9, %r1;
  st.global.u64 [%rd1], %rd9;)",
                             40);
  for (std::uint64_t t = 0; t < 40; ++t)
    CHECK(found[t] == 1000 * t + 5 + (t == 0 ? 0 : 1'000'000 * (t - 1)));
}

TEST_CASE("alloca aligns by 8 bytes, or by its third operand") {
  // The 12 bytes of `fixed` are followed by those of the stack, from a multiple of 16 on.
  for (auto const& [alignment, second] :
       {std::pair{"", 24U}, {", 2", 24U}, {", 16", 32U}, {", 256", 256U}}) {
    auto const found = results(R"(
  alloca.u64 %rd3, 3;
  alloca.u64 %rd4, 1)" + std::string(alignment) +
                                   R"(;
  shl.b64 %rd5, %rd4, 32;
  or.b64 %rd5, %rd5, %rd3;
  st.global.u64 [%rd1], %rd5;)",
                               1);
    CHECK(found[0] == (std::uint64_t{second} << 32 | 16));
  }
}

TEST_CASE("stackrestore frees what was allocated since stacksave, lane by lane") {
  // Odd threads free their first piece before they ask for the second one.
  auto const found = results(R"(
  stacksave.u64 %rd3;
  alloca.u64 %rd4, 64;
  and.b32 %r1, %r0, 1;
  setp.eq.u32 %p1, %r1, 1;
  @%p1 stackrestore.u64 %rd3;
  alloca.u64 %rd5, 8;
  sub.s64 %rd6, %rd5, %rd4;
  st.global.u64 [%rd1], %rd6;)",
                             32);
  for (std::uint64_t t = 0; t < 32; ++t) CHECK(found[t] == (t % 2 == 1 ? 0U : 64U));
  auto const narrow = results(R"(
  stacksave.u32 %r3;
  mov.u32 %r4, 40;
  alloca.u32 %r5, %r4;
  stacksave.u32 %r6;
  sub.u32 %r6, %r6, %r3;
  stackrestore.u32 %r3;
  stacksave.u32 %r7;
  sub.u32 %r7, %r7, %r3;
  add.u32 %r6, %r6, %r7;
  cvt.u64.u32 %rd6, %r6;
  st.global.u64 [%rd1], %rd6;)",
                              2);
  CHECK(narrow == std::vector<std::uint64_t>{40, 40});
}

TEST_CASE("a function that is called has its memory behind what its caller allocated") {
  small_device gpu(R"(
.func (.param .b64 result) place()
{
  .reg .b64 %rd<4>;
  alloca.u64 %rd1, 8;
  st.local.u64 [%rd1], 1;
  st.param.b64 [result], %rd1;
  ret;
}
)" + kernel(R"(
  mad.lo.u32 %r2, %r0, 16, 16;
  cvt.u64.u32 %rd3, %r2;
  alloca.u64 %rd4, %rd3;
  {
  .param .b64 returned;
  call.uni (returned), place, ();
  ld.param.b64 %rd5, [returned];
  }
  {
  .param .b64 returned;
  call.uni (returned), place, ();
  ld.param.b64 %rd6, [returned];
  }
  setp.ne.u64 %p1, %rd5, %rd6;
  @%p1 mov.u64 %rd5, 0;
  st.global.u64 [%rd1], %rd5;)"));
  auto* const out = gpu.array<std::uint64_t>(32);
  gpu.run("k", {1, 1, 1}, {32, 1, 1}, out);
  for (std::uint64_t t = 0; t < 32; ++t) CHECK(out[t] == 16 + 16 * 32);  // the greatest of its warp
}

TEST_CASE("a thread has no more than 1 MiB, and nothing behind what it allocated") {
  CHECK(overflow("  mov.u64 %rd3, 0x200000;\n  alloca.u64 %rd4, %rd3;")
            .find("alloca of 2097152 bytes, as thread (0, 0, 0) of block (0, 0, 0) asks for, but a "
                  "thread has 1 MiB") != std::string::npos);
  CHECK(overflow("  mov.u64 %rd3, 0xfffffffffffffff0;\n  alloca.u64 %rd4, %rd3;")
            .find("alloca of 18446744073709551600 bytes") != std::string::npos);
  CHECK(overflow("  alloca.u64 %rd4, 8, 0x800000;\n  alloca.u64 %rd4, 8, 0x800000;")
            .find("alloca of 8 bytes") != std::string::npos);
  CHECK(overflow("  alloca.u64 %rd4, 32;\n  st.local.u32 [%rd4+32], 1;")
            .find("the thread has 48 bytes of local memory") != std::string::npos);
  for (char const* const wrong :
       {"stackrestore.u64 %rd2;",
        "stacksave.u64 %rd3; add.s64 %rd3, %rd3, 1; stackrestore.u64 %rd3;",
        "stacksave.u64 %rd3; alloca.u64 %rd4, 8; stacksave.u64 %rd5; stackrestore.u64 %rd3;\n"
        "stackrestore.u64 %rd5;"}) {
    small_device gpu(kernel(wrong));
    auto* const out = gpu.array<std::uint64_t>(1);
    CHECK_THROWS_WITH(gpu.run("k", {1, 1, 1}, {1, 1, 1}, out),
                      Catch::Contains("stackrestore: thread (0, 0, 0)"));
  }
}

TEST_CASE("a wrong alloca is refused") {
  for (char const* const wrong :
       {"alloca.s64 %rd3, 8;", "alloca.u64 %rd3, 8, 3;", "alloca.u64 %rd3, 8, 0x1000000;",
        "alloca.u64 %rd3, 8, %rd2;", "alloca.u64 %rd3;", "stacksave.b64 %rd3;",
        "stackrestore.u64 %rd3, 1;"}) {
    small_device gpu(kernel(wrong));
    CHECK_THROWS_AS(gpu.code().find("k"), device::unsupported);
  }
}

TEST_CASE("a kernel with an instruction that is not supported tells its needs, and does not run") {
  small_device gpu(R"(.shared .align 4 .b8 word[400];)" + kernel(R"(
  mov.u32 %r1, word;
  st.shared.u32 [%r1], %r0;
  multimem.st.weak.global.u32 [%rd1], %r0;
  multimem.st.weak.global.u32 [%rd1], %r1;)"));
  device::program const* const described = gpu.code().describe("k");
  REQUIRE(described != nullptr);
  CHECK(described->shared_bytes == 400);
  REQUIRE(described->refused.size() == 2);
  CHECK(described->refused[0].why == "this instruction is not supported");
  CHECK(described->body.instructions[described->refused[1].instruction].opcode == "multimem");
  CHECK_THROWS_WITH(gpu.code().find("k"),
                    Catch::StartsWith("multimem.st.weak.global.u32 (PTX line ") &&
                        Catch::EndsWith("in k): this instruction is not supported"));
  CHECK(gpu.code().describe("none") == nullptr);
}

TEST_CASE("some blocks of a grid are spread evenly, the first and the last among them") {
  for (std::uint32_t const n : {1U, 2U, 3U, 7U, 64U})
    for (std::uint64_t sampled = 0; sampled <= n + 1; ++sampled) {
      auto const found = executed(sampled, {n, 1, 1});
      std::uint64_t const wanted = sampled == 0 ? n : std::min<std::uint64_t>(sampled, n);
      REQUIRE(found.size() == wanted);
      CHECK(found.front() == 0);
      if (wanted > 1) CHECK(found.back() == n - 1);
      std::set<std::uint32_t> gaps;
      for (std::size_t k = 1; k < found.size(); ++k) gaps.insert(found[k] - found[k - 1]);
      if (!gaps.empty()) CHECK(*gaps.rbegin() - *gaps.begin() <= 1);
    }
  CHECK(executed(3, {5, 4, 1}) == std::vector<std::uint32_t>{0, 9, 19});
  CHECK(executed(3, {12, 1, 1}, {2, 1, 1}) == std::vector<std::uint32_t>{0, 1, 10, 11});
  device::launch huge;
  huge.grid = {2147483647, 65535, 65535};
  huge.sampled_blocks = 4'000'000'000;
  device::executed_clusters const some(huge);
  CHECK(some.number(0) == 0);
  CHECK(some.number(some.some - 1) == huge.grid.count() - 1);
}
