// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/trace/block_orders.hpp>
#include <mmm/trace/sector_reuse.hpp>

#include "request.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace replay {

//! The cache that --cache names.
struct cache_choice {
  index bytes = 0;
  mmm::gpu::cache_units units;
};

//! Reads SIZE[,LINE,SECTOR], numbers of bytes that K, M or G may follow. tool::failure if it is
//! none or if there can be no such cache.
[[nodiscard]] cache_choice cache_named(std::string_view text);

//! Accesses to sectors and those of them that miss the cache, in the order of the file.
struct sector_misses {
  index sectors = 0;
  index misses = 0;
};

//! The traffic of a cache: as recorded and over orders of the blocks.
struct cache_figures {
  std::size_t blocks = 0;
  std::size_t resident = 0;             //!< blocks side by side
  mmm::gpu::traffic_interval interval;  //!< its first order is that of the file
  std::map<std::uint64_t, sector_misses> by_counter;
};

//! The accesses of recorded requests of the global memory to the sectors of a cache.
class cache_record {
 public:
  //! Errors: as cache_named.
  explicit cache_record(cache_choice const& choice) : choice_(choice), recorded_(choice.units) {}

  //! Adds a request of the global memory, whose addresses are aligned. Time: O(lanes log lanes).
  void add(request const& r);
  //! \param resident blocks side by side; all, if not given
  [[nodiscard]] cache_figures figures(std::optional<std::size_t> resident) const;

 private:
  cache_choice choice_;
  mmm::gpu::sector_reuse recorded_;
  mmm::gpu::block_accesses by_block_;
  std::map<std::uint64_t, sector_misses> by_counter_;
  mmm::gpu::request_sectors sectors_;
};

}  // namespace replay
