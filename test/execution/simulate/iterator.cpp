// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The standard library's algorithms on arrays of simulated memories: they read and write the data
// without cost.
#include <mmm/mmm.hpp>

#include "catch.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

TEST_CASE("The standard library's algorithms run over arrays of a simulated memory") {
  std::vector<int> a{3, 1, 4, 1, 5};
  std::vector<int> b(5);
  auto const run = mmm::simulate<mmm::umm<4, 5>>(mmm::threads(4), [&](auto on) {
    auto const first = on.array(a.begin(), a.end());
    auto const out = on.array(b.begin(), b.end());
    CHECK(std::accumulate(first, first + 5, 0) == 14);
    CHECK(std::inner_product(first, first + 5, first, 0) == 52);
    CHECK(*std::max_element(first, first + 5) == 5);
    CHECK(std::find(first, first + 5, 4) - first == 2);

    std::exclusive_scan(first, first + 5, out, 0);
    CHECK(b == std::vector<int>{0, 3, 4, 8, 9});
    std::transform(first, first + 5, out, [](int x) { return -x; });
    CHECK(b == std::vector<int>{-3, -1, -4, -1, -5});
    std::copy(first, first + 5, out);
    std::sort(out, out + 5);
    CHECK(b == std::vector<int>{1, 1, 3, 4, 5});
    std::reverse(out, out + 5);
    CHECK(b == std::vector<int>{5, 4, 3, 1, 1});
    std::rotate(out, out + 2, out + 5);
    CHECK(b == std::vector<int>{3, 1, 1, 5, 4});
    swap(out[0], out[4]);
    CHECK(b == std::vector<int>{4, 1, 1, 5, 3});
  });
  CHECK(run.cost.stages == 0);
}
