// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rows of a profile add up to the cost; their ideal is that of a pattern without conflicts.
#include <mmm/algorithm/convolution/convolution_in_clusters.hpp>
#include <mmm/algorithm/parameters.hpp>
#include <mmm/algorithm/product/matrix_multiply.hpp>
#include <mmm/algorithm/reduce/sum.hpp>
#include <mmm/algorithm/scan/prefix_sums.hpp>
#include <mmm/algorithm/transpose/transpose.hpp>
#include <mmm/execution/simulate/simulate.hpp>
#include <mmm/machine/machine.hpp>
#include <mmm/profile.hpp>
#include <mmm/report/page.hpp>
#include <mmm/report/trace_text.hpp>

#include "catch.hpp"

#include <set>
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

//! A step with 10 + K items, all of which write word K.
template <class On, class Words>
void race_for_word(On const& on, Words const& words, mmm::index k) {
  on.each(10 + k, [=](auto i) { words[0 * i + k] = 1; });
}

//! Parallel-fors in loops and, on a hierarchical machine, on some DMMs and in tiles that the DMMs
//! cannot share evenly.
struct race_everywhere {
  template <class On>
  void operator()(On& on) const {
    auto const words = on.template allocate<int>(16);
    race_for_word(on, words, 0);
    on.repeat(3, [&](auto) {
      race_for_word(on, words, 1);
      on.template repeat<2>(2, [&](auto) { race_for_word(on, words, 2); });
      race_for_word(on, words, 3);
    });
    on.repeat(0, [&](auto) { race_for_word(on, words, 15); });
    race_for_word(on, words, 4);
    if constexpr (mmm::hierarchical_machine<typename On::machine_type>) {
      on.each_dmm([=](auto& block, auto) {
        block.repeat(2, [&](auto) { race_for_word(block, words, 5); });
        race_for_word(block, words, 6);
      });
      on.each_dmm(1, [=](auto& block, auto) { race_for_word(block, words, 7); });
      for (mmm::index const tiles : {mmm::index{5}, mmm::index{4}, mmm::index{1}, mmm::index{0}})
        on.each_tile(1, tiles, [=](auto& block, auto) {
          race_for_word(block, words, 8);
          block.repeat(2, [&](auto) { race_for_word(block, words, 9); });
        });
    }
    race_for_word(on, words, 10);
  }
};

//! Every race's step has as many items in the profile as it had in the simulation. Returns the
//! steps.
template <class M>
std::set<mmm::index> steps_of_races() {
  auto const profile = mmm::profile_program(M(), mmm::threads(8), race_everywhere());
  auto const run =
      mmm::simulate<M>(mmm::threads(8), [](auto on) { race_everywhere()(on); }, mmm::observe_races);
  std::set<mmm::index> found;
  for (mmm::race const& r : run.races) {
    CAPTURE(mmm::report::text(r));
    bool same = false;
    for (mmm::profile_row const& row : profile)
      same = same || (row.step == r.step && row.items == 10 + r.address);
    CHECK(same);
    found.insert(r.step);
  }
  CHECK(profile.rows[profile.count - 1].step == *found.rbegin());
  return found;
}

}  // namespace

TEST_CASE("a race names its step as the profile does") {
  CHECK(steps_of_races<umm>() == std::set<mmm::index>{0, 1, 2, 3, 4, 5});
  // Two steps stand in one line where the last tiles are not those of all DMMs.
  CHECK(steps_of_races<hmm>() ==
        std::set<mmm::index>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});
}

TEST_CASE("a race names the line of its step") {
  int line = 0;
  auto const run = mmm::simulate<umm>(mmm::threads(8), [&](auto on) {
    auto const words = on.template allocate<int>(16);
    on.each(8, [=](auto i) { words[i] = 1; });
    line = __LINE__ + 1;
    on.each(2, 4, [=](auto, auto k) { words[k] = 1; }, mmm::no_barrier);
  });
  REQUIRE(run.races.size() == 4);
  CHECK(run.races[0].step == 1);
  CHECK(run.races[0].place.line == line);
  CHECK(run.races[0].place.file_name() == std::string("profile.cpp"));
  CHECK_THAT(mmm::report::text(run.races[0]),
             Catch::StartsWith("step 1 (profile.cpp:" + std::to_string(line) + "): items 0 and 4"));
}

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
             Catch::Contains("<th class=\"n\">stages</th>"));
  CHECK_THAT(mmm::report::text(profile),
             Catch::Contains("write, shared") && Catch::Contains("loop0"));
}

TEST_CASE("the rows of a profile name the peers whose memory they access") {
  using clusters = mmm::clustered<mmm::hmm<4, 4, 2, 30, 4096, 2>, 2, 7>;
  require_sum<clusters>(mmm::convolution_in_clusters, mmm::size(64), mmm::threads(16),
                        mmm::taps(5));
  require_sum<clusters>(mmm::convolution_in_clusters, mmm::size(23), mmm::threads(12),
                        mmm::taps(17));
  auto const profile = mmm::profile_program(clusters(), mmm::threads(16), [](auto& on) {
    on.each_cluster([](auto& cluster, auto) {
      auto const a = cluster.template allocate<int>(16);
      cluster.each_dmm([=](auto& block, auto r) {
        block.each(4, [=](auto i) { a[i] = 1; });
        block.each(4, [=](auto i) { static_cast<void>(mmm::load(a(1 - r, i))); });
        block.each(4, [=](auto i) { static_cast<void>(mmm::load(a(i % 2, i * 4))); });
      });
    });
  });
  REQUIRE(profile.count == 3);
  CHECK(std::string(profile.rows[0].peer).empty());
  CHECK(std::string(profile.rows[1].peer) == "1 - dmm % 2");
  CHECK(std::string(profile.rows[1].address) == "item");
  CHECK(profile.rows[1].excessive() == 0);
  CHECK(std::string(profile.rows[2].peer) == "item % 2");
  CHECK(profile.rows[2].stages == 4 * 4);  // each DMM's two lanes meet in one bank of either peer
  CHECK(profile.rows[2].ideal == 4 * 2);
  CHECK(mmm::report::text(profile).find("read, peer item % 2") != std::string::npos);
}
