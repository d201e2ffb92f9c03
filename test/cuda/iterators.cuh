// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/mmm.cuh>

#include "catch.hpp"

#include <thrust/device_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

//! Shared by iterators.cu and iterators_long.cu.
namespace iterators {

struct squared {
  __host__ __device__ mmm::index operator()(mmm::index x) const { return x * x; }
};

//! Sums and scans of counted values and of their squares.
template <class On>
void checks_squares(On const& on, int n) {
  thrust::counting_iterator<mmm::index> const first(0);
  auto const squares = thrust::make_transform_iterator(first, squared());
  CHECK(mmm::sum(on, first, first + n) == n * (n - 1) / 2);
  mmm::index const all = mmm::index{n - 1} * n * (2 * n - 1) / 6;
  CHECK(mmm::sum(on, squares, squares + n) == all);
  thrust::device_vector<mmm::index> out(n);
  mmm::prefix_sums(on, squares, squares + n, out.begin());
  CHECK(out[n - 1] == all);
}

}  // namespace iterators
