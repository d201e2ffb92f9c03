// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/timing/clocks.hpp>
#include <mmm/timing/demand.hpp>

//! The level-2 cache: the shares of a program's traffic that miss it.
namespace mmm::detail {

//! The part of a level-2 cache that retains what was accessed before.
inline constexpr double l2_retained_share = 0.65;
//! The part of the lines of an overwritten level-2 cache that are written back as they are evicted.
inline constexpr double l2_dirty_share = 0.65;

struct l2_misses {
  double load_share = 1;    //!< of loads: they wait for the global memory
  double memory_share = 1;  //!< bytes that the global memory moves, for each byte accessed
};

//! The misses of a program. The first access of a word misses, a later one with the probability
//! that its word was evicted.
//! \param overwritten states that the cache is full of written lines when the kernel starts
[[nodiscard]] constexpr l2_misses l2_misses_of(program_demand const& demand, index cache_bytes,
                                               index value_bytes, bool overwritten) {
  double const footprint = demand.global_words() * as_double(value_bytes);
  double const retained = l2_retained_share * as_double(cache_bytes);
  double const first = smaller_of(footprint, demand.traffic_bytes);
  double const again = demand.traffic_bytes - first;
  double const hits = footprint <= retained ? 1 : retained / footprint;
  double from_memory = first + again * (1 - hits);
  // Tiles side by side read the same words at about the same time.
  if (demand.only_tiles && demand.tile_passes > 0)
    from_memory = smaller_of(from_memory, larger_of(first, demand.tile_passes * footprint));
  double const load_share = demand.traffic_bytes > 0 ? from_memory / demand.traffic_bytes : 1;
  double const written = load_share * (demand.traffic_bytes - demand.read_bytes);
  if (overwritten) from_memory += l2_dirty_share * smaller_of(footprint, as_double(cache_bytes));
  // The words that the program writes last stay in the cache when it ends.
  from_memory = larger_of(0, from_memory - smaller_of(smaller_of(written, footprint), retained));
  return {load_share, demand.traffic_bytes > 0 ? from_memory / demand.traffic_bytes : 1};
}

}  // namespace mmm::detail
