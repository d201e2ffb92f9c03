// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thrust's host algorithms on arrays of simulated memories: they read and write the data without
// cost.
#include <mmm/mmm.hpp>

#include "catch.hpp"

#include <thrust/copy.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/reduce.h>
#include <thrust/reverse.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>

#include <stdexcept>
#include <vector>

namespace {

using numbers = std::vector<int>;

struct twice {
  int operator()(int x) const { return 2 * x; }
};

//! Returns the contents of b after a host algorithm on the arrays a = {3, 1, 4, 1, 5} and b = {0,
//! 0, 0, 0, 0} of a machine with 4 threads.
template <class Machine, class Algorithm>
numbers left_by(Algorithm algorithm) {
  numbers a{3, 1, 4, 1, 5};
  numbers b(5);
  auto const run = mmm::simulate<Machine>(mmm::threads(4), [&](auto on) {
    algorithm(on.array(a.begin(), a.end()), on.array(b.begin(), b.end()));
  });
  CHECK(run.cost.time == 0);
  CHECK(run.cost.stages == 0);
  return b;
}

template <class Machine>
void run_all() {
  using thrust::host;
  CHECK(left_by<Machine>([](auto a, auto b) { thrust::copy(host, a, a + 5, b); }) ==
        numbers{3, 1, 4, 1, 5});
  CHECK(left_by<Machine>([](auto a, auto b) { b[2] = thrust::reduce(host, a, a + 5); }) ==
        numbers{0, 0, 14, 0, 0});
  CHECK(left_by<Machine>([](auto a, auto b) {
          thrust::transform(host, a, a + 5, b, thrust::negate<int>());
        }) == numbers{-3, -1, -4, -1, -5});
  CHECK(left_by<Machine>([](auto a, auto b) {
          thrust::transform(host, a, a + 5, a, b, thrust::multiplies<int>());
        }) == numbers{9, 1, 16, 1, 25});
  CHECK(left_by<Machine>([](auto a, auto b) {
          b[0] = thrust::transform_reduce(host, a, a + 5, thrust::negate<int>(), 0,
                                          thrust::plus<int>());
        }) == numbers{-14, 0, 0, 0, 0});
  CHECK(left_by<Machine>([](auto a, auto b) {
          b[1] = thrust::inner_product(host, a, a + 5, a, 0);
        }) == numbers{0, 52, 0, 0, 0});
  CHECK(left_by<Machine>([](auto a, auto b) { thrust::inclusive_scan(host, a, a + 5, b); }) ==
        numbers{3, 4, 8, 9, 14});
  CHECK(left_by<Machine>([](auto a, auto b) { thrust::exclusive_scan(host, a, a + 5, b); }) ==
        numbers{0, 3, 4, 8, 9});
  CHECK(left_by<Machine>([](auto a, auto b) {
          thrust::copy(host, a, a + 5, b);
          thrust::sort(host, b, b + 5);
        }) == numbers{1, 1, 3, 4, 5});
  CHECK(left_by<Machine>([](auto a, auto b) {
          thrust::copy(host, a, a + 5, b);
          thrust::reverse(host, b, b + 5);
        }) == numbers{5, 1, 4, 1, 3});
  CHECK(left_by<Machine>([](auto a, auto b) {
          auto const every_second =
              thrust::make_transform_iterator(thrust::counting_iterator<int>(0), twice{});
          thrust::gather(host, every_second, every_second + 3, a, b);
        }) == numbers{3, 4, 5, 0, 0});
  CHECK(left_by<Machine>([](auto, auto b) {
          thrust::fill(host, b + 1, b + 3, 7);
          thrust::transform(host, b, b + 5, b, [](int x) { return x + 1; });
        }) == numbers{1, 8, 8, 1, 1});
}

}  // namespace

TEST_CASE("Thrust's host algorithms run over arrays of simulated memories") {
  run_all<mmm::pram>();
  run_all<mmm::bpram<4>>();
  run_all<mmm::dmm<4, 5>>();
  run_all<mmm::umm<4, 5>>();
  run_all<mmm::hmm<2, 4, 1, 5>>();
}

TEST_CASE("An access outside the array is an error in a host algorithm, too") {
  using machine = mmm::dmm<4, 5>;
  CHECK_THROWS_AS(left_by<machine>([](auto a, auto b) { thrust::copy(thrust::host, a, a + 6, b); }),
                  std::out_of_range);
}
