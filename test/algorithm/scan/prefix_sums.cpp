// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/algorithm_checks.hpp"

#include <string>

namespace {

enum class bounds { hold, hold_loosely, need_more_memory };

template <class M, class Algorithm>
void check(M const& m, Algorithm const& algorithm, mmm::index n, mmm::index p, bounds upper) {
  auto const a = checks::numbers(n);
  std::vector<checks::word> out(a.size()), expected(a.size());
  std::partial_sum(a.begin(), a.end(), expected.begin());
  auto const run = mmm::simulate(m, mmm::threads(p),
                                 [&](auto on) { algorithm(on, a.begin(), a.end(), out.begin()); });
  CHECK(out == expected);
  checks::exact_figures(m, algorithm, n, p, run);
  if (upper != bounds::need_more_memory)
    checks::figures(m, algorithm, n, p, run, upper == bounds::hold);
  CHECK(mmm::cost_of(m, algorithm, mmm::size(n), mmm::threads(p)).closed_form);
}

//! Concatenation of strings by `+`: associative, not commutative.
template <class M, class Algorithm>
void check_order(M const& m, Algorithm const& algorithm, mmm::index n, mmm::index p) {
  std::vector<std::string> a;
  for (mmm::index i = 0; i < n; ++i) a.push_back(std::string(1, static_cast<char>('a' + i % 26)));
  std::vector<std::string> expected(a.size());
  std::partial_sum(a.begin(), a.end(), expected.begin());
  mmm::simulate(m, mmm::threads(p), [&](auto on) { algorithm(on, a.begin(), a.end(), a.begin()); });
  CHECK(a == expected);
}

}  // namespace

TEST_CASE("prefix-sums on one memory") {
  int const l = GENERATE(1, 5);
  checks::sweep_sizes([&](auto n, auto p, bool divides) {
    auto const all = [&](auto const& m) {
      check(m, mmm::prefix_sums_simple, n, p, divides ? bounds::hold : bounds::hold_loosely);
      check(m, mmm::prefix_sums, n, p, divides ? bounds::hold : bounds::hold_loosely);
    };
    if (l == 1) all(mmm::pram());
    if (l == 1) all(mmm::bpram<4>());
    all(mmm::dmm<4, mmm::dynamic>(l));
    all(mmm::umm<4, mmm::dynamic>(l));
  });
}

TEST_CASE("prefix-sums on hierarchical machines") {
  using machine = mmm::hmm<mmm::dynamic, 4, mmm::dynamic, mmm::dynamic, mmm::dynamic>;
  for (auto const& [d, l, capacity] : checks::combinations({1, 3, 4}, {1, 3}, {64, 1 << 20})) {
    machine const m(d, l, 9, capacity);
    bool const fits = capacity > 64;
    checks::sweep_sizes([&](auto n, auto p, bool divides) {
      if (p % m.dmms() != 0) return;
      check(m, mmm::prefix_sums, n, p,
            !fits                                ? bounds::need_more_memory
            : divides && n % (m.dmms() * 4) == 0 ? bounds::hold
                                                 : bounds::hold_loosely);
    });
  }
  CHECK_THROWS_AS(check(machine(4, 1, 9, 6), mmm::prefix_sums, 100, 16, bounds::hold),
                  std::length_error);
}

TEST_CASE("prefix-sums keep the order of their operands") {
  check_order(mmm::dmm<4, 5>(), mmm::prefix_sums_simple, 37, 5);
  check_order(mmm::dmm<4, 5>(), mmm::prefix_sums, 37, 5);
  check_order(mmm::hmm<2, 4, 1, 5, 32>(), mmm::prefix_sums, 97, 8);
}

TEST_CASE("prefix-sums refuse an output that overlaps the input") {
  std::vector<int> a(10, 1);
  mmm::simulate<mmm::dmm<4, 5>>(mmm::threads(4), [&](auto on) {
    CHECK_THROWS_AS(mmm::prefix_sums(on, a.begin(), a.begin() + 8, a.begin() + 1),
                    std::invalid_argument);
  });
  CHECK(a == std::vector<int>(10, 1));
}
