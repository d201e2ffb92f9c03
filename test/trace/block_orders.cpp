// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The traffic of a cache over orders of blocks.
#include <mmm/trace/block_orders.hpp>

#include "catch.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
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

TEST_CASE("all blocks begin again after a barrier") {
  block_accesses all;
  for (mmm::index phase = 0; phase < 2; ++phase) {
    for (std::size_t b = 0; b < 3 - static_cast<std::size_t>(phase); ++b)
      for (mmm::index k = 0; k < 2; ++k) {
        all.begin_request(b);
        all.add(100 * phase + 10 * static_cast<mmm::index>(b) + k, false);
      }
    all.barrier();
    all.barrier();  // of nothing
  }
  CHECK(all.blocks() == 3);
  CHECK(visited(all, {0, 1, 2}, 1) ==
        std::vector<mmm::index>{0, 1, 10, 11, 20, 21, 100, 101, 110, 111});
  CHECK(visited(all, {2, 1, 0}, 2) ==
        std::vector<mmm::index>{20, 10, 21, 11, 0, 1, 110, 100, 111, 101});
}

TEST_CASE("orders of blocks are permutations, and the same by the same seed") {
  CHECK(block_order{block_order::reverse}.numbers(3) == std::vector<std::size_t>{2, 1, 0});
  std::set<std::vector<std::size_t>> different;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    block_order const order{block_order::random, 4, seed};
    auto numbers = order.numbers(50);
    CHECK(numbers == order.numbers(50));
    different.insert(numbers);
    std::sort(numbers.begin(), numbers.end());
    CHECK(numbers == block_order{}.numbers(50));
  }
  CHECK(different.size() == 8);
  CHECK(block_order{block_order::random, 4, 7}.numbers(0).empty());
  CHECK(block_order{block_order::random, 4, 7}.text() == "random order, seed 7, 4 side by side");
}

TEST_CASE("a request touches each sector once") {
  request_sectors request;
  request.add(60, 8, 32);  // of the sectors 1 and 2
  request.add(0, 4, 32);
  request.add(63, 1, 32);
  CHECK(request.sorted() == std::vector<mmm::index>{0, 1, 2});
  request.clear();
  CHECK(request.sorted().empty());
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
      names.insert(one.order.text());
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
