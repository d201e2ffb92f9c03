// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/reduce/sum_in_one_block.hpp>
#include <mmm/execution/kernel/host_threads.hpp>

#include "sum_wide_checks.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace {

using index = mmm::index;

// Sums and the largest of n numbers, with the figures of the estimate.
template <class M>
void sums_in_one_block(M const& m, index p) {
  index const t = p / m.dmms();
  for (index const n : {index{0}, index{1}, index{2}, index{3}, t - 1, t, t + 1, t + 15, t + 16,
                        t + 17, 17 * t, 17 * t + 5, 40 * t + 3}) {
    CAPTURE(n, p);
    auto const a = checks::small_numbers(n);
    auto const run = mmm::simulate(
        m, mmm::threads(p), [&](auto on) { return mmm::sum_in_one_block(on, a.begin(), a.end()); });
    CHECK(run.result == std::accumulate(a.begin(), a.end(), 0));
    bool const whole_warps = t >= M::width();
    checks::problem_figures(m, mmm::sum_in_one_block, mmm::size(n), p, run,
                            whole_warps ? 2 * mmm::constant_of(m, mmm::sum_in_one_block) : 0);
    if (n == 0) continue;
    auto const largest = mmm::simulate(
        m, mmm::threads(p),
        [&](auto on) { return mmm::sum_in_one_block(on, a.begin(), a.end(), checks::larger); },
        mmm::observe_cost);
    CHECK(largest.result == *std::max_element(a.begin(), a.end()));
  }
}

// The time that the program's comment states, of n = t + 16 k t words.
constexpr index time_of(index t, index k, index w, index g, index l, index L) {
  auto const stages = [](index n, index at_once) { return (n + at_once - 1) / at_once; };
  return stages(t, w * g) + L - 1 + k * 4 * (stages(4 * t, w * g) + L - 1) + t / w + l - 1 + l;
}
template <index W, index Ports>
constexpr bool takes(index t, index k) {
  mmm::hmm<mmm::dynamic, W, 7, 50, mmm::unlimited, Ports> const m(3);
  return mmm::cost_of(m, mmm::sum_in_one_block, mmm::size(t + 16 * k * t), mmm::threads(3 * t))
             .time == time_of(t, k, W, Ports, 7, 50);
}

}  // namespace

TEST_CASE("a sum in one block takes the time that is documented") {
  CHECK((takes<32, 1>(256, 1) && takes<32, 1>(256, 3) && takes<32, 4>(512, 2)));
  CHECK((takes<8, 1>(64, 1) && takes<8, 2>(16, 5) && takes<32, 1>(1024, 1)));
}

TEST_CASE("sums in one block") {
  checks::on_small_machines([](auto m) {
    sums_in_one_block(m, m.dmms());
    sums_in_one_block(m, 3 * m.dmms());
    sums_in_one_block(m, 4 * m.dmms());
    sums_in_one_block(m, 22 * m.dmms());
    sums_in_one_block(m, 32 * m.dmms());
  });
}

TEST_CASE("a sum in one block as a kernel, on host threads") {
  using machine = mmm::hmm<2, 32, 2, 100>;
  for (mmm::index const n : {1, 5, 256, 257, 4352, 4367, 16384, 16385}) {
    auto const a = checks::small_numbers(n);
    auto const expected = std::accumulate(a.begin(), a.end(), 0);
    mmm::host_threads<machine> const on(mmm::threads(512));
    CHECK(mmm::sum_in_one_block(on, a.begin(), a.end()) == expected);
    std::vector<int> out(1);
    mmm::sum_in_one_block(on, a.begin(), a.end(), out.begin(), mmm::init(7));
    CHECK(out[0] == expected + 7);
  }
}
