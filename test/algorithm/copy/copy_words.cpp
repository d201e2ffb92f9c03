// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/copy/copy_words.hpp>
#include <mmm/mmm.hpp>

#include "catch.hpp"

#include <cstddef>
#include <numeric>
#include <vector>

TEST_CASE("words are copied in two accesses of each") {
  for (mmm::index const n : {0, 1, 4, 7, 64}) {
    std::vector<int> a(static_cast<std::size_t>(n));
    std::iota(a.begin(), a.end(), 3);
    std::vector<int> b(a.size(), -1);
    auto const run = mmm::simulate<mmm::umm<4, 5>>(mmm::threads(8), [&](auto on) {
      mmm::run(on, mmm::detail::copy_words_program{}, mmm::reads(a.begin(), n),
               mmm::writes<int>(b.begin(), n), n);
    });
    CHECK(a == b);
    CHECK(run.cost.stages == 2 * ((n + 3) / 4));
  }
}
