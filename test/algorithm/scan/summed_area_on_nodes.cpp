// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/scan/summed_area_on_nodes.hpp>
#include <mmm/cluster.hpp>

#include "catch.hpp"
#include "support/node_checks.hpp"

#include <cstdint>
#include <vector>

namespace {

using words = std::vector<std::int64_t>;

words table_of(words const& a, mmm::shape image) {
  words table(a.size());
  for (mmm::index i = 0; i < image.rows; ++i) {
    std::int64_t row = 0;
    for (mmm::index j = 0; j < image.columns; ++j) {
      auto const place = static_cast<std::size_t>(i * image.columns + j);
      row += a[place];
      table[place] = row + (i > 0 ? table[place - static_cast<std::size_t>(image.columns)] : 0);
    }
  }
  return table;
}

template <class M>
void check(M const& m, mmm::shape image, mmm::index p) {
  CAPTURE(image.rows, image.columns);
  words const original = checks::numbers_on_nodes(image.area());
  words a = original;
  checks::figures_on_nodes(m, mmm::summed_area, image, mmm::threads(m.nodes() * p), false,
                           [&](auto on) { mmm::summed_area(on, a.begin(), image); });
  CHECK(a == table_of(original, image));
}

}  // namespace

TEST_CASE("a summed area table on a cluster is that of the whole image, at its estimate's cost") {
  for (mmm::index const k : {1, 2, 3, 4, 7})
    for (mmm::index const rows : {0, 1, 2, 3, 5, 8, 17, 32})
      for (mmm::index const columns : {0, 1, 2, 5, 16}) {
        mmm::shape const image(rows, columns);
        check(checks::hmm_nodes(k), image, 16);
        check(checks::dmm_nodes(k), image, 8);
        check(checks::umm_nodes(k), image, 8);
      }
}

TEST_CASE("the words and messages of a table's exchanges are those of their pieces") {
  for (mmm::index const k : {1, 2, 3, 7})
    for (mmm::index const rows : {0, 1, 2, 5, 14})
      for (mmm::index const columns : {0, 1, 3, 7, 15}) {
        mmm::detail::last_rows const last{{rows, k}, {columns, k}};
        auto const check_plan = [&](auto const& plan) {
          for (mmm::index r = 0; r < k; ++r) {
            CAPTURE(k, rows, columns, r);
            auto const pieces = mmm::detail::relation_of(
                r, k, [&](mmm::index s, mmm::index t) { return plan(s, t); });
            CHECK(plan.relation(r).words == pieces.words);
            CHECK(plan.relation(r).messages == pieces.messages);
          }
        };
        check_plan(mmm::detail::last_rows_plan{last});
        check_plan(mmm::detail::sums_before_plan{last});
      }
}

TEST_CASE("a table on a cluster exchanges the words of a row twice") {
  using four = mmm::cluster<4, 2, 100, mmm::hmm<2, 4, 2, 9>>;
  auto const c = mmm::cost_of<four>(mmm::summed_area, mmm::shape(8, 16), mmm::threads(4 * 16));
  // 12 of 16 words of a row to the three other nodes, and from them
  CHECK(c.network == mmm::network_traffic{2, 24, 6, 2 * (2 * 12 + 100)});
  CHECK(c.time == c.work.time + c.network.time);
  auto const least =
      mmm::lower_bound<four>(mmm::summed_area, mmm::shape(8, 16), mmm::threads(4 * 16));
  CHECK(least.network_bandwidth == 2 * 16 + 100);
  CHECK(c.network.time <= 2 * least.network_bandwidth);
}
