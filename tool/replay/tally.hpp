// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "cache.hpp"
#include "request.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>

namespace replay {

//! Sums of the figures that a profiler counts.
struct totals {
  mmm::gpu::shared_cost shared;
  mmm::gpu::global_cost global;
  void add(mmm::gpu::shared_cost const& c) {
    shared.requests += c.requests;
    shared.wavefronts += c.wavefronts;
    shared.ideal += c.ideal;
  }
  void add(mmm::gpu::global_cost const& c) {
    global.requests += c.requests;
    global.sectors += c.sectors;
    global.lines += c.lines;
  }
};

//! The sums over a file, and over each instruction where the file tells them apart.
struct tally {
  totals all;
  std::map<std::uint64_t, totals> by_counter;
  std::optional<cache_figures> cache;  //!< of the cache that --cache names

  template <class Cost>
  void add(request const& r, Cost const& cost) {
    all.add(cost);
    if (!r.counter) return;
    found& f = found_[(*r.counter >> 4 ^ *r.counter >> 12) % found_.size()];
    if (f.sums == nullptr || f.counter != *r.counter) f = {*r.counter, &by_counter[*r.counter]};
    f.sums->add(cost);
  }

 private:
  //! Sums that were looked up before.
  struct found {
    std::uint64_t counter = 0;
    totals* sums = nullptr;
  };
  std::array<found, 256> found_;
};

}  // namespace replay
