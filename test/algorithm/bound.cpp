// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lower and upper bounds: what holds for every algorithm, whatever the machine's parameters are,
// and near the largest numbers.
#include "bound_checks.hpp"
#include "support/combinations.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using checks::if_stated;
using checks::within;
using mmm::index;
using mmm::natural;

//! Calls `check(algorithm, more …)` for all algorithms that are stated for machine M, with what
//! mmm::cost_of takes for them after the threads.
template <class M, class Check>
void for_algorithms(Check const& check) {
  auto const one = [&](auto const& algorithm, auto... more) {
    if_stated<M>(check, algorithm, more...);
  };
  one(mmm::contiguous);
  one(mmm::stride);
  one(mmm::sum);
  one(mmm::sum_on_one_dmm);
  one(mmm::prefix_sums);
  one(mmm::prefix_sums_simple);
  one(mmm::sort);
  one(mmm::sort_pairs);
  one(mmm::copy_through_shared);
  one(mmm::transpose_straightforward);
  one(mmm::transpose_diagonal);
  one(mmm::transpose_rotating);
  one(mmm::convolution, mmm::taps(3));
  one(mmm::convolution_in_memory, mmm::taps(8));
  one(mmm::image_convolution, mmm::radius(1));
  one(mmm::image_convolution_in_memory, mmm::radius(1));
  one(mmm::matrix_multiply, mmm::tile(2));
  one(mmm::matrix_multiply_in_memory, mmm::tile(2));
  one(mmm::triangulation);
  one(mmm::triangulation_dp);
  one(mmm::triangulation_dp_in_memory);
  one(mmm::triangulation_blocked);
  one(mmm::copy_wide);
  one(mmm::sum_wide);
}
//! Fast variants that need widths and threads of a GPU.
template <class Check>
void for_tiled_algorithms(Check const& check) {
  check(mmm::prefix_sums_one_pass);
  check(mmm::transpose_swizzled);
  check(mmm::matrix_multiply_in_registers);
  check(mmm::convolution_in_registers, mmm::taps(5));
  check(mmm::convolution_by_fft, mmm::taps(100));
  check(mmm::image_convolution_in_registers<2>);
  check(mmm::separable_image_convolution<2>);
  check(mmm::triangulation_in_registers);
}

//! A bound, or -1 for one that was refused since it does not fit 63 bits.
template <class Bound>
index value_or_refused(Bound const& bound) {
  try {
    return bound();
  } catch (std::overflow_error const&) {
    return -1;
  }
}

//! Bounds do not wrap: none is below that of a smaller size, and from a refused one on all are.
template <class M, class A, class... More>
void grows(M const& m, A const& algorithm, index p, More const&... more) {
  std::vector<index> sizes{3037000500, 3037000501, INT64_MAX - 1, INT64_MAX};
  for (int bits = 10; bits < 63; ++bits) sizes.push_back(index{1} << bits);
  std::sort(sizes.begin(), sizes.end());
  index lower_before = 0;
  index upper_before = 0;
  for (index const n : sizes) {
    CAPTURE(algorithm.name, M::width(), n, p, lower_before, upper_before);
    index const lower = value_or_refused([&] {
      return mmm::lower_bound(m, algorithm, mmm::size(n), mmm::threads(p), more...).time;
    });
    index const upper = value_or_refused(
        [&] { return mmm::upper_bound(m, algorithm, mmm::size(n), mmm::threads(p), more...); });
    CHECK((lower == -1 || (lower_before >= 0 && lower >= lower_before)));
    // a size that shares a factor with the width has as many times the bank conflicts
    CHECK((upper == -1 || (upper_before >= 0 && upper >= upper_before / M::width())));
    if (n % 1024 != 0) continue;  // others may cost more, or be refused where a larger one is not
    lower_before = lower;
    upper_before = upper;
  }
}
template <class M>
void all_grow(M const& m, index d) {
  for (index const t : {index{1}, index{64}, index{1} << 31, INT64_MAX / d})
    for_algorithms<M>(
        [&](auto const& algorithm, auto... more) { grows(m, algorithm, t * d, more...); });
}

template <index W>
void sums_and_copies(mmm::hmm<mmm::dynamic, W, mmm::dynamic, mmm::dynamic> const& m) {
  CAPTURE(m.dmms(), m.shared().latency(), m.global().latency());
  for (index const t : {1, 2, 3, 4, 8, 12, 27})
    for (index const n : {0, 1, 2, 3, 5, 16, 27, 81, 96, 300, 1296}) {
      index const p = t * m.dmms();
      bool const divides = n > 0 && n % p == 0 && t % W == 0;
      within(m, mmm::contiguous, n, p, divides);
      within(m, mmm::sum, n, p, divides);
      within(m, mmm::sum_on_one_dmm, n, p, divides);
      within(m, mmm::copy_through_shared, n, p, divides);
      within(m, mmm::sum_wide, n, p, divides && n % (4 * p) == 0);
      within(m, mmm::prefix_sums, n, p, divides);
    }
}

}  // namespace

TEST_CASE("the arithmetic of formulas is exact, rounds up and refuses what does not fit") {
  natural const most = INT64_MAX;
  CHECK(natural(7) / 2 == 4);
  CHECK(0 / natural(2) == 0);
  CHECK(natural(7) - 7 == 0);
  CHECK(smaller(natural(3), 2) == 2);
  CHECK(larger(natural(3), 2) == 3);
  CHECK(log2(natural(0)) == 0);
  CHECK(log2(natural(1)) == 0);
  CHECK(log2(natural(5)) == 3);
  CHECK(log2(most) == 63);
  CHECK(most / 2 == index{1} << 62);
  CHECK(natural(index{1} << 31) * (index{1} << 31) == index{1} << 62);
  CHECK(most - 1 + 1 == most);
  CHECK(0 * most == 0);
  CHECK_THROWS_AS(most + 1, std::overflow_error);
  CHECK_THROWS_AS(natural(index{1} << 32) * (index{1} << 31), std::overflow_error);
  CHECK_THROWS_AS(natural(3) - 4, std::overflow_error);
  CHECK_THROWS_AS(natural(3) / 0, std::overflow_error);
  CHECK_THROWS_AS(natural(-1), std::overflow_error);
  CHECK_THROWS_AS(natural(INT64_MIN), std::overflow_error);
  using Catch::Matchers::Contains;
  CHECK_THROWS_WITH(natural(3037000501) * 3037000500,
                    Contains("3037000501 * 3037000500 is not a number from 0 to 2^63 - 1"));
}

TEST_CASE("the lower bound of a transpose does not wrap") {
  mmm::dmm<32, 1> const m;
  mmm::threads const p(1024);
  CHECK(mmm::lower_bound(m, mmm::transpose_diagonal, mmm::size(3037000500), p).bandwidth > 1 << 20);
  CHECK_THROWS_AS(mmm::lower_bound(m, mmm::transpose_diagonal, mmm::size(3037000501), p),
                  std::overflow_error);
}

namespace {

//! Fewest steps in which `tokens` values become one, if in a step each thread takes one value,
//! which merges with the one that it has: k threads have one already, so that max(tokens - k, k)
//! are left. Nakano 2014, section 5, for every k.
std::vector<index> fewest_merges(index tokens) {
  std::vector<index> steps(static_cast<std::size_t>(tokens) + 1);
  for (index n = 2; n <= tokens; ++n) {
    index fewest = INT64_MAX;
    for (index k = 1; k < n; ++k)
      fewest = std::min(fewest, steps[static_cast<std::size_t>(std::max(n - k, k))]);
    steps[static_cast<std::size_t>(n)] = fewest + 1;
  }
  return steps;
}

}  // namespace

TEST_CASE("the lower bound of a sum: words per time unit, accesses of a thread, merged values") {
  std::vector<index> const merges = fewest_merges(130);
  auto const check = [&](auto const& m, index n, index p) {
    mmm::bound const b = mmm::lower_bound(m, mmm::sum, mmm::size(n), mmm::threads(p));
    index const w = m.width();
    index const l = m.latency();
    CAPTURE(w, l, n, p);
    if (n < 2) {
      CHECK(b == mmm::bound{});
      return;
    }
    index time = 0;
    while (w * time < n) ++time;
    CHECK(b.bandwidth == time);
    for (time = l; p * (time - l) < n * l;) ++time;  // and a thread stores the result
    CHECK(b.latency == time);
    CHECK(b.reduction == l * merges[static_cast<std::size_t>(n)]);
    CHECK(b.time == std::max({b.bandwidth, b.latency, b.reduction}));
    CHECK((b.dependency == 0 && b.speed_up == 0 && b.shared_bandwidth == 0));
    index const sum = mmm::cost_of(m, mmm::sum, mmm::size(n), mmm::threads(p)).time;
    CHECK(b.time <= sum);
    CHECK(sum <= 2 * 4 * (b.bandwidth + b.latency + b.reduction));
  };
  for (index const n : {0, 1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 64, 127, 128, 130})
    for (index const p : {1, 2, 3, 4, 7, 16, 64, 200})
      for (index const l : {1, 2, 5, 40}) {
        check(mmm::dmm<4, mmm::dynamic>(l), n, p);
        check(mmm::umm<4, mmm::dynamic>(l), n, p);
        check(mmm::dmm<1, mmm::dynamic>(l), n, p);
        check(mmm::umm<32, mmm::dynamic>(l), n, p);
      }
}

TEST_CASE("bounds near the largest numbers grow or are refused") {
  all_grow(mmm::pram(), 1);
  all_grow(mmm::bpram<1>(), 1);
  all_grow(mmm::bpram<32>(), 1);
  for (index const latency : {index{1}, index{400}, INT64_MAX}) {
    all_grow(mmm::dmm<1, mmm::dynamic>(latency), 1);
    all_grow(mmm::dmm<32, mmm::dynamic>(latency), 1);
    all_grow(mmm::umm<1, mmm::dynamic>(latency), 1);
    all_grow(mmm::umm<32, mmm::dynamic>(latency), 1);
    for (index const d : {1, 3}) {
      mmm::hmm<mmm::dynamic, 1, mmm::dynamic, mmm::dynamic> const narrow(d, latency, 1);
      mmm::hmm<mmm::dynamic, 32, mmm::dynamic, mmm::dynamic> const wide(d, 2, latency);
      all_grow(narrow, d);
      all_grow(wide, d);
      for_tiled_algorithms([&](auto const& algorithm, auto... more) {
        for (index const t : {index{256}, INT64_MAX / d}) grows(wide, algorithm, t * d, more...);
      });
    }
  }
}

TEST_CASE("times on a HMM are within the stated bounds, also where the shared latency is longer") {
  for (auto const& [d, l, global] : checks::combinations({1, 3, 9}, {1, 2, 40}, {1, 5, 30})) {
    sums_and_copies<3>(mmm::hmm<mmm::dynamic, 3, mmm::dynamic, mmm::dynamic>(d, l, global));
    sums_and_copies<4>(mmm::hmm<mmm::dynamic, 4, mmm::dynamic, mmm::dynamic>(d, l, global));
  }
}

namespace {

template <class M>
void smallest(M const& m, index d) {
  checks::smallest_problems<M> const check{m, d};
  if_stated<M>(check, mmm::exclusive_prefix_sums);
  if_stated<M>(check, mmm::sort);
}
template <class... Parameter>
void smallest_on_hmm(index d, Parameter... parameter) {
  using machine = mmm::hmm<mmm::dynamic, 32, mmm::dynamic, mmm::dynamic>;
  smallest(machine(d, parameter...), d);
}

}  // namespace

TEST_CASE("the smallest problems are within the stated bounds") {
  smallest(mmm::dmm<32, mmm::dynamic>{1}, 1);
  smallest(mmm::dmm<32, mmm::dynamic>{50}, 1);
  smallest_on_hmm(1, 30, 400);
  smallest_on_hmm(16, 500, 3);
  // a thread to each DMM: a request of the global memory has one word, not w
  mmm::hmm<mmm::dynamic, 4, mmm::dynamic, mmm::dynamic> const narrow(16, 1, 1);
  within(narrow, mmm::sort, 64, 16, false);
  within(narrow, mmm::sort_pairs, 64, 16, false);
  // more DMMs than words, and few threads to fold the DMMs' totals
  mmm::hmm<mmm::dynamic, 64, mmm::dynamic, mmm::dynamic> const many(128, 1, 100);
  within(many, mmm::prefix_sums, 100, 3 * 128, false);
  within(many, mmm::prefix_sums, 200, 3 * 128, false);
  mmm::hmm<mmm::dynamic, 32, mmm::dynamic, mmm::dynamic> const wide(64, 1, 1);
  for (index const t : {1, 3, 33}) {
    CAPTURE(t);
    within(wide, mmm::stride, 3000, 64 * t, false);
    within(wide, mmm::transpose_straightforward, 4, 64 * t, false);
    within(wide, mmm::prefix_sums, 500, 64 * t, false);
    within(wide, mmm::exclusive_prefix_sums, 500, 64 * t, false);
    within(wide, mmm::segmented_prefix_sums, 500, 64 * t, false);
    within(wide, mmm::exclusive_segmented_prefix_sums, 500, 64 * t, false);
    within(wide, mmm::summed_area, 32, 64 * t, false);
    within(wide, mmm::histogram, 300, 64 * t, false, mmm::bins(256), mmm::spread::alike);
  }
}
