// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/gpu.hpp>
#include <mmm/mmm.hpp>

#include <algorithm>

//! Predicts a profiler's counts for the accesses of a simulation, from its trace and the rules of
//! <mmm/gpu.hpp>.
namespace counted {

using mmm::index;

//! Counts over all requests of a trace.
struct demand {
  index shared_requests = 0;
  index shared_stages = 0;  //!< wavefronts in a profiler's terms
  index global_requests = 0;
  index global_stages = 0;   //!< groups of 32 words: lines
  index global_sectors = 0;  //!< groups of 8 words
  friend bool operator==(demand const&, demand const&) = default;
};

//! One memory instruction of a warp: each active lane accesses one word of 4 bytes, or 2 or 4
//! consecutive words.
struct warp_request {
  mmm::gpu::warp_access access;
  mmm::gpu::lane_mask active = 0;
  index address[32] = {};  //!< byte addresses of the active lanes
};

inline void add(demand& d, warp_request const& r, mmm::memory_space space) {
  if (space == mmm::memory_space::shared) {
    auto const cost = mmm::gpu::shared_request_cost(r.access, r.address, r.active);
    d.shared_requests += cost.requests;
    d.shared_stages += cost.wavefronts;
  } else {
    auto const cost = mmm::gpu::global_request_cost(r.access, r.address, r.active);
    d.global_requests += cost.requests;
    d.global_stages += cost.lines;
    d.global_sectors += cost.sectors;
  }
}

[[nodiscard]] inline demand demand_of(mmm::trace const& t) {
  demand d;
  mmm::trace_entry const* const end = t.entries.data() + t.entries.size();
  for (mmm::trace_entry const* first = t.entries.data(); first != end;) {
    mmm::trace_entry const* last = first;
    while (last != end && last->round == first->round && last->dmm == first->dmm &&
           last->space == first->space && last->thread / 32 == first->thread / 32)
      ++last;
    index width = 1;  // consecutive words that each thread accesses
    while (first + width != last && first[width].thread == first->thread) ++width;
    index const together = std::min<index>(width, 4);
    auto const kind = first->op == mmm::access_kind::read ? mmm::gpu::instruction::load
                                                          : mmm::gpu::instruction::store;
    for (index part = 0; part < width; part += together) {
      warp_request request{mmm::gpu::access_of(kind, 4 * together)};
      for (mmm::trace_entry const* e = first + part; e < last; e += width) {
        request.active |= mmm::gpu::lane_mask{1} << e->thread % 32;
        request.address[e->thread % 32] = 4 * e->address;
      }
      add(d, request, first->space);
    }
    first = last;
  }
  return d;
}

}  // namespace counted
