// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorting device memory on all processes.
#include "processes.cuh"

#include <algorithm>
#include <numeric>

namespace {

template <class Sort>
void check_sort(Sort const& sort) {
  auto const on = checks::processes();
  for (checks::sizes const& parts : checks::all_sizes(1000)) {
    auto const whole = checks::numbers<int>(parts.total());
    auto sorted = whole;
    std::sort(sorted.begin(), sorted.end());
    thrust::device_vector<int> own(checks::own_part(whole, parts));
    CAPTURE(parts.total());
    sort(on, own.begin(), own.end());
    CHECK(checks::on_host(own) == checks::own_part(sorted, parts));
  }
}

}  // namespace

TEST_CASE("mpi, kernels: sort") { check_sort(mmm::sort); }
TEST_CASE("mpi, kernels: merge_sort") { check_sort(mmm::merge_sort); }
TEST_CASE("mpi, kernels: radix_sort") { check_sort(mmm::radix_sort); }

TEST_CASE("mpi, kernels: a merge sort of pairs is stable") {
  auto const on = checks::processes();
  for (checks::sizes const& parts : checks::all_sizes(500)) {
    auto const whole = checks::numbers<int>(parts.total());
    std::vector<int> places(whole.size());
    std::iota(places.begin(), places.end(), 0);
    thrust::device_vector<int> keys(checks::own_part(whole, parts));
    thrust::device_vector<int> values(checks::own_part(places, parts));
    mmm::merge_sort_pairs(on, keys.begin(), keys.end(), values.begin());
    std::stable_sort(places.begin(), places.end(), [&](int x, int y) {
      return whole[static_cast<std::size_t>(x)] < whole[static_cast<std::size_t>(y)];
    });
    auto sorted = whole;
    std::sort(sorted.begin(), sorted.end());
    CAPTURE(parts.total());
    CHECK(checks::on_host(keys) == checks::own_part(sorted, parts));
    CHECK(checks::on_host(values) == checks::own_part(places, parts));
  }
}
