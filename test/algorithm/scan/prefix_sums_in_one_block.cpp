// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/scan/prefix_sums_in_one_block.hpp>
#include <mmm/execution/kernel/host_threads.hpp>

#include "support/affine_map.hpp"
#include "support/fast_checks.hpp"

#include <numeric>
#include <string>
#include <vector>

namespace {

using index = mmm::index;

std::vector<checks::affine_map> maps(index n) {
  std::vector<checks::affine_map> all;
  for (index i = 0; i < n; ++i)
    all.push_back({static_cast<unsigned>(2 * i + 3), static_cast<unsigned>(i + 1)});
  return all;
}

template <class M>
void scans_in_one_block(M const& m, index p) {
  index const t = p / m.dmms();
  for (index const n : {index{0}, index{1}, index{2}, index{3}, index{4}, index{7}, 4 * t,
                        8 * t - 1, 8 * t, 8 * t + 1, 8 * t + 4, 24 * t, 24 * t + 5}) {
    CAPTURE(n, p);
    auto const a = checks::small_numbers(n);
    std::vector<int> out(a.size(), -1), expected(a.size());
    auto const run = mmm::simulate(m, mmm::threads(p), [&](auto on) {
      mmm::prefix_sums_in_one_block(on, a.begin(), a.end(), out.begin());
    });
    std::partial_sum(a.begin(), a.end(), expected.begin());
    CHECK(out == expected);
    checks::problem_figures(
        m, mmm::prefix_sums_in_one_block, mmm::size(n), p, run,
        t >= M::width() ? mmm::constant_of(m, mmm::prefix_sums_in_one_block) : 0);
    out = a;
    mmm::simulate(
        m, mmm::threads(p),
        [&](auto on) {
          mmm::exclusive_prefix_sums_in_one_block(on, out.begin(), out.end(), out.begin(),
                                                  mmm::init(5));
        },
        mmm::observe_cost);
    std::exclusive_scan(a.begin(), a.end(), expected.begin(), 5);
    CHECK(out == expected);
  }
  index const n = 17 * t + 2;
  auto const all = maps(n);
  std::vector<checks::affine_map> out(all.size()), expected(all.size());
  mmm::simulate(
      m, mmm::threads(p),
      [&](auto on) {
        mmm::prefix_sums_in_one_block(on, all.begin(), all.end(), out.begin(),
                                      checks::composition{});
      },
      mmm::observe_cost);
  std::partial_sum(all.begin(), all.end(), expected.begin(), checks::composition{});
  CHECK(out == expected);
}

// The time that the program's comment states, of n = 8 k t words.
constexpr index time_of(index t, index k, index w, index g, index l, index L) {
  index const u = t / w;
  return 4 * k * ((4 * t + w * g - 1) / (w * g) + L - 1) +
         k * (u + l - 1 + u / 4 * (4 * u + l - 1)) + l;
}
template <index W, index Ports>
constexpr bool takes(index t, index k) {
  mmm::hmm<mmm::dynamic, W, 7, 50, mmm::unlimited, Ports> const m(3);
  return mmm::cost_of(m, mmm::prefix_sums_in_one_block, mmm::size(8 * k * t), mmm::threads(3 * t))
             .time == time_of(t, k, W, Ports, 7, 50);
}

}  // namespace

TEST_CASE("prefix-sums in one block take the time that is documented") {
  CHECK((takes<32, 1>(256, 1) && takes<32, 1>(256, 3) && takes<8, 2>(64, 2)));
}

TEST_CASE("prefix-sums in one block") {
  checks::on_small_machines([](auto m) {
    scans_in_one_block(m, m.dmms());
    scans_in_one_block(m, 3 * m.dmms());
    scans_in_one_block(m, 10 * m.dmms());
    scans_in_one_block(m, 16 * m.dmms());
  });
}

TEST_CASE("prefix-sums in one block as a kernel, on host threads") {
  using machine = mmm::hmm<2, 32, 2, 100>;
  for (mmm::index const n : {1, 3, 1024, 2048, 2051, 4099}) {
    auto const a = checks::small_numbers(n);
    std::vector<int> out(a.size()), expected(a.size());
    std::partial_sum(a.begin(), a.end(), expected.begin());
    mmm::host_threads<machine> const on(mmm::threads(512));
    mmm::prefix_sums_in_one_block(on, a.begin(), a.end(), out.begin());
    CHECK(out == expected);
  }
}
