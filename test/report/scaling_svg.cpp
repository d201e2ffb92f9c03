// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The times of a program on more and more nodes as a picture.
#include <mmm/report/scaling_svg.hpp>

#include "catch.hpp"

#include <string>
#include <vector>

namespace {

using mmm::report::scaling_point;

scaling_point point(mmm::index nodes, mmm::index work, mmm::index network) {
  scaling_point p;
  p.nodes = nodes;
  p.cost.work.time = work;
  p.cost.network.time = network;
  p.cost.time = work + network;
  p.alone = 840;
  p.lower_bound = work / 2;
  return p;
}

std::size_t count(std::string const& text, std::string const& part) {
  std::size_t n = 0;
  for (std::size_t k = 0; (k = text.find(part, k)) != std::string::npos; k += part.size()) ++n;
  return n;
}

std::vector<scaling_point> const points{point(1, 800, 0), point(2, 400, 300), point(4, 200, 310),
                                        point(8, 100, 500)};

}  // namespace

TEST_CASE("the first point whose exchanges take longer than its work, and the quickest point") {
  CHECK(mmm::report::network_takes_over(points)->nodes == 4);
  CHECK(mmm::report::quickest(points)->nodes == 4);
  CHECK(mmm::report::quickest({point(1, 7, 0), point(2, 3, 4)})->nodes == 1);
  CHECK(mmm::report::network_takes_over({point(1, 7, 0), point(2, 4, 4)}) == nullptr);
  CHECK(mmm::report::network_takes_over({}) == nullptr);
  CHECK(mmm::report::quickest({}) == nullptr);
}

TEST_CASE("a scaling is drawn with its parts, the ideal time and where the network takes over") {
  using mmm::report::scaling;
  std::string const strong = mmm::report::svg(points, scaling::strong, "sum <a>");
  for (char const* name : {">time<", ">work<", ">network<", ">lower bound<", ">ideal<"}) {
    CAPTURE(name);
    CHECK(count(strong, name) == 1);
  }
  CHECK(strong.find("sum &lt;a&gt;") != std::string::npos);
  CHECK(count(strong, "takes longer than the work: 510") == 1);
  // No time of the network with one node: three curves of three lines more than the network's two.
  auto const lines_of = [&strong](mmm::index curve) {
    return count(strong, std::string("stroke=\"") + mmm::report::detail::palette::strong(curve));
  };
  CHECK(lines_of(0) == 3);
  CHECK(lines_of(2) == 2);
  CHECK(lines_of(4) == 3);

  std::string const weak = mmm::report::svg(points, scaling::weak, "sum");
  CHECK(weak.find("each with the same part of the problem") != std::string::npos);
  CHECK(weak != strong);

  std::string const never = mmm::report::svg({point(1, 9, 0)}, scaling::strong, "alone");
  CHECK(never.find("takes longer") == std::string::npos);
}

TEST_CASE("the ideal time is that of one node for the same problem, divided by the nodes") {
  using mmm::report::scaling;
  std::vector<scaling_point> ideal{point(2, 800, 0), point(4, 400, 0), point(16, 100, 0)};
  for (scaling_point& p : ideal) p.alone = 1600;
  // A curve on top of the time's has its places.
  auto const places = [](std::string const& text, mmm::index curve) {
    std::string all;
    std::string const colour = mmm::report::detail::palette::strong(curve);
    for (std::size_t k = 0; (k = text.find("<line", k)) != std::string::npos; ++k) {
      std::string const line = text.substr(k, text.find('>', k) - k);
      if (line.find(colour) != std::string::npos) all += line.substr(0, line.find(" stroke"));
    }
    return all;
  };
  std::string const same = mmm::report::svg(ideal, scaling::strong, "");
  CHECK(!places(same, 0).empty());
  CHECK(places(same, 0) == places(same, 4));
  ideal[2].alone = 1000;
  std::string const other = mmm::report::svg(ideal, scaling::strong, "");
  CHECK(places(other, 0) != places(other, 4));
  for (scaling_point& p : ideal) p.alone = 0;
  CHECK(mmm::report::svg(ideal, scaling::strong, "").find(">ideal<") == std::string::npos);
}
