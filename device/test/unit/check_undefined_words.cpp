// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words that were never written: copies and computations pass on which of their bytes are
// undefined, and what depends on them is a finding.
#include "catch.hpp"
#include "small_device.hpp"

#include <device/check/memory_checker.hpp>

namespace {

using checks::small_device;
using device::allocation_kind;

//! A kernel of one warp whose parameters are two arrays: %rd1 and %rd2 are the thread's words in
//! them, %r0 its number, %p1 holds in the lower half.
std::string kernel(std::string const& body) {
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
                       allocation_kind kind = allocation_kind::device,
                       std::string const& function = "")
      : device_(function + kernel(body)),
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
  //! of the first finding
  [[nodiscard]] std::string message() const { return device_.findings.front().message; }
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

//! A kernel that loads %r1, which is undefined but in the first 8 lanes.
std::string loaded(std::string const& rest) { return "ld.global.u32 %r1, [%rd1];" + rest; }

TEST_CASE("what the program does depends on an undefined word") {
  char const* const use =
      GENERATE("setp.eq.u32 %p2, %r1, 0; @%p2 bra END; st.global.u32 [%rd2], 1; END:",
               "setp.eq.u32 %p2, %r1, 0; @%p2 st.global.u32 [%rd2], 1;",
               "setp.eq.u32 %p2, %r1, 0; @%p2 exit;",
               "and.b32 %r2, %r1, 4; cvt.u64.u32 %rd5, %r2; add.u64 %rd5, %rd2, %rd5;"
               "st.global.u32 [%rd5], 1;",
               "and.b32 %r2, %r1, 4; cvt.u64.u32 %rd5, %r2; add.u64 %rd5, %rd1, %rd5;"
               "ld.global.u32 %r2, [%rd5];",
               "shfl.sync.idx.b32 %r2, %r0, %r1, 31, 0xffffffff;",
               "or.b32 %r2, %r1, 0xffffffff; shl.b32 %r2, %r1, 0; and.b32 %r2, %r2, 1;"
               "shfl.sync.idx.b32 %r3, %r0, 0, %r2, 0xffffffff;",
               "st.global.u32 [%rd2], 1; red.global.add.u32 [%rd2], %r1;",
               "add.u32 %r2, %r1, 1; st.global.u32 [%rd2], %r2;",
               "setp.lt.u32 %p2, %r1, 5; selp.u32 %r2, 1, 2, %p2; add.u32 %r2, %r2, 1;"
               "st.global.u32 [%rd2], %r2;",
               "setp.lt.u32 %p2, %r1, 5; vote.sync.ballot.b32 %r2, %p2, 0xffffffff;"
               "st.global.u32 [%rd2], %r2;",
               "st.local.u32 [own], %r1; ld.local.u32 %r2, [own]; neg.s32 %r2, %r2;"
               "st.global.u32 [%rd2], %r2;");
  CAPTURE(use);
  checked_run r(loaded(use), 8);
  REQUIRE(r.found() == 1);
  CHECK(r.message().find(", and ") < r.message().find("\nthey were never written"));
}

TEST_CASE("nothing that the program does depends on an undefined word") {
  char const* const use = GENERATE(
      "add.u32 %r2, %r1, 1;", "mul.wide.u32 %rd5, %r1, 4;", "mov.u32 %r1, 5; add.u32 %r2, %r1, 1;",
      "setp.eq.u32 %p2, %r1, 0;", "shfl.sync.idx.b32 %r2, %r1, 0, 31, 0xffffffff;",
      "xor.b32 %r2, %r1, %r1; st.global.u32 [%rd2], %r2;",
      "and.b32 %r2, %r1, 0; add.u32 %r2, %r2, 3; st.global.u32 [%rd2], %r2;",
      "setp.eq.u32 %p2, %r1, 0; mov.u32 %r2, 7; selp.u32 %r2, 7, %r2, %p2;"
      "st.global.u32 [%rd2], %r2;",
      "setp.lt.u32 %p2, %r0, 8; @%p2 st.global.u32 [%rd2], %r1;",
      "add.u32 %r2, %r1, 1; setp.lt.u32 %p2, %r0, 8; @%p2 st.global.u32 [%rd2], %r2;",
      "setp.eq.u32 %p2, %r1, 0; setp.lt.u32 %p1, %r0, 8; and.pred %p1, %p1, %p2;"
      "@%p1 st.global.u32 [%rd2], 1;",
      "mov.u32 %r4, tile; shl.b32 %r3, %r0, 2; add.u32 %r4, %r4, %r3; add.u32 %r1, %r1, 1;"
      "st.shared.u32 [%r4], %r1; setp.lt.u32 %p2, %r0, 8; ld.shared.u32 %r2, [%r4];"
      "@%p2 st.global.u32 [%rd2], %r2;");
  CAPTURE(use);
  checked_run r(loaded(use), 8);
  CHECK(r.found() == 0);
}

TEST_CASE("moves keep undefined words as copies") {
  char const* const use = GENERATE(
      "mov.u32 %r2, %r1;", "cvt.u64.u32 %rd5, %r1; cvt.u32.u64 %r2, %rd5;",
      "mov.b64 %rd5, {%r1, %r0}; mov.b64 {%r2, %r3}, %rd5;",
      "mov.b64 %rd5, {%r0, %r1}; shr.u64 %rd5, %rd5, 32; cvt.u32.u64 %r2, %rd5;",
      "prmt.b32 %r2, %r1, %r0, 12816;", "shl.b32 %r2, %r1, 0; or.b32 %r2, %r2, 0;",
      "setp.eq.u32 %p2, %r0, %r0; selp.b32 %r2, %r1, %r0, %p2;",
      "shfl.sync.bfly.b32 %r2, %r1, 1, 31, 0xffffffff;",
      "st.local.u32 [own], %r1; ld.local.u32 %r2, [own];",
      "mov.u32 %r4, tile; shl.b32 %r3, %r0, 2; add.u32 %r4, %r4, %r3; st.shared.u32 [%r4], %r1;"
      "ld.shared.u32 %r2, [%r4];");
  CAPTURE(use);
  checked_run r(loaded(std::string(use) + "st.global.u32 [%rd2], %r2;"), 8);
  CHECK(r.found() == 0);
  for (std::uint64_t k = 0; k < 32; ++k) CHECK(r.undefined_output(k) == (k >= 8));
}

TEST_CASE("a called function passes undefined words on") {
  std::string const function = R"(
.visible .func (.param .b32 result) next(.param .b32 x)
{
  .reg .b32 %r<3>;
  ld.param.u32 %r1, [x];
  add.u32 %r2, %r1, 1;
  st.param.u32 [result], %r2;
  ret;
}
)";
  std::string const call = R"({
  .param .b32 given; .param .b32 back;
  st.param.u32 [given], %r1;
  call (back), next, (given);
  ld.param.u32 %r2, [back];
  })";
  SECTION("and its result is stored") {
    checked_run r(loaded(call + "st.global.u32 [%rd2], %r2;"), 8, allocation_kind::device,
                  function);
    CHECK(r.found() == 1);
  }
  SECTION("and its result is dropped where it is undefined") {
    checked_run r(loaded(call + "setp.lt.u32 %p2, %r0, 8; @%p2 st.global.u32 [%rd2], %r2;"), 8,
                  allocation_kind::device, function);
    CHECK(r.found() == 0);
  }
}

TEST_CASE("products of matrices of which some rows are undefined") {
  // Lane t holds elements of row t / 4 of A (%r1), of column t / 4 of B (%r2), and of row t / 4 of
  // the product. Rows 2 to 7 of A are undefined.
  std::string const multiply =
      "ld.global.u32 %r1, [%rd1]; mov.u32 %r2, 0x3c003c00; mov.f32 %f1, 0f00000000;"
      "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2}, {%r2},"
      "{%f1, %f1, %f1, %f1};";
  SECTION("all rows are stored") {
    checked_run r(multiply + "st.global.f32 [%rd2], %f1;", 8);
    CHECK(r.found() == 1);
  }
  SECTION("the rows that are defined are stored") {
    checked_run r(multiply + "setp.lt.u32 %p2, %r0, 8; @%p2 st.global.f32 [%rd2], %f1;"
                             "st.global.f32 [%rd2], %f3;",
                  8);
    CHECK(r.found() == 0);
  }
}

TEST_CASE("a matrix in shared memory of which some rows are undefined is loaded") {
  // Rows 2 to 7 are undefined; lane t gets two elements of row t / 4, or of rows 2 (t % 4) and the
  // next.
  std::string const load =
      "mov.u32 %r4, tile; shl.b32 %r3, %r0, 2; add.u32 %r5, %r4, %r3; st.shared.u32 [%r5], %r1;"
      "bar.warp.sync 0xffffffff; and.b32 %r3, %r0, 7; shl.b32 %r3, %r3, 4; add.u32 %r4, %r4, %r3;";
  bool const transposed = GENERATE(false, true);
  checked_run r(loaded(load +
                       (transposed ? "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16"
                                   : "ldmatrix.sync.aligned.m8n8.x1.shared.b16") +
                       " {%r2}, [%r4]; st.global.u32 [%rd2], %r2;"),
                8);
  CHECK(r.found() == 0);
  for (std::uint64_t k = 0; k < 32; ++k)
    CHECK(r.undefined_output(k) == (transposed ? k % 4 != 0 : k >= 8));
}

TEST_CASE("a computation with the copy of an undefined word") {
  checked_run r("ld.global.u32 %r1, [%rd1]; st.global.u32 [%rd2], %r1;"
                "ld.global.u32 %r2, [%rd2]; add.u32 %r2, %r2, 1; st.global.u32 [%rd2], %r2;",
                GENERATE(8, 31));
  // The result of the computation counts as defined: it has been reported.
  CHECK(r.found() == 1);
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

TEST_CASE("a structure with padding is copied through shared memory, word by word") {
  checked_run r("setp.eq.u32 %p2, %r0, 0; mov.u32 %r4, tile;"
                "@%p2 ld.global.v2.u32 {%r1, %r2}, [%rd1]; @%p2 st.shared.v2.u32 [%r4], {%r1, %r2};"
                "@%p2 ld.shared.u32 %r3, [%r4+4]; @%p2 st.global.u32 [%rd2+4], %r3;",
                1);
  CHECK(r.found() == 0);
  CHECK_FALSE(r.undefined_output(1));
}

TEST_CASE("the host reads managed memory without a call") {
  checked_run r(copy, 8, allocation_kind::managed);
  CHECK(r.found() > 0);
}
