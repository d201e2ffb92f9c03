// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUB's reductions and scans, compared with the host's.
#include "../checked.cuh"

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_reduce.cuh>

#include <algorithm>
#include <limits>
#include <numeric>

namespace {

using namespace checked;

struct square {
  __host__ __device__ long long operator()(int x) const { return static_cast<long long>(x) * x; }
};
//! The composition of maps x -> a x + b: associative, not commutative.
struct affine {
  std::uint32_t a, b;
  friend bool operator==(affine const&, affine const&) = default;
};
struct compose {
  __host__ __device__ affine operator()(affine f, affine g) const {
    return {f.a * g.a, f.b * g.a + g.b};
  }
};

void reduce(int n) {
  auto const v = random_vector<int>(n, 21, 2000001);
  device_array<int> in(v), out(1);
  device_array<long long> wide(1);
  with_storage(
      [&](void* s, std::size_t& b) {
        return cub::DeviceReduce::Sum(s, b, in.data(), wide.data(), n);
      },
      __LINE__);
  EXPECT_AT(n, wide.host()[0] == std::accumulate(v.begin(), v.end(), 0LL));
  with_storage(
      [&](void* s, std::size_t& b) {
        return cub::DeviceReduce::Min(s, b, in.data(), out.data(), n);
      },
      __LINE__);
  EXPECT_AT(n, out.host()[0] == (n == 0 ? std::numeric_limits<int>::max()
                                        : *std::min_element(v.begin(), v.end())));
  with_storage(
      [&](void* s, std::size_t& b) {
        return cub::DeviceReduce::TransformReduce(s, b, in.data(), wide.data(), n,
                                                  cuda::std::plus<long long>(), square(), 7LL);
      },
      __LINE__);
  EXPECT_AT(
      n, wide.host()[0] == std::transform_reduce(v.begin(), v.end(), 7LL, std::plus<>(), square()));
  auto const d = random_vector<double>(n, 22);
  device_array<double> reals(d), real(1);
  with_storage(
      [&](void* s, std::size_t& b) {
        return cub::DeviceReduce::Max(s, b, reals.data(), real.data(), n);
      },
      __LINE__);
  EXPECT_AT(n, n == 0 || real.host()[0] == *std::max_element(d.begin(), d.end()));
}

template <class T>
void scans(int n) {
  auto const v = random_vector<T>(n, 23, 1000);
  device_array<T> in(v), out(n);
  std::vector<T> expected(n);
  with_storage(
      [&](void* s, std::size_t& b) {
        return cub::DeviceScan::InclusiveSum(s, b, in.data(), out.data(), n);
      },
      __LINE__);
  std::inclusive_scan(v.begin(), v.end(), expected.begin());
  SAME(out.host(), expected);
  with_storage(
      [&](void* s, std::size_t& b) {
        return cub::DeviceScan::ExclusiveSum(s, b, in.data(), out.data(), n);
      },
      __LINE__);
  std::exclusive_scan(v.begin(), v.end(), expected.begin(), T{});
  SAME(out.host(), expected);
  with_storage(
      [&](void* s, std::size_t& b) {
        return cub::DeviceScan::ExclusiveScan(s, b, in.data(), out.data(), cuda::maximum<>(),
                                              T{500}, n);
      },
      __LINE__);
  std::exclusive_scan(v.begin(), v.end(), expected.begin(), T{500},
                      [](T a, T b) { return std::max(a, b); });
  SAME(out.host(), expected);
}

void scan_of_functions(int n) {
  random_numbers random(24);
  std::vector<affine> v(n), expected(n);
  for (auto& x : v)
    x = {static_cast<std::uint32_t>(random() | 1), static_cast<std::uint32_t>(random())};
  device_array<affine> in(v), out(n);
  with_storage(
      [&](void* s, std::size_t& b) {
        return cub::DeviceScan::InclusiveScan(s, b, in.data(), out.data(), compose(), n);
      },
      __LINE__);
  std::inclusive_scan(v.begin(), v.end(), expected.begin(), compose());
  SAME(out.host(), expected);
}

void by_key(int n) {
  random_numbers random(25);
  std::vector<int> keys(n), values(n), run_keys, sums;
  for (int i = 0; i < n; ++i) {
    keys[i] = i == 0 ? 3 : keys[i - 1] + (random.below(5) == 0);
    values[i] = static_cast<int>(random.below(100)) - 50;
    if (i == 0 || keys[i] != keys[i - 1]) {
      run_keys.push_back(keys[i]);
      sums.push_back(0);
    }
    sums.back() += values[i];
  }
  device_array<int> k(keys), v(values), unique(n), aggregates(n), runs(1);
  runs.fill_bytes(0);
  with_storage(
      [&](void* s, std::size_t& b) {
        return cub::DeviceReduce::ReduceByKey(s, b, k.data(), unique.data(), v.data(),
                                              aggregates.data(), runs.data(),
                                              cuda::std::plus<int>(), n);
      },
      __LINE__);
  if (!EXPECT_AT(n, runs.host()[0] == static_cast<int>(sums.size()))) return;
  SAME(unique.host(sums.size()), run_keys);
  SAME(aggregates.host(sums.size()), sums);
}

void segments(int n) {
  auto const v = random_vector<int>(n, 26, 1000);
  std::vector<int> offsets{0};
  random_numbers random(27);
  while (offsets.back() < n)
    offsets.push_back(std::min<int>(n, offsets.back() + static_cast<int>(random.below(700))));
  int const count = static_cast<int>(offsets.size()) - 1;
  std::vector<int> expected(count);
  for (int i = 0; i < count; ++i)
    expected[i] = std::accumulate(v.begin() + offsets[i], v.begin() + offsets[i + 1], 0);
  device_array<int> in(v), out(count), o(offsets);
  with_storage(
      [&](void* s, std::size_t& b) {
        return cub::DeviceSegmentedReduce::Sum(s, b, in.data(), out.data(), count, o.data(),
                                               o.data() + 1);
      },
      __LINE__);
  SAME(out.host(), expected);
}

}  // namespace

int main(int count, char** arguments) {
  auto const all = sizes(count, arguments);
  for (int const n : all) {
    reduce(n);
    scans<int>(n);
    scans<std::uint64_t>(n);
    scan_of_functions(n);
    by_key(n);
    segments(n);
  }
  return finish(static_cast<int>(all.size()) * 15);
}
