// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Partial sectors in predictions, against figures that are computed by hand.
#include <mmm/algorithm/transpose/transpose_swizzled.hpp>
#include <mmm/predict.hpp>

#include "catch.hpp"

#include <algorithm>
#include <random>
#include <vector>

namespace {

using mmm::index;
using kind = mmm::access_kind;

//! Rows of `columns` items, which begin `pitch` words or vecs apart, items `step` apart.
auto rows(index columns, index pitch, index first = 0, index step = 1) {
  return first + mmm::item / columns * pitch + mmm::item % columns * step;
}

//! Partial sectors where items store `words` words each and the bodies need so many lines in all.
template <class Address>
index of_stores(Address const& address, index items, index words, index lines, index bodies,
                index value_bytes = 4) {
  return mmm::detail::partial_sectors({false, kind::write, words, lines}, address, value_bytes,
                                      items, bodies);
}

}  // namespace

TEST_CASE("rows that begin within a sector have a partial sector at each end") {
  CHECK(of_stores(rows(32, 32), 64, 1, 2, 2) == 0);
  // words 0 … 31 are 4 sectors; 33 … 64 have parts of the sectors of 32 and of 64
  CHECK(of_stores(rows(32, 33), 64, 1, 3, 2) == 2);
  CHECK(of_stores(rows(32, 33), 64, 1, 3 * 5, 2 * 5) == 10);  // five trips
  CHECK(of_stores(rows(32, 40), 64, 1, 3, 2) == 0);           // a line more, but whole sectors
  CHECK(of_stores(rows(32, 32, 4), 32, 1, 2, 1) == 2);
  // 16 words from 0, and from 20 on: the sectors of 16 and of 32
  CHECK(of_stores(rows(16, 20), 32, 1, 2, 1) == 2);
  // a run of a sector from 0, and from 11 on: the sectors of 8 and of 16, with those of 22 and 33
  CHECK(of_stores(rows(8, 11), 32, 1, 2, 1) == 2 + 2 + 2);
  // shorter runs
  CHECK(of_stores(rows(4, 9), 32, 1, 3, 1) == 0);
  CHECK(of_stores(rows(32, 64, 0, 2), 32, 4, 8, 1) == 0);
  // sectors of 16 halves: 40 … 71 begins and ends within one, 48 … 79 does not
  CHECK(of_stores(rows(32, 40), 64, 1, 4, 2, 2) == 2);
  CHECK(of_stores(rows(32, 48), 64, 1, 4, 2, 2) == 0);
}

TEST_CASE(
    "warps that are whole periods apart have as many partial sectors as if all were counted") {
  std::mt19937 random(1);
  auto const below = [&](index n) { return static_cast<index>(random() % std::uint64_t(n)); };
  int partial = 0;
  for (int k = 0; k < 300; ++k) {
    index const words = index{1} << below(3);
    auto const address = rows(1 + below(100), below(200), below(9), 1 + below(10) / 9);
    index const items = 32 + below(1500);
    index sum = 0;
    index const warps = std::min<index>(items / 32, 32);
    for (index warp = 0; warp < warps; ++warp) {
      std::vector<index> run;
      auto const end = [&] {
        if (run.size() >= 8) sum += (run.front() % 8 != 0) + (run.back() % 8 != 7);
        run.clear();
      };
      for (index lane = 0; lane < 32; ++lane)
        for (index w = 0; w < words; ++w) {
          index const word = address(32 * warp + lane) * words + w;
          if (!run.empty() && run.back() + 1 != word) end();
          run.push_back(word);
        }
      end();
    }
    CAPTURE(k, items, words, sum);
    REQUIRE(of_stores(address, items, words, warps * words + 1, warps) == sum);
    partial += sum > 0 ? 1 : 0;
  }
  CHECK(partial > 100);
}

TEST_CASE("loads, shared memories, scattered requests and few items have no partial sectors") {
  auto const address = rows(32, 33);
  auto const count = [&](mmm::detail::watched_access const& a, index items) {
    return mmm::detail::partial_sectors(a, address, 4, items, 2);
  };
  CHECK(count({false, kind::write, 1, 3}, 64) == 2);
  CHECK(count({false, kind::update, 1, 3}, 64) == 2);
  CHECK(count({false, kind::read, 1, 3}, 64) == 0);
  CHECK(count({true, kind::write, 1, 3}, 64) == 0);
  CHECK(count({false, kind::write, 1, 9}, 64) == 0);  // more lines than sectors full of words
  CHECK(count({false, kind::write, 1, 3}, 31) == 0);
}

TEST_CASE("the level-2 cache changes partial sectors at the rate of scattered ones, and nothing "
          "else meanwhile") {
  mmm::detail::resource_clocks c;
  c.global_memory = 50;
  c.l2_cache = 30;
  c.partial_sectors = 20;
  c.issue = 60;
  CHECK(c.throughput() == 70);
  CHECK((c += c).partial_sectors == 40);
  CHECK(c.of_blocks(3, 2).partial_sectors == 240);

  mmm::detail::step_requests requests;
  requests.add({false, kind::write, 1, 3, 1, false, 2}, 4, 2);
  requests.add({false, kind::write, 1, 3, 1, false, 4}, 4, 2);
  CHECK(requests.partial_sectors == 6);
  auto timing = mmm::gpu::timing_of(mmm::gpu::h100::facts);
  timing.l2_scattered_sectors = 12;
  mmm::detail::step_bodies bodies;
  bodies.step = {
      .items = 64, .threads = 64, .dmms = 1, .machine_wide = false, .times = 1, .barrier = false};
  bodies.launched = {1, 2};
  auto const clocks = [&] {
    return mmm::detail::clocks_of_step(mmm::gpu::h100::facts, timing, {}, {}, bodies, requests, 0);
  };
  CHECK(clocks().partial_sectors == 0.5);
  timing.l2_scattered_sectors = 0;  // not known
  CHECK(clocks().partial_sectors == 0);
}

TEST_CASE("a transpose of rows that begin within sectors") {
  auto const cache = [](index side) {
    auto const time = mmm::predict<mmm::gpu::h100>(mmm::transpose_swizzled, mmm::size(side),
                                                   mmm::threads(mmm::gpu::h100::facts.sms * 256));
    return time.parts[static_cast<int>(mmm::time_limit::cache_bandwidth)];
  };
  // 16 x 16 tiles of 64 x 64 words, 128 requests each, of which 7 in 8 have two partial sectors
  double const partial = 16. * 16 * 128 * 7 / 8 * 2 / 30 / 1980;
  CHECK(cache(1023) - cache(1024) > 0.95 * partial);
  CHECK(cache(1023) - cache(1024) < 1.05 * partial);
  CHECK(cache(1000) < 1.01 * cache(1008));  // whole sectors
}
