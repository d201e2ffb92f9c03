// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A user's value type and operators, on every kind of machine.
#include "device_side.cuh"
#include "support/affine_map.hpp"

#include <vector>

namespace user_types_tests {

using checks::affine_map, checks::composition;
using mmm::index;

//! The range that some numbers span.
struct range {
  int least;
  int most;
  friend bool operator==(range const&, range const&) = default;
};

struct both_ranges {
  MMM_HOST_DEVICE constexpr range operator()(range const& a, range const& b) const {
    return {a.least < b.least ? a.least : b.least, a.most < b.most ? b.most : a.most};
  }
};

template <class On>
void fold_and_scan(On const& on, index n) {
  CAPTURE(n, on.threads());
  std::vector<range> numbers;
  std::vector<affine_map> steps;
  for (index i = 0; i < n; ++i) {
    int const x = static_cast<int>((i * 7919 + 13) % 1009);
    numbers.push_back({x, x});
    steps.push_back({static_cast<unsigned>(2 * x + 1), static_cast<unsigned>(x)});
  }
  range expected = numbers.front();
  for (range const& r : numbers) expected = both_ranges()(expected, r);
  checks::device_words<range> const words(numbers.begin(), numbers.end());
  CHECK(mmm::sum(on, words.begin(), words.end(), both_ranges()) == expected);

  checks::device_words<affine_map> in_place(steps.begin(), steps.end());
  mmm::prefix_sums(on, in_place.begin(), in_place.end(), in_place.begin(), composition());
  for (std::size_t i = 1; i < steps.size(); ++i) steps[i] = composition()(steps[i - 1], steps[i]);
  CHECK(in_place.on_host() == steps);
}

TEST_CASE("a user's types and operators") {
  for (index const n : {1, 2, 31, 1000, 5000}) {
    fold_and_scan(mmm::cuda::on<mmm::dmm<32, 1>>(mmm::threads(128)), n);
    fold_and_scan(mmm::cuda::on<mmm::umm<32, 400>>(mmm::threads(1000)), n);
    fold_and_scan(mmm::cuda::on<mmm::hmm<6, 32, 29, 700, 8192>>(mmm::threads(6 * 96)), n);
  }
}

//! Triangulates with float weights in GPU memory, which the host cannot read.
template <class Algorithm, class On>
void triangulate_floats(Algorithm const& algorithm, On const& on) {
  index const n = 12;
  auto const whole = checks::random_weights<checks::word>(n, 5);
  std::vector<float> const weights(whole.begin(), whole.end());
  checks::device_words<float> const words(weights.begin(), weights.end());
  auto const found = algorithm(on, words.begin(), n);
  CHECK(found.weight == static_cast<float>(checks::least_weight(whole, n)));
  CHECK(checks::demand_triangulation(found, weights, n) == found.weight);
}

TEST_CASE("triangulations with weights of floats") {
  triangulate_floats(mmm::triangulation_blocked,
                     mmm::cuda::on<mmm::hmm<6, 32, 29, 700, 8192>>(mmm::threads(6 * 96)));
  triangulate_floats(mmm::triangulation, mmm::cuda::on<mmm::umm<32, 400>>(mmm::threads(1000)));
}

}  // namespace user_types_tests
