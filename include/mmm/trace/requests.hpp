// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/gpu/access.hpp>
#include <mmm/gpu/atomic.hpp>
#include <mmm/gpu/rules.hpp>
#include <mmm/trace/kernel_trace.hpp>
#include <mmm/trace/lane_flow.hpp>
#include <mmm/trace/region.hpp>
#include <mmm/trace/shadow.hpp>
#include <mmm/trace/source_place.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

//! The requests of warps: from the accesses of their lanes to figures for each source line.
namespace mmm::gpu::detail {

//! Counts the requests of warps.
class request_counter {
 public:
  request_counter(bool merges_pairs, place_table const& places)
      : merges_pairs_(merges_pairs), places_(places), flow_(places) {}

  //! Counts the requests of a warp since its lanes last synchronized.
  void count(std::vector<traced_access> const* const* lists, int lanes) {
    flow_.for_each_request(lists, lanes,
                           [this](traced_access const& a, index const* address, lane_mask active) {
                             add(a, address, active);
                           });
  }

  //! Appends the figures to a trace, in the order of the source.
  void deliver(kernel_trace& trace) const {
    std::vector<entry> all;
    for (auto const& place_entries : entries_)
      all.insert(all.end(), place_entries.begin(), place_entries.end());
    std::sort(all.begin(), all.end(), [&](entry const& a, entry const& b) {
      return places_.before(a.access.place, b.access.place) ||
             (a.access.place == b.access.place && a.number < b.number);
    });
    for (entry const& e : all) trace.lines.push_back(e.figures);
  }

 private:
  struct entry {
    traced_access access;
    std::size_t number;  //!< number in the order of first requests
    traced_line figures;
  };

  void add(traced_access const& a, index const* address, lane_mask active) {
    auto const address_of = [address](int t) { return address[t]; };
    traced_line& f = figures_of(a);
    f.lanes += std::popcount(active);
    if (a.space == memory_space::global) {
      f += global_figures(a.use, a.bytes, address_of, active);
      return;
    }
    warp_access const by =
        access_of(a.use == access_kind::read ? instruction::load : instruction::store, a.bytes);
    f += merges_pairs_ ? shared_figures<nvidia_merging>(a.use, by, address_of, active)
                       : shared_figures<nvidia>(a.use, by, address_of, active);
  }

  [[nodiscard]] traced_line& figures_of(traced_access const& a) {
    if (a.place >= entries_.size()) entries_.resize(places_.size());
    auto& place_entries = entries_[a.place];
    for (entry& e : place_entries)
      if (e.access.same_instruction(a)) return e.figures;
    traced_line line;
    line.place = places_[a.place];
    line.space = a.space;
    line.use = a.use;
    line.bytes = a.bytes;
    place_entries.push_back({a, entered_++, line});
    return place_entries.back().figures;
  }

  bool merges_pairs_;
  place_table const& places_;
  lane_flow flow_;
  std::vector<std::vector<entry>> entries_;  //!< entries of each place
  std::size_t entered_ = 0;
};

}  // namespace mmm::gpu::detail
