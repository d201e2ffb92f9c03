// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums, smallest values and prefix-sums of device memory on all processes.
#include "processes.cuh"

#include <thrust/iterator/counting_iterator.h>

#include <numeric>
#include <stdexcept>

TEST_CASE("mpi, kernels: sums") {
  auto const on = checks::processes();
  for (checks::sizes const& parts : checks::all_sizes(3000)) {
    auto const whole = checks::numbers<int>(parts.total());
    int const sum = std::accumulate(whole.begin(), whole.end(), 0);
    thrust::device_vector<int> const own(checks::own_part(whole, parts));
    CAPTURE(parts.total());
    CHECK(mmm::sum(on, own.begin(), own.end()) == sum);
    int const* const first = thrust::raw_pointer_cast(own.data());
    CHECK(mmm::sum(on, first, first + own.size(), mmm::init(0.5)) == sum + 0.5);
    if (!whole.empty())
      CHECK(mmm::sum(on, first, first + own.size(), mmm::maximum{}) ==
            *std::max_element(whole.begin(), whole.end()));
  }
}

TEST_CASE("mpi, kernels: sums of values that are computed") {
  auto const on = checks::processes();
  mmm::index const k = checks::number_of_processes();
  thrust::counting_iterator<int> const first(static_cast<int>(100 * checks::own_rank()));
  CHECK(mmm::sum(on, first, first + 100) == 100 * k * (100 * k - 1) / 2);
}

TEST_CASE("mpi, kernels: the place of the smallest value") {
  auto const on = checks::processes();
  for (checks::sizes const& parts : checks::all_sizes(3000)) {
    auto const whole = checks::numbers<float>(parts.total());
    if (whole.empty()) continue;
    thrust::device_vector<float> const own(checks::own_part(whole, parts));
    auto const found = mmm::argmin(on, own.begin(), own.end());
    auto const expected = std::min_element(whole.begin(), whole.end());
    CHECK(found.value == *expected);
    CHECK(found.place == expected - whole.begin());
  }
}

TEST_CASE("mpi, kernels: prefix-sums") {
  auto const on = checks::processes();
  for (checks::sizes const& parts : checks::all_sizes(3000)) {
    auto const whole = checks::numbers<int>(parts.total());
    auto sums = whole;
    std::partial_sum(whole.begin(), whole.end(), sums.begin());
    thrust::device_vector<int> own(checks::own_part(whole, parts));
    thrust::device_vector<int> out(own.size(), -1);
    CAPTURE(parts.total());
    mmm::prefix_sums(on, own.begin(), own.end(), out.begin());
    CHECK(checks::on_host(out) == checks::own_part(sums, parts));
    int* const first = thrust::raw_pointer_cast(own.data());
    mmm::prefix_sums(on, first, first + own.size(), first);
    CHECK(checks::on_host(own) == checks::own_part(sums, parts));
  }
}

TEST_CASE("mpi, kernels: memory of the host is refused on all processes") {
  auto const on = checks::processes();
  if (checks::number_of_processes() == 1) return CHECK(true);
  std::vector<int> const host(100, 1);
  thrust::device_vector<int> const device(100, 1);
  int const* const first =
      checks::own_rank() == 1 ? host.data() : thrust::raw_pointer_cast(device.data());
  CHECK_THROWS_SAYING(mmm::sum(on, first, first + 100), mmm::mpi::rank_failure,
                      "process 1 failed: mmm: the memory that a kernel reads, 100 words, is the");
  CHECK(mmm::sum(on, device.begin(), device.end()) == 100 * checks::number_of_processes());
}
