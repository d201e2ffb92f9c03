// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// More values than 2^32, counted by an iterator: numbers of words, items and places have 64 bits.
// And further calls as of CUB's device-wide algorithms.
#include "device_wide.cuh"

#include <thrust/device_ptr.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace device_wide_long_tests {

using mmm::index;
using namespace device_wide;

constexpr index n = (index{1} << 32) + 5;

struct lower_before_the_end {
  MMM_HOST_DEVICE int operator()(index i) const { return i == n - 2 ? -1 : 1; }
};
auto const first =
    thrust::make_transform_iterator(thrust::counting_iterator<index>(0), lower_before_the_end());

TEST_CASE("a sum of more than 2^32 values") {
  auto const on = mmm::cuda::on<call_forms::machine>(mmm::threads(4 * 256));
  CHECK(mmm::fastest::sum(on, first, first + n, mmm::init(index{0})) == n - 2);
}

TEST_CASE("a place beyond 2^32") {
  auto const on = mmm::cuda::on<call_forms::machine>(mmm::threads(4 * 256));
  auto const found = mmm::fastest::argmin(on, first, first + n);
  CHECK(found.value == -1);
  CHECK(found.place == n - 2);
}

//! Writes the places of the last two items.
struct last_places {
  template <class On, class Out>
  MMM_HOST_DEVICE constexpr void operator()(On& on, index items, Out out) const {
    on.each(items, [=](auto i) {
      if (i >= items - 2) out[i - (items - 2)] = i;
    });
  }
};

TEST_CASE("items beyond 2^32") {
  checks::device_words<index> out(2);
  auto const on = mmm::cuda::on<call_forms::one_memory>(mmm::threads(1024));
  mmm::run(on, last_places{}, n, mmm::writes<index>(out.begin(), index{2}));
  CHECK(out.on_host() == std::vector<index>{n - 2, n - 1});
}

TEST_CASE("places in streams, graphs and storage") {
  std::vector<float> host(5003);
  for (size_t k = 0; k < host.size(); ++k) host[k] = static_cast<float>(k * 7919 % 1009);
  host[4321] = -5.0F;
  device_words<float> const a(host.begin(), host.end());
  device_words<mmm::located<float>> out(1);
  called_as_cub(
      handles_of_forms, [&] { assign(out, {{0.0F, -1}}); },
      [&](auto const& on) { mmm::fastest::argmin(on, a.begin(), a.end(), out.begin()); },
      [&] { return out.on_host()[0].value == -5.0F && out.on_host()[0].place == 4321; });
}

//! 1 where the key differs from the one before.
struct head_of_keys {
  int const* keys;
  MMM_HOST_DEVICE int operator()(index i) const { return i > 0 && keys[i] != keys[i - 1] ? 1 : 0; }
};

TEST_CASE("scans by key in streams, graphs and storage") {
  std::vector<affine_map> host;
  std::vector<int> keys;
  for (unsigned i = 0; i < 3000; ++i) {
    host.push_back({2 * i + 1, i});
    keys.push_back(static_cast<int>(i / 37 % 3));
  }
  std::vector<affine_map> expected = host;
  for (size_t i = 1; i < host.size(); ++i)
    if (keys[i] == keys[i - 1]) expected[i] = composition()(expected[i - 1], expected[i]);
  device_words<affine_map> const a(host.begin(), host.end());
  device_words<int> const by(keys.begin(), keys.end());
  device_words<affine_map> out(host.size());
  auto const heads = thrust::make_transform_iterator(thrust::counting_iterator<index>(0),
                                                     head_of_keys{by.begin()});
  called_as_cub(
      handles_of_forms, [&] { assign(out, host); },
      [&](auto const& on) {
        mmm::segmented_prefix_sums(on, a.begin(), a.end(), heads, out.begin(), composition());
      },
      [&] { return out.on_host() == expected; });
}

TEST_CASE("sorts of keys by digits in streams, graphs and storage") {
  auto const host = sorts::keys_of<float>(2500);
  auto sorted = host;
  std::sort(sorted.begin(), sorted.end());
  device_words<float> keys(host.size());
  called_as_cub(
      handles(tiles(), 4 * 128), [&] { assign(keys, host); },
      [&](auto const& on) { mmm::radix_sort(on, keys.begin(), keys.end()); },
      [&] { return keys.on_host() == sorted; });
}

struct first_then_second {
  MMM_HOST_DEVICE bool operator()(affine_map const& x, affine_map const& y) const {
    return x.scale != y.scale ? x.scale < y.scale : x.shift < y.shift;
  }
};

TEST_CASE("sorts by merging in streams, graphs and storage") {
  std::vector<affine_map> host;
  for (unsigned i = 0; i < 5000; ++i) host.push_back({i * 7919 % 101, i * 13 % 5003});
  auto expected = host;
  std::sort(expected.begin(), expected.end(), first_then_second());
  device_words<affine_map> keys(host.size());
  thrust::device_ptr<affine_map> const first(keys.begin());
  called_as_cub(
      handles(tiles(), 4 * 128), [&] { assign(keys, host); },
      [&](auto const& on) {
        mmm::merge_sort(on, first, first + static_cast<index>(host.size()), first_then_second());
      },
      [&] { return keys.on_host() == expected; });
}

}  // namespace device_wide_long_tests
