// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/execution/simulate/trace.hpp>
#include <mmm/machine/clustered.hpp>
#include <mmm/machine/machine.hpp>
#include <mmm/report/request.hpp>

#include <string>
#include <utility>
#include <vector>

//! A trace divided into rounds, memories and pipeline stages, for pictures and tables.
namespace mmm::report {

//! The part of a trace that is shown.
struct extent {
  index rounds = 24;    //!< the number of rounds, from the first on
  index columns = 600;  //!< no further round begins after so many pipeline stages (pictures only)
};

namespace detail {

//! One pipeline stage and the warp whose request it serves (-1: the whole round).
struct round_stage {
  index warp;
  index dmm;
  pipeline_stage words;
};

//! The accesses of one round in one memory.
struct round_part {
  memory_space space;
  index dmm;  //!< whose shared memory; 0 for the global memory
  std::vector<round_stage> stages;
  index accesses = 0;
  access_kind kind;    //!< of the first access
  bool mixed = false;  //!< true if other accesses are of another kind
  index time = 0;
};

struct traced_round_view {
  index number;
  index begin;  //!< time units before it
  index time;
  std::vector<round_part> parts;
};

//! A memory's share of a round from its accesses, which are sorted by DMM and thread.
template <memory M>
[[nodiscard]] round_part part_of(M const& m, std::vector<trace_entry> const& accesses) {
  round_part part{accesses[0].space,
                  accesses[0].space != memory_space::global ? accesses[0].dmm : index{0},
                  {},
                  0,
                  accesses[0].op};
  bool const by_warp = mmm::detail::has_stages(M::conflicts);
  trace_entry const* const all = accesses.data();
  trace_entry const* const end = all + accesses.size();
  for (trace_entry const* first = all; first != end;) {
    index const warp = first->thread / m.width();
    index const dmm = first->dmm;
    trace_entry const* last = first;
    while (last != end && (!by_warp || (last->thread / m.width() == warp && last->dmm == dmm)))
      ++last;
    for (trace_entry const* e = first; e != last;) {
      trace_entry const* const together =
          by_warp ? mmm::detail::served_together(first, e, last, m.width()) : last;
      std::vector<lane_access> lanes;
      conflict const conflicts =
          e->op == access_kind::update ? mmm::detail::of_updates(M::conflicts) : M::conflicts;
      for (; e != together; ++e) {
        lanes.push_back({e->thread, e->address, e->op});
        part.mixed = part.mixed || e->op != part.kind;
      }
      for (pipeline_stage& stage : stages_of(conflicts, m.width(), lanes))
        part.stages.push_back({by_warp ? warp : -1, dmm, std::move(stage)});
    }
    first = last;
  }
  part.accesses = static_cast<index>(accesses.size());
  part.time = round_time(m, static_cast<index>(part.stages.size()));
  return part;
}

//! The same on a hierarchical machine.
template <hierarchical_machine M>
[[nodiscard]] round_part part_in_hierarchy(M const& m, std::vector<trace_entry> const& accesses) {
  if constexpr (clustered_machine<M>)
    if (accesses[0].space == memory_space::peer) return part_of(m.peer(), accesses);
  return accesses[0].space == memory_space::global ? part_of(m.global(), accesses)
                                                   : part_of(m.shared(), accesses);
}

//! The first rounds of a trace, each with its time and its stages.
template <machine M>
[[nodiscard]] std::vector<traced_round_view> rounds_of(M const& m, trace const& t,
                                                       index max_rounds) {
  std::vector<traced_round_view> rounds;
  index now = 0;
  std::size_t k = 0;
  while (k < t.entries.size() && static_cast<index>(rounds.size()) < max_rounds) {
    traced_round_view round{t.entries[k].round, now, 0, {}};
    std::vector<std::vector<trace_entry>> memories;
    for (; k < t.entries.size() && t.entries[k].round == round.number; ++k) {
      trace_entry const& e = t.entries[k];
      bool known = false;
      for (auto& one : memories) {
        if (one[0].space != e.space || (e.space != memory_space::global && one[0].dmm != e.dmm))
          continue;
        one.push_back(e);
        known = true;
        break;
      }
      if (!known) memories.push_back({e});
    }
    for (auto const& accesses : memories) {
      if constexpr (hierarchical_machine<M>)
        round.parts.push_back(part_in_hierarchy(m, accesses));
      else
        round.parts.push_back(part_of(m, accesses));
      if (round.time < round.parts.back().time) round.time = round.parts.back().time;
    }
    now += round.time;
    rounds.push_back(std::move(round));
  }
  return rounds;
}

//! The number of rounds of a trace.
[[nodiscard]] inline index count_rounds(trace const& t) {
  index count = 0;
  for (std::size_t k = 0; k < t.entries.size(); ++k)
    count += k == 0 || t.entries[k].round != t.entries[k - 1].round ? 1 : 0;
  return count;
}

//! "DMM, w = 4, l = 5".
template <machine M>
[[nodiscard]] std::string machine_text(M const& m) {
  std::string const width = ", w = " + std::to_string(m.width());
  auto const ports = [](index g) {
    return g == 1 ? std::string() : ", " + std::to_string(g) + " ports";
  };
  std::string clusters;
  if constexpr (clustered_machine<M>)
    clusters = " in clusters of " + std::to_string(m.cluster_size()) +
               " (peers: l = " + std::to_string(m.peer().latency()) + ")";
  if constexpr (hierarchical_machine<M>)
    return "HMM, " + std::to_string(m.dmms()) + (m.dmms() == 1 ? " DMM" : " DMMs") + clusters +
           width + ", l = " + std::to_string(m.shared().latency()) +
           ", L = " + std::to_string(m.global().latency()) + ports(m.global().ports());
  else if constexpr (M::conflicts == conflict::none)
    return "PRAM";
  else if constexpr (M::conflicts == conflict::amount)
    return "BPRAM" + width;
  else
    return (M::conflicts == conflict::banks ? "DMM" : "UMM") + width +
           ", l = " + std::to_string(m.latency()) + ports(m.ports());
}

}  // namespace detail

//! A machine in words: `DMM, w = 4, l = 5`.
template <machine M>
[[nodiscard]] std::string text(M const& m) {
  return detail::machine_text(m);
}

}  // namespace mmm::report
