// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/image/image_convolution_in_registers_on_nodes.hpp>
#include <mmm/algorithm/image/separable_image_convolution_on_nodes.hpp>
#include <mmm/cluster.hpp>

#include "catch.hpp"
#include "support/node_checks.hpp"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace {

using mmm::index;
using words = std::vector<std::int64_t>;
using nodes = mmm::cluster<mmm::dynamic, 2, 30, mmm::hmm<2, 32, 2, 9>>;
constexpr index threads_of_node = 2 * 256;

[[nodiscard]] words products_of(words const& down, words const& across) {
  words kernel;
  for (std::int64_t const x : down)
    for (std::int64_t const y : across) kernel.push_back(x * y);
  return kernel;
}

//! The convolution that a node alone computes, by the paper's program.
[[nodiscard]] words convolution_of(words const& a, mmm::shape image, words const& kernel,
                                   mmm::radius v) {
  words c(a.size(), -1);
  static_cast<void>(mmm::simulate<mmm::dmm<32, 1>>(mmm::threads(1024), [&](auto on) {
    mmm::image_convolution(on, a.begin(), image, kernel.begin(), v, c.begin());
  }));
  return c;
}

template <index Radius>
void check(index k, mmm::shape image) {
  CAPTURE(k, image.rows, image.columns, Radius);
  mmm::threads const p(k * threads_of_node);
  words const a = checks::numbers_on_nodes(image.area());
  words const kernel = checks::numbers_on_nodes(mmm::radius(Radius).area());
  words const down = checks::numbers_on_nodes(2 * Radius + 1);
  words const across(down.rbegin(), down.rend());
  words c(a.size(), -1);
  checks::figures_on_nodes(nodes(k), mmm::image_convolution_in_registers<Radius>, image, p, false,
                           [&](auto on) {
                             mmm::image_convolution_in_registers<Radius>(on, a.begin(), image,
                                                                         kernel.begin(), c.begin());
                           });
  CHECK(c == convolution_of(a, image, kernel, mmm::radius(Radius)));
  c.assign(a.size(), -1);
  checks::figures_on_nodes(nodes(k), mmm::separable_image_convolution<Radius>, image, p, false,
                           [&](auto on) {
                             mmm::separable_image_convolution<Radius>(
                                 on, a.begin(), image, down.begin(), across.begin(), c.begin());
                           });
  CHECK(c == convolution_of(a, image, products_of(down, across), mmm::radius(Radius)));
}

}  // namespace

TEST_CASE("nodes convolve their rows in registers and by separable kernels") {
  for (index const k : {1, 2, 3})
    for (index const rows : {0, 1, 5, 34})
      for (index const columns : {7, 132}) check<1>(k, mmm::shape(rows, columns));
  check<3>(5, mmm::shape(9, 8));  // a window is made of the rows of several nodes
}

TEST_CASE("a convolution in registers on a cluster refuses what one node refuses") {
  words a(64, 1);
  words const kernel(9, 1);
  auto const call = [&](index threads, auto const& result) {
    return mmm::simulate(nodes(2), mmm::threads(threads), [&](auto on) {
      mmm::image_convolution_in_registers<1>(on, a.data(), mmm::shape(8, 8), kernel.data(), result);
    });
  };
  CHECK_THROWS_AS(call(2 * threads_of_node, a.data() + 63), std::invalid_argument);
  words c(64);
  CHECK_THROWS_AS(call(threads_of_node, c.data()), std::invalid_argument);
  CHECK(call(2 * threads_of_node, c.data()).race_count == 0);
}
