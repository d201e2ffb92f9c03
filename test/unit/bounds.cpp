// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lower and upper bounds: what holds for every algorithm, whatever the machine's parameters are,
// and near the largest numbers.
#include <mmm/fast.hpp>

#include "catch.hpp"
#include "combinations.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using mmm::index;
using mmm::natural;

//! Calls `check(algorithm, more …)` if the algorithm is stated for machine M.
template <class M, class Check, class A, class... More>
void if_stated(Check const& check, A const& algorithm, More const&... more) {
  constexpr mmm::machine_kinds kinds = A::kinds;
  if constexpr (mmm::hierarchical_machine<M>) {
    if constexpr (kinds.hmm != 0) check(algorithm, more...);
  } else {
    constexpr index constants[] = {kinds.pram, kinds.bpram, kinds.dmm, kinds.umm};
    if constexpr (constants[static_cast<int>(M::conflicts)] != 0) check(algorithm, more...);
  }
}

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
  check(mmm::image_convolution_in_registers<2>);
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

//! Time is at most C U, or 2 C U where sizes do not divide.
template <class M, class A, class... More>
void within(M const& m, A const& algorithm, index n, index p, bool divides, More const&... more) {
  CAPTURE(algorithm.name, M::width(), n, p, divides);
  mmm::size const size(n);
  mmm::threads const threads(p);
  index const time = mmm::cost_of(m, algorithm, size, threads, more...).time;
  CHECK(time <= (divides ? 1 : 2) * mmm::constant_of(m, algorithm) *
                    mmm::upper_bound(m, algorithm, size, threads, more...));
  CHECK(mmm::lower_bound(m, algorithm, size, threads, more...).time <= time);
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

//! The smallest problems of algorithms, where a latency or the width of a memory is the most of the
//! time.
template <class M>
void smallest(M const& m, index d) {
  auto const check = [&](auto const& algorithm, auto const&... more) {
    for (index const n : {0, 1, 2, 3, 4})
      for (index const t : {1, 2, 32, 1000}) within(m, algorithm, n, t * d, false, more...);
  };
  if_stated<M>(check, mmm::exclusive_prefix_sums);
  if_stated<M>(check, mmm::sort);
#ifdef MMM_ALL_TESTS
  if_stated<M>(check, mmm::contiguous);
  if_stated<M>(check, mmm::stride);
  if_stated<M>(check, mmm::sum);
  if_stated<M>(check, mmm::sum_on_one_dmm);
  if_stated<M>(check, mmm::prefix_sums);
  if_stated<M>(check, mmm::prefix_sums_simple);
  if_stated<M>(check, mmm::segmented_prefix_sums);
  if_stated<M>(check, mmm::summed_area);
  if_stated<M>(check, mmm::sort_pairs);
  if_stated<M>(check, mmm::copy_through_shared);
  if_stated<M>(check, mmm::transpose_straightforward);
  if_stated<M>(check, mmm::transpose_diagonal);
  if_stated<M>(check, mmm::transpose_rotating);
  if_stated<M>(check, mmm::convolution, mmm::taps(3));
  if_stated<M>(check, mmm::convolution_in_memory, mmm::taps(8));
  if_stated<M>(check, mmm::string_matching, mmm::taps(3));
  if_stated<M>(check, mmm::lcs, mmm::taps(3));
  if_stated<M>(check, mmm::image_convolution, mmm::radius(1));
  if_stated<M>(check, mmm::image_convolution_in_memory, mmm::radius(1));
  if_stated<M>(check, mmm::histogram, mmm::bins(7), mmm::spread::alike);
  if_stated<M>(check, mmm::histogram, mmm::bins(1), mmm::spread::even);
  if_stated<M>(check, mmm::copy_wide);
  if_stated<M>(check, mmm::sum_wide);
#endif
}
template <class... Parameter>
void smallest_on_hmm(index d, Parameter... parameter) {
  using machine = mmm::hmm<mmm::dynamic, 32, mmm::dynamic, mmm::dynamic>;
  smallest(machine(d, parameter...), d);
}

}  // namespace

TEST_CASE("the smallest problems are within the stated bounds") {
#ifdef MMM_ALL_TESTS
  smallest(mmm::pram{}, 1);
  smallest(mmm::bpram<32>{}, 1);
  smallest(mmm::umm<32, mmm::dynamic>{400}, 1);
#endif
  smallest(mmm::dmm<32, mmm::dynamic>{1}, 1);
  smallest(mmm::dmm<32, mmm::dynamic>{50}, 1);
  smallest_on_hmm(1, 30, 400);
  smallest_on_hmm(16, 500, 3);
  // a thread to each DMM: a request of the global memory has one word, not w
  mmm::hmm<mmm::dynamic, 4, mmm::dynamic, mmm::dynamic> const narrow(16, 1, 1);
  within(narrow, mmm::sort, 64, 16, false);
  within(narrow, mmm::sort_pairs, 64, 16, false);
}
