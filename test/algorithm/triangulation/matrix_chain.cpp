// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/triangulation/matrix_chain_order.hpp>
#include <mmm/execution/kernel/host_threads.hpp>

#include "support/problem_checks.hpp"

#include <functional>
#include <stdexcept>

namespace {

using checks::word;

std::vector<word> sides_of_chain(mmm::index n, mmm::index kind) {
  auto sides = checks::numbers(n + 1);
  for (mmm::index i = 0; i <= n; ++i) {
    auto& side = sides[static_cast<std::size_t>(i)];
    side = kind == 0 ? side % 50 + 60 : kind == 1 ? i + 1 : kind == 2 ? n + 1 - i : 7;
  }
  return sides;
}

//! The least number of multiplications, by recursion over all orders.
word least_of_all(std::vector<word> const& sides, std::size_t i, std::size_t j) {
  if (j - i < 2) return 0;
  word least = INT64_MAX;
  for (std::size_t k = i + 1; k < j; ++k)
    least = std::min(least, least_of_all(sides, i, k) + least_of_all(sides, k, j) +
                                sides[i] * sides[k] * sides[j]);
  return least;
}

//! The least number of multiplications, by dynamic programming.
word least_of_table(std::vector<word> const& sides) {
  std::size_t const n = sides.size();
  std::vector<word> table(n * n);
  for (std::size_t apart = 2; apart < n; ++apart)
    for (std::size_t i = 0; i + apart < n; ++i) {
      word& least = table[i * n + i + apart] = INT64_MAX;
      for (std::size_t k = i + 1; k < i + apart; ++k)
        least = std::min(least, table[i * n + k] + table[k * n + i + apart] +
                                    sides[i] * sides[k] * sides[i + apart]);
    }
  return n < 2 ? 0 : table[n - 1];
}

//! The multiplications of an order, whose products are `chords` and the whole chain.
word multiplications(std::vector<word> const& sides, std::vector<mmm::chord> const& chords) {
  auto const known = [&](mmm::index i, mmm::index j) {
    return j - i < 2 || std::find(chords.begin(), chords.end(), mmm::chord{i, j}) != chords.end();
  };
  auto const side = [&](mmm::index i) { return sides[static_cast<std::size_t>(i)]; };
  auto products = chords;
  auto const last = static_cast<mmm::index>(sides.size()) - 1;
  if (last > 1) products.push_back({0, last});
  word sum = 0;
  for (auto const& [i, j] : products) {
    mmm::index cuts = 0;
    for (mmm::index k = i + 1; k < j; ++k)
      if (known(i, k) && known(k, j)) {
        sum += side(i) * side(k) * side(j);
        ++cuts;
      }
    CHECK(cuts == 1);
  }
  return sum;
}

template <class M>
void check_chain(M const& m, mmm::index n, mmm::index p, mmm::index kind) {
  CAPTURE(n, p, kind, m.width());
  auto const sides = sides_of_chain(n, kind);
  auto const order = [&](auto on) { return mmm::matrix_chain(on, sides.begin(), sides.end()); };
  auto const run = mmm::simulate(m, mmm::threads(p), order);
  CHECK(run.result.weight == least_of_table(sides));
  CHECK(multiplications(sides, run.result.chords) == run.result.weight);
  checks::problem_figures(m, mmm::matrix_chain, mmm::size(n), p, run,
                          mmm::constant_of(m, mmm::matrix_chain));
  if (p < 16 && n < 10) {
    auto const of_kernel = order(mmm::host_threads(m, mmm::threads(p)));
    CHECK(of_kernel.weight == run.result.weight);
    CHECK(of_kernel.chords == run.result.chords);
  }
}

}  // namespace

TEST_CASE("orders of matrix chains in simulations and kernels, within the bounds") {
  for (auto const& [n, p, kind] :
       checks::combinations({1, 2, 3, 8, 21}, {1, 3, 8, 64}, {0, 1, 2, 3})) {
    check_chain(mmm::dmm<4, mmm::dynamic>{5}, n, p, kind);
    check_chain(mmm::umm<4, mmm::dynamic>{5}, n, p, kind);
    check_chain(mmm::umm<4, mmm::dynamic>{1}, n, p, kind);
    check_chain(mmm::dmm<1, 1>{}, n, p, kind);
    check_chain(mmm::hmm<2, 4, 3, 9>{}, n, 2 * p, kind);
    if (p < 64) check_chain(mmm::pram{}, n, p, kind);
  }
}

TEST_CASE("the orders of matrix chains are the best of all orders") {
  for (mmm::index n = 1; n < 10; ++n)
    for (mmm::index kind = 0; kind < 4; ++kind) {
      auto const sides = sides_of_chain(n, kind);
      CHECK(least_of_table(sides) == least_of_all(sides, 0, static_cast<std::size_t>(n)));
    }
}

TEST_CASE("a chain of no matrix is refused") {
  std::vector<double> const one{3};
  auto const order = [&](auto on) { return mmm::matrix_chain(on, one.begin(), one.end()); };
  CHECK_THROWS_WITH(mmm::simulate(mmm::dmm<4, 5>{}, mmm::threads(4), order),
                    Catch::Contains("the number of matrices of a chain is 0; accepted: 1 or more"));
}
