// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "accumulator_checks.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

using namespace checks::accumulators;

//! On all four pairs of back end and machine.
struct on_all {
  template <class Call>
  void operator()(Call const& call) const {
    on_both{}(call);
    on_both_exchanged{}(call);
  }
};

}  // namespace

TEST_CASE("folds and scans by other pairs of back end and machine") {
  on_both_exchanged const exchanged;
  counts_ones<std::int8_t>(exchanged, 1000);
  sums_of_flags(exchanged);
  initial_values(exchanged);
  folds_by_operators(exchanged);
  places_of_values(exchanged);
  folds_to_memory(exchanged);
  scans_of_small_integers(exchanged);
  products_of_small_integers(exchanged);
}

TEST_CASE("sums of further small integers are added up as int") {
  counts_ones<std::uint8_t>(on_all(), 1000);
  counts_ones<std::int16_t>(on_all(), 40000);
  counts_ones<char>(on_all(), 1000);
}

TEST_CASE("the largest of small integers, without an initial value") {
  std::vector<std::int16_t> a;
  for (int k = 0; k < 777; ++k) a.push_back(static_cast<std::int16_t>(k * 7919 % 1009 - 500));
  on_all{}([&](auto const& on) {
    CHECK(mmm::fastest::sum(on, a.begin(), a.end(), mmm::maximum{}) ==
          *std::max_element(a.begin(), a.end()));
  });
}

TEST_CASE("scans of small integers by further entries") {
  for (mmm::index const n : small_sizes) {
    CAPTURE(n);
    small_scans const given = scans_by_loop(n);
    auto const& a = given.a;
    auto const &inclusive = given.inclusive, &exclusive = given.exclusive;
    on_all{}([&](auto const& on) {
      std::vector<int> out(a.size());
      mmm::fastest::prefix_sums(on, a.begin(), a.end(), out.begin());
      for (int& x : out) x += 1000;
      CHECK(out == inclusive);
      mmm::fastest::exclusive_prefix_sums(on, a.begin(), a.end(), out.begin(), mmm::init(1000));
      CHECK(out == exclusive);
    });
  }
}

TEST_CASE("what scans in one pass with an initial value cost on a machine of fixed parameters") {
  scan_with_initial_value_costs(mmm::hmm<3, 4, 2, 7>(), mmm::prefix_sums_one_pass, 12);
}

TEST_CASE("convolutions of small integers, added up in double") {
  on_all{}([](auto const& on) { convolution_in_double(on); });
}
