// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thrust's sorts, merges, sets and searches, compared with the host's.
#include "../checked.cuh"

#include <thrust/binary_search.h>
#include <thrust/device_vector.h>
#include <thrust/merge.h>
#include <thrust/sequence.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>

#include <algorithm>
#include <iterator>
#include <numeric>

namespace {

using namespace checked;

template <class T>
std::vector<T> host(thrust::device_vector<T> const& d) {
  std::vector<T> v(d.size());
  thrust::copy(d.begin(), d.end(), v.begin());
  return v;
}

struct by_last_digit {
  __host__ __device__ bool operator()(int a, int b) const { return a % 10 < b % 10; }
};

void sorts(int n) {
  auto ints = random_vector<int>(n, 41, 100000);
  thrust::device_vector<int> d(ints.begin(), ints.end());
  thrust::stable_sort(d.begin(), d.end(), by_last_digit());  // a merge sort
  std::stable_sort(ints.begin(), ints.end(), by_last_digit());
  SAME(host(d), ints);
  thrust::sort(d.begin(), d.end());  // a radix sort
  std::sort(ints.begin(), ints.end());
  SAME(host(d), ints);

  auto const reals = random_vector<double>(n, 42);
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  thrust::device_vector<double> keys(reals.begin(), reals.end());
  thrust::device_vector<int> values(n);
  thrust::sequence(values.begin(), values.end());
  thrust::sort_by_key(keys.begin(), keys.end(), values.begin());
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return reals[a] < reals[b]; });
  SAME(host(values), order);
  EXPECT_AT(n, thrust::is_sorted(keys.begin(), keys.end()));
}

void merges(int n) {
  auto a = random_vector<int>(n, 43, 2 * n + 1);
  auto b = random_vector<int>(n / 2, 44, 2 * n + 1);
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  thrust::device_vector<int> left(a.begin(), a.end()), right(b.begin(), b.end());
  std::vector<int> expected;
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected));
  thrust::device_vector<int> out(expected.size());
  thrust::merge(left.begin(), left.end(), right.begin(), right.end(), out.begin());
  SAME(host(out), expected);
  expected.clear();
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected));
  auto const end =
      thrust::set_intersection(left.begin(), left.end(), right.begin(), right.end(), out.begin());
  out.resize(end - out.begin());
  SAME(host(out), expected);
  expected.clear();
  for (int const x : b)
    expected.push_back(static_cast<int>(std::lower_bound(a.begin(), a.end(), x) - a.begin()));
  out.resize(b.size());
  thrust::lower_bound(left.begin(), left.end(), right.begin(), right.end(), out.begin());
  SAME(host(out), expected);
}

}  // namespace

int main(int count, char** arguments) {
  auto const all = sizes(count, arguments);
  for (int const n : all) {
    sorts(n);
    merges(n);
  }
  return finish(static_cast<int>(all.size()) * 13);
}
