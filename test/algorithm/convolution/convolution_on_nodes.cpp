// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/convolution/convolution_by_fft.hpp>
#include <mmm/algorithm/convolution/convolution_in_registers.hpp>
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
      }
}

TEST_CASE("nodes of a cluster compute a convolution in registers") {
  using big = mmm::cluster<mmm::dynamic, 2, 30, mmm::hmm<2, 32, 2, 9>>;
  for (mmm::index const k : {1, 2, 5})
    for (mmm::index const n : {0, 1, 7, 700, 5000})
      for (mmm::index const m : {1, 3, 40}) {
        check(big(k), mmm::convolution_in_registers, n, m, 128);
      }
}

TEST_CASE("nodes of a cluster compute a convolution by Fourier transforms") {
  using big = mmm::cluster<mmm::dynamic, 2, 30, mmm::hmm<2, 32, 2, 9>>;
  for (mmm::index const k : {1, 2, 3}) {
    constexpr mmm::index n = 500, m = 40;
    std::vector<double> const x(m, 0.5);
    std::vector<double> y;
    for (mmm::index i = 0; i < n + m - 1; ++i) y.push_back(static_cast<double>(i % 17));
    std::vector<double> z(n, -1);
    checks::figures_on_nodes(
        big(k), mmm::convolution_by_fft, mmm::size(n), mmm::threads(k * 512), false,
        [&](auto on) {
          mmm::convolution_by_fft(on, x.begin(), x.end(), y.begin(), y.end(), z.begin(), z.end());
        },
        mmm::taps(m));
    for (std::size_t i = 0; i < z.size(); ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < x.size(); ++j) sum += x[j] * y[i + j];
      REQUIRE(z[i] == Approx(sum).epsilon(1e-12));
    }
  }
}

TEST_CASE("a convolution of more than 2^63 - 1 words is refused on a cluster") {
  CHECK_THROWS_WITH(mmm::cost_of(checks::dmm_nodes(3), mmm::convolution, mmm::size(INT64_MAX - 1),
                                 mmm::threads(24), mmm::taps(3)),
                    "mmm: 9223372036854775806 + 2 is not a number from 0 to 2^63 - 1");
}

TEST_CASE("a convolution on a cluster needs no word more than its outputs do") {
  words const x(3, 1);
  words const y(12, 1);
  words z(10);
  auto const call = [&](mmm::index given) {
    return mmm::simulate(checks::hmm_nodes(3), mmm::threads(24), [&](auto on) {
      mmm::convolution(on, x.begin(), x.end(), y.begin(), y.begin() + given, z.begin(), z.end());
    });
  };
  CHECK(call(12).cost.network.words == 2);
  CHECK(z == words(10, 3));
  CHECK_THROWS_WITH(call(11),
                    "mmm: the number of words to convolve is 11; accepted: 12 or more for 3 taps "
                    "and 10 outputs");
  CHECK_THROWS_AS(call(0), std::invalid_argument);
  CHECK_THROWS_AS(mmm::simulate(checks::hmm_nodes(3), mmm::threads(24),
                                [&](auto on) {
                                  mmm::convolution(on, z.data(), z.data() + 3, y.data(),
                                                   y.data() + 12, z.data(), z.data() + 10);
                                }),
                  std::invalid_argument);
}

namespace {

using many = mmm::cluster<10000, 2, 100, mmm::hmm<4, 32, 2, 100>>;
constexpr mmm::threads four_warps{10000 * 4 * 32};
constexpr auto cost = [](mmm::index n, mmm::index m) {
  return mmm::cost_of<many>(mmm::convolution, mmm::size(n), four_warps, mmm::taps(m));
};

}  // namespace

TEST_CASE("the words of a convolution arrive while nodes compute") {
  // 1,024 outputs to a node, 33 taps
  mmm::cluster_cost const c = cost(10000 * 1024, 33);
  CHECK(c.network == mmm::network_traffic{1, 32, 1, 2 * 32 + 100});
  CHECK(mmm::lower_bound<many>(mmm::convolution, mmm::size(10000 * 1024), four_warps, mmm::taps(33))
            .network_bandwidth == c.network.time);
  // inner outputs 992, then the last 32 ones
  using node = mmm::hmm<4, 32, 2, 100>;
  constexpr auto of_node = [](mmm::index n) {
    return mmm::cost_of<node>(mmm::convolution, mmm::size(n), mmm::threads(128), mmm::taps(33))
        .time;
  };
  CHECK(c.work.time == of_node(992) + of_node(32));
  CHECK(of_node(992) > c.network.time);
  CHECK(c.time == c.work.time);
  CHECK(c.time < c.work.time + c.network.time);
  // the first node has one output more
  mmm::cluster_cost const uneven = cost(10000 * 1024 + 1, 33);
  CHECK(uneven.time == of_node(993) + of_node(32));
}

TEST_CASE("the halo of a convolution comes from several nodes where blocks are small") {
  using small = mmm::cluster<100, 2, 100, mmm::hmm<4, 32, 2, 100>>;
  mmm::cluster_cost const c = mmm::cost_of<small>(mmm::convolution, mmm::size(1000),
                                                  mmm::threads(100 * 128), mmm::taps(36));
  // 35 words from four nodes; the last node sends its 45 words to 4: 35, 25, 15, 5
  CHECK(c.network.messages == 4);
  CHECK(c.network.words == 80);
}
