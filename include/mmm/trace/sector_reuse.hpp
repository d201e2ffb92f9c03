// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/word_table.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

//! Reuse distances: the hits and misses of a sequence of accesses in caches of all sizes at once.
namespace mmm::gpu {

//! The units of a cache. A line has one tag, and is evicted as a whole; its sectors are loaded, and
//! written back, one by one.
struct cache_units {
  index line_bytes = 128;
  index sector_bytes = 32;
};

//! The sectors that pass between a cache and the memory behind it. A read of a sector that the
//! cache does not have fetches it. A written sector is marked as such, and is written back when its
//! line is evicted.
struct cache_traffic {
  index reads = 0;   //!< accesses that read
  index writes = 0;  //!< accesses that write
  index read_misses = 0;
  //! writes of sectors that are not in the cache; a cache that changes sectors in part only after
  //! it has fetched them reads those, too
  index write_misses = 0;
  index write_backs = 0;  //!< evicted with what was written
  index left = 0;         //!< written sectors that are in the cache at the end

  //! Sectors read from the memory and written to it, the latter including what is left.
  [[nodiscard]] constexpr index moved() const { return read_misses + write_backs + left; }
  [[nodiscard]] constexpr index misses() const { return read_misses + write_misses; }
  friend constexpr bool operator==(cache_traffic const&, cache_traffic const&) = default;
};

//! The reuse distance of an access to a sector: a fully associative cache of so many lines, or
//! fewer, which evicts the least recently used line, does not have the sector; every larger one
//! has it.
struct reuse_distance {
  static constexpr index never = INT64_MAX;  //!< the first access to the sector
  index lines = never;

  [[nodiscard]] constexpr bool hits(index lines_of_cache) const { return lines < lines_of_cache; }
};

//! The reuse distances of a sequence of accesses to sectors (Mattson, Gecsei, Slutz, Traiger 1970),
//! from which follows the traffic of a fully associative cache of any size that evicts the least
//! recently used line.
//!
//! The stack distance of an access to a line is the number of other lines accessed since the
//! previous access to it. The reuse distance of a sector is the largest stack distance of its line
//! since the sector's own previous access, since an eviction in between took the sector away.
//! Time: O(log lines) for an access, amortized, by a tree over the times of last accesses (Olken
//! 1981). Memory: O(sectors touched).
class sector_reuse {
 public:
  //! std::invalid_argument unless a sector has bytes, and a line a whole number of sectors, 64 at
  //! most.
  constexpr explicit sector_reuse(cache_units units = {}) : units_(units) {
    if (units.sector_bytes < 1)
      mmm::detail::reject("the bytes of a sector", units.sector_bytes, "1 or more");
    if (units.line_bytes < units.sector_bytes || units.line_bytes % units.sector_bytes != 0 ||
        units.line_bytes / units.sector_bytes > 64)
      mmm::detail::reject("the bytes of a line", units.line_bytes,
                          "1 to 64 times the bytes of a sector");
    sectors_ = static_cast<std::size_t>(units.line_bytes / units.sector_bytes);
  }

  //! Accesses the sector of number `sector`, that of byte `sector * sector_bytes`; the number is
  //! not negative.
  constexpr reuse_distance access(index sector, bool writes) {
    index const line = sector / static_cast<index>(sectors_);
    std::size_t& number = number_of_[line];
    bool const is_new = number == 0;
    if (is_new) number = last_access_.size() + 1;
    std::size_t const slot = number - 1;
    if (is_new) {
      last_access_.push_back(0);
      reuse_.resize(reuse_.size() + sectors_);
    } else if (index const distance = lines_since(last_access_[slot]); distance > 0) {
      for (std::size_t k = slot * sectors_; k < (slot + 1) * sectors_; ++k) {
        reuse_[k].access = std::max(reuse_[k].access, distance);  // never remains the largest
        reuse_[k].write = std::max(reuse_[k].write, distance);
      }
    }
    move_to_front(slot, is_new);
    sector_state& own = reuse_[slot * sectors_ + static_cast<std::size_t>(sector) % sectors_];
    reuse_distance const found{own.access};
    (writes ? writes_ : reads_).add(own.access);
    own.access = 0;
    if (writes) {
      rewrites_.add(own.write);
      own.write = 0;
    }
    return found;
  }

  //! The traffic of a cache of `bytes` bytes, that is of as many whole lines as fit; with 0 lines
  //! every access is a miss. Time: O(sectors log lines).
  [[nodiscard]] constexpr cache_traffic traffic(index bytes) const {
    if (bytes < 0) mmm::detail::reject("the bytes of a cache", bytes, "0 or more");
    index const lines = bytes / units_.line_bytes;
    cache_traffic found{
        reads_.count, writes_.count, reads_.beyond(lines), writes_.beyond(lines), 0, 0};
    if (lines > 0)
      for (std::size_t slot = 0; slot < last_access_.size(); ++slot) {
        if (lines_since(last_access_[slot]) >= lines) continue;
        for (std::size_t k = slot * sectors_; k < (slot + 1) * sectors_; ++k)
          found.left += reuse_[k].write < lines ? 1 : 0;
      }
    // Each stay of a written sector in the cache begins with a write that finds it unwritten.
    found.write_backs = rewrites_.beyond(lines) - found.left;
    return found;
  }

  //! The number of different sectors that were read before they were written, which every cache
  //! has to fetch.
  [[nodiscard]] constexpr index first_reads() const { return reads_.first; }
  //! The number of different sectors that were written, each of which is written back at least
  //! once or left.
  [[nodiscard]] constexpr index sectors_written() const { return rewrites_.first; }
  //! The number of different sectors that were read and never written. Time: O(sectors).
  [[nodiscard]] constexpr index read_only_sectors() const {
    return std::count_if(reuse_.begin(), reuse_.end(), [](sector_state const& s) {
      return s.access != reuse_distance::never && s.write == reuse_distance::never;
    });
  }
  //! The number of different lines that were accessed.
  [[nodiscard]] constexpr index lines_touched() const {
    return static_cast<index>(last_access_.size());
  }
  [[nodiscard]] constexpr cache_units units() const { return units_; }

 private:
  //! The largest stack distance of the line since the sector was last accessed, and written.
  struct sector_state {
    index access = reuse_distance::never;
    index write = reuse_distance::never;
  };
  //! How many accesses had which distance.
  struct histogram {
    std::vector<index> by_distance;
    index count = 0;
    index first = 0;  //!< without a distance

    constexpr void add(index distance) {
      ++count;
      if (distance == reuse_distance::never) {
        ++first;
        return;
      }
      auto const place = static_cast<std::size_t>(distance);
      if (place >= by_distance.size())
        by_distance.resize(std::max(place + 1, 2 * by_distance.size()), 0);
      ++by_distance[place];
    }
    //! The number of accesses with a distance of at least `lines`.
    [[nodiscard]] constexpr index beyond(index lines) const {
      index sum = first;
      for (auto k = static_cast<std::size_t>(lines); k < by_distance.size(); ++k)
        sum += by_distance[k];
      return sum;
    }
  };

  // The tree has a mark at the time of each line's last access; node k holds the number of marks in
  // (k - lowest bit of k, k].
  [[nodiscard]] static constexpr std::size_t lowest_bit(std::size_t k) { return k & (~k + 1); }
  constexpr void mark(std::size_t time, index change) {
    for (std::size_t k = time; k < marks_.size(); k += lowest_bit(k)) marks_[k] += change;
  }
  //! The number of lines accessed after time `time`.
  [[nodiscard]] constexpr index lines_since(std::size_t time) const {
    if (time == now_) return 0;
    auto lines = static_cast<index>(last_access_.size());
    for (std::size_t k = time; k > 0; k -= lowest_bit(k)) lines -= marks_[k];
    return lines;
  }
  constexpr void move_to_front(std::size_t slot, bool is_new) {
    if (!is_new) {
      if (last_access_[slot] == now_) return;
      mark(last_access_[slot], -1);
    }
    if (now_ + 1 >= marks_.size()) renumber(slot);
    last_access_[slot] = ++now_;
    mark(now_, 1);
  }
  //! Numbers the times of all lines but `front` from 1, in their order, and makes room for as many
  //! again.
  constexpr void renumber(std::size_t front) {
    std::vector<std::size_t> order;
    order.reserve(last_access_.size());
    for (std::size_t slot = 0; slot < last_access_.size(); ++slot)
      if (slot != front) order.push_back(slot);
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return last_access_[a] < last_access_[b]; });
    marks_.assign(std::max(std::size_t{1024}, 2 * order.size() + 2), 0);
    now_ = 0;
    for (std::size_t const slot : order) {
      last_access_[slot] = ++now_;
      mark(now_, 1);
    }
  }

  cache_units units_;
  std::size_t sectors_ = 0;                         //!< of a line
  mmm::detail::word_table<std::size_t> number_of_;  //!< 1 + the slot of each line accessed
  std::vector<std::size_t> last_access_;            //!< time, from 1, by slot
  std::vector<sector_state> reuse_;                 //!< by slot, then sector
  std::vector<index> marks_;
  std::size_t now_ = 0;
  histogram reads_;
  histogram writes_;
  histogram rewrites_;  //!< writes, by the distance since the sector's previous write
};

}  // namespace mmm::gpu
