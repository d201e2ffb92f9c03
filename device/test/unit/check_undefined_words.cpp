// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words that were never written and are only copied: no finding, and still undefined where they are
// copied to.
#include "catch.hpp"
#include "small_device.hpp"

#include <device/check/memory_checker.hpp>

namespace {

using checks::small_device;
using device::allocation_kind;

//! A kernel of one warp whose parameters are two arrays: %rd1 and %rd2 are the thread's words in
//! them, %r0 its number, %p1 holds in the lower half.
std::string kernel(std::string body) {
  // Instructions of one line are assembly by hand, whose registers are not followed.
  for (std::size_t k = 0; (k = body.find(';', k)) != std::string::npos; k += 2)
    body.insert(k + 1, 1, '\n');
  return R"(
.visible .entry k(.param .u64 in, .param .u64 out)
{
  .reg .pred %p<3>;
  .reg .b32 %r<9>;
  .reg .f32 %f<9>;
  .reg .b64 %rd<9>;
  .local .align 4 .b8 own[16];
  .shared .align 4 .b8 tile[128];
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mov.u32 %r0, %tid.x;
  setp.lt.u32 %p1, %r0, 16;
  mul.wide.u32 %rd3, %r0, 4;
  add.s64 %rd1, %rd1, %rd3;
  add.s64 %rd2, %rd2, %rd3;
)" + body +
         "\n  ret;\n}\n";
}

constexpr std::uint64_t bytes = 128;

//! Runs a kernel on two arrays, the first of which has `defined` words that were written.
class checked_run {
 public:
  explicit checked_run(std::string const& body, std::uint64_t defined = 0,
                       allocation_kind kind = allocation_kind::device)
      : device_(kernel(body)),
        check_(device_.memory().arena_begin(), device_.memory().arena_end()),
        checker_(&check_, false, false, device_.memory().arena_begin(),
                 device_.memory().arena_end()),
        in(device_.memory().allocate(2 * bytes, allocation_kind::device, 0)),
        out(device_.memory().allocate(2 * bytes, kind, 0)) {
    check_.allocated(*device_.memory().find(in));
    check_.allocated(*device_.memory().find(out));
    check_.host_wrote(in, 4 * defined);
    device_.observers = {{&checker_}};
    again(in, out);
  }
  void again(std::uint64_t from, std::uint64_t to) {
    (void)device_.run("k", {1, 1, 1}, {32, 1, 1}, from, to);
  }
  [[nodiscard]] std::size_t found() const { return device_.findings.size(); }
  //! True if a copy of a word of `out` to the host is a finding.
  [[nodiscard]] bool undefined_output(std::uint64_t word) const {
    auto const f = check_.host_reads(device_.memory(), out + 4 * word, 4);
    return f && f->message.find("the host gets a copy") != std::string::npos;
  }

 private:
  mutable small_device device_;
  device::check::uninitialized_check check_;
  device::check::memory_checker checker_;

 public:
  std::uint64_t in, out;
  [[nodiscard]] device::check::uninitialized_check& check() { return check_; }
};

constexpr char const* copy = "ld.global.u32 %r1, [%rd1]; st.global.u32 [%rd2], %r1;";

}  // namespace

TEST_CASE("an undefined word is copied") {
  checked_run r(copy, 8);
  CHECK(r.found() == 0);
  for (std::uint64_t k = 0; k < 32; ++k) CHECK(r.undefined_output(k) == (k >= 8));
  SECTION("and the copy copied") {
    r.check().host_copied(r.out + 64, r.out, 64);
    for (std::uint64_t k = 0; k < 32; ++k) CHECK(r.undefined_output(k) == (k % 16 >= 8));
  }
  SECTION("and written over by the host") {
    r.check().host_wrote(r.out + 40, 40);
    for (std::uint64_t k = 0; k < 32; ++k)
      CHECK(r.undefined_output(k) == (k >= 8 && !(k >= 10 && k < 20)));
  }
  SECTION("and written over by a kernel") {
    r.check().host_wrote(r.in, 128);
    r.again(r.in, r.out);
    for (std::uint64_t k = 0; k < 32; ++k) CHECK_FALSE(r.undefined_output(k));
    CHECK(r.found() == 0);
  }
}

TEST_CASE("an undefined word is copied through shared memory") {
  checked_run r("mov.u32 %r4, tile; shl.b32 %r3, %r0, 2; add.u32 %r4, %r4, %r3;"
                "ld.global.u32 %r1, [%rd1]; st.shared.u32 [%r4], %r1; bar.warp.sync 0xffffffff;"
                "ld.shared.u32 %r2, [%r4]; st.global.u32 [%rd2], %r2;",
                8);
  CHECK(r.found() == 0);
  for (std::uint64_t k = 0; k < 32; ++k) CHECK(r.undefined_output(k) == (k >= 8));
}

TEST_CASE("an undefined word is computed with") {
  char const* const use =
      GENERATE("add.u32 %r2, %r1, 1;", "mov.u32 %r2, %r1;", "setp.eq.u32 %p2, %r1, 0;",
               "st.local.u32 [own], %r1;", "mul.wide.u32 %rd5, %r1, 4;",
               "shfl.sync.idx.b32 %r2, %r1, 0, 31, 0xffffffff;", "mov.u32 %r1, 5;");
  checked_run r(std::string(copy) + use, 8);
  CHECK(r.found() == 1);
}

TEST_CASE("a computation with the copy of an undefined word") {
  checked_run r("ld.global.u32 %r1, [%rd1]; st.global.u32 [%rd2], %r1;"
                "ld.global.u32 %r2, [%rd2]; add.u32 %r2, %r2, 1; st.global.u32 [%rd2], %r2;",
                GENERATE(8, 32));
  // The result of the computation counts as defined: it has been reported.
  CHECK(r.found() <= 1);
  CHECK_FALSE(r.undefined_output(31));
}

TEST_CASE("a register is loaded again") {
  SECTION("by all lanes") {
    checked_run r("ld.global.u32 %r1, [%rd1+128]; ld.global.u32 %r1, [%rd1];"
                  "st.global.u32 [%rd2], %r1;",
                  32);
    CHECK(r.found() == 0);
    for (std::uint64_t k = 0; k < 32; ++k) CHECK_FALSE(r.undefined_output(k));
  }
  SECTION("by half of them") {
    checked_run r("ld.global.u32 %r1, [%rd1+128]; @%p1 ld.global.u32 %r1, [%rd1];"
                  "st.global.u32 [%rd2], %r1;",
                  32);
    CHECK(r.found() == 0);
    for (std::uint64_t k = 0; k < 32; ++k) CHECK(r.undefined_output(k) == (k >= 16));
  }
}

TEST_CASE("pairs are copied") {
  checked_run r("mul.wide.u32 %rd3, %r0, 4; add.s64 %rd1, %rd1, %rd3; add.s64 %rd2, %rd2, %rd3;"
                "ld.global.v2.u32 {%r1, %r2}, [%rd1]; st.global.v2.u32 [%rd2], {%r1, %r2};",
                31);
  CHECK(r.found() == 0);
  // Half of the pair of words 30 and 31 was written: it may be a structure with padding.
  for (std::uint64_t k = 0; k < 64; ++k) CHECK(r.undefined_output(k) == (k >= 32));
}

TEST_CASE("the host reads managed memory without a call") {
  checked_run r(copy, 8, allocation_kind::managed);
  CHECK(r.found() > 0);
}
