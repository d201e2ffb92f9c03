// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/strings/lcs.hpp>
#include <mmm/execution/kernel/host_threads.hpp>

#include "support/string_checks.hpp"

namespace {

template <class M>
void check_length(M const& m, mmm::index p, std::string const& pattern, std::string const& text,
                  bool kernel) {
  auto const length = [&](auto on) {
    return mmm::lcs(on, pattern.begin(), pattern.end(), text.begin(), text.end());
  };
  auto const run = mmm::simulate(m, mmm::threads(p), length);
  CAPTURE(pattern, text, p, m.width(), mmm::hierarchical_machine<M>);
  CHECK(run.result == checks::plain_length(pattern, text));
  checks::problem_figures(m, mmm::lcs, mmm::size(std::ssize(text)), p, run,
                          2 * mmm::constant_of(m, mmm::lcs), mmm::taps(std::ssize(pattern)));
  if (kernel) CHECK(length(mmm::host_threads(m, mmm::threads(p))) == run.result);
}

}  // namespace

TEST_CASE("longest common subsequences in simulations and kernels, within the bounds") {
  for (auto const& [n, m, p] : checks::combinations({0, 1, 7, 50, checks::long_tests() ? 131 : 69},
                                                    {1, 3, 8, 61}, {1, 4, 7, 24}))
    checks::string_runs(m, n, p, [](auto const&... run) { check_length(run...); });
}

TEST_CASE("the longest common subsequence of an empty string is empty") {
  std::string const text = "text";
  auto const run = mmm::simulate(mmm::hmm<2, 4, 1, 5>{}, mmm::threads(8), [&](auto on) {
    return mmm::lcs(on, text.begin(), text.begin(), text.begin(), text.end()) +
           mmm::lcs(on, text.begin(), text.end(), text.end(), text.end());
  });
  CHECK(run.result == 0);
  CHECK(run.cost.time == 0);
}

TEST_CASE("closed forms of the longest common subsequence for sizes that fill 64 bits") {
  auto const closed = [](auto const& m, mmm::index n, mmm::index k, mmm::index p) {
    CHECK(mmm::cost_of(m, mmm::lcs, mmm::size(n), mmm::threads(p), mmm::taps(k)).closed_form);
  };
  closed(mmm::dmm<32, 8>{}, mmm::index{1} << 30, 1 << 20, 1024);
  closed(mmm::umm<32, 400>{}, mmm::index{1} << 30, 1 << 20, 65536);
  closed(mmm::hmm<132, 32, 24, 400>{}, mmm::index{1} << 30, 1 << 20, 132 * 256);
}
