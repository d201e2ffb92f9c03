// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/estimate/watched.hpp>
#include <mmm/index/period.hpp>

//! Partial sectors: sectors of 32 bytes of which a request stores some words only, as at the ends
//! of rows that begin within a sector. The level-2 cache has to change them.
namespace mmm::detail {

//! Partial sectors of an access that stores, in the requests of `bodies` bodies: those at the ends
//! of runs of neighbouring words. The first 32 warps stand for all. Runs that are shorter than a
//! sector are not counted: the same thread stores the rest of the sector next, or the addresses
//! stand for random ones (mmm::scatter). 0 if no request has lines beyond those that its words
//! fill, as then its words are whole sectors, and for scattered requests (scattered_sectors.hpp).
//! \param address the word of an item; for accesses of several words, the vec of so many words
//! \param items of the step: with fewer than 32, nothing is counted
template <class Address>
[[nodiscard]] constexpr index partial_sectors(watched_access const& a, Address const& address,
                                              index value_bytes, index items, index bodies) {
  if constexpr (!Address::in_trapezoid) {
    index const sector = larger(index{1}, 32 / value_bytes);  // in words
    if (a.shared || a.kind == access_kind::read || items < 32 || a.stages <= bodies * a.words ||
        a.stages * 32 > bodies * 32 * a.words * value_bytes)
      return 0;
    index const warps = smaller(items / 32, index{32});
    // The requests of warps that are whole periods of the sectors apart have as many.
    motion const repeats = aligned(period_of(address), sector / gcd(sector, a.words));
    index const distinct =
        repeats.periodic ? smaller(warps, repeats.period / gcd(repeats.period, index{32})) : warps;
    index partial = 0;
    for (index warp = 0; warp < distinct; ++warp) {
      index begin = 0;
      index end = 0;
      index of_warp = 0;
      auto const end_run = [&] {
        if (end - begin >= sector) of_warp += (begin % sector != 0) + (end % sector != 0);
      };
      for (index lane = 0; lane < 32; ++lane) {
        index const word = address(32 * warp + lane) * a.words;
        if (lane == 0 || word != end) {
          end_run();
          begin = word;
        }
        end = word + a.words;
      }
      end_run();
      partial += of_warp * ceil_divide(warps - warp, distinct);
    }
    return checked_multiply(partial, bodies) / warps;
  } else {
    return 0;
  }
}

}  // namespace mmm::detail
