// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Explanations of requests: they contain the counted figures and name the lanes.
#include <mmm/gpu.hpp>
#include <mmm/report/gpu_request.hpp>
#include <mmm/report/tile_choice_text.hpp>

#include "catch.hpp"

#include <array>
#include <string>
#include <vector>

using namespace mmm::gpu;
using Catch::Matchers::Contains;
using mmm::index;
using mmm::item;
using mmm::report::explain;

TEST_CASE("an explanation says who collides and why") {
  auto const column = explain<load<16>>(mmm::row_major(32, 64)(item, 4) * 4);
  CHECK(column.cost == shared_cost{1, 32, 4});
  CHECK_THAT(column.text, Contains("lane i: 16-byte load at byte (i * 64 + 4) * 4"));
  CHECK_THAT(column.text, Contains("32 wavefronts, 4 without conflicts, 28 excessive"));
  CHECK_THAT(column.text, Contains("8-15") && Contains("16, 272, 528, 784, …"));
  CHECK_THAT(column.text, Contains("Bank 4 is asked for 8 different words by lanes 0-7") &&
                              Contains("128 bytes apart"));
  CHECK_THAT(column.text, Contains("phase 1 of 4"));
  CHECK_THAT(column.svg, Contains("8 stages") && Contains("phase 1 of 4: 16-byte load"));

  auto const row = explain<load<4>>(item * 4, "a row");
  CHECK_THAT(row.text,
             Contains("a row\n4-byte load: 1 wavefront, 1 without conflicts, 0 excessive"));
  CHECK_THAT(row.text, Contains("In no phase is a bank asked for two different words."));

  auto const second = explain<store<2>>(item * 64, "the second warp", 1);
  CHECK_THAT(second.text, Contains("2-byte store: 16 wavefronts") && Contains("2048, 2176"));
  auto const matrix = explain<ldmatrix<2>>(item % 16 * 256);
  CHECK_THAT(matrix.text,
             Contains("ldmatrix.x2: 16 wavefronts, 2 without conflicts") && Contains("8-15"));
  auto const amd = explain<load<16>, amd_cdna3>(item * 128);
  CHECK_THAT(amd.text, Contains("phase 1 of 8") && Contains("0, 1, 2, 3, 20, 21, 22, 23"));
}

TEST_CASE("the picture of the longest phase has as many stages as it has wavefronts") {
  for (index stride = 1; stride < 70; ++stride) {
    std::vector<index> addresses;
    for (index t = 0; t < 32; ++t) addresses.push_back(t * stride % 97 * 8);
    shared_request const request = explain_shared(load<8>{}, addresses);
    for (int p = 0; p < request.phases; ++p)
      CHECK(mmm::report::stages(mmm::report::detail::phase_request(load<8>{}, addresses, 32,
                                                                   request.phase[p].lanes, "")) ==
            request.phase[p].wavefronts);
  }
}

TEST_CASE("explanations of lists, and of nobody") {
  std::array<index, 3> const list{0, 128, 4};
  CHECK_THAT(explain(load<4>{}, list).text, Contains("a warp's 4-byte load") && Contains("0, 1"));
  CHECK_THAT(explain(load<4>{}, list, 0).text, Contains("No lane takes part."));
  CHECK_THROWS_AS(explain(load<8>{}, list), std::invalid_argument);
}

TEST_CASE("choices are said in words") {
  auto const write_row = tile_access<store<4>>(5, item);
  auto const read_column = tile_access<load<4>>(item, 5);
  CHECK(mmm::report::text(choose_layout({32, 32}, {.swizzles = false}, write_row, read_column)) ==
        "32 x 32 with 1 element of padding per row: 2 wavefronts instead of 33, at the price of "
        "124 unused bytes. No layout "
        "at all takes fewer (34 of 34 layouts tried fit, 4220 bytes).");
  CHECK_THAT(mmm::report::text(choose_layout({32, 32}, {}, write_row, read_column)),
             Contains("through Swizzle<5, 0, 5>") && Contains("four integer instructions"));
  CHECK_THAT(mmm::report::text(choose_layout({32, 32}, {}, write_row)),
             Contains("row by row: 1 wavefront, at the price of nothing"));
  CHECK_THAT(
      mmm::report::text(choose_layout({64, 16}, {.alignment = 16, .swizzles = false},
                                      tile_access<store<16>>(item / 4, item % 4 * 4),
                                      tile_access<load<16>>(item, 4))),
      Contains("12 wavefronts instead of 20") && Contains("no layout at all takes fewer than 8"));
  auto const read = tile_access<load<4>>(item, 2, 1, mmm::size(256));
  CHECK(
      mmm::report::text(choose_record_layout({256, 8}, read)) ==
      "256 records of 8 fields as a structure of arrays: 32 sectors instead of 256 as an array of "
      "structures. No layout at all takes fewer (13 layouts tried fit).");
}
