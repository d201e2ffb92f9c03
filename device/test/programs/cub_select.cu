// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUB's selections, partitions, histograms and merges, compared with the host's.
#include "../checked.cuh"

#include <cub/device/device_histogram.cuh>
#include <cub/device/device_merge.cuh>
#include <cub/device/device_partition.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_select.cuh>

#include <algorithm>
#include <iterator>

namespace {

using namespace checked;

struct is_third {
  __host__ __device__ bool operator()(int x) const { return x % 3 == 0; }
};

void select(int n) {
  auto const v = random_vector<int>(n, 31, 1000);
  auto const flags = random_vector<std::uint8_t>(n, 32, 2);
  device_array<int> in(v), out(n), number(1);
  device_array<std::uint8_t> f(flags);
  std::vector<int> expected;
  std::copy_if(v.begin(), v.end(), std::back_inserter(expected), is_third());
  number.fill_bytes(0);
  with_storage(
      [&](void* s, std::size_t& b) {
        return cub::DeviceSelect::If(s, b, in.data(), out.data(), number.data(), n, is_third());
      },
      __LINE__);
  if (EXPECT_AT(n, number.host()[0] == static_cast<int>(expected.size())))
    SAME(out.host(expected.size()), expected);

  expected.clear();
  for (int i = 0; i < n; ++i)
    if (flags[i]) expected.push_back(v[i]);
  number.fill_bytes(0);
  with_storage(
      [&](void* s, std::size_t& b) {
        return cub::DeviceSelect::Flagged(s, b, in.data(), f.data(), out.data(), number.data(), n);
      },
      __LINE__);
  if (EXPECT_AT(n, number.host()[0] == static_cast<int>(expected.size())))
    SAME(out.host(expected.size()), expected);

  auto few = random_vector<int>(n, 33, 3);
  in = few;
  expected.clear();
  std::unique_copy(few.begin(), few.end(), std::back_inserter(expected));
  number.fill_bytes(0);
  with_storage(
      [&](void* s, std::size_t& b) {
        return cub::DeviceSelect::Unique(s, b, in.data(), out.data(), number.data(), n);
      },
      __LINE__);
  if (EXPECT_AT(n, number.host()[0] == static_cast<int>(expected.size())))
    SAME(out.host(expected.size()), expected);

  std::vector<int> lengths;
  for (int i = 0; i < n; ++i) {
    if (i == 0 || few[i] != few[i - 1]) lengths.push_back(0);
    ++lengths.back();
  }
  device_array<int> counts(n);
  number.fill_bytes(0);
  with_storage(
      [&](void* s, std::size_t& b) {
        return cub::DeviceRunLengthEncode::Encode(s, b, in.data(), out.data(), counts.data(),
                                                  number.data(), n);
      },
      __LINE__);
  if (EXPECT_AT(n, number.host()[0] == static_cast<int>(expected.size()))) {
    SAME(out.host(expected.size()), expected);
    SAME(counts.host(expected.size()), lengths);
  }
}

template <class Choose>
void partition(int n, std::vector<int> const& v, std::vector<std::uint8_t> const& chosen,
               Choose choose) {
  std::vector<int> expected;
  for (int i = 0; i < n; ++i)
    if (chosen[i]) expected.push_back(v[i]);
  int const first = static_cast<int>(expected.size());
  for (int i = n; i-- > 0;)
    if (!chosen[i]) expected.push_back(v[i]);  // CUB writes the rejected elements in reverse order
  device_array<int> in(v), out(n), number(1);
  number.fill_bytes(0);
  with_storage(
      [&](void* s, std::size_t& b) { return choose(s, b, in.data(), out.data(), number.data()); },
      __LINE__);
  EXPECT_AT(n, number.host()[0] == first);
  SAME(out.host(), expected);
}

void partitions(int n) {
  auto const v = random_vector<int>(n, 34);
  auto flags = random_vector<std::uint8_t>(n, 35, 2);
  device_array<std::uint8_t> f(flags);
  partition(n, v, flags, [&](void* s, std::size_t& b, int* in, int* out, int* number) {
    return cub::DevicePartition::Flagged(s, b, in, f.data(), out, number, n);
  });
  for (int i = 0; i < n; ++i) flags[i] = is_third()(v[i]);
  partition(n, v, flags, [&](void* s, std::size_t& b, int* in, int* out, int* number) {
    return cub::DevicePartition::If(s, b, in, out, number, n, is_third());
  });
}

void histograms(int n) {
  auto const v = random_vector<int>(n, 36, 1100);
  device_array<int> in(v), out(256), few(5), levels(std::vector<int>{-1, 10, 20, 500, 1000, 1090});
  std::vector<int> expected(256), ranges(5);
  for (int const x : v) {
    if (x < 1024) ++expected[x / 4];
    if (x < 1090) ++ranges[x < 10 ? 0 : x < 20 ? 1 : x < 500 ? 2 : x < 1000 ? 3 : 4];
  }
  out.fill_bytes(n == 0 ? 0 : 1);
  with_storage(
      [&](void* s, std::size_t& b) {
        return cub::DeviceHistogram::HistogramEven(s, b, in.data(), out.data(), 257, 0, 1024, n);
      },
      __LINE__);
  SAME(out.host(), expected);
  few.fill_bytes(n == 0 ? 0 : 1);
  with_storage(
      [&](void* s, std::size_t& b) {
        return cub::DeviceHistogram::HistogramRange(s, b, in.data(), few.data(), 6, levels.data(),
                                                    n);
      },
      __LINE__);
  SAME(few.host(), ranges);
}

void merge(int n) {
  auto a = random_vector<int>(n, 37, 10000);
  auto b = random_vector<int>(n / 3, 38, 10000);
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  std::vector<int> expected;
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected));
  device_array<int> left(a), right(b), out(expected.size());
  with_storage(
      [&](void* s, std::size_t& bytes) {
        return cub::DeviceMerge::MergeKeys(s, bytes, left.data(), n, right.data(), n / 3,
                                           out.data());
      },
      __LINE__);
  SAME(out.host(), expected);
}

}  // namespace

int main(int count, char** arguments) {
  auto const all = sizes(count, arguments);
  for (int const n : all) {
    select(n);
    partitions(n);
    histograms(n);
    merge(n);
  }
  return finish(static_cast<int>(all.size()) * 15);
}
