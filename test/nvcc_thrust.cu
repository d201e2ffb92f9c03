// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thrust in a CUDA source: access patterns in Thrust's kernels, and Thrust calls on simulated
// machines in host code. It must compile without a warning and without --expt-relaxed-constexpr.
#include <mmm/interop/thrust_pattern.hpp>
#include <mmm/interop/thrust_policy.hpp>
#include <mmm/layout/row_major.hpp>
#include <mmm/layout/swizzled.hpp>

#include <thrust/copy.h>
#include <thrust/execution_policy.h>
#include <thrust/gather.h>
#include <thrust/merge.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>

#include <vector>

using global = mmm::umm<32, 400>;
constexpr auto columns = mmm::row_major(64, 64)(mmm::item % 64, mmm::item / 64);
constexpr auto words = mmm::size(64 * 64);
static_assert(mmm::cost_of<global>(columns, words, mmm::threads(1024)).stages == 64 * 64);

struct twice {
  __host__ __device__ int operator()(int x) const { return 2 * x; }
};

struct even {
  __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};

//! Accesses the words by columns on the device.
void transpose(int const* a, int* out) {
  auto const by_columns = mmm::pattern_iterator(a, columns);
  thrust::copy(thrust::device, by_columns, by_columns + words.count, out);
  auto const map = mmm::index_map(columns);
  thrust::gather(thrust::device, map, map + words.count, a, out);
  auto const swizzled = mmm::pattern_iterator(out, mmm::xor_swizzled(64, 64));
  thrust::copy(thrust::device, a, a + words.count, swizzled);
}

//! Makes that access, and others, on a simulated machine.
mmm::cost costs(std::vector<int> const& a, std::vector<int>& out) {
  mmm::cost_log log;
  auto const on = mmm::simulated<global>(mmm::threads(1024), log);
  auto const by_columns = mmm::pattern_iterator(a.begin(), columns);
  thrust::copy(on, by_columns, by_columns + words.count, out.begin());
  thrust::inclusive_scan(on, a.begin(), a.end(), out.begin());
  thrust::exclusive_scan(on, a.begin(), a.end(), out.begin(),
                         thrust::reduce(on, a.begin(), a.end()));
  out[0] += thrust::transform_reduce(on, a.begin(), a.end(), twice(), 0, thrust::plus<int>());
  std::vector<int> keys(a);
  std::vector<int> sums(a.size());
  thrust::sort_by_key(on, keys.begin(), keys.end(), out.begin());
  thrust::reduce_by_key(on, keys.begin(), keys.end(), out.begin(), keys.begin(), sums.begin());
  thrust::exclusive_scan_by_key(on, keys.begin(), keys.end(), out.begin(), sums.begin());
  thrust::copy_if(on, a.begin(), a.end(), out.begin(), even());
  thrust::sort(on, sums.begin(), thrust::unique(on, sums.begin(), sums.end()));
  return log.total();
}
