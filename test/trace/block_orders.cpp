// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The traffic of a cache over orders of blocks.
#include <mmm/trace/block_orders.hpp>

#include "catch.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <vector>

using namespace mmm::gpu;

namespace {

using mmm::index;

//! Blocks that each read a line of their own twice, with another line read by all in between, and
//! write a sector that the next block reads.
block_accesses neighbours(std::size_t blocks) {
  block_accesses all;
  for (std::size_t b = 0; b < blocks; ++b) {
    auto const own = static_cast<index>(4 * b);
    for (index const sector : {own, index{4000}, own}) {
      all.begin_request(b);
      all.add(sector, false);
    }
    all.begin_request(b);
    all.add(8000 + own, true);
    all.add(8000 + own + 4, false);
  }
  return all;
}

std::vector<index> visited(block_accesses const& all, std::vector<std::size_t> const& order,
                           std::size_t resident) {
  std::vector<index> sectors;
  all.visit(order, resident, [&](index sector, bool) { sectors.push_back(sector); });
  return sectors;
}

}  // namespace

TEST_CASE("blocks take turns, request by request") {
  block_accesses all;
  all.begin_request(0);
  all.add(0, false);
  all.add(1, false);
  all.begin_request(2);  // block 1 has no access
  all.add(20, true);
  all.begin_request(0);
  all.add(2, false);
  all.begin_request(3);
  all.add(30, false);
  CHECK(all.blocks() == 4);
  CHECK(visited(all, {0, 1, 2, 3}, 1) == std::vector<mmm::index>{0, 1, 2, 20, 30});
  CHECK(visited(all, {0, 1, 2, 3}, 2) == std::vector<mmm::index>{0, 1, 20, 2, 30});
  CHECK(visited(all, {0, 1, 2, 3}, 9) == std::vector<mmm::index>{0, 1, 20, 30, 2});
  CHECK(visited(all, {3, 2, 1, 0}, 2) == std::vector<mmm::index>{30, 20, 0, 1, 2});
  CHECK(visited({}, {}, 2).empty());
}

TEST_CASE("an interval has the traffic of each order, and what every order moves") {
  auto const all = neighbours(40);
  for (mmm::index const bytes : {0, 256, 1024, 5000, 1 << 20}) {
    traffic_interval const found = traffic_over_orders(all, {}, bytes, {8, 3});
    CAPTURE(bytes);
    REQUIRE(found.orders.size() == 7);
    CHECK(found.must_read == 40 + 1 + 1);  // own lines, the shared one, the last block's neighbour
    CHECK(found.must_write == 40);
    std::set<std::string> names;
    for (ordered_traffic const& one : found.orders) {
      names.insert(one.order);
      CHECK(one.traffic.reads == 160);
      CHECK(one.traffic.writes == 40);
      CHECK(one.traffic.read_misses >= found.must_read);
      CHECK(one.traffic.write_backs + one.traffic.left >= found.must_write);
      CHECK(one.traffic.moved() >= found.lowest().traffic.moved());
      CHECK(one.traffic.moved() <= found.highest().traffic.moved());
    }
    CHECK(names.size() == 7);
  }
  // Two lines: one by one each block fetches its own line once; side by side, again and again.
  traffic_interval const small = traffic_over_orders(all, {}, 3 * 128, {8, 0});
  CHECK(small.orders[0].traffic.read_misses < small.orders[2].traffic.read_misses);
  // In a cache that holds everything, the order decides only who reads before it is written.
  traffic_interval const large = traffic_over_orders(all, {}, 1 << 20, {8, 0});
  CHECK(large.orders[0].traffic.read_misses == 40 + 1 + 40);
  CHECK(large.orders[1].traffic.read_misses == large.must_read);
}

TEST_CASE("an interval of one block or none has one order") {
  CHECK(traffic_over_orders({}, {}, 128, {1, 3}).orders.size() == 1);
  CHECK(traffic_over_orders(neighbours(1), {}, 128, {4, 3}).orders.size() == 1);
  CHECK_THROWS_AS(traffic_over_orders(neighbours(2), {}, 128, {0, 1}), std::invalid_argument);
}
