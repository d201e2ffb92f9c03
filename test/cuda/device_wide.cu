// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls as of CUB's device-wide algorithms (the table of docs/gpu.md): in a stream, captured in a
// graph, with storage of the caller's, and with iterators, types and operators of the caller's.
#include "device_wide.cuh"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

namespace device_wide_tests {

using mmm::index;
using namespace device_wide;

TEST_CASE("sums in streams, graphs and storage") {
  std::vector<float> const ones(5000, 1.0F);
  device_words<float> const a(ones.begin(), ones.end());
  device_words<float> out(2);
  called_as_cub(
      handles_of_forms, [&] { assign(out, {-1, -1}); },
      [&](auto const& on) {
        mmm::fastest::sum(on, a.begin(), a.end(), out.begin());
        mmm::fastest::sum(on, a.begin(), a.end(), out.begin() + 1, mmm::maximum{},
                          mmm::init(-7.0F));
      },
      [&] { return out.on_host() == std::vector<float>{5000, 1}; });
}

struct step_of_place {
  MMM_HOST_DEVICE affine_map operator()(index i) const {
    return {static_cast<unsigned>(2 * i + 1), static_cast<unsigned>(i)};
  }
};

TEST_CASE("scans in streams, graphs and storage") {
  index const n = 5000;
  std::vector<affine_map> before;
  affine_map sum{3, 5};
  for (index i = 0; i < n; ++i) {
    before.push_back(sum);
    sum = composition()(sum, step_of_place()(i));
  }
  std::vector<affine_map> const none(before.size());
  std::vector<float> const ones(5000, 1.0F);
  std::vector<float> sums(ones.size());
  std::iota(sums.begin(), sums.end(), 1.0F);
  device_words<affine_map> exclusive(none.size());
  device_words<float> inclusive(ones.size());
  auto const steps =
      thrust::make_transform_iterator(thrust::counting_iterator<index>(0), step_of_place());
  called_as_cub(
      handles_of_forms,
      [&] {
        assign(exclusive, none);
        assign(inclusive, ones);
      },
      [&](auto const& on) {
        mmm::fastest::exclusive_prefix_sums(on, steps, steps + n, exclusive.begin(), composition(),
                                            mmm::init(affine_map{3, 5}));
        mmm::fastest::prefix_sums(on, inclusive.begin(), inclusive.end(), inclusive.begin());
      },
      [&] { return exclusive.on_host() == before && inclusive.on_host() == sums; });
}

TEST_CASE("sorts by digits in streams, graphs and storage") {
  auto const host = sorts::keys_of<std::int64_t>(1025);
  std::vector<int> places(host.size());
  std::iota(places.begin(), places.end(), 0);
  auto sorted = host;
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  auto sorted_places = places;
  std::stable_sort(sorted_places.begin(), sorted_places.end(), [&](int x, int y) {
    return host[static_cast<size_t>(x)] > host[static_cast<size_t>(y)];
  });
  device_words<std::int64_t> keys(host.size());
  device_words<int> values(places.size());
  called_as_cub(
      handles(tiles(), 4 * 128),
      [&] {
        assign(keys, host);
        assign(values, places);
      },
      [&](auto const& on) {
        mmm::radix_sort_pairs(on, keys.begin(), keys.end(), values.begin(), mmm::descending{});
      },
      [&] { return keys.on_host() == sorted && values.on_host() == sorted_places; });
}

//! The bin of a value between the limits 0, 1, 10 and 100.
struct bin_between_limits {
  MMM_HOST_DEVICE index operator()(float x) const {
    return x < 0 || x >= 100 ? -1 : x < 1 ? 0 : x < 10 ? 1 : 2;
  }
};
//! Numbers without an array.
struct number_of_place {
  MMM_HOST_DEVICE float operator()(index i) const { return static_cast<float>(i % 111) - 5.0F; }
};

TEST_CASE("histograms in streams, graphs and storage") {
  auto const numbers =
      thrust::make_transform_iterator(thrust::counting_iterator<index>(0), number_of_place());
  std::vector<int> expected(3);
  for (index i = 0; i < 5000; ++i)
    if (index const bin = bin_between_limits()(number_of_place()(i)); bin >= 0)
      ++expected[static_cast<size_t>(bin)];
  device_words<int> counts(3);
  called_as_cub(
      handles(mmm::hmm<4, 32, 29, 700, 4096>(), 4 * 128), [&] { assign(counts, {7, 7, 7}); },
      [&](auto const& on) {
        mmm::histogram(on, numbers, numbers + 5000, counts.begin(), counts.end(),
                       bin_between_limits());
      },
      [&] { return counts.on_host() == expected; });
}

//! The difference to the value before.
struct to_the_one_before {
  int const* values;
  MMM_HOST_DEVICE int operator()(index i) const {
    return i == 0 ? values[0] : values[i] - values[i - 1];
  }
};

TEST_CASE("transformed and adjacent values in streams, graphs and storage") {
  std::vector<int> host(5003);
  for (size_t i = 0; i < host.size(); ++i) host[i] = static_cast<int>(i * i % 1009);
  std::vector<int> expected(host.size());
  std::adjacent_difference(host.begin(), host.end(), expected.begin());
  device_words<int> const a(host.begin(), host.end());
  device_words<int> out(host.size());
  auto const differences = thrust::make_transform_iterator(thrust::counting_iterator<index>(0),
                                                           to_the_one_before{a.begin()});
  called_as_cub(
      handles_of_forms, [&] { assign(out, host); },
      [&](auto const& on) {
        mmm::copy_wide(on, differences, differences + static_cast<index>(host.size()), out.begin());
      },
      [&] { return out.on_host() == expected; });
}

//! b(i) = a(i)^2
struct squares {
  template <class On, class In, class Out>
  MMM_HOST_DEVICE constexpr void operator()(On& on, In a, index n, Out b) const {
    on.each(n, [=](auto i) {
      auto const x = mmm::load(a[i]);
      b[i] = x * x;
    });
  }
};

TEST_CASE("programs in streams, graphs and storage") {
  index const n = 1003;
  auto const numbers =
      thrust::make_transform_iterator(thrust::counting_iterator<index>(0), number_of_place());
  std::vector<float> expected;
  for (index i = 0; i < n; ++i) expected.push_back(number_of_place()(i) * number_of_place()(i));
  std::vector<float> const none(expected.size(), -1.0F);
  device_words<float> out(none.size());
  called_as_cub(
      handles(call_forms::one_memory(), 256), [&] { assign(out, none); },
      [&](auto const& on) {
        mmm::run(on, squares{}, mmm::reads<float>(numbers, n), n,
                 mmm::writes<float>(out.begin(), n));
      },
      [&] { return out.on_host() == expected; });
}

}  // namespace device_wide_tests
