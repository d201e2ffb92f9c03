// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "accumulator_checks.hpp"

#include <cstdint>
#include <type_traits>

// The types in which folds, scans, products and convolutions add up; operators and initial values.

namespace {

using namespace checks::accumulators;

static_assert(std::is_same_v<mmm::accumulator_t<bool>, int>);
static_assert(std::is_same_v<mmm::accumulator_t<std::int8_t>, int>);
static_assert(std::is_same_v<mmm::accumulator_t<std::uint8_t>, int>);
static_assert(std::is_same_v<mmm::accumulator_t<char>, int>);
static_assert(std::is_same_v<mmm::accumulator_t<std::int16_t>, int>);
static_assert(std::is_same_v<mmm::accumulator_t<std::uint16_t>, int>);
static_assert(std::is_same_v<mmm::accumulator_t<unsigned>, unsigned>);
static_assert(std::is_same_v<mmm::accumulator_t<float>, float>);

}  // namespace

TEST_CASE("sums of small integers are added up as int") {
  counts_ones<std::int8_t>(on_both(), 1000);
  // std::vector<bool> has no words
  sums_of_flags(on_both());
}

TEST_CASE("an initial value says in which type a fold is made") { initial_values(on_both()); }

TEST_CASE("folds by operators") { folds_by_operators(on_both()); }

TEST_CASE("the places of the smallest and the largest value") {
  places_of_values(on_both());
  constexpr auto threads = mmm::threads(16);
  CHECK(mmm::cost_of<machine>(mmm::argmin, mmm::size(100), threads).time ==
        mmm::cost_of<machine>(mmm::sum, mmm::size(100), threads).time);
  CHECK(mmm::upper_bound<machine>(mmm::argmax, mmm::size(100), threads) ==
        mmm::upper_bound<machine>(mmm::sum, mmm::size(100), threads));
}

TEST_CASE("results of folds that stay in memory") { folds_to_memory(on_both()); }

TEST_CASE("scans of small integers and with initial values") { scans_of_small_integers(on_both()); }

TEST_CASE("scans with initial values cost what they do") {
  scan_with_initial_value_costs(mmm::hmm<2, 8, 3, 20, mmm::unlimited, 2>(),
                                mmm::exclusive_prefix_sums_one_pass, 16);
  scan_with_initial_value_costs(mmm::hmm<3, 4, 2, 7>(), mmm::exclusive_prefix_sums, 12);
  scan_with_initial_value_costs(mmm::dmm<4, 5>(), mmm::exclusive_prefix_sums, 8);
  scan_with_initial_value_costs(mmm::umm<4, 5>(), mmm::prefix_sums_simple, 8);
}

TEST_CASE("products and convolutions of small integers") {
  products_of_small_integers(on_both());
  mmm::simulate<mmm::umm<4, 5>>(mmm::threads(8), [](auto on) { convolution_in_double(on); });
}
