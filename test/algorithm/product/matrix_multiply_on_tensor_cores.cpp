// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products by tensor cores in every back end; all forms of calls are in the .long.cpp beside.
#include <mmm/algorithm/product/matrix_multiply_on_tensor_cores.hpp>
#include <mmm/predict.hpp>

#include "support/problem_checks.hpp"
#include "tensor_core_product_checks.hpp"

#include <cmath>
#include <stdexcept>
#include <vector>

namespace {

using checks::tensor_cores::check;
using checks::tensor_cores::check_with;
using checks::tensor_cores::example;
using checks::tensor_cores::long_steps;
using checks::tensor_cores::machine;
using checks::tensor_cores::small_tiles;

}  // namespace

TEST_CASE("products of halves by tensor cores", "[tensor_cores]") {
  check(example<mmm::half_t, false, false, true>{{64, 64, 128}, 0}, false);
  check(example<mmm::half_t, false, false, true>{{72, 40, 136}, 0}, false);  // borders
  check_with(long_steps, example<mmm::half_t, false, false, true>{{72, 136, 64}, 0}, false);
  check(example<mmm::half_t, false, false, true>{{33, 17, 5}, 0}, true);  // element by element
  check(example<mmm::half_t, false, false, true>{{3, 0, 4}, 0}, false);
  check(example<mmm::half_t, false, false, true>{{0, 3, 4}, 0}, false);
  check(example<mmm::half_t, true, true>{{72, 40, 24}, 8}, true);  // rows of whole vecs
}

TEST_CASE("products of other numbers by tensor cores", "[tensor_cores]") {
  check(example<std::int8_t, false, true>{{24, 80, 32}, 16}, false);
  check(example<float, false, true>{{24, 20, 8}, 4}, false, mmm::accept_tf32);
}

TEST_CASE("products by tensor cores meet their bounds", "[tensor_cores]") {
  for (auto const& shape : {mmm::product_shape(64, 64, 64), mmm::product_shape(200, 96, 136),
                            mmm::product_shape(1000, 1000, 1000)}) {
    auto const p = mmm::threads(2 * 128);
    auto const time = mmm::cost_of<machine>(small_tiles, shape, p).time;
    CHECK(mmm::lower_bound<machine>(small_tiles, shape, p).time <= time);
    CHECK(time <= 2 * mmm::constant_of(machine{}, small_tiles) *
                      mmm::upper_bound<machine>(small_tiles, shape, p));
  }
  static_assert(decltype(small_tiles)::shared_words() == 3 * 16 * 128);
}

TEST_CASE("the rounding of products by tensor cores", "[tensor_cores]") {
  mmm::product_shape const shape(16, 200, 24);
  std::vector<float> a(16 * 200);
  std::vector<float> b(200 * 24);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = std::sin(static_cast<float>(i) * 1.7F);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = std::cos(static_cast<float>(i) * 2.3F);
  auto const check_rounding = [&](auto const& x, auto const& y, double of_factors,
                                  auto const&... form) {
    std::vector<float> c(16 * 24);
    mmm::simulate<machine>(mmm::threads(256), [&](auto on) {
      small_tiles(on, x.begin(), y.begin(), shape, c.begin(), form...);
    });
    for (mmm::index i = 0; i < 16; ++i)
      for (mmm::index j = 0; j < 24; ++j) {
        double sum = 0;
        double sizes = 0;
        for (mmm::index k = 0; k < 200; ++k) {
          double const product =
              static_cast<double>(static_cast<float>(x[static_cast<std::size_t>(i * 200 + k)])) *
              static_cast<double>(static_cast<float>(y[static_cast<std::size_t>(k * 24 + j)]));
          sum += product;
          sizes += std::abs(product);
        }
        double const off = std::abs(sum - c[static_cast<std::size_t>(i * 24 + j)]);
        CHECK(off <= sizes * (202 * 0x1p-22 + of_factors));
        if (of_factors > 0) CHECK(off > 0);
      }
  };
  std::vector<mmm::half_t> const half_a(a.begin(), a.end());
  std::vector<mmm::half_t> const half_b(b.begin(), b.end());
  check_rounding(half_a, half_b, 0);
  check_rounding(a, b, 0x1p-9, mmm::accept_tf32);
}

TEST_CASE("the predicted time of a product of halves on an H100", "[tensor_cores]") {
  constexpr auto gpu = mmm::gpu::h100::facts;
  auto const time = mmm::predict<mmm::gpu::h100>(mmm::matrix_multiply_on_tensor_cores,
                                                 mmm::size(4096), mmm::threads(gpu.sms * 256));
  double const at_full_rate = 4096. * 4096 * 4096 / mmm::gpu::timing_of(gpu).tensor_halves /
                              static_cast<double>(gpu.sms * gpu.clock_mhz);
  CHECK(time.counted);
  CHECK(time.limit == mmm::time_limit::tensor_cores);
  CHECK(time.microseconds <= at_full_rate / 0.6);
  CHECK(time.microseconds >= at_full_rate);

  auto const by_warpgroups = mmm::predict<mmm::gpu::h100>(
      mmm::matrix_multiply_by_warpgroups, mmm::size(4096), mmm::threads(gpu.sms * 384));
  CHECK(by_warpgroups.counted);
  CHECK(by_warpgroups.microseconds < 0.75 * time.microseconds);
  CHECK(by_warpgroups.microseconds >=
        4096. * 4096 * 4096 / 2048 / static_cast<double>(gpu.sms * gpu.clock_mhz));
}

TEST_CASE("what products by tensor cores refuse", "[tensor_cores]") {
  std::vector<mmm::half_t> const a(64, mmm::half_t(1.0F));
  std::vector<float> c(64);
  auto const with = [&](mmm::threads p) {
    mmm::simulate<machine>(
        p, [&](auto on) { small_tiles(on, a.begin(), a.begin(), {8, 8, 8}, c.begin()); });
  };
  CHECK_NOTHROW(with(mmm::threads(256)));
  CHECK_THROWS_AS(with(mmm::threads(128)), std::invalid_argument);
}
