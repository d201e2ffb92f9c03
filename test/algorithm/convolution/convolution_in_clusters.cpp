// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/convolution/convolution_in_clusters.hpp>
#include <mmm/execution/kernel/host_threads.hpp>
#include <mmm/mmm.hpp>

#include "catch.hpp"

#include <cstddef>
#include <vector>

namespace {

using mmm::dynamic;
using any_hmm = mmm::hmm<dynamic, 4, dynamic, dynamic, dynamic, dynamic>;
using clusters = mmm::clustered<any_hmm, dynamic, dynamic>;

struct convolution_case {
  mmm::index dmms, cluster, threads, outputs, taps;
};
//! Few and many threads; windows that reach over several DMMs, and over the cluster's end; outputs
//! for some clusters only; nothing.
constexpr convolution_case cases[] = {
    {4, 2, 4, 64, 5}, {4, 4, 8, 64, 17}, {4, 2, 8, 16, 30}, {6, 3, 5, 23, 4}, {4, 2, 4, 3, 2},
    {8, 8, 2, 40, 9}, {4, 1, 4, 20, 7},  {2, 2, 4, 0, 3},   {8, 2, 4, 9, 1},  {4, 2, 32, 8, 12},
};

std::vector<int> direct(std::vector<int> const& x, std::vector<int> const& y, std::size_t n) {
  std::vector<int> z(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < x.size(); ++k) z[i] += x[k] * y[i + k];
  return z;
}

}  // namespace

TEST_CASE("a convolution in clusters: data, cost, bounds, and host threads") {
  for (convolution_case const& c : cases) {
    CAPTURE(c.dmms, c.cluster, c.threads, c.outputs, c.taps);
    clusters const m(any_hmm(c.dmms, 2, 30, 4096, 2), c.cluster, 7);
    mmm::threads const p(c.dmms * c.threads);
    std::vector<int> x(static_cast<std::size_t>(c.taps));
    std::vector<int> y(static_cast<std::size_t>(c.outputs + c.taps - 1));
    std::vector<int> z(static_cast<std::size_t>(c.outputs), -1);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<int>(i * 5 % 7) - 3;
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = static_cast<int>(i * 11 % 13);
    auto const call = [&](auto on) {
      mmm::convolution_in_clusters(on, x.begin(), x.end(), y.begin(), y.end(), z.begin(), z.end());
    };
    auto const run = mmm::simulate(m, p, call);
    CHECK(z == direct(x, y, z.size()));
    CHECK(run.race_count == 0);
    auto const cost =
        mmm::cost_of(m, mmm::convolution_in_clusters, mmm::size(c.outputs), p, mmm::taps(c.taps));
    CHECK(run.cost.rounds == cost.rounds);
    CHECK(run.cost.stages == cost.stages);
    CHECK(run.cost.time == cost.time);
    CHECK(mmm::recomputed_time(m, run.trace) == cost.time);
    CHECK(run.pipelined_time <= cost.time);
    CHECK(mmm::lower_bound(m, mmm::convolution_in_clusters, mmm::size(c.outputs), p,
                           mmm::taps(c.taps))
              .time <= cost.time);
    CHECK(cost.time <= 6 * mmm::upper_bound(m, mmm::convolution_in_clusters, mmm::size(c.outputs),
                                            p, mmm::taps(c.taps)));
    z.assign(z.size(), -1);
    call(mmm::host_threads(m, p));
    CHECK(z == direct(x, y, z.size()));
  }
}

TEST_CASE("what clusters save of a convolution's global accesses") {
  // n = 16384 outputs on 128 DMMs: each needs m taps and m + 127 words for its 128
  constexpr mmm::hmm<128, 32, 1, 400> plain;
  constexpr mmm::clustered<mmm::hmm<128, 32, 1, 400>, 8, 30> in_clusters;
  mmm::threads const p(128 * 128);
  auto const without =
      mmm::cost_of(plain, mmm::convolution, mmm::size(16384), p, mmm::taps(512)).time;
  auto const cost =
      mmm::cost_of(in_clusters, mmm::convolution_in_clusters, mmm::size(16384), p, mmm::taps(512));
  CHECK(cost.closed_form);
  mmm::index const taps = 256 + 399 + 2 + 4 * (4 + 29 + 4);  // 64 of each DMM, then all 512
  mmm::index const words = 512 + 399 + 4;                    // 128 of each DMM
  mmm::index const after = 64 * (1 + 2 + 3 + 4) + 4 * (399 + 4) + 4 * (4 + 29 + 4);
  CHECK(cost.time == taps + words + after + 1025 * 4 + 4 + 512 + 399);
  CAPTURE(without);
  CHECK(4 * cost.time < 3 * without);
}
