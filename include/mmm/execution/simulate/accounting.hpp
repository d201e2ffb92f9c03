// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/cost/cost.hpp>
#include <mmm/execution/simulate/pipeline.hpp>
#include <mmm/execution/simulate/trace.hpp>
#include <mmm/execution/simulate/warp_recorder.hpp>
#include <mmm/machine/clustered.hpp>
#include <mmm/machine/machine.hpp>

#include <cstddef>
#include <vector>

//! From requests to time: the papers' synchronous rounds, and the pipeline.
namespace mmm::detail {

//! Appends accesses to a trace once the numbers of their rounds are known: `round_of(pending)`, in
//! [first, last), in any order.
template <class RoundOf>
void append_rounds(trace& to, std::vector<pending_entry> const& entries, index first, index last,
                   RoundOf round_of) {
  std::vector<std::size_t> begin(static_cast<std::size_t>(last - first) + 1, 0);
  for (pending_entry const& p : entries) ++begin[static_cast<std::size_t>(round_of(p) - first) + 1];
  for (std::size_t r = 1; r < begin.size(); ++r) begin[r] += begin[r - 1];
  std::size_t const old = to.entries.size();
  to.entries.resize(old + entries.size());
  for (pending_entry const& p : entries) {
    index const round = round_of(p);
    trace_entry& e = to.entries[old + begin[static_cast<std::size_t>(round - first)]++];
    e = p.entry;
    e.round = round;
  }
}

//! The accounts of a machine with one memory. Memory: O(threads), unless requests are empty
//! (streaming_pipeline).
template <memory M>
class memory_accounts {
  static constexpr int max_lanes = detail::max_lanes<M>;
  //! True for machines with warps: only they overlap rounds in the pipeline. On others a round ends
  //! before the next one begins.
  static constexpr bool pipelined = has_stages(M::conflicts);

 public:
  memory_accounts(M const& m, index p)
      : machine_(m),
        pipeline_(ceil_divide(p, m.width()), pipeline_port<max_lanes>(m.ports(), m.latency())) {
    sum.closed_form = false;
    recorded_.emplace_back(1);
  }

  void begin_step() {
    pipeline_.begin_step();
    recorded_begin_ = 0;
  }

  //! Accounts for a chunk of the recorder's parallel-for, which has run on `warps` warps.
  template <class Recorder>
  void add_chunk(Recorder& recorder, index warps, trace& to) {
    index const accesses = recorder.step.accesses();
    auto const* stages = recorder.step.stages.data() + recorded_begin_;
    index const first_round = sum.rounds;
    by_access_.assign(static_cast<std::size_t>(accesses), 0);
    for (index j = 0; j < warps; ++j)
      for (index a = 0; a < accesses; ++a)
        by_access_[static_cast<std::size_t>(a)] += stages[j * accesses + a];
    for (index& s : by_access_) {
      round_cost const round = cost_of_round(machine_, s);
      sum.stages += round.stages;
      sum.time = checked_add(sum.time, round.time);
      s = sum.rounds;  // the round's number, for the trace
      sum.rounds += round.stages != 0 ? 1 : 0;
    }
    if (Recorder::observe_type::traced) {
      append_rounds(to, recorder.pending, first_round, sum.rounds, [this](pending_entry const& p) {
        return by_access_[static_cast<std::size_t>(p.access)];
      });
      recorder.pending.clear();
    }
    if constexpr (pipelined) {
      if (pipeline_.add_chunk(stages, warps, accesses)) {
        step_record<max_lanes>& recorded = recorded_[0][0];
        if (recorded.chunks++ == 0) recorded.warps = warps;
        recorded.last_warps = warps;
        recorded_begin_ = recorder.noted();
        return;
      }
    }
    recorder.drop_requests();
  }

  template <class Recorder>
  void end_step(Recorder& recorder) {
    if constexpr (pipelined) {
      step_record<max_lanes>& recorded = recorded_[0][0];
      if (recorded.chunks != 0) {
        index const chunks = recorded.chunks;
        index const warps = recorded.warps;
        index const last_warps = recorded.last_warps;
        recorded = recorder.take();
        recorded.chunks = chunks;
        recorded.warps = warps;
        recorded.last_warps = last_warps;
      }
      pipeline_.end_step(recorded_);
      recorded = step_record<max_lanes>();
    }
  }

  [[nodiscard]] index pipelined_time() const {
    return pipelined ? smaller(pipeline_.now(), sum.time) : sum.time;
  }

  cost sum{};

 private:
  M machine_;
  streaming_pipeline<max_lanes> pipeline_;
  std::vector<std::vector<step_record<max_lanes>>> recorded_{};
  std::size_t recorded_begin_ = 0;
  std::vector<index> by_access_{};
};

//! The accounts of a hierarchical machine: between two machine-wide barriers, the steps of all DMMs
//! are merged in lock step.
template <hierarchical_machine M>
class hierarchical_accounts {
  static constexpr int max_lanes = detail::max_lanes<M>;

 public:
  hierarchical_accounts(M const& m, index threads_per_dmm)
      : machine_(m),
        shared_port_(m.shared().ports(), m.shared().latency()),
        dispatcher_(m.dmms(), ceil_divide(threads_per_dmm, m.width()),
                    pipeline_port<max_lanes>(m.global().ports(), m.global().latency()),
                    &shared_port_) {
    sum.closed_form = false;
    if constexpr (clustered_machine<M>)
      dispatcher_.add_peer_ports(m.cluster_size(),
                                 pipeline_port<max_lanes>(m.peer().ports(), m.peer().latency()));
  }

  //! Accounts for everything that the DMMs did since the last machine-wide barrier: `steps[dmm]`,
  //! `pending` in the order of the DMMs.
  void add_phase(std::vector<std::vector<step_record<max_lanes>>> const& steps,
                 std::vector<pending_entry> const& pending, trace& to) {
    index const first_round = sum.rounds;
    numbers_.clear();
    begin_.clear();
    accesses_.clear();
    std::size_t max_steps = 0;
    for (auto const& list : steps)
      if (max_steps < list.size()) max_steps = list.size();
    for (std::size_t k = 0; k < max_steps; ++k) add_steps(steps, k, !pending.empty());
    if (!pending.empty())
      append_rounds(to, pending, first_round, sum.rounds, [this](pending_entry const& p) {
        auto const k = static_cast<std::size_t>(p.step);
        return numbers_[static_cast<std::size_t>(begin_[k] + p.chunk * accesses_[k] + p.access)];
      });
    now_ = dispatcher_.run(steps, now_);
    parallel_fors_ += static_cast<index>(max_steps);
  }

  //! The number of parallel-fors so far, in lock step.
  [[nodiscard]] index parallel_fors() const { return parallel_fors_; }
  //! The pipelined time. A machine can always run in lock step, so the lock-step time is the limit
  //! where round-robin order takes longer.
  [[nodiscard]] index pipelined_time() const { return smaller(now_, sum.time); }

  cost sum{};

 private:
  //! Accounts for the k-th parallel-for of every DMM.
  void add_steps(std::vector<std::vector<step_record<max_lanes>>> const& steps, std::size_t k,
                 bool numbered) {
    index chunks = 0;
    index accesses = 0;
    for (auto const& list : steps) {
      if (k >= list.size()) continue;
      chunks = larger(chunks, list[k].chunks);
      accesses = larger(accesses, list[k].accesses());
    }
    begin_.push_back(static_cast<index>(numbers_.size()));
    accesses_.push_back(accesses);
    for (index c = 0; c < chunks; ++c) {
      rounds_.assign(static_cast<std::size_t>(accesses), lock_step_round());
      for (auto const& list : steps)
        if (k < list.size() && c < list[k].chunks) add_chunk(list[k], c);
      if constexpr (clustered_machine<M>) add_peers(steps, k, c, accesses);
      for (lock_step_round const& r : rounds_) {
        index time = larger(round_time(machine_.global(), r.global),
                            round_time(machine_.shared(), r.longest_shared));
        if constexpr (clustered_machine<M>)
          time = larger(time, round_time(machine_.peer(), r.longest_peer));
        sum.time = checked_add(sum.time, time);
        sum.stages += r.global + r.all_shared;
        if (numbered) numbers_.push_back(sum.rounds);
        sum.rounds += time != 0 ? 1 : 0;
      }
    }
  }

  void add_chunk(step_record<max_lanes> const& step, index chunk) {
    index const accesses = step.accesses();
    for (index a = 0; a < accesses; ++a) {
      index const in_dmm = step.sums[static_cast<std::size_t>(chunk * accesses + a)];
      lock_step_round& r = rounds_[static_cast<std::size_t>(a)];
      if (step.space[static_cast<std::size_t>(a)] == memory_space::global) {
        r.global += in_dmm;
      } else if (step.space[static_cast<std::size_t>(a)] == memory_space::peer) {
        r.all_shared += in_dmm;
      } else {
        r.all_shared += in_dmm;
        r.longest_shared = larger(r.longest_shared, in_dmm);
      }
    }
  }

  //! Finds the DMM with the most stages of its peers' requests, in each round of a chunk.
  void add_peers(std::vector<std::vector<step_record<max_lanes>>> const& steps, std::size_t k,
                 index chunk, index accesses) {
    auto const size = static_cast<std::size_t>(machine_.cluster_size());
    auto const of_round = steps.size();
    at_peers_.assign(static_cast<std::size_t>(accesses) * of_round, 0);
    for (std::size_t d = 0; d < steps.size(); ++d) {
      if (k >= steps[d].size() || chunk >= steps[d][k].chunks) continue;
      step_record<max_lanes> const& step = steps[d][k];
      auto const peers = static_cast<std::size_t>(step.peers_among(step.accesses()));
      auto const* sums = step.peer_sums.data() + static_cast<std::size_t>(chunk) * peers * size;
      for (std::size_t a = 0; a < step.space.size(); ++a) {
        if (step.space[a] != memory_space::peer) continue;
        for (std::size_t r = 0; r < size; ++r)
          at_peers_[a * of_round + d / size * size + r] += sums[r];
        sums += size;
      }
    }
    for (std::size_t a = 0; a < rounds_.size(); ++a)
      for (std::size_t d = 0; d < of_round; ++d)
        rounds_[a].longest_peer = larger(rounds_[a].longest_peer, at_peers_[a * of_round + d]);
  }

  struct lock_step_round {
    index global = 0;
    index longest_peer = 0;  //!< stages at the DMM with the most, of all requests of its cluster
    index longest_shared = 0;
    index all_shared = 0;  //!< of peers' memories, too
  };
  M machine_;
  pipeline_port<max_lanes> shared_port_;
  dispatcher<max_lanes> dispatcher_;
  index now_ = 0;
  index parallel_fors_ = 0;
  std::vector<lock_step_round> rounds_{};
  std::vector<index> at_peers_{};  // stages at each DMM: [access][DMM]
  std::vector<index> numbers_{};   // round numbers of a phase: [parallel-for][chunk][access]
  std::vector<index> begin_{};     // begin of each parallel-for's part of numbers_
  std::vector<index> accesses_{};
};

}  // namespace mmm::detail
