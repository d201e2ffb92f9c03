// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pictures of fragments: every element with its lane, as text and as SVG.
#include <mmm/report/fragment_picture.hpp>

#include "catch.hpp"

TEST_CASE("a fragment is shown with the lane and the number of each element") {
  using product = mmm::gpu::mma<8, 8, 4, mmm::gpu::data_type::f64>;
  auto const a = mmm::report::picture_of_fragment<product::a>("A & B");
  std::string expected = "A & B\n";
  for (int lane = 0; lane < 32; ++lane)
    expected += mmm::report::detail::padded_left(std::to_string(lane) + ".0", 6) +
                (lane % 4 == 3 ? "\n" : "");
  CHECK(text(a) == expected);
  std::string const drawn = svg(a);
  CHECK(drawn.find("A &amp; B") != std::string::npos);
  for (int lane = 0; lane < 32; ++lane)
    CHECK(drawn.find(">" + std::to_string(lane) + ".0<") != std::string::npos);
}
