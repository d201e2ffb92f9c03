// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUB's sorts of keys and pairs, compared with the host's.
#include "../checked.cuh"

#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>

#include <algorithm>
#include <functional>
#include <numeric>

namespace {

using namespace checked;

template <class T>
void radix_keys(int n) {
  auto const keys = random_vector<T>(n, 11);
  device_array<T> in(keys), out(n);
  auto expected = keys;
  std::sort(expected.begin(), expected.end());
  with_storage(
      [&](void* s, std::size_t& b) {
        return cub::DeviceRadixSort::SortKeys(s, b, in.data(), out.data(), n);
      },
      __LINE__);
  SAME(out.host(), expected);
  SAME(in.host(), keys);
}

template <class T>
void radix_descending_pairs(int n) {
  auto const keys = random_vector<T>(n, 12, 100);  // equal keys show whether the sort is stable
  std::vector<int> values(n);
  std::iota(values.begin(), values.end(), 0);
  device_array<T> in(keys), out(n);
  device_array<int> in_values(values), out_values(n);
  with_storage(
      [&](void* s, std::size_t& b) {
        return cub::DeviceRadixSort::SortPairsDescending(s, b, in.data(), out.data(),
                                                         in_values.data(), out_values.data(), n);
      },
      __LINE__);
  std::stable_sort(values.begin(), values.end(), [&](int a, int b) { return keys[a] > keys[b]; });
  std::vector<T> expected(n);
  for (int i = 0; i < n; ++i) expected[i] = keys[values[i]];
  SAME(out.host(), expected);
  SAME(out_values.host(), values);
}

void radix_bits_and_double_buffer(int n) {
  auto const keys = random_vector<std::uint32_t>(n, 13);
  device_array<std::uint32_t> a(keys), b(n);
  cub::DoubleBuffer<std::uint32_t> both(a.data(), b.data());
  with_storage(
      [&](void* s, std::size_t& bytes) {
        return cub::DeviceRadixSort::SortKeys(s, bytes, both, n, 4, 20);
      },
      __LINE__);
  auto expected = keys;
  auto const part = [](std::uint32_t x) { return x >> 4 & 0xffff; };
  std::stable_sort(expected.begin(), expected.end(),
                   [&](auto x, auto y) { return part(x) < part(y); });
  SAME((both.Current() == a.data() ? a : b).host(), expected);
}

void merge_pairs(int n) {
  auto keys = random_vector<long long>(n, 14, 50);
  std::vector<int> values(n);
  std::iota(values.begin(), values.end(), 0);
  device_array<long long> k(keys);
  device_array<int> v(values);
  with_storage(
      [&](void* s, std::size_t& b) {
        return cub::DeviceMergeSort::StableSortPairs(s, b, k.data(), v.data(), n,
                                                     cuda::std::greater<long long>());
      },
      __LINE__);
  std::stable_sort(values.begin(), values.end(), [&](int a, int b) { return keys[a] > keys[b]; });
  std::stable_sort(keys.begin(), keys.end(), std::greater<>());
  SAME(k.host(), keys);
  SAME(v.host(), values);
}

}  // namespace

int main(int count, char** arguments) {
  auto const all = sizes(count, arguments);
  for (int const n : all) {
    radix_keys<std::uint32_t>(n);
    radix_keys<long long>(n);
    radix_keys<double>(n);
    radix_descending_pairs<int>(n);
    radix_descending_pairs<std::uint64_t>(n);
    radix_bits_and_double_buffer(n);
    merge_pairs(n);
  }
  return finish(static_cast<int>(all.size()) * 13);
}
