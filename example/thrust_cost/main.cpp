// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mmm-thrust-cost: the cost of a program's Thrust calls on a GPU's global memory. Only the
// execution policy of the program changes.
#include <mmm/interop/thrust_pattern.hpp>
#include <mmm/interop/thrust_policy.hpp>
#include <mmm/mmm.hpp>
#include <mmm/report.hpp>

#include <thrust/copy.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/transform.h>

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <vector>

namespace {

using numbers = std::vector<std::int64_t>;

// [program]
//! The running sum of the samples' deviations from their mean. An existing program that takes any
//! Thrust policy.
template <class Policy>
numbers cumulative_deviations(Policy const& on, numbers const& samples) {
  auto const sum = thrust::reduce(on, samples.begin(), samples.end());
  auto const mean = sum / static_cast<std::int64_t>(samples.size());
  numbers out(samples.size());
  thrust::transform(on, samples.begin(), samples.end(), out.begin(),
                    [mean](auto x) { return x - mean; });
  thrust::inclusive_scan(on, out.begin(), out.end(), out.begin());
  return out;
}
// [/program]

// [pattern]
constexpr mmm::index side = 128;
constexpr auto by_columns = mmm::row_major(side, side)(mmm::item % side, mmm::item / side);
constexpr auto n = mmm::size(side * side);

// The i-th word of the transpose. Each thread of a warp accesses another address group: 32 times
// the cost of a row.
static_assert(mmm::cost_of<mmm::umm<32, 400>>(by_columns, n, mmm::threads(1024)).stages == n.count);

template <class Policy>
void transpose(Policy const& on, numbers const& a, numbers& out) {
  auto const columns = mmm::pattern_iterator(a.begin(), by_columns);
  thrust::copy(on, columns, columns + n.count, out.begin());
}
// [/pattern]

}  // namespace

int main() {
  numbers samples(n.count);
  for (std::size_t k = 0; k < samples.size(); ++k)
    samples[k] = static_cast<std::int64_t>(k * 7919 % 1009);

  // [costed]
  // address groups of 32 words, latency 400: a GPU's global memory
  using machine = mmm::umm<32, 400>;
  mmm::cost_log log;
  auto const simulated = mmm::simulated<machine>(mmm::threads(1024), log);

  auto const deviations = cumulative_deviations(simulated, samples);  // before: thrust::host
  numbers transposed(samples.size());
  transpose(simulated, samples, transposed);

  std::cout << mmm::report::text(log);
  // [/costed]

  numbers expected(samples.size());
  transpose(thrust::host, samples, expected);
  bool const correct =
      deviations == cumulative_deviations(thrust::host, samples) && transposed == expected;
  std::cout << (correct ? "The results are those of thrust::host.\n"
                        : "The results differ from thrust::host's.\n");
  return correct ? EXIT_SUCCESS : EXIT_FAILURE;
}
