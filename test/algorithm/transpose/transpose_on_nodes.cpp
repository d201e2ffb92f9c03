// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/transpose/transpose_on_nodes.hpp>
#include <mmm/cluster.hpp>

#include "catch.hpp"
#include "support/node_checks.hpp"

#include <cstdint>
#include <stdexcept>
#include <vector>

namespace {

using words = std::vector<std::int64_t>;

words transpose_of(words const& a, mmm::shape matrix) {
  words b(a.size());
  for (mmm::index i = 0; i < matrix.rows; ++i)
    for (mmm::index j = 0; j < matrix.columns; ++j)
      b[static_cast<std::size_t>(j * matrix.rows + i)] =
          a[static_cast<std::size_t>(i * matrix.columns + j)];
  return b;
}

template <class M, class Algorithm>
void check(M const& m, Algorithm const& algorithm, mmm::index side, mmm::index p) {
  CAPTURE(side);
  words const original = checks::numbers_on_nodes(side * side);
  words a = original;
  bool const divides = side % (m.nodes() * 4) == 0;
  checks::figures_on_nodes(m, algorithm, mmm::size(side), mmm::threads(m.nodes() * p), divides,
                           [&](auto on) { algorithm(on, a.begin(), side); });
  CHECK(a == transpose_of(original, mmm::shape(side, side)));
}

}  // namespace

TEST_CASE("a transpose in place on a cluster is that of the whole, at the cost of its estimate") {
  for (mmm::index const k : {1, 2, 3, 4, 7})
    for (mmm::index const side : {0, 1, 2, 3, 5, 8, 12, 16, 17, 32})
      for (mmm::index const p : {2, 4, 8, 12}) {
        check(checks::hmm_nodes(k), mmm::transpose_straightforward, side, 2 * p);
        check(checks::dmm_nodes(k), mmm::transpose_straightforward, side, p);
        check(checks::umm_nodes(k), mmm::transpose_straightforward, side, p);
        check(checks::dmm_nodes(k), mmm::transpose_diagonal, side, p);
        check(checks::umm_nodes(k), mmm::transpose_rotating, side, p);
      }
}

TEST_CASE("a transpose out of place on a cluster is that of the whole, rectangles included") {
  mmm::detail::swizzled_transpose_algorithm<8, 2> const transpose{};
  for (mmm::index const k : {1, 2, 3, 4, 7})
    for (mmm::index const rows : {0, 1, 3, 8, 16, 33})
      for (mmm::index const columns : {0, 1, 2, 8, 17, 32}) {
        CAPTURE(k, rows, columns);
        mmm::shape const matrix(rows, columns);
        words const a = checks::numbers_on_nodes(matrix.area());
        words b(a.size(), -1);
        checks::hmm_nodes const m(mmm::hmm<2, 4, 2, 9>{}, k);
        checks::figures_on_nodes(m, transpose, matrix, mmm::threads(k * 16), false,
                                 [&](auto on) { transpose(on, a.begin(), matrix, b.begin()); });
        CHECK(b == transpose_of(a, matrix));
      }
}

TEST_CASE("a transpose on a cluster that overlaps its matrix is refused") {
  words a(64, 1);
  CHECK_THROWS_AS(mmm::simulate(checks::hmm_nodes(mmm::hmm<2, 4, 2, 9>{}, 3), mmm::threads(24),
                                [&](auto on) {
                                  mmm::detail::swizzled_transpose_algorithm<8, 2>{}(
                                      on, a.data(), mmm::shape(8, 4), a.data() + 31);
                                }),
                  std::invalid_argument);
}

TEST_CASE("the words and messages of a transpose are those of its pieces") {
  for (mmm::index const k : {1, 2, 3, 7})
    for (mmm::index const rows : {0, 1, 2, 5, 14, 16})
      for (mmm::index const columns : {0, 1, 3, 7, 15}) {
        mmm::detail::transpose_plan const plan{{rows, k}, {columns, k}};
        for (mmm::index r = 0; r < k; ++r) {
          CAPTURE(k, rows, columns, r);
          auto const pieces = mmm::detail::relation_of(
              r, k, [&](mmm::index s, mmm::index t) { return plan(s, t); });
          CHECK(plan.relation(r).words == pieces.words);
          CHECK(plan.relation(r).messages == pieces.messages);
        }
      }
}

namespace {

template <mmm::index K, class Node>
using joined = mmm::cluster<K, 2, 100, Node>;

}  // namespace

TEST_CASE("a transpose on a cluster takes the exchange's time and that of one node's rectangle") {
  // 64 x 64 words on 4 nodes: 16 rows each, 48 of their columns are sent, 16 x 16 to each other
  constexpr mmm::index n = 64 * 16;
  constexpr mmm::index p = 128;
  constexpr mmm::index network = 2 * 16 * 48 + 100;
  constexpr mmm::threads all{4 * p};
  auto const a =
      mmm::cost_of<joined<4, mmm::dmm<8, 5>>>(mmm::transpose_diagonal, mmm::size(64), all);
  CHECK(a.network == mmm::network_traffic{1, 16 * 48, 3, network});
  CHECK(a.work.time == 2 * (p / 8 + 5 - 1) * n / p);
  CHECK(a.time == network + a.work.time);
  CHECK(mmm::lower_bound<joined<4, mmm::dmm<8, 5>>>(mmm::transpose_diagonal, mmm::size(64), all)
            .network_bandwidth == network);
  auto const b =
      mmm::cost_of<joined<4, mmm::umm<8, 5>>>(mmm::transpose_rotating, mmm::size(64), all);
  CHECK(b.work.time == 2 * (p / 8 + 5 - 1) * n / p);
  auto const c =
      mmm::cost_of<joined<4, mmm::dmm<8, 5>>>(mmm::transpose_straightforward, mmm::size(64), all);
  CHECK(c.work.time == (1 + 8) * n / 8 + 2 * (n / p) * (5 - 1));
  CHECK(c.network == a.network);
}

TEST_CASE("the cost of a transpose on 10,000 nodes is a constant") {
  using many = mmm::cluster<10000, 2, 100, mmm::hmm<4, 32, 2, 100>>;
  auto const c = mmm::cost_of<many>(mmm::transpose_straightforward, mmm::size(40000),
                                    mmm::threads(10000 * 128));
  CHECK(c.network.words == 4 * (40000 - 4));
  CHECK(c.network.messages == 9999);
  auto const d =
      mmm::cost_of<many>(mmm::transpose_swizzled, mmm::size(40000), mmm::threads(10000 * 128));
  CHECK(d.network == c.network);
}
