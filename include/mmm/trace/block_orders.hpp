// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/trace/sector_reuse.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

//! The traffic of a cache under several orders of a kernel's blocks, since no GPU promises one.
namespace mmm::gpu {

//! The sectors that a request touches, each of them once.
class request_sectors {
 public:
  constexpr void clear() { sectors_.clear(); }
  //! Adds a lane's access to `bytes` bytes from byte `first` on; both are not negative. A sector
  //! has `sector_size` bytes.
  constexpr void add(index first, index bytes, index sector_size) {
    index const last = (first + bytes - 1) / sector_size;
    for (index sector = first / sector_size; sector <= last; ++sector)
      if (sectors_.empty() || sectors_.back() != sector) sectors_.push_back(sector);
  }
  //! The sectors, in increasing order. Time: O(n log n).
  [[nodiscard]] constexpr std::vector<index> const& sorted() {
    std::sort(sectors_.begin(), sectors_.end());
    sectors_.erase(std::unique(sectors_.begin(), sectors_.end()), sectors_.end());
    return sectors_;
  }

 private:
  std::vector<index> sectors_;
};

//! The accesses of a kernel's blocks to sectors, request by request, in the order of each block.
class block_accesses {
 public:
  //! Begins a request of block `block`, numbered from 0 in the order of the launch; its sectors
  //! follow.
  constexpr void begin_request(std::size_t block) {
    auto& blocks = phases_.back();
    if (block >= blocks.size()) blocks.resize(block + 1);
    blocks_ = std::max(blocks_, block + 1);
    to_ = block;
    begins_ = true;
  }
  //! Adds an access of the request that was begun last; `sector` is at least 0 and less than 2^61.
  constexpr void add(index sector, bool writes) {
    phases_.back()[to_].push_back(static_cast<std::uint64_t>(sector) << 2 | (writes ? 2U : 0U) |
                                  (begins_ ? 1U : 0U));
    begins_ = false;
  }
  //! A barrier of all blocks, or the end of a kernel: what follows begins when all before is done.
  constexpr void barrier() {
    if (!phases_.back().empty()) phases_.emplace_back();
  }
  //! The number of blocks.
  [[nodiscard]] constexpr std::size_t blocks() const { return blocks_; }

  //! Calls `use(sector, writes)` for all accesses, with `resident` blocks side by side: each in
  //! turn makes one request, and where one has made its last, the next of `order` begins in its
  //! place. Between two barriers all blocks begin again, in the same order.
  //! Time: O(accesses + requests + barriers * blocks).
  template <class Use>
  constexpr void visit(std::vector<std::size_t> const& order, std::size_t resident, Use use) const {
    for (auto const& blocks : phases_) visit_phase(blocks, order, resident, use);
  }

 private:
  using access_list = std::vector<std::uint64_t>;

  template <class Use>
  static constexpr void visit_phase(std::vector<access_list> const& blocks,
                                    std::vector<std::size_t> const& order, std::size_t resident,
                                    Use& use) {
    struct running {
      access_list const* accesses;
      std::size_t next;
    };
    std::vector<running> active;
    std::size_t started = 0;
    auto const start = [&](running& place) {
      while (started < order.size()) {
        std::size_t const block = order[started++];
        if (block >= blocks.size() || blocks[block].empty()) continue;
        place = {&blocks[block], 0};
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
      active.resize(running_count, running{});
    }
  }

  std::vector<std::vector<access_list>> phases_ = std::vector<std::vector<access_list>>(1);
  std::size_t blocks_ = 0;
  std::size_t to_ = 0;
  bool begins_ = true;
};

//! An order of blocks, and how many of them are side by side.
struct block_order {
  enum kind_type { as_recorded, launch, reverse, random };
  kind_type kind = launch;
  std::size_t resident = 1;
  std::uint64_t seed = 0;  //!< of a random order

  //! The order in words, as "launch order, 4 side by side".
  [[nodiscard]] std::string text() const {
    if (kind == as_recorded) return "as recorded";
    std::string const name = kind == launch ? "launch order" : "reverse order";
    if (kind != random && resident == 1) return name + ", one by one";
    return (kind == random ? "random order, seed " + std::to_string(seed) : name) + ", " +
           std::to_string(resident) + " side by side";
  }
  //! The numbers of so many blocks in this order.
  [[nodiscard]] constexpr std::vector<std::size_t> numbers(std::size_t blocks) const {
    std::vector<std::size_t> order;
    for (std::size_t k = 0; k < blocks; ++k) order.push_back(kind == reverse ? blocks - 1 - k : k);
    if (kind != random) return order;
    // std::shuffle's result depends on the standard library, and its generators are not constexpr.
    std::uint64_t state = seed;
    for (std::size_t k = order.size(); k-- > 1;) {  // the generator is SplitMix64
      state += 0x9E3779B97F4A7C15U;
      std::uint64_t bits = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9U;
      bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBU;
      std::swap(order[k], order[static_cast<std::size_t>((bits ^ (bits >> 31)) % (k + 1))]);
    }
    return order;
  }
};

//! The traffic under one order of the blocks.
struct ordered_traffic {
  block_order order;
  cache_traffic traffic;
};

//! The traffic of a cache under several orders of the blocks, and what holds for every order.
struct traffic_interval {
  std::vector<ordered_traffic> orders;
  //! Sectors that are read and never written: each is fetched at least once in every order.
  index must_read = 0;
  //! Sectors that are written: each is written back, or left, at least once in every order.
  index must_write = 0;
  index sector_bytes = 32;

  //! The order with the fewest sectors moved, and that with the most; there is one at least.
  [[nodiscard]] constexpr ordered_traffic const& lowest() const { return extreme(false); }
  [[nodiscard]] constexpr ordered_traffic const& highest() const { return extreme(true); }
  //! The accesses to sectors of the cache, in every order.
  [[nodiscard]] constexpr index accesses() const {
    return orders.front().traffic.reads + orders.front().traffic.writes;
  }
  //! The bytes that the memory moves, in the lowest and in the highest of the orders.
  [[nodiscard]] constexpr index lowest_bytes() const {
    return lowest().traffic.moved() * sector_bytes;
  }
  [[nodiscard]] constexpr index highest_bytes() const {
    return highest().traffic.moved() * sector_bytes;
  }

 private:
  [[nodiscard]] constexpr ordered_traffic const& extreme(bool largest) const {
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
[[nodiscard]] constexpr traffic_interval traffic_over_orders(block_accesses const& accesses,
                                                             cache_units units, index bytes,
                                                             block_orders const& orders) {
  if (orders.resident < 1) mmm::detail::reject("resident blocks", 0, "1 or more");
  traffic_interval found;
  found.sector_bytes = units.sector_bytes;
  auto const count = [&](block_order const& order) {
    sector_reuse reuse(units);
    accesses.visit(order.numbers(accesses.blocks()), order.resident,
                   [&](index sector, bool writes) { reuse.access(sector, writes); });
    found.orders.push_back({order, reuse.traffic(bytes)});
    if (found.orders.size() > 1) return;
    found.must_read = reuse.read_only_sectors();
    found.must_write = reuse.sectors_written();
  };
  count({block_order::launch, 1});
  if (accesses.blocks() < 2) return found;
  count({block_order::reverse, 1});
  if (orders.resident > 1) {
    count({block_order::launch, orders.resident});
    count({block_order::reverse, orders.resident});
  }
  for (std::size_t seed = 1; seed <= orders.random; ++seed)
    count({block_order::random, orders.resident, seed});
  return found;
}

}  // namespace mmm::gpu
