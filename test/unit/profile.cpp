// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rows of a profile add up to the cost; their ideal is that of a pattern without conflicts.
#include <mmm/algorithm/parameters.hpp>
#include <mmm/algorithm/product/matrix_multiply.hpp>
#include <mmm/algorithm/reduce/sum.hpp>
#include <mmm/algorithm/scan/prefix_sums.hpp>
#include <mmm/algorithm/transpose/transpose.hpp>
#include <mmm/machine/machine.hpp>
#include <mmm/profile.hpp>
#include <mmm/report/page.hpp>

#include "catch.hpp"

#include <stdexcept>
#include <string>

namespace {

using dmm = mmm::dmm<4, 3>;
using umm = mmm::umm<4, 3>;
using hmm = mmm::hmm<2, 4, 2, 5, 4096>;

template <class M, class A, class... Sizes>
void require_sum(A const& a, Sizes const&... sizes) {
  auto const cost = mmm::cost_of<M>(a, sizes...);
  auto const profile = mmm::profile_of<M>(a, sizes...);
  mmm::index stages = 0;
  mmm::index rounds = 0;
  for (mmm::profile_row const& r : profile) {
    stages += r.stages;
    rounds += r.rounds;
    CHECK(r.excessive() >= 0);
    CHECK(std::string(r.address).size() > 0);
  }
  CHECK(profile.cost.time == cost.time);
  CHECK(stages == cost.stages);
  CHECK(rounds == cost.rounds);
}

}  // namespace

TEST_CASE("the rows of a profile add up to the cost") {
  int const n = GENERATE(0, 1, 2, 7, 16, 33);
  int const p = GENERATE(2, 6, 8, 32);
  require_sum<dmm>(mmm::sum, mmm::size(n), mmm::threads(p));
  require_sum<umm>(mmm::sum, mmm::size(n), mmm::threads(p));
  require_sum<hmm>(mmm::sum, mmm::size(n), mmm::threads(p));
  require_sum<umm>(mmm::prefix_sums, mmm::size(n), mmm::threads(p));
  require_sum<dmm>(mmm::transpose_straightforward, mmm::size(n), mmm::threads(p));
  require_sum<dmm>(mmm::transpose_diagonal, mmm::size(n), mmm::threads(p));
}

TEST_CASE("a profile names the access with the conflicts") {
  auto const straight = mmm::profile_of<mmm::dmm<32, 1>>(mmm::transpose_straightforward,
                                                         mmm::size(64), mmm::threads(64));
  CHECK(straight.count == 4);
  CHECK(straight.worst().address == std::string("(item % 64) * 64 + item / 64"));
  CHECK(straight.worst().stages == 2016);
  CHECK(straight.worst().excessive() == 2016 - straight.worst().ideal);
  // The rows and the diagonals have no conflicts: their stages are the requests.
  CHECK(straight.rows[0].excessive() == 0);
  auto const diagonal =
      mmm::profile_of<mmm::dmm<32, 1>>(mmm::transpose_diagonal, mmm::size(64), mmm::threads(64));
  for (mmm::profile_row const& r : diagonal) CHECK(r.excessive() == 0);
}

TEST_CASE("a profile with too many accesses is refused, and its table has a row for each") {
  auto const few = [] {
    static_cast<void>(mmm::profile_of<dmm, 3>(mmm::sum, mmm::size(16), mmm::threads(8)));
  };
  CHECK_THROWS_AS(few(), std::length_error);
  auto const profile = mmm::profile_of<hmm>(mmm::sum, mmm::size(64), mmm::threads(16));
  auto const rows = mmm::report::rows_of(profile);
  CHECK(rows.rows().size() == static_cast<std::size_t>(profile.count));
  CHECK_THAT(mmm::report::page("stages").add(profile).html(),
             Catch::Contains("<th class=n><button>stages</button></th>"));
  CHECK_THAT(mmm::report::text(profile),
             Catch::Contains("write, shared") && Catch::Contains("loop0"));
}
