// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/bulk/oblivious_programs.hpp>

#include "bulk_checks.hpp"
#include "support/polygon_checks.hpp"

namespace {

using checks::matrix;
using checks::words;
using mmm::index;

//! The table of oblivious_triangulation by a plain program.
words triangulated(words a, index n) {
  auto const at = [&](index i, index j) -> checks::word& {
    return a[static_cast<std::size_t>(i * n + j)];
  };
  for (index i = 0; i + 1 < n; ++i) at(i, i + 1) = 0;
  at(0, n - 1) = 0;
  for (index apart = 2; apart < n; ++apart)
    for (index i = 0; i + apart < n; ++i) {
      checks::word least = INT64_MAX;
      for (index k = i + 1; k < i + apart; ++k)
        least = std::min(least, at(i, k) + at(k, i + apart));
      at(i, i + apart) += least;
    }
  return a;
}

}  // namespace

TEST_CASE("bulk prefix-sums and sorts in simulations and kernels, within the bounds") {
  for (auto const& [n, k, p] :
       checks::combinations({0, 1, 2, 5, 8, 13}, {0, 1, 6, 64}, {1, 4, 32})) {
    matrix const inputs = checks::sequences(n, k);
    matrix sums = inputs, sorted = inputs;
    for (words& a : sums) std::partial_sum(a.begin(), a.end(), a.begin());
    for (words& a : sorted) std::sort(a.begin(), a.end());
    checks::check_bulk_on_all(mmm::oblivious_prefix_sums{}, n, p, inputs, sums);
    checks::check_bulk_on_all(mmm::oblivious_sort{}, n, p, inputs, sorted);
  }
}

TEST_CASE("an oblivious sort of any number of words sorts all zeros and ones") {
  for (mmm::index n = 1; n <= 12; ++n) {  // so that it sorts everything: the zero-one principle
    mmm::index const k = mmm::index{1} << n;
    words a(static_cast<std::size_t>(n * k));
    for (mmm::index i = 0; i < k; ++i)
      for (mmm::index j = 0; j < n; ++j) a[static_cast<std::size_t>(i * n + j)] = i >> j & 1;
    static_cast<void>(mmm::simulate(mmm::pram{}, mmm::threads(64), [&](auto on) {
      mmm::bulk(mmm::oblivious_sort{}, mmm::by_rows)(on, a.begin(), mmm::size(n), mmm::inputs(k));
    }));
    bool sorted = true;
    for (mmm::index i = 0; i < k; ++i)
      sorted = sorted && std::is_sorted(a.begin() + i * n, a.begin() + (i + 1) * n);
    CAPTURE(n);
    CHECK(sorted);
  }
}

TEST_CASE("bulk triangulations in simulations and kernels, within the bounds") {
  for (auto const& [n, k, p] : checks::combinations({3, 4, 9}, {0, 1, 7, 32}, {1, 4, 32})) {
    matrix inputs, expected;
    for (mmm::index i = 0; i < k; ++i) {
      auto const weights = checks::random_weights<checks::word>(n, static_cast<std::uint64_t>(i));
      inputs.push_back(weights);
      expected.push_back(triangulated(weights, n));
      CHECK(expected.back()[static_cast<std::size_t>(n - 1)] == checks::least_weight(weights, n));
    }
    checks::check_bulk_on_all(mmm::oblivious_triangulation{}, n, p, inputs, expected);
  }
}

TEST_CASE("the memory steps of a program are those that a thread makes") {
  for (mmm::index const n : {1, 2, 5, 32, 100}) {
    CHECK(mmm::memory_steps(mmm::oblivious_prefix_sums{}, mmm::size(n)) == 2 * n - 1);
    if (n >= 3)
      CHECK(mmm::memory_steps(mmm::oblivious_triangulation{}, mmm::size(n)) ==
            (n - 1) + n * (n - 1) * (n - 2) / 3 + (n - 1) * (n - 2) - 1);
  }
  for (mmm::index k = 0; k < 8; ++k)
    CHECK(mmm::memory_steps(mmm::oblivious_sort{}, mmm::size(mmm::index{1} << k)) ==
          (mmm::index{1} << k) * k * (k + 1));
}
