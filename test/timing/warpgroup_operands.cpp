// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reads of wgmma in predictions, against figures that are computed by hand.
#include <mmm/algorithm/product/matrix_multiply_on_tensor_cores.hpp>
#include <mmm/predict.hpp>

#include "catch.hpp"

#include <cmath>

namespace {

using mmm::index;
using mmm::detail::timing_model;
using mmm::detail::warpgroup_operands;
using kind = mmm::access_kind;

timing_model model_with(warpgroup_operands const& operands) {
  timing_model model(mmm::gpu::h100::facts, mmm::gpu::timing_of(mmm::gpu::h100::facts),
                     {2, 384, false, false}, {}, 4, false);
  model.set_operands(operands);
  return model;
}

//! Wavefronts of the shared memory that a model charges each of two DMMs for a step of 64 of the
//! inner side in tiles of 128 x 256 halves: 384 to copy, 1024 to load fragments.
double charged(timing_model model) {
  model.begin_timing();
  model.begin_step({256, 384, 2, false, 1, false});
  model.access({true, kind::write, 4, 2 * 384});
  model.end_step();
  model.begin_step({256, 384, 2, false, 1, true});
  model.access({true, kind::read, 4, 2 * 1024});
  model.end_step();
  model.multiply(16, 128 * 256 * 64, 2, 1);
  model.end();
  return model.spent().shared_banks;
}

//! Microseconds of the shared memory in a product of 128 x 128 by 128 x `columns` halves, which is
//! a tile.
template <class G, class A>
double shared_time(A const& a, index columns) {
  auto const time =
      mmm::predict<G>(a, mmm::product_shape(128, 128, columns), mmm::threads(G::facts.sms * 384));
  return time.parts[static_cast<int>(mmm::time_limit::shared_bandwidth)];
}

}  // namespace

TEST_CASE("wgmma reads 64 rows of a and all columns of b, 32 bytes of each") {
  CHECK_FALSE(warpgroup_operands{}.in_shared());
  warpgroup_operands const wide{64, 256};
  CHECK(wide.in_shared());
  CHECK(wide.stages(16, 64 * 256 * 16) == 2048 / 128 + 8192 / 128);
  CHECK(wide.stages(8, 64 * 256 * 32) == 80);
  CHECK(wide.stages(32, 64 * 256 * 8) == 80);
  CHECK(wide.stages(16, 0) == 0);
  // a tile of 128 rows takes two of them for each of the four parts of 64 of the inner side
  CHECK(wide.stages(16, 128 * 256 * 64) == 2 * 4 * 80);
  CHECK(warpgroup_operands{64, 128}.stages(16, 128 * 128 * 64) == 2 * 4 * 48);
}

TEST_CASE("the reads of wgmma take the place of loads of fragments") {
  CHECK(charged(model_with({})) == 384 + 1024);
  CHECK(charged(model_with({64, 256})) == 384 + 640);
  CHECK(charged(model_with({64, 256}).with_launch({2, 384, false, false})) == 384 + 640);
}

TEST_CASE("a predicted product by warpgroups reads what its kernel reads") {
  auto const is = [](double microseconds, double wavefronts) {
    double const expected = wavefronts / static_cast<double>(mmm::gpu::h100::facts.clock_mhz);
    return std::abs(microseconds - expected) <= 1e-9 * expected;
  };
  // Two steps of 64: copies of 128 bytes of each row and column, and the instructions above.
  CHECK(is(shared_time<mmm::gpu::h100>(mmm::matrix_multiply_by_warpgroups, 256),
           2 * (128 + 256 + 640)));
  CHECK(is(shared_time<mmm::gpu::h100>(mmm::matrix_multiply_by_warpgroups_in_smaller_tiles, 128),
           2 * (128 + 128 + 384)));
  auto const chosen =
      mmm::best<mmm::gpu::h100>(mmm::candidates{mmm::candidate_of(
                                    "by warpgroups", {1, 384}, mmm::matrix_multiply_by_warpgroups)},
                                mmm::product_shape(128, 128, 256));
  CHECK(is(chosen.time.parts[static_cast<int>(mmm::time_limit::shared_bandwidth)],
           2 * (128 + 256 + 640)));
  // mma.sync, with the same warps: each loads 64 rows of a and 64 columns of b
  CHECK(is(shared_time<mmm::gpu::h100>(mmm::matrix_multiply_on_tensor_cores, 256),
           2 * (128 + 256 + 8 * 128)));
}
