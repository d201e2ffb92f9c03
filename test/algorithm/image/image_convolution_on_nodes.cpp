// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/call/passed_words.hpp>
#include <mmm/algorithm/image/image_convolution_on_nodes.hpp>
#include <mmm/cluster.hpp>

#include "catch.hpp"
#include "support/node_checks.hpp"

#include <cstdint>
#include <stdexcept>
#include <vector>

namespace {

using words = std::vector<std::int64_t>;

words convolution_of(words const& a, mmm::shape image, words const& b, mmm::index v) {
  words c(a.size(), 0);
  for (mmm::index i = 0; i < image.rows; ++i)
    for (mmm::index j = 0; j < image.columns; ++j)
      for (mmm::index s = -v; s <= v; ++s)
        for (mmm::index t = -v; t <= v; ++t)
          if (i + s >= 0 && i + s < image.rows && j + t >= 0 && j + t < image.columns)
            c[static_cast<std::size_t>(i * image.columns + j)] +=
                a[static_cast<std::size_t>((i + s) * image.columns + j + t)] *
                b[static_cast<std::size_t>((v + s) * (2 * v + 1) + v + t)];
  return c;
}

template <class M, class Algorithm>
void check(M const& m, Algorithm const& algorithm, mmm::shape image, mmm::index v, mmm::index p) {
  CAPTURE(image.rows, image.columns, v);
  words const a = checks::numbers_on_nodes(image.area());
  words const b = checks::numbers_on_nodes(mmm::radius(v).area());
  words c(a.size(), -1);
  bool const divides = image.rows % (m.nodes() * 8) == 0 && image.columns % 8 == 0;
  checks::figures_on_nodes(
      m, algorithm, image, mmm::threads(m.nodes() * p), divides,
      [&](auto on) { algorithm(on, a.begin(), image, b.begin(), mmm::radius(v), c.begin()); },
      mmm::radius(v));
  CHECK(c == convolution_of(a, image, b, v));
}

}  // namespace

TEST_CASE("a convolution on a cluster is that of the whole image, at the cost of its estimate") {
  for (mmm::index const k : {1, 2, 3, 4, 7})
    for (mmm::index const rows : {0, 1, 2, 3, 5, 8, 17, 32})
      for (mmm::index const columns : {0, 1, 5, 16})
        for (mmm::index const v : {0, 1, 2, 5}) {
          mmm::shape const image(rows, columns);
          check(checks::hmm_nodes(k), mmm::image_convolution, image, v, 16);
          check(checks::dmm_nodes(k), mmm::image_convolution, image, v, 8);
          if (v < 2) check(checks::hmm_nodes(k), mmm::image_convolution_in_memory, image, v, 16);
        }
}

TEST_CASE("a result that overlaps its image on a cluster is refused") {
  words a(64, 1);
  words const b(9, 1);
  CHECK_THROWS_AS(mmm::simulate(checks::hmm_nodes(3), mmm::threads(24),
                                [&](auto on) {
                                  mmm::image_convolution(on, a.data(), mmm::shape(8, 4), b.data(),
                                                         mmm::radius(1), a.data() + 31);
                                }),
                  std::invalid_argument);
}

TEST_CASE("a kernel of more than 2^63 - 1 words is refused on a cluster") {
  CHECK_THROWS_AS(mmm::cost_of(checks::hmm_nodes(3), mmm::image_convolution, mmm::shape(8, 4),
                               mmm::threads(24), mmm::radius(mmm::index{1} << 62)),
                  std::overflow_error);
}

TEST_CASE("the rows of an image arrive while nodes compute") {
  // 24 rows of 8 pixels to a node, one of each neighbour
  using node = mmm::hmm<2, 4, 2, 9>;
  using many = mmm::cluster<10000, 2, 100, node>;
  constexpr mmm::threads p{16};
  constexpr mmm::threads all{10000 * 16};
  constexpr mmm::radius v{1};
  mmm::cluster_cost const c =
      mmm::cost_of<many>(mmm::image_convolution, mmm::shape(240000, 8), all, v);
  CHECK(c.network == mmm::network_traffic{1, 2 * 8, 2, 2 * 2 * 8 + 100});
  // then a window of 6 rows, of which 2 are copied, 8 words each: read and written
  mmm::cost const own = mmm::cost_of<node>(mmm::image_convolution, mmm::shape(24, 8), p, v);
  mmm::cost const window = mmm::cost_of<node>(mmm::image_convolution, mmm::shape(6, 8), p, v);
  constexpr mmm::index copies = 2 * 2 * (8 / 4 + 9 - 1);
  CHECK(own.time > c.network.time);
  CHECK(c.work.time == own.time + window.time + copies);
  CHECK(c.time == c.work.time);
}

TEST_CASE("the cost of an image's convolution on 10,000 nodes is a constant") {
  using many = mmm::cluster<10000, 2, 100, mmm::dmm<4, 3>>;
  mmm::cluster_cost const c = mmm::cost_of<many>(mmm::image_convolution, mmm::shape(80000, 8),
                                                 mmm::threads(10000 * 8), mmm::radius(1));
  CHECK(c.network == mmm::network_traffic{1, 2 * 8, 2, 2 * 2 * 8 + 100});
  CHECK(c.time < c.work.time + c.network.time);
  CHECK(mmm::lower_bound<many>(mmm::image_convolution, mmm::shape(80000, 8),
                               mmm::threads(10000 * 8), mmm::radius(1))
            .network_bandwidth == c.network.time);
}
