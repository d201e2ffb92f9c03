// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/reduce/sum.hpp>
#include <mmm/execution/estimate/estimate.hpp>
#include <mmm/execution/simulate/simulate.hpp>
#include <mmm/gpu.hpp>

#include "catch.hpp"

#include <array>
#include <numeric>
#include <stdexcept>
#include <vector>

using namespace mmm::gpu;
using Catch::Matchers::Contains;
using mmm::index;
using mmm::item;

TEST_CASE("addresses that no GPU accepts are refused by value") {
  CHECK_THROWS_AS(wavefronts<load<16>>(item * 8), std::invalid_argument);
  CHECK_THROWS_WITH(wavefronts<load<16>>(item * 8),
                    Contains("16-byte") && Contains("8") && Contains("multiple of 16"));
  CHECK_THROWS_WITH(wavefronts<load<8>>(item * 4), Contains("8-byte") && Contains("multiple of 8"));
  CHECK_THROWS_WITH(sectors<load<4>>(item * 2), Contains("4-byte") && Contains("2;"));
  CHECK_THROWS_WITH(sectors<store<2>>(item + 1), Contains("2-byte") && Contains("1;"));
  CHECK_THROWS_WITH(wavefronts<ldmatrix<4>>(item * 24), Contains("16-byte") && Contains("24"));
  CHECK_THROWS_WITH(wavefronts<load<4>>(item * 4 - 4), Contains("-4") && Contains("0 or more"));
  CHECK_THROWS_WITH(wavefronts<load<4>>(std::array<index, 2>{0, 2}), Contains("multiple of 4"));
  CHECK_THROWS_WITH(sectors<load<4>>(std::array<index, 1>{-4}), Contains("-4"));
  CHECK_THROWS_WITH(wavefronts<load<4>>(std::vector<index>(33, 0)), Contains("33"));
  CHECK_THROWS_WITH(sectors<load<4>>(std::vector<index>(33, 0)), Contains("33"));
  CHECK_THROWS_AS(wavefronts<load<4>>(item * (index{1} << 60), mmm::size(100)),
                  std::overflow_error);
}

TEST_CASE("addresses of lanes that take no part are not looked at") {
  CHECK(wavefronts<load<4>>(item * 2, mmm::size(32), item % 2 == 0) == 1);
  CHECK(wavefronts<load<4>>(std::array<index, 3>{0, -1, 4}, 0b101) == 1);
  CHECK(sectors<load<4>>(std::array<index, 3>{0, 3, 4}, 0b101) == 1);
  CHECK(wavefronts<ldmatrix<1>>(std::array<index, 9>{0, 16, 32, 48, 64, 80, 96, 112, 3}) == 1);
  CHECK(wavefronts<load<4>>(std::array<index, 0>{}) == 0);
  CHECK(sectors<load<4>>(std::array<index, 2>{0, 4}, 0) == 0);
}

TEST_CASE("widths that a run chooses") {
  CHECK(access_of(instruction::load, 16) == load<16>{});
  CHECK(access_of(instruction::store, 1) == store<1>{});
  CHECK(matrix_access_of(instruction::load_matrix, 4) == ldmatrix<4>{});
  CHECK(matrix_access_of(instruction::store_matrix, 1) == stmatrix<1>{});
  CHECK_THROWS_WITH(access_of(instruction::load, 64),
                    Contains("64") && Contains("1, 2, 4, 8, 16 or 32"));
  CHECK_THROWS_WITH(matrix_access_of(instruction::load_matrix, 3),
                    Contains("3") && Contains("1, 2 or 4"));
  CHECK_THROWS_WITH(global_request_cost(ldmatrix<1>{}, std::array<index, 1>{0}),
                    Contains("global"));
  CHECK_THROWS_WITH(shared_request_cost<amd_cdna3>(ldmatrix<1>{}, std::array<index, 1>{0}),
                    Contains("AMD"));
  CHECK_THROWS_WITH(shared_request_cost<amd_rdna3>(ldmatrix<1>{}, std::array<index, 1>{0}),
                    Contains("AMD"));
}

TEST_CASE("algorithms run on GPUs as on any machine") {
  std::vector<int> a(10000);
  std::iota(a.begin(), a.end(), 1);
  auto const run = mmm::simulate<h200>(mmm::threads(132 * 32),
                                       [&](auto on) { return mmm::sum(on, a.begin(), a.end()); });
  CHECK(run.result == 50005000);
  CHECK(run.cost.time ==
        mmm::cost_of<h200>(mmm::sum, mmm::size(10000), mmm::threads(132 * 32)).time);
  CHECK(run.race_count == 0);
}

TEST_CASE("many warps are counted by periods as one by one") {
  // A period of 5 warps and a rest of a warp and a half.
  auto const e = item % 160 * 12;
  index one_by_one = 0;
  for (index warp = 0; warp < 16; ++warp)
    one_by_one += wavefronts<load<4>>((item + 32 * warp) % 160 * 12, mmm::size(32));
  one_by_one += wavefronts<load<4>>((item + 512) % 160 * 12, mmm::size(16));
  CHECK(wavefronts<load<4>>(e, mmm::size(16 * 32 + 16)) == one_by_one);
  CHECK(wavefronts<load<4>>(e, mmm::size(0)) == 0);
  CHECK(shared_cost_of<load<4>>(item * 4, mmm::size(index{1} << 50)).requests == index{1} << 45);
}
