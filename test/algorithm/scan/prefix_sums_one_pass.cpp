// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prefix_sums_one_pass_checks.hpp"

#include <stdexcept>
#include <vector>

namespace {

using checks::scans;
using mmm::index;

}  // namespace

TEST_CASE("prefix-sums in one pass") {
  checks::on_small_machines([](auto m) {
    scans<4, 4>(m, 4 * m.dmms());
    scans<4, 4>(m, 16 * m.dmms());
    scans<4, 4>(m, 5 * m.dmms());
    scans<2, 1>(m, 20 * m.dmms());
  });
}

// Warps of one lane, of lanes that are not all there, of more lanes than a group; more totals than
// a group has lanes, or than there are threads.
TEST_CASE("prefix-sums in one pass on machines of other widths") {
  scans<4, 8>(mmm::hmm<2, 32, 5, 9>(), 2 * 72);
  scans<4, 4>(mmm::hmm<2, 6, 3, 9>(), 2 * 8);
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
  text const start{7, 10};
  auto const same = [](text const& x, text const& y) {
    return x.value == y.value && x.shift == y.shift;
  };
  for (index const p : {8, 40}) {
    CAPTURE(p);
    std::vector<text> upto(a.size());
    std::vector<text> before(a.size());
    static_cast<void>(mmm::simulate<machine>(mmm::threads(p), [&](auto on) {
      mmm::prefix_sums_one_pass(on, a.begin(), a.end(), upto.begin(), append);
    }));
    static_cast<void>(mmm::simulate<machine>(mmm::threads(p), [&](auto on) {
      mmm::exclusive_prefix_sums_one_pass(on, a.begin(), a.end(), before.begin(), append,
                                          mmm::init(start));
    }));
    bool right = true;
    for (std::size_t k = 0; k < a.size(); ++k) {
      right = right && same(upto[k], expected[k]);
      right = right && same(before[k], k == 0 ? start : append(start, expected[k - 1]));
    }
    CHECK(right);
  }
}

TEST_CASE("what prefix-sums in one pass reject") {
  constexpr mmm::detail::one_pass_scan_algorithm<4, 4> algorithm{};
  checks::small_machine const m(2, 1, 3, 64, 1);
  std::vector<int> a(1000);
  auto const run = [&](auto first, auto last, auto out) {
    static_cast<void>(
        mmm::simulate(m, mmm::threads(32), [&](auto on) { algorithm(on, first, last, out); }));
  };
  CHECK_THROWS_AS(run(a.cbegin(), a.cend(), a.begin()), std::length_error);
  CHECK_THROWS_AS(run(a.cbegin(), a.cend() - 1, a.begin() + 1), std::invalid_argument);
}
