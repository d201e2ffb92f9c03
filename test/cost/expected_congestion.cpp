// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/cost/expected_congestion.hpp>

#include "catch.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <set>
#include <stdexcept>
#include <vector>

using mmm::index;
using mmm::matrix_access;
using mmm::shift_scheme;

namespace {

using any_dmm = mmm::dmm<mmm::dynamic, 1>;
constexpr matrix_access accesses[] = {matrix_access::contiguous, matrix_access::stride,
                                      matrix_access::diagonal, matrix_access::random};
constexpr shift_scheme schemes[] = {shift_scheme::none, shift_scheme::ras, shift_scheme::rap};

//! How many of all cases have each congestion.
struct counted {
  std::vector<double> cases;
  double all = 0;

  explicit counted(index w) : cases(static_cast<std::size_t>(w) + 1) {}
  void add(std::vector<index> const& words, index w) {
    std::vector<index> loads(static_cast<std::size_t>(w));
    for (index const word : std::set<index>(words.begin(), words.end()))
      ++loads[static_cast<std::size_t>(word % w)];
    cases[static_cast<std::size_t>(*std::ranges::max_element(loads))] += 1;
    all += 1;
  }
};

//! Calls `f` with all sequences of n numbers below m.
template <class F>
void all_sequences(index n, index m, F const& f) {
  std::vector<index> x(static_cast<std::size_t>(n));
  for (;;) {
    f(x);
    std::size_t k = 0;
    while (k < x.size() && ++x[k] == m) x[k++] = 0;
    if (k == x.size()) return;
  }
}
template <class F>
void all_shifts(index w, shift_scheme scheme, F const& f) {
  std::vector<index> s(static_cast<std::size_t>(w));
  if (scheme == shift_scheme::none) return f(s);
  if (scheme == shift_scheme::ras) return all_sequences(w, w, f);
  std::iota(s.begin(), s.end(), 0);
  do f(s);
  while (std::ranges::next_permutation(s).found);
}

//! The congestion in all cases, by the addresses that the warp accesses.
counted enumerated(index w, matrix_access access, shift_scheme scheme) {
  counted found(w);
  all_shifts(w, scheme, [&](std::vector<index> const& shift) {
    auto const word = [&](index row, index column) {
      return row * w + (column + shift[static_cast<std::size_t>(row)]) % w;
    };
    std::vector<index> words(static_cast<std::size_t>(w));
    auto const add = [&](auto const& element) {
      for (index i = 0; i < w; ++i) words[static_cast<std::size_t>(i)] = element(i);
      found.add(words, w);
    };
    index const c = w / 2;
    if (access == matrix_access::contiguous) add([&](index i) { return word(c, i); });
    if (access == matrix_access::stride) add([&](index i) { return word(i, c); });
    if (access == matrix_access::diagonal) add([&](index i) { return word(i, (i + c) % w); });
    if (access == matrix_access::random)
      all_sequences(w, w * w, [&](std::vector<index> const& elements) {
        add([&](index i) {
          index const e = elements[static_cast<std::size_t>(i)];
          return word(e / w, e % w);
        });
      });
  });
  return found;
}

void check_against_enumeration(index w, matrix_access access, shift_scheme scheme) {
  CAPTURE(w, static_cast<int>(access), static_cast<int>(scheme));
  auto const found = mmm::expected_congestion(any_dmm(w), access, scheme);
  auto const all = enumerated(w, access, scheme);
  CHECK(found.exact);
  CHECK(found.samples == 0);
  CHECK(found.confidence == 1);
  double value = 0;
  for (std::size_t k = 0; k < all.cases.size(); ++k) {
    double const probability = all.cases[k] / all.all;
    CHECK(found.probability[k] == Approx(probability).margin(1e-12));
    value += static_cast<double>(k) * probability;
  }
  CHECK(found.value == Approx(value).epsilon(1e-12));
  CHECK(found.low == found.value);
  CHECK(found.high == found.value);
}

}  // namespace

TEST_CASE("expected congestion is that of all shifts") {
  for (index w = 1; w <= 5; ++w)
    for (matrix_access const access : accesses)
      for (shift_scheme const scheme : schemes)
        if (access != matrix_access::random || w <= 3 || (w == 4 && scheme == shift_scheme::none))
          check_against_enumeration(w, access, scheme);
  for (index w = 6; w <= 7; ++w) {
    check_against_enumeration(w, matrix_access::diagonal, shift_scheme::rap);
    check_against_enumeration(w, matrix_access::stride, shift_scheme::rap);
  }
  check_against_enumeration(6, matrix_access::stride, shift_scheme::ras);
}

TEST_CASE("expected congestion lies between 1 and its bound, and grows with the width") {
  for (matrix_access const access : {matrix_access::stride, matrix_access::random}) {
    double before = 0;
    for (index w = 1; w <= 64; ++w) {
      CAPTURE(w);
      auto const found = mmm::expected_congestion(any_dmm(w), access, shift_scheme::ras);
      CHECK(found.exact);
      CHECK(found.value >= 1);
      CHECK(found.value > before);
      CHECK(found.value <= mmm::expected_congestion_bound(w));
      if (w >= 4 && access == matrix_access::stride)
        CHECK(2 * found.value >= mmm::expected_congestion_bound(w));
      double all = 0;
      for (double const p : found.probability) all += p;
      CHECK(all == Approx(1).epsilon(1e-12));
      before = found.value;
    }
  }
  CHECK(mmm::expected_congestion_bound(16) == Approx(4).epsilon(1e-9));
  CHECK(mmm::expected_congestion_bound(32) == Approx(10 / 2.3219280948873623).epsilon(1e-9));
}

TEST_CASE("a permuted diagonal of a wide matrix has an interval") {
  auto const of = [](index w, mmm::shift_sample const& sample) {
    return mmm::expected_congestion(any_dmm(w), matrix_access::diagonal, shift_scheme::rap, sample);
  };
  for (index w : {12, 13, 32, 64}) {
    CAPTURE(w);
    auto const found = of(w, {.count = 20000, .seed = 7});
    CHECK_FALSE(found.exact);
    CHECK(found.samples == 20000);
    CHECK(found.confidence == 0.999);
    CHECK((1 <= found.low && found.low < found.value && found.value < found.high));
    CHECK(found.high - found.low < 0.2);
    CHECK(found.high <= mmm::expected_congestion_bound(w));
    CHECK(found.value == of(w, {.count = 20000, .seed = 7}).value);
    CHECK(found.value != of(w, {.count = 20000, .seed = 8}).value);
    double variance = 0;
    for (index k = 1; k <= w; ++k)
      variance += found.probability[k] * std::pow(static_cast<double>(k) - found.value, 2);
    variance *= 20000.0 / 19999;
    double const x = std::log(4 / (1 - 0.999));
    double const off =
        std::sqrt(2 * variance * x / 20000) + 7 * static_cast<double>(w - 1) * x / (3 * 19999);
    CHECK(found.high - found.value == Approx(off).epsilon(1e-9));
    CHECK(found.value - found.low == Approx(off).epsilon(1e-9));
    if (w % 2 == 0) CHECK(found.probability[1] == 0);  // an even Z_w has no complete mapping
  }
  CHECK_THROWS_AS(of(12, {.count = 1}), std::invalid_argument);
}

TEST_CASE("the interval of a sample contains what is known exactly") {
  int outside = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    auto const exact = mmm::detail::permuted_diagonal::enumerated(8);
    auto const found = mmm::detail::permuted_diagonal::sampled(8, {.count = 2000, .seed = seed});
    outside += exact.value < found.low || found.high < exact.value;
  }
  CHECK(outside <= 2);  // of 200, with a confidence of 0.999
}
