// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thrust's reductions, scans, selections and partitions, compared with the host's.
#include "../checked.cuh"

#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>

#include <algorithm>
#include <numeric>

namespace {

using namespace checked;

template <class T>
std::vector<T> host(thrust::device_vector<T> const& d) {
  std::vector<T> v(d.size());
  thrust::copy(d.begin(), d.end(), v.begin());
  return v;
}

struct is_even {
  __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};
struct square {
  __host__ __device__ long long operator()(int x) const { return static_cast<long long>(x) * x; }
};

void reduce(std::vector<int> const& v, thrust::device_vector<int> const& d) {
  EXPECT(thrust::reduce(d.begin(), d.end(), 5LL) == std::accumulate(v.begin(), v.end(), 5LL));
  EXPECT(
      thrust::transform_reduce(d.begin(), d.end(), square(), 0LL, cuda::std::plus<long long>()) ==
      std::transform_reduce(v.begin(), v.end(), 0LL, std::plus<>(), square()));
  EXPECT(thrust::count_if(d.begin(), d.end(), is_even()) ==
         std::count_if(v.begin(), v.end(), is_even()));
  EXPECT(thrust::min_element(d.begin(), d.end()) - d.begin() ==
         std::min_element(v.begin(), v.end()) - v.begin());
}

void scan(std::vector<int> const& v, thrust::device_vector<int> const& d) {
  thrust::device_vector<long long> out(d.size());
  std::vector<long long> expected(v.size());
  thrust::inclusive_scan(d.begin(), d.end(), out.begin(), cuda::std::plus<long long>());
  std::inclusive_scan(v.begin(), v.end(), expected.begin(), std::plus<>(), 0LL);
  SAME(host(out), expected);
  thrust::exclusive_scan(d.begin(), d.end(), out.begin(), 100LL);
  std::exclusive_scan(v.begin(), v.end(), expected.begin(), 100LL);
  SAME(host(out), expected);
}

void by_key(int n) {
  auto keys = random_vector<int>(n, 52, n / 7 + 1);
  std::sort(keys.begin(), keys.end());
  std::vector<int> run_keys, lengths;
  for (int const k : keys) {
    if (run_keys.empty() || run_keys.back() != k) {
      run_keys.push_back(k);
      lengths.push_back(0);
    }
    ++lengths.back();
  }
  thrust::device_vector<int> k(keys.begin(), keys.end()), ones(n, 1), out_keys(n), out(n);
  auto const end =
      thrust::reduce_by_key(k.begin(), k.end(), ones.begin(), out_keys.begin(), out.begin());
  out_keys.resize(end.first - out_keys.begin());
  out.resize(end.second - out.begin());
  SAME(host(out_keys), run_keys);
  SAME(host(out), lengths);
  k.erase(thrust::unique(k.begin(), k.end()), k.end());
  SAME(host(k), run_keys);
}

void partition(std::vector<int> v, thrust::device_vector<int> d) {
  auto const middle = thrust::stable_partition(d.begin(), d.end(), is_even()) - d.begin();
  EXPECT(middle == std::stable_partition(v.begin(), v.end(), is_even()) - v.begin());
  SAME(host(d), v);
  d.erase(thrust::remove_if(d.begin(), d.end(), is_even()), d.end());
  v.erase(std::remove_if(v.begin(), v.end(), is_even()), v.end());
  SAME(host(d), v);
}

}  // namespace

int main(int count, char** arguments) {
  auto const all = sizes(count, arguments);
  for (int const n : all) {
    // small values, because Thrust scans integers in 32 bits
    auto const v = random_vector<int>(n, 51, 2000);
    thrust::device_vector<int> const d(v.begin(), v.end());
    reduce(v, d);
    scan(v, d);
    by_key(n);
    partition(v, d);
  }
  return finish(static_cast<int>(all.size()) * 18);
}
