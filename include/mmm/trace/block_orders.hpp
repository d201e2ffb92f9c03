// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/trace/sector_reuse.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

//! The traffic of a cache under several orders of a kernel's blocks, since no GPU promises one.
namespace mmm::gpu {

//! The accesses of a kernel's blocks to sectors, request by request, in the order of each block.
class block_accesses {
 public:
  //! Begins a request of block `block`, numbered from 0 in the order of the launch; its sectors
  //! follow.
  void begin_request(std::size_t block) {
    if (block >= blocks_.size()) blocks_.resize(block + 1);
    to_ = block;
    begins_ = true;
  }
  //! Adds an access of the request that was begun last; `sector` is at least 0 and less than 2^61.
  void add(index sector, bool writes) {
    blocks_[to_].push_back(static_cast<std::uint64_t>(sector) << 2 | (writes ? 2U : 0U) |
                           (begins_ ? 1U : 0U));
    begins_ = false;
  }
  [[nodiscard]] std::size_t blocks() const { return blocks_.size(); }

  //! Calls `use(sector, writes)` for all accesses, with `resident` blocks side by side: each in
  //! turn makes one request, and where one has made its last, the next of `order` begins in its
  //! place.
  //! Time: O(accesses + requests).
  template <class Use>
  void visit(std::vector<std::size_t> const& order, std::size_t resident, Use use) const {
    struct running {
      std::vector<std::uint64_t> const* accesses;
      std::size_t next;
    };
    std::vector<running> active;
    std::size_t started = 0;
    auto const start = [&](running& place) {
      while (started < order.size()) {
        auto const& accesses = blocks_[order[started++]];
        if (accesses.empty()) continue;
        place = {&accesses, 0};
        return true;
      }
      return false;
    };
    for (running place{}; active.size() < resident && start(place);) active.push_back(place);
    while (!active.empty()) {
      std::size_t running_count = 0;
      for (running& r : active) {
        auto const& all = *r.accesses;
        do use(static_cast<index>(all[r.next] >> 2), (all[r.next] & 2) != 0);
        while (++r.next < all.size() && (all[r.next] & 1) == 0);
        if (r.next < all.size() || start(r)) active[running_count++] = r;
      }
      active.resize(running_count);
    }
  }

 private:
  std::vector<std::vector<std::uint64_t>> blocks_;
  std::size_t to_ = 0;
  bool begins_ = true;
};

//! The traffic under one order of the blocks.
struct ordered_traffic {
  std::string order;  //!< in words
  cache_traffic traffic;
};

//! The traffic of a cache under several orders of the blocks, and what holds for every order.
struct traffic_interval {
  std::vector<ordered_traffic> orders;
  //! Sectors that are read and never written: each is fetched at least once in every order.
  index must_read = 0;
  //! Sectors that are written: each is written back, or left, at least once in every order.
  index must_write = 0;

  //! The order with the fewest sectors moved, and that with the most; there is one at least.
  [[nodiscard]] ordered_traffic const& lowest() const { return extreme(false); }
  [[nodiscard]] ordered_traffic const& highest() const { return extreme(true); }

 private:
  [[nodiscard]] ordered_traffic const& extreme(bool largest) const {
    ordered_traffic const* found = &orders.front();
    for (ordered_traffic const& one : orders) {
      index const moved = one.traffic.moved();
      index const other = found->traffic.moved();
      if (largest ? moved > other : moved < other) found = &one;
    }
    return *found;
  }
};

//! Orders that an interval is found from.
struct block_orders {
  std::size_t resident = 1;  //!< blocks side by side
  std::size_t random = 3;    //!< random orders, by the seeds 1, 2, …
};

//! The traffic of a fully associative cache of `bytes` bytes that evicts the least recently used
//! line: with the blocks one after the other and with `resident` of them side by side, both in the
//! order of the launch and in its reverse; and with so many side by side in random orders. The
//! lowest and the highest are those found, and no limits of all orders; must_read and must_write
//! are. Time: O(orders * accesses * log lines). Errors: as sector_reuse; std::invalid_argument if
//! no block is resident.
[[nodiscard]] inline traffic_interval traffic_over_orders(block_accesses const& accesses,
                                                          cache_units units, index bytes,
                                                          block_orders const& orders) {
  if (orders.resident < 1) mmm::detail::reject("resident blocks", 0, "1 or more");
  traffic_interval found;
  auto const count = [&](std::string words, std::vector<std::size_t> const& order,
                         std::size_t resident) {
    sector_reuse reuse(units);
    accesses.visit(order, resident,
                   [&](index sector, bool writes) { reuse.access(sector, writes); });
    found.orders.push_back({std::move(words), reuse.traffic(bytes)});
    if (found.orders.size() > 1) return;
    found.must_read = reuse.read_only_sectors();
    found.must_write = reuse.sectors_written();
  };
  std::vector<std::size_t> launch(accesses.blocks());
  std::iota(launch.begin(), launch.end(), std::size_t{0});
  if (launch.size() < 2) {
    count("one block", launch, 1);
    return found;
  }
  std::vector<std::size_t> const reverse(launch.rbegin(), launch.rend());
  std::string const together = ", " + std::to_string(orders.resident) + " side by side";
  count("launch order, one by one", launch, 1);
  count("reverse order, one by one", reverse, 1);
  if (orders.resident > 1) {
    count("launch order" + together, launch, orders.resident);
    count("reverse order" + together, reverse, orders.resident);
  }
  for (std::size_t seed = 1; seed <= orders.random; ++seed) {
    std::mt19937_64 random(seed);
    std::vector<std::size_t> order = launch;
    // std::shuffle's result depends on the standard library.
    for (std::size_t k = order.size() - 1; k > 0; --k)
      std::swap(order[k], order[random() % (k + 1)]);
    count("random order, seed " + std::to_string(seed) + together, order, orders.resident);
  }
  return found;
}

}  // namespace mmm::gpu
