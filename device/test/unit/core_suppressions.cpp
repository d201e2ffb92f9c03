// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "catch.hpp"

#include <device/core/failure.hpp>
#include <device/core/suppressions.hpp>

#include <string>

using namespace device;
using Catch::Matchers::Contains;

namespace {

//! A race in g(), which is inlined from lib.hpp into a kernel, after an access of h().
finding example() {
  finding f{check_kind::race, "kernel(int*)", "a.cu", 3, "message", 0};
  f.path = {{"/x/lib.hpp", 8, "_ZN3lib1gEv"}, {"/x/a.cu", 3, ""}};
  f.other_path = {{"/x/other.hpp", 9, "_ZN3lib1hEv"}, {"/x/a.cu", 4, ""}};
  return f;
}

bool hides(std::string const& text, finding const& f = example()) {
  suppressions s;
  s.add(text, "file");
  return s.suppress(f);
}

std::string refusal(std::string const& text) {
  suppressions s;
  try {
    s.add(text, "file");
  } catch (unsupported const& e) {
    return e.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("patterns") {
  CHECK(matches("", ""));
  CHECK(matches("*", ""));
  CHECK(matches("a*c", "abbc"));
  CHECK(matches("a*b*c", "aXbYbZc"));
  CHECK(matches("a?c", "abc"));
  CHECK_FALSE(matches("a?c", "ac"));
  CHECK_FALSE(matches("a*d", "abc"));
  CHECK_FALSE(matches("abc", "abcd"));
}

TEST_CASE("a suppression names part of a function or file of either side") {
  for (char const* const text :
       {"race:lib::g", "race:lib::h()", "race:kernel(", "race:a.cu", "race:/x/lib.hpp",
        "race:other", "all:lib::g", "race:lib*g", "race:lib::?()",
        "# comment\n\n \t\r\n  race: lib::g \r\n", "bounds:lib::g\nrace:lib::g"})
    CHECK(hides(text));
  for (char const* const text :
       {"", "\n", "# race:lib::g", "bounds:lib::g", "race:lib::i", "race:a.cu:3", "race:_ZN3lib"})
    CHECK_FALSE(hides(text));
}

TEST_CASE("suppressions count what they hide, and say where they are written") {
  suppressions s;
  s.add("race:nothing\nrace:lib::g\n", "mine");
  CHECK(s.report().empty());
  CHECK(s.suppress(example()));
  CHECK(s.report() == "mmm-run: suppressed 1 time by race:lib::g (mine, line 2)\n");
  CHECK(s.suppress(example()));
  CHECK(s.report() == "mmm-run: suppressed 2 times by race:lib::g (mine, line 2)\n");
}

TEST_CASE("a bad line of suppressions is refused with its number") {
  CHECK_THAT(refusal("race:f\n\n# comment\nrace"),
             Contains("suppressions file: line 4 is \"race\"; accepted: CHECK:"));
  CHECK_THAT(refusal("race:"), Contains("line 1") && Contains("uninitialized"));
  CHECK_THAT(refusal("races:f"), Contains("line 1"));
  CHECK_THAT(refusal(":f"), Contains("line 1"));
  CHECK_THROWS_AS(suppressions{}.add_file("/no/such/file"), unsupported);
}

TEST_CASE("the default suppressions are valid, and hide races within the toolkit's headers only") {
  suppressions s;
  s.add_defaults();
  CHECK_FALSE(s.suppress(example()));
  finding f = example();
  std::string const folder = "/usr/local/cuda-13.0/include/cccl/cuda/";
  f.path = {
      {folder + "__barrier/barrier_block_scope.h", 84,
       "_ZN4cuda3__47barrierILNS_3std3__412thread_scopeE2ENS2_18__empty_completionEED1Ev"},
      {folder + "pipeline", 249, "_ZN4cuda3__48pipelineILNS_3std3__412thread_scopeE2EE4quitEv"},
      {"/x/a.cu", 3, ""}};
  CHECK_FALSE(s.suppress(f));
  f.in_toolkit = true;
  CHECK(s.suppress(f));
  f.check = check_kind::bounds;
  CHECK_FALSE(s.suppress(f));
}
