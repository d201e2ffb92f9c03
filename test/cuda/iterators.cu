// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thrust's iterators as arguments of kernels.
#include "iterators.cuh"

#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>

#include <cstdint>
#include <vector>

namespace iterators_tests {

using mmm::index;
using umm = mmm::umm<32, 400>;
using hmm = mmm::hmm<mmm::dynamic, 32, 29, 700, mmm::dynamic>;  // that of kernels_hmm.cu
using iterators::checks_squares;

template <class Check>
void on_one_memory(Check const& check) {
  check(mmm::cuda::on<mmm::dmm<32, 1>>(mmm::threads(96)));
  check(mmm::cuda::on<umm>(mmm::threads(1000)));
}

//! Calls `check(on)` with a handle of each kind of machine.
template <class Check>
void on_all(Check const& check) {
  on_one_memory(check);
  check(mmm::cuda::on(hmm(6, 8192), mmm::threads(6 * 64)));
}

constexpr int n = 1000;

struct product_of_pair {
  template <class Pair>
  __host__ __device__ float operator()(Pair const& pair) const {
    return thrust::get<0>(pair) * thrust::get<1>(pair);
  }
};

template <class T>
std::vector<T> on_host(thrust::device_vector<T> const& v) {
  thrust::host_vector<T> const copy = v;
  return {copy.begin(), copy.end()};
}

TEST_CASE("iterators of a device_vector") {
  thrust::host_vector<float> host(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<float>(i % 11);
  std::vector<float> sums(host.begin(), host.end());
  for (std::size_t i = 1; i < sums.size(); ++i) sums[i] += sums[i - 1];
  on_all([&](auto const& on) {
    thrust::device_vector<float> a = host;
    thrust::device_vector<float> out(n);
    CHECK(mmm::sum(on, a.begin(), a.end()) == sums.back());
    CHECK(mmm::sum(on, a.cbegin(), a.cend()) == sums.back());
    mmm::prefix_sums(on, a.begin(), a.end(), out.begin());
    CHECK(on_host(out) == sums);
    mmm::prefix_sums(on, a.begin(), a.end(), a.begin());
    CHECK(on_host(a) == sums);
  });
}

TEST_CASE("values of another type than the result's") {
  thrust::device_vector<std::int32_t> const a(n, 3);
  on_all([&](auto const& on) {
    thrust::device_vector<double> out(n);
    mmm::prefix_sums(on, a.begin(), a.end(), out.begin());
    CHECK(out[n - 1] == 3.0 * n);
    CHECK(out[0] == 3.0);
  });
}

TEST_CASE("counted and transformed values") {
  // on HMMs: iterators_long.cu; permuted and zipped values are copied to shared memory, too
  on_one_memory([&](auto const& on) { checks_squares(on, n); });
}

TEST_CASE("permuted and reversed values") {
  thrust::host_vector<int> places(n);
  thrust::host_vector<float> values(n);
  for (int i = 0; i < n; ++i) {
    places[i] = (i * 387 + 5) % n;
    values[i] = static_cast<float>(i % 13);
  }
  thrust::device_vector<int> const order = places;
  thrust::device_vector<float> const a = values;
  auto const permuted = thrust::make_permutation_iterator(a.begin(), order.begin());
  std::vector<float> expected(n);
  float sum = 0;
  for (int i = 0; i < n; ++i) expected[static_cast<std::size_t>(i)] = sum += values[places[i]];
  on_all([&](auto const& on) {
    CHECK(mmm::sum(on, permuted, permuted + n) == sum);
    thrust::device_vector<float> out(n);
    mmm::prefix_sums(on, permuted, permuted + n, out.begin());
    CHECK(on_host(out) == expected);
    mmm::prefix_sums(on, permuted, permuted + n, thrust::make_reverse_iterator(out.end()));
    CHECK(on_host(out) == std::vector<float>(expected.rbegin(), expected.rend()));
  });
}

TEST_CASE("zipped values") {
  thrust::device_vector<float> const a(n, 2.0F);
  thrust::device_vector<float> const b(n, 3.0F);
  auto const products = thrust::make_transform_iterator(
      thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin())), product_of_pair());
  on_all([&](auto const& on) { CHECK(mmm::sum(on, products, products + n) == 6.0F * n); });
}

}  // namespace iterators_tests
