// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/machine/machine.hpp>
#include <mmm/report/machine_picture.hpp>

#include "catch.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace machine_picture_tests {

using Catch::Matchers::Contains;
namespace report = mmm::report;

inline std::size_t count(std::string const& text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

template <class M>
report::machine_picture picture_of(M const& machine, mmm::index p) {
  return {"A <title>", {report::panel_of(machine, mmm::threads(p), "the machine")}, "The legend."};
}

constexpr char const* blue = "stroke=\"#0072b2\"";
constexpr char const* orange = "stroke=\"#d55e00\"";

TEST_CASE("a DMM is drawn with an address line for each bank, a UMM with one") {
  auto const dmm = picture_of(mmm::dmm<4, 5>(), 20);
  CHECK(report::text(dmm) ==
        "A <title>\n\nthe machine\n  20 threads, in 5 warps\n  memory: width 4, latency 5; a time "
        "unit serves a word of each bank, of each value of i % 4\n\nThe legend.\n");
  std::string const banks = report::svg(dmm);
  CHECK(count(banks, blue) == 4);
  CHECK(count(banks, orange) == 0);
  for (char const* shown : {">T19<", ">B3<", ">15<", "A &lt;title&gt;", "The legend."})
    CHECK_THAT(banks, Contains(shown));
  CHECK_THAT(banks, !Contains(">T20<") && !Contains(">B4<") && !Contains(">16<"));

  auto const umm = picture_of(mmm::umm<4, 7, 3>(), 5);
  CHECK_THAT(report::text(umm), Contains("5 threads, in 2 warps") &&
                                    Contains("width 4, latency 7, ports 3; a time unit serves an "
                                             "address group, words of one value of i / 4"));
  std::string const groups = report::svg(umm);
  CHECK(count(groups, blue) == 0);
  CHECK(count(groups, orange) == 6);  // four banks, the line along them, the one of the unit
  CHECK_THAT(groups, Contains(">T4<") && !Contains(">T5<") && Contains("ports 3"));
}

TEST_CASE("an HMM is drawn with its DMMs over the global memory") {
  auto const three = picture_of(mmm::hmm<3, 4, 1, 5>(), 24);
  CHECK_THAT(
      report::text(three),
      Contains("  3 DMMs\n  8 threads each, in 2 warps\n  shared memories: width 4, latency 1") &&
          Contains("global memory: width 4, latency 5; a time unit serves an address group"));
  std::string const drawn = report::svg(three);
  CHECK(count(drawn, blue) == 12);
  CHECK(count(drawn, orange) == 6);
  CHECK(count(drawn, ">T7<") == 3);
  CHECK_THAT(drawn, Contains(">DMM 2<") && Contains("global memory") && !Contains("…"));

  std::string const one = report::svg(picture_of(mmm::hmm<1, 1, 1, 5>(), 1));
  CHECK(count(one, blue) == 1);
  CHECK(count(one, ">T0<") == 1);
}

TEST_CASE("many banks, warps and DMMs are drawn as the first ones and the last one") {
  std::string const drawn = report::svg(picture_of(mmm::hmm<132, 32, 29, 479>(), 132 * 2048));
  for (char const* shown : {">DMM 0<", ">DMM 1<", ">DMM 131<", ">B31<", ">T2047<", ">63<", ">…<"})
    CHECK_THAT(drawn, Contains(shown));
  CHECK_THAT(drawn, !Contains(">DMM 2<") && !Contains(">B2<") && !Contains(">T2048<"));
  CHECK(count(drawn, blue) == 3 * 3);

  std::string const eight = report::svg(picture_of(mmm::dmm<8, 1>(), 8));
  CHECK(count(eight, blue) == 8);
  CHECK_THAT(eight, !Contains("…"));
  CHECK(count(report::svg(picture_of(mmm::dmm<9, 1>(), 9)), blue) == 3);
}

}  // namespace machine_picture_tests
