// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fast_checks.hpp"

#include <numeric>
#include <stdexcept>

namespace {

using mmm::index;

template <index V, index Vecs, class M>
void scans(M const& m, index p) {
  constexpr mmm::detail::one_pass_scan_algorithm<V, Vecs> algorithm{};
  index const tile = p / m.dmms() * V * Vecs;
  for (index const n : {index{0}, index{1}, index{2}, tile - 1, tile, tile + 1, m.dmms() * tile,
                        m.dmms() * tile + tile / 2, 4 * tile + 3}) {
    CAPTURE(V, Vecs, n, p, M::width);
    auto const a = checks::small_numbers(n);
    std::vector<int> b(a.size(), -1);
    auto const run = mmm::simulate(m, mmm::threads(p),
                                   [&](auto on) { algorithm(on, a.begin(), a.end(), b.begin()); });
    std::vector<int> expected(a.size());
    std::partial_sum(a.begin(), a.end(), expected.begin());
    CHECK(b == expected);
    checks::problem_figures(m, algorithm, mmm::size(n), p, run,
                            p / m.dmms() >= M::width ? 2 * mmm::constant_of(m, algorithm) : 0);
  }
}

}  // namespace

TEST_CASE("prefix-sums in one pass") {
  checks::on_small_machines([](auto m) {
    scans<4, 4>(m, 4 * m.dmms());
    scans<4, 4>(m, 16 * m.dmms());
    scans<4, 2>(m, 5 * m.dmms());
    scans<2, 1>(m, 20 * m.dmms());
    scans<1, 4>(m, 8 * m.dmms());
  });
}

TEST_CASE("prefix-sums in one pass keep the order") {
  using machine = mmm::hmm<2, 4, 1, 3>;
  // Concatenation of strings of digits, modulo a prime: associative, not commutative.
  struct text {
    index value;
    index shift;
  };
  auto const append = [](text const& x, text const& y) {
    return text{(x.value * y.shift + y.value) % 10007, x.shift * y.shift % 10007};
  };
  std::vector<text> a;
  for (index k = 0; k < 2 * 4 * 16 + 77; ++k) a.push_back({k % 10, 10});
  auto expected = a;
  for (std::size_t k = 1; k < a.size(); ++k) expected[k] = append(expected[k - 1], a[k]);
  static_cast<void>(mmm::simulate<machine>(mmm::threads(8), [&](auto on) {
    mmm::prefix_sums_one_pass(on, a.begin(), a.end(), a.begin(), append);
  }));
  bool right = true;
  for (std::size_t k = 0; k < a.size(); ++k)
    right = right && a[k].value == expected[k].value && a[k].shift == expected[k].shift;
  CHECK(right);
}

TEST_CASE("what prefix-sums in one pass reject") {
  using machine = mmm::hmm<2, 4, 1, 3, 64>;
  std::vector<int> a(1000);
  auto const run = [&](auto first, auto last, auto out) {
    static_cast<void>(mmm::simulate<machine>(
        mmm::threads(32), [&](auto on) { mmm::prefix_sums_one_pass(on, first, last, out); }));
  };
  CHECK_THROWS_AS(run(a.begin(), a.end(), a.begin()), std::length_error);
  CHECK_THROWS_AS(run(a.begin(), a.end() - 1, a.begin() + 1), std::invalid_argument);
}
