// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tuning spaces: products of lists, their points and names.
#include <mmm/algorithm/reduce/sum.hpp>
#include <mmm/algorithm/reduce/sum_wide.hpp>
#include <mmm/choose/kernel_point.hpp>
#include <mmm/choose/space.hpp>

#include "catch.hpp"

#include <boost/hana/tuple.hpp>
#include <boost/hana/type.hpp>

#include <string>
#include <type_traits>
#include <vector>

namespace {

using mmm::index;

//! A variant whose name lists the point.
template <index Number>
struct listed {
  template <class Point>
  static constexpr void add_name(mmm::point_name& name) {
    name.add(Point::tile::value).add(" ").add(Point::layout::value).add(" ");
    name.add(Point::stages::value).add(" ").add(Number);
  }
};

template <class... Points>
std::vector<std::string> names(mmm::tuning_space<mmm::point_list<Points...>> const&) {
  return {Points::name()...};
}

constexpr auto sums =
    mmm::space(mmm::types<mmm::blocks<1, 1024>, mmm::blocks<2, 512>>,
               mmm::types<mmm::kernel<"sum_wide", mmm::sum_wide>>) +
    mmm::space(mmm::types<mmm::on_umm<4, 256>>, mmm::types<mmm::kernel<"sum", mmm::sum>>) +
    mmm::space(mmm::types<mmm::one_dmm<64>, mmm::one_block<32>>,
               mmm::types<mmm::kernel<"sum_on_one_dmm", mmm::sum_on_one_dmm>>);

}  // namespace

TEST_CASE("a space has every combination of its lists, the last one varies quickest") {
  constexpr auto space =
      mmm::space(mmm::numbers<8, 16>, mmm::types<mmm::blocks<1, 32>, mmm::blocks<2, 64>>,
                 boost::hana::tuple_c<int, 1, 2, 3>, mmm::numbers<2, 4>,
                 boost::hana::tuple_t<listed<0>, listed<1>>);
  std::vector<std::string> expected;
  for (int const tile : {8, 16})
    for (char const* const launch : {"1 block of 32", "2 blocks of 64"})
      for (int const layout : {1, 2, 3})
        for (int const stages : {2, 4})
          for (int const variant : {0, 1})
            expected.push_back(std::to_string(tile) + " " + std::to_string(layout) + " " +
                               std::to_string(stages) + " " + std::to_string(variant) + ", " +
                               launch);
  CHECK(space.count == static_cast<index>(expected.size()));
  CHECK(names(space) == expected);
}

TEST_CASE("a space of an empty list has no point, and one of single elements has one") {
  constexpr auto launches = mmm::types<mmm::blocks<1, 32>>;
  CHECK(mmm::space(launches, mmm::types<>).count == 0);
  CHECK(mmm::space(mmm::types<>, mmm::types<mmm::kernel<"sum", mmm::sum>>).count == 0);
  CHECK(mmm::space(launches, mmm::types<mmm::kernel<"sum", mmm::sum>>).count == 1);
}

TEST_CASE("points are types with a tile, a launch, a layout, stages and a variant") {
  using space =
      decltype(mmm::space(mmm::numbers<8>, mmm::types<mmm::blocks<3, 96, 8>>,
                          mmm::types<mmm::unused>, mmm::numbers<2>, mmm::types<listed<7>>));
  using expected =
      mmm::kernel_point<boost::hana::integral_constant<index, 8>, mmm::blocks<3, 96, 8>,
                        mmm::unused, boost::hana::integral_constant<index, 2>, listed<7>>;
  CHECK(std::is_same_v<space, mmm::tuning_space<mmm::point_list<expected>>>);
  CHECK(expected::plan.blocks_per_sm == 3);
  CHECK(expected::plan.threads == 96);
  CHECK(expected::plan.conditions.value_bytes == 8);
  CHECK(std::is_empty_v<expected>);
}

TEST_CASE("names of points are those of the variant and the launch") {
  CHECK(names(sums) == std::vector<std::string>{"sum_wide, 1 block of 1024",
                                                "sum_wide, 2 blocks of 512", "sum on a UMM",
                                                "sum_on_one_dmm", "sum_on_one_dmm, 32 threads"});
  std::string const longest(200, 'x');
  mmm::point_name name;
  name.add(longest.c_str()).add(12);
  CHECK(name.c_str() == longest.substr(0, 127));
  mmm::point_name numbers;
  numbers.add(index{0}).add(" ").add(9).add(" ").add(10).add(" ").add(123456789012);
  CHECK(std::string(numbers.c_str()) == "0 9 10 123456789012");
}

TEST_CASE("a space's candidates predict as those that are made by hand") {
  constexpr auto all = sums.all();
  constexpr mmm::candidates by_hand{mmm::candidate_of("", {1, 1024}, mmm::sum_wide),
                                    mmm::candidate_of("", {2, 512}, mmm::sum_wide),
                                    mmm::candidate_of("", {4, 256, true}, mmm::sum),
                                    mmm::candidate_of("", {1, 64}, mmm::sum_on_one_dmm),
                                    mmm::candidate_of("", {1, 32}, mmm::sum_on_one_dmm)};
  auto const times = [](auto const& candidates, index n) {
    std::vector<double> found;
    candidates.for_each([&](index, auto const& one) {
      auto const p = one.predict(mmm::gpu::a100::facts, one.plan, mmm::size(n));
      found.push_back(p.possible ? p.time.microseconds : -1);
    });
    return found;
  };
  for (index const n : {0, 1, 1000, 1 << 20}) CHECK(times(all, n) == times(by_hand, n));
}
