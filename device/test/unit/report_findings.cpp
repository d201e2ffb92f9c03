// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "catch.hpp"

#include <device/report/finding_list.hpp>
#include <device/report/names.hpp>

using namespace device;
using namespace device::report;

TEST_CASE("a finding is the same at the same line, or without lines in the same kernel") {
  finding_list list;
  list.add({check_kind::race, "f()", "a.cu", 3, "first", 0});
  list.add({check_kind::race, "g()", "a.cu", 3, "second", 1});
  list.add({check_kind::bounds, "f()", "a.cu", 3, "third", 1});
  list.add({check_kind::race, "f()", "b.cu", 3, "fourth", 1});
  list.add({check_kind::race, "f()", "", 0, "fifth", 1});
  list.add({check_kind::race, "f()", "", 0, "sixth", 1});
  list.add({check_kind::race, "g()", "", 0, "seventh", 1});
  list.add({check_kind::leak, "", "", 0, "16 bytes", 0});
  list.add({check_kind::leak, "", "", 0, "32 bytes", 0});
  REQUIRE(list.all().size() == 7);
  CHECK(list.count() == 9);
  CHECK(list.all()[0].count == 2);
  CHECK(list.all()[0].shown.message == "first");
  CHECK(list.all()[3].count == 2);
}

TEST_CASE("of races at one line that is shown which reaches farthest") {
  finding_list list;
  list.add({check_kind::race, "f()", "a.cu", 3, "lanes", 0, reach::warp});
  list.add({check_kind::race, "f()", "a.cu", 3, "warps", 0, reach::block});
  list.add({check_kind::race, "f()", "a.cu", 3, "other lanes", 0, reach::warp});
  list.add({check_kind::race, "f()", "a.cu", 3, "other warps", 0, reach::block});
  REQUIRE(list.all().size() == 1);
  CHECK(list.all()[0].count == 4);
  CHECK(list.all()[0].shown.message == "warps");
}

TEST_CASE("a finding's text is two lines") {
  CHECK(text({{check_kind::race, "f(int)", "a.cu", 3, "thread 1 writes", 4}, 1}) ==
        "mmm-run: race: a.cu:3 in f(int), launch 4\n         thread 1 writes\n");
  CHECK(text({{check_kind::bounds, "f(int)", "", 0, "thread 1\nreads", 4}, 12}) ==
        "mmm-run: bounds: f(int), launch 4 (12 times)\n         thread 1\n         reads\n");
  CHECK(text({{check_kind::leak, "", "", 0, "16 bytes", 0}, 1}) ==
        "mmm-run: leak\n         16 bytes\n");
}

TEST_CASE("a finding's text has the path of a line that is inlined elsewhere") {
  finding f{check_kind::race, "f(int)", "a.cu", 3, "thread 1 writes", 4};
  f.path = {{"/usr/local/cuda-13.0/include/cccl/cuda/barrier", 84, "g"}, {"a.cu", 3, ""}};
  f.in_toolkit = true;
  CHECK(text({f, 1}) ==
        "mmm-run: race in the toolkit's headers: a.cu:3 in f(int), launch 4\n"
        "         thread 1 writes\n         at cccl/cuda/barrier:84, called at a.cu:3\n");
  f.path.assign(9, {"a.cu", 3, ""});
  CHECK(text(f.path) ==
        "at a.cu:3, called at a.cu:3, called at a.cu:3, …, called at a.cu:3, called at a.cu:3, "
        "called at a.cu:3");
}

TEST_CASE("a race comes before the read of uninitialized memory at a line of its own") {
  finding_list list;
  finding other{check_kind::race, "f()", "a.cu", 9, "another race", 0};
  other.path = {{"a.cu", 9, ""}};
  finding race{check_kind::race, "f()", "a.cu", 5, "write after read", 0};
  race.path = {{"a.cu", 5, ""}};
  race.other_path = {{"lib.hpp", 30, ""}, {"a.cu", 3, ""}};
  list.add(other);
  list.add({check_kind::uninitialized, "f()", "a.cu", 3, "never written", 0});
  list.add({check_kind::uninitialized, "f()", "a.cu", 4, "never written", 0});
  list.add(race);
  list.put_causes_first();
  REQUIRE(list.all().size() == 4);
  CHECK(list.all()[0].shown.line == 5);
  CHECK(list.all()[1].shown.line == 9);
  CHECK(list.all()[2].shown.message == "never written; the race at a.cu:5 may be the cause");
  CHECK(list.all()[3].shown.message == "never written");
}

TEST_CASE("kernels' names without what is long in them") {
  CHECK(bare_name("transpose(float const*, int)") == "transpose");
  CHECK(bare_name("void ns::sum<float, std::pair<int, int> >(float*, int)") == "ns::sum");
  CHECK(bare_name("void (anonymous namespace)::f<int>(int)") == "(anonymous namespace)::f");
  CHECK(bare_name("void run<f(int)::{lambda(int)#1}>(f(int)::{lambda(int)#1})") == "run");
  CHECK(bare_name("kernel") == "kernel");
  CHECK(short_name("f(int)", 10) == "f(int)");
  CHECK(short_name("void f<int>(float*)", 10) == "f<int>");
  CHECK(short_name("void function<long long>(float*)", 15) == "function<…>");
  CHECK(short_name("void a_very_long_name(float*)", 10) == "…long_name");
  CHECK(short_name("void outer::inner::kernel<int, int, int>(float*)", 24) ==
        "…::inner::kernel<…>");
}

TEST_CASE("patterns of kernels and files") {
  char const* const name = "void ns::sum<float>(float*, int)";
  for (char const* const pattern : {"ns::sum", "ns::sum<float>", "void ns::sum<float>", "ns::*",
                                    "*sum*", name, "ns::sum<float>(*)"})
    CHECK(matches_kernel(pattern, name));
  CHECK_FALSE(matches_kernel("sum", name));
  CHECK_FALSE(matches_kernel("ns::su", name));
  CHECK(is_file("a.cu", "/x/a.cu"));
  CHECK(is_file("x/a.cu", "/x/a.cu"));
  CHECK(is_file("/x/a.cu", "/x/a.cu"));
  CHECK_FALSE(is_file("a.cu", "/x/aa.cu"));
  CHECK_FALSE(is_file("", "/x/a.cu"));
}
