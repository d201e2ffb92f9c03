// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ranking of a space as a table and as a picture.
#include <mmm/report/space_svg.hpp>
#include <mmm/report/space_text.hpp>

#include "catch.hpp"

#include <string>

namespace {

//! A ranking of three points with times, and two that different filters removed.
mmm::space_ranking<5> ranking() {
  mmm::space_ranking<5> all;
  char const* const names[] = {"slow", "quick", "equal", "large", "old"};
  double const times[] = {20, 10, 10, 0, 0};
  for (int k = 0; k < 5; ++k) {
    all.points[k].name = names[k];
    all.points[k].time.microseconds = times[k];
  }
  all.points[0].time.parts[static_cast<int>(mmm::time_limit::barriers)] = 11;
  all.points[0].time.limit = mmm::time_limit::barriers;
  all.points[1].time.parts[static_cast<int>(mmm::time_limit::barriers)] = 2.5;
  all.points[3].filter = "fits the shared memory";
  all.points[3].unmet = {"bytes of shared memory of a block", 65536, 49152};
  all.points[4].filter = "runs on the GPU";
  all.points[4].unmet = {"tensor cores", 1, 0};
  mmm::detail::sort_ratings(all);
  return all;
}

std::size_t count(std::string const& text, std::string const& part) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++n;
  return n;
}

}  // namespace

TEST_CASE("a space's table says why each point is not the best") {
  auto const rows = mmm::report::space_table(ranking()).rows();
  REQUIRE(rows.size() == 5);
  CHECK(rows[0][0] == "quick");
  CHECK(rows[0][3].empty());
  CHECK(rows[1][0] == "equal");
  CHECK(rows[1][3] == "takes as long; is later in the space");
  CHECK(rows[2][1] == "20.0");
  CHECK(rows[2][2] == "barriers");
  CHECK(rows[2][3] == "2.00 times as long: barriers, 8.50 µs more");
  CHECK(rows[3][3] ==
        "fits the shared memory: bytes of shared memory of a block, 65536 needed, 49152 available");
  CHECK(rows[4][3] == "runs on the GPU: tensor cores, 1 needed, 0 available");
}

TEST_CASE("a space's picture has a bar for each point with a time, a square for each other") {
  std::string const picture = mmm::report::space_svg("Points", ranking());
  CHECK(count(picture, "limited by ") == 3);
  CHECK(count(picture, " needed, ") == 2);
  CHECK(picture.find("not “runs on the GPU”: 1") != std::string::npos);
  CHECK(picture.find("slower point") == std::string::npos);
  mmm::space_ranking<20> many;
  for (int k = 0; k < 20; ++k) many.points[k].time.microseconds = k + 1;
  mmm::detail::sort_ratings(many);
  CHECK(count(mmm::report::space_svg("Many", many), "limited by ") == 16);
  CHECK(mmm::report::space_svg("Many", many).find("4 slower points") != std::string::npos);
}
