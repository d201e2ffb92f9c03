// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/convolution/convolution_on_nodes.hpp>
#include <mmm/cluster.hpp>

#include "catch.hpp"
#include "support/node_checks.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using words = std::vector<std::int64_t>;

words convolution_of(words const& x, words const& y, std::size_t n) {
  words z(n, 0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < x.size(); ++j) z[i] += x[j] * y[i + j];
  return z;
}

template <class M, class Algorithm>
void check(M const& m, Algorithm const& algorithm, mmm::index n, mmm::index taps, mmm::index p) {
  CAPTURE(n, taps);
  words const x = checks::numbers_on_nodes(taps);
  words const y = checks::numbers_on_nodes(n + taps - 1);
  words z(static_cast<std::size_t>(n), -1);
  bool const divides = n % (m.nodes() * 64) == 0;
  checks::figures_on_nodes(
      m, algorithm, mmm::size(n), mmm::threads(m.nodes() * p), divides,
      [&](auto on) { algorithm(on, x.begin(), x.end(), y.begin(), y.end(), z.begin(), z.end()); },
      mmm::taps(taps));
  CHECK(z == convolution_of(x, y, z.size()));
}

}  // namespace

TEST_CASE("a convolution on a cluster is that of the whole words, at the cost of its estimate") {
  for (mmm::index const k : {1, 2, 3, 4, 7})
    for (mmm::index const n : {0, 1, 2, 3, 5, 17, 64, 256})
      for (mmm::index const m : {1, 2, 3, 8, 33}) {
        check(checks::hmm_nodes(k), mmm::convolution, n, m, 16);
        check(checks::dmm_nodes(k), mmm::convolution, n, m, 8);
        check(checks::umm_nodes(k), mmm::convolution, n, m, 8);
        if (m < 8) check(checks::hmm_nodes(k), mmm::convolution_in_memory, n, m, 16);
      }
}
