// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fast variant of a problem beside the obvious rivals, by predicted time on an H200.
#include <mmm/fast.hpp>
#include <mmm/space.hpp>

#include "catch.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace {

using mmm::index;
using mmm::gpu::h200;

template <class Candidates>
std::string chosen(Candidates const& all, index n) {
  std::string const name = mmm::best<h200>(all, mmm::size(n)).name;
  return name.substr(0, name.find(','));
}

//! The least predicted microseconds of the candidates whose name begins with `name` and a comma.
template <class Candidates>
double least_time(Candidates const& all, std::string const& name, index n) {
  double least = 1e30;
  all.for_each([&](index, auto const& one) {
    if (std::string(one.name).rfind(name + ",", 0) != 0) return;
    auto const found = one.predict(h200::facts, one.plan, mmm::size(n));
    if (found.possible) least = std::min(least, found.time.microseconds);
  });
  return least;
}

template <class Candidates>
void all_run_and_are_counted(Candidates const& all, index n) {
  all.for_each([&](index, auto const& one) {
    CAPTURE(one.name, n);
    auto const found = one.predict(h200::facts, one.plan, mmm::size(n));
    CHECK(found.possible);
    CHECK(found.time.counted);
  });
}

//! True if the prediction is another one for a shared memory of the GPU's size than for one without
//! a limit.
template <class A, class... More>
bool depends_on_capacity(A const& a, index n, index threads, More const&... more) {
  auto const& facts = h200::facts;
  auto const microseconds = [&](index capacity) {
    mmm::detail::planned_hmm const machine(facts.sms, facts.shared_latency, facts.global_latency,
                                           capacity, facts.ports());
    auto const found = mmm::detail::predict_planned(facts, {}, machine, facts.sms * threads, a,
                                                    mmm::size(n), more...);
    return found.possible ? found.time.microseconds : 0;
  };
  return microseconds(mmm::unlimited) != microseconds(facts.shared_bytes_per_block / 4);
}
template <class A, class... More>
void says_what_it_fills(A const& a, More const&... more) {
  CAPTURE(A::name);
  CHECK(depends_on_capacity(a, index{1} << 24, 1024, more...) ==
        mmm::detail::tiles_fill_capacity<A>);
}

}  // namespace

TEST_CASE("algorithms whose tiles fill a shared memory say so") {
  says_what_it_fills(mmm::prefix_sums);
  says_what_it_fills(mmm::segmented_prefix_sums);
  says_what_it_fills(mmm::sort);
  says_what_it_fills(mmm::sort_pairs);
  says_what_it_fills(mmm::string_matching, mmm::taps(8));
  says_what_it_fills(mmm::string_matching_in_bits, mmm::taps(8));
  says_what_it_fills(mmm::lcs, mmm::taps(8));
  says_what_it_fills(mmm::merge_sort);
  says_what_it_fills(mmm::prefix_sums_one_pass);
  says_what_it_fills(mmm::summed_area_1r1w);
}

TEST_CASE("a permutation in tiles is chosen from many words on: scattered sectors take long") {
  all_run_and_are_counted(mmm::known::permutations, 1 << 20);
  CHECK(chosen(mmm::known::permutations, 1 << 16) == "permutation_direct");
  CHECK(chosen(mmm::known::permutations, 1 << 20) == "permutation_in_tiles");
  CHECK(chosen(mmm::known::permutations, 1 << 24) == "permutation_in_tiles");
}

TEST_CASE("a column in bits is chosen for patterns of up to 64 symbols, and fits every text") {
  for (index const m : {1, 8, 32, 64}) {
    auto const all = mmm::known::string_matchings(mmm::taps(m));
    for (index const n : {1, 1 << 16, 1 << 20, 1 << 24, 1 << 28}) {
      CAPTURE(m, n);
      if (n > 1 && m > 1) CHECK(chosen(all, n) == "string_matching_in_bits");
      all_run_and_are_counted(all, n);
    }
  }
  CHECK_THROWS_AS(mmm::best<h200>(mmm::known::string_matchings(mmm::taps(65)), mmm::size(1 << 20)),
                  std::invalid_argument);
  auto const of_32 = mmm::known::string_matchings(mmm::taps(32));
  CHECK(least_time(of_32, "string_matching", 1 << 24) >
        4 * least_time(of_32, "string_matching_in_bits", 1 << 24));
}

TEST_CASE("transforms are chosen for many taps where they are accepted") {
  index const n = 1 << 22;
  for (index const m : {32, 300, 1024, 4000, 6000, 8193}) {
    CAPTURE(m);
    auto const exact = mmm::known::convolutions(mmm::taps(m));
    auto const all = mmm::known::convolutions(mmm::taps(m), mmm::accept_fft);
    CHECK(chosen(exact, n) == "convolution_in_registers");
    CHECK(chosen(all, n) == (m == 32 || m > 8192 ? "convolution_in_registers"
                             : m < 4000          ? "convolution_by_fft"
                                                 : "convolution_by_longer_fft"));
  }
  auto const all = mmm::known::convolutions(mmm::taps(1024), mmm::accept_fft);
  for (auto const* const name : {"convolution_by_fft", "convolution_by_longer_fft"})
    CHECK(3 * least_time(all, name, n) < least_time(all, "convolution_in_registers", n));
  all.for_each([&](index, auto const& one) {
    CAPTURE(one.name);
    auto const found = one.predict(h200::facts, one.plan, mmm::size(n));
    CHECK(found.time.counted == found.possible);
  });
}

TEST_CASE("separable kernels of a large radius take less time by rows and columns") {
  for (index const n : {1, 1000, 4096}) all_run_and_are_counted(mmm::known::separable_images<8>, n);
  CHECK(chosen(mmm::known::separable_images<8>, 4096) == "separable_image_convolution");
  CHECK(least_time(mmm::known::separable_images<8>, "image_convolution_in_registers", 4096) >
        2 * least_time(mmm::known::separable_images<8>, "separable_image_convolution", 4096));
}

TEST_CASE("a summed area table in one pass is chosen, as steps and four kernels take longer") {
  for (index const n : {1, 1024, 4096}) all_run_and_are_counted(mmm::known::summed_areas, n);
  CHECK(chosen(mmm::known::summed_areas, 256) == "summed_area_one_pass");
  CHECK(chosen(mmm::known::summed_areas, 4096) == "summed_area_one_pass");
  double const literal = least_time(mmm::known::summed_areas, "summed_area", 4096);
  CHECK(least_time(mmm::known::summed_areas, "summed_area_1r1w", 4096) > 2 * literal);
  CHECK(least_time(mmm::known::summed_areas, "summed_area_one_pass", 4096) < literal / 5);
}

TEST_CASE("kernels in sequence take the sum of their times and share their arrays") {
  mmm::shape const image(1000, 3000), turned(3000, 1000);
  mmm::grid_plan const plan{1, 1024};
  auto const of = [&](auto const& algorithm, auto const& n) {
    auto const found = mmm::candidate_of("", plan, algorithm).predict(h200::facts, plan, n);
    CHECK(found.possible);
    return found.time;
  };
  auto const scan = of(mmm::segmented_prefix_sums, mmm::size(image.area()));
  auto const down = of(mmm::transpose_swizzled, image), back = of(mmm::transpose_swizzled, turned);
  auto const all = mmm::detail::rows_then_columns{}(h200::facts, plan, image);
  CHECK(all.possible);
  CHECK(all.time.microseconds ==
        Approx(2 * scan.microseconds + down.microseconds + back.microseconds));
  CHECK(all.time.bytes == Approx(2 * scan.bytes + down.bytes + back.bytes));
  CHECK(all.time.grid_barriers == 2 * scan.grid_barriers);
  CHECK(all.time.memory_bytes == scan.memory_bytes);
  for (double const part : all.time.parts)
    CHECK(part <= all.time.parts[static_cast<int>(all.time.limit)]);
  mmm::candidate_prediction const impossible{};
  CHECK(!mmm::detail::in_sequence(all, impossible).possible);
  CHECK(!mmm::detail::in_sequence(impossible, all).possible);
}

TEST_CASE("a barrier of the machine in a loop is one of the grid in each trip") {
  // 128 rows of tiles in one strip of 128 DMMs: 128 + 127 steps, and the kernel's end for the last
  auto const found =
      mmm::predict<mmm::gpu::h100>(mmm::summed_area_1r1w, mmm::size(4096), mmm::threads(132 * 256));
  CHECK(found.grid_barriers == 254);
}
