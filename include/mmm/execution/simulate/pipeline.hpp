// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/simulate/pipeline_port.hpp>
#include <mmm/execution/simulate/warp_recorder.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

//! Pipelined time (docs/model.md, "Pipelined time"): the asynchronous DMM and UMM with barrier
//! synchronization of Nakano 2012b, whose warps are dispatched in turn here. Units
//! are counted from 0: a warp whose request's last stage is accepted in unit u is ready again in
//! unit u + l, and a program whose last warp is ready in unit t takes t units.
namespace mmm::detail {

//! Dispatches a chunk of a parallel-for without empty requests, on a port that nothing else uses
//! meanwhile.
//!
//! The port completes requests in the order in which it accepts them, so the warp dispatched
//! longest ago is the first to be ready again, and it is the next one in cyclic order: warps are
//! dispatched in cyclic order, access by access. `ready[j]` is the unit in which warp j is ready,
//! before and after. Returns when the last request completes, 0 without any.
template <int W, class StageCount>
MMM_ALWAYS_INLINE index dispatch_chunk(pipeline_port<W>& port, index* ready,
                                       StageCount const* stages, index warps, index accesses) {
  index end = 0;
  auto const pass = [&](auto const& accept) {
    for (index a = 0; a < accesses; ++a) {
      index const first = port.last + 1 < warps ? port.last + 1 : 0;
      for (index j = first; j < warps; ++j) ready[j] = accept(ready[j], stages[j * accesses + a]);
      for (index j = 0; j < first; ++j) ready[j] = accept(ready[j], stages[j * accesses + a]);
      port.last = first == 0 ? warps - 1 : first - 1;
      end = ready[port.last];
    }
  };
  if (port.per_unit == 1)  // this case needs no division
    pass([latency = port.latency - 1, &slot = port.free_slot](index now, index count) {
      slot = larger(slot, now) + count;
      return slot + latency;
    });
  else
    pass([&port](index now, index count) { return port.accept(now, count); });
  return end;
}

//! Dispatches recorded requests unit by unit, idle units skipped. Port 0 is the global memory, or
//! the only one; port 1 + d is DMM d's shared memory; port 1 + D + d of D DMMs is that memory as
//! its cluster's DMMs access it. Time: O(requests + events * ports).
template <int W>
class dispatcher {
 public:
  //! \param port_of_dmm a port that each DMM has of its own, besides port 0.
  dispatcher(index dmms, index warps_per_dmm, pipeline_port<W> const& global,
             pipeline_port<W> const* port_of_dmm)
      : warps_per_dmm_(warps_per_dmm), hierarchical_(port_of_dmm != nullptr) {
    auto const count = static_cast<std::size_t>(dmms);
    ports_.push_back(global);
    ports_[0].resize(dmms * warps_per_dmm);
    if (hierarchical_) ports_.resize(1 + count, *port_of_dmm);
    for (std::size_t p = 1; p < ports_.size(); ++p) ports_[p].resize(warps_per_dmm);
    busy_.assign(ports_.size() / 64 + 1, 0);
    warps_.resize(static_cast<std::size_t>(dmms * warps_per_dmm));
    for (std::size_t w = 0; w < warps_.size(); ++w)
      warps_[w].dmm = w / static_cast<std::size_t>(warps_per_dmm);
    dmms_.resize(count);
  }

  //! Adds a port to each DMM, for the warps of all `cluster` DMMs of its cluster.
  void add_peer_ports(index cluster, pipeline_port<W> const& of_peers) {
    cluster_ = cluster;
    first_peer_port_ = ports_.size();
    ports_.resize(ports_.size() + dmms_.size(), of_peers);
    for (std::size_t p = first_peer_port_; p < ports_.size(); ++p)
      ports_[p].resize(cluster * warps_per_dmm_);
    busy_.assign(ports_.size() / 64 + 1, 0);
    arrived_.assign(dmms_.size(), 0);
  }

  [[nodiscard]] pipeline_port<W>& port(std::size_t number) { return ports_[number]; }

  //! Runs every DMM's parallel-fors from unit `now` on; returns the unit in which all requests are
  //! complete.
  [[nodiscard]] index run(std::vector<std::vector<step_record<W>>> const& steps, index now) {
    if (is_one_global_step(steps)) return run_one_global_step(steps, now);
    begin(steps);
    for (std::size_t d = 0; d < steps.size(); ++d) starting_.push_back(d);
    return finish(now);
  }

  //! Runs the rest of a parallel-for of the only DMM. The requests of warp j before it complete at
  //! `ready[j]`, in the order that begins with the warp after the one dispatched last.
  [[nodiscard]] index run_rest(std::vector<std::vector<step_record<W>>> const& step,
                               std::vector<index> const& ready, index now) {
    begin(step);
    dmms_[0].next_step = 1;
    dmms_[0].step = &step[0][0];
    index const warps = step[0][0].warps_in(0);
    dmms_[0].unfinished = warps;
    index const first = ports_[0].last + 1 < warps ? ports_[0].last + 1 : 0;
    for (index k = 0; k < warps; ++k) {
      index const j = first + k < warps ? first + k : first + k - warps;
      warps_[static_cast<std::size_t>(j)] = warp_state{0, j};
      ports_[0].push(ready[static_cast<std::size_t>(j)], j);
    }
    busy_[0] |= 1;
    return finish(now);
  }

 private:
  struct warp_state {
    std::size_t dmm = 0;
    index number = 0;  //!< number of the warp within its DMM
    index chunk = 0;
    index access = 0;
    index stages = 0;  //!< stages of the next request
    //! of a next request to peers: its stages at each of them, and the number of peers at which it
    //! is not complete
    typename step_record<W>::stage_count const* at_peers = nullptr;
    index peers = 0;
  };
  struct dmm_state {
    step_record<W> const* step = nullptr;
    std::size_t next_step = 0;
    index unfinished = 0;  //!< warps of the current parallel-for
    //! every warp makes one request in the parallel-for, to the global memory, so that only the
    //! completion of the last request matters
    bool one_request = false;
    bool released = false;  //!< from the barrier of its cluster before its next parallel-for
  };

  //! True if every DMM has one parallel-for that only uses the global memory, without empty
  //! requests.
  [[nodiscard]] static bool is_one_global_step(
      std::vector<std::vector<step_record<W>>> const& steps) {
    for (auto const& list : steps)
      if (list.size() != 1 || !list[0].global_only || !list[0].no_empty ||
          list[0].accesses() != steps[0][0].accesses())
        return false;
    return true;
  }

  //! Dispatches the requests of the warps of all DMMs in cyclic order, as dispatch_chunk does for
  //! one memory; later DMMs may have fewer warps or chunks.
  [[nodiscard]] index run_one_global_step(std::vector<std::vector<step_record<W>>> const& steps,
                                          index now) {
    pipeline_port<W>& port = ports_[0];
    index const all = static_cast<index>(steps.size()) * warps_per_dmm_;
    index const accesses = steps[0][0].accesses();
    ready_.assign(static_cast<std::size_t>(all), now);
    for (index c = 0; c < steps[0][0].chunks; ++c)
      for (index a = 0; a < accesses; ++a) {
        index const first = port.last + 1;
        auto const pass = [&](index low, index high) {
          for (index w = low; w < high;) {
            auto const d = static_cast<std::size_t>(w / warps_per_dmm_);
            index const begin = static_cast<index>(d) * warps_per_dmm_;
            step_record<W> const& step = steps[d][0];
            index const end = c < step.chunks ? smaller(high, begin + step.warps_in(c)) : w;
            auto const* stages = c < step.chunks ? step.chunk_stages(c) : nullptr;
            for (; w < end; ++w) {
              index& ready = ready_[static_cast<std::size_t>(w)];
              ready = port.accept(ready, stages[(w - begin) * accesses + a]);
              now = ready;
              port.last = w;
            }
            w = begin + warps_per_dmm_;
          }
        };
        pass(first, all);
        pass(0, smaller(first, all));
      }
    return now;
  }

  //! Runs a parallel-for inside one DMM without empty requests; one warp, the last, stands for all
  //! of them.
  void run_shared_step(std::size_t d, index now) {
    dmm_state& dmm = dmms_[d];
    step_record<W> const& step = *dmm.step;
    pipeline_port<W>& port = ports_[1 + d];
    ready_.assign(static_cast<std::size_t>(warps_per_dmm_), now);
    index end = now;
    for (index c = 0; c < step.chunks; ++c)
      end = larger(end, dispatch_chunk(port, ready_.data(), step.chunk_stages(c), step.warps_in(c),
                                       step.accesses()));
    dmm.unfinished = 1;
    index const warp = static_cast<index>(d) * warps_per_dmm_ + port.last;
    warps_[static_cast<std::size_t>(warp)] = warp_state{d, port.last, step.chunks};
    port.push(end, warp);
    busy_[(1 + d) / 64] |= std::uint64_t{1} << ((1 + d) % 64);
  }

  void begin(std::vector<std::vector<step_record<W>>> const& steps) {
    steps_ = &steps;
    running_ = steps.size();
    for (std::size_t d = 0; d < steps.size(); ++d) dmms_[d] = dmm_state();
  }

  //! Called when a warp has completed its requests so far: its next request becomes ready, or the
  //! warp waits at the barrier.
  void arrive(index warp) {
    warp_state& state = warps_[static_cast<std::size_t>(warp)];
    dmm_state& dmm = dmms_[state.dmm];
    step_record<W> const& step = *dmm.step;
    index const accesses = step.accesses();
    for (; (state.chunk < step.chunks) && (state.number < step.warps_in(state.chunk));
         ++state.chunk, state.access = 0) {
      auto const* stages = step.chunk_stages(state.chunk) + state.number * accesses;
      for (; (state.access < accesses); ++state.access) {
        if (stages[state.access] == 0) continue;
        state.stages = stages[state.access];
        if (step.space[static_cast<std::size_t>(state.access)] == memory_space::peer) {
          ask_peers(warp, step);
          return;
        }
        bool const own = hierarchical_ &&
                         step.space[static_cast<std::size_t>(state.access)] == memory_space::shared;
        std::size_t const number = own ? 1 + state.dmm : 0;
        ports_[number].ready.insert(own ? state.number : warp);
        busy_[number / 64] |= std::uint64_t{1} << (number % 64);
        ++state.access;
        return;
      }
    }
    if (--dmm.unfinished == 0) starting_.push_back(state.dmm);
  }

  //! Makes a warp ready at the ports of all peers that its next request has stages at.
  void ask_peers(index warp, step_record<W> const& step) {
    warp_state& state = warps_[static_cast<std::size_t>(warp)];
    state.at_peers =
        step.stages_at_peers(state.chunk, state.number, step.peers_among(state.access));
    ++state.access;
    index const first = static_cast<index>(state.dmm) / cluster_ * cluster_;
    for (index r = 0; r < cluster_; ++r) {
      if (state.at_peers[r] == 0) continue;
      std::size_t const number = first_peer_port_ + static_cast<std::size_t>(first + r);
      ports_[number].ready.insert(warp - first * warps_per_dmm_);
      busy_[number / 64] |= std::uint64_t{1} << (number % 64);
      ++state.peers;
    }
  }
  //! A DMM arrives at a barrier of its cluster. The last one to arrive goes on, and releases the
  //! others; false for any other.
  [[nodiscard]] bool release_cluster(std::size_t d) {
    auto const size = static_cast<std::size_t>(cluster_);
    std::size_t const first = d / size * size;
    if (++arrived_[d / size] < size) return false;
    arrived_[d / size] = 0;
    for (std::size_t other = first; other < first + size; ++other) {
      if (other == d) continue;
      dmms_[other].released = true;
      starting_.push_back(other);
    }
    return true;
  }
  //! The first warp that uses a port.
  [[nodiscard]] index first_warp(std::size_t port) const {
    if (port == 0) return 0;
    if (port < first_peer_port_) return static_cast<index>(port - 1) * warps_per_dmm_;
    return static_cast<index>(port - first_peer_port_) / cluster_ * cluster_ * warps_per_dmm_;
  }
  //! The stages of a warp's next request at a port.
  [[nodiscard]] index stages_at(std::size_t port, index warp) const {
    warp_state const& state = warps_[static_cast<std::size_t>(warp)];
    return port < first_peer_port_
               ? state.stages
               : state.at_peers[static_cast<index>(port - first_peer_port_) % cluster_];
  }

  void start_next_step(std::size_t d, index now) {
    dmm_state& dmm = dmms_[d];
    auto const& list = (*steps_)[d];
    for (; dmm.next_step <= list.size(); ++dmm.next_step) {
      bool const waits = dmm.next_step != 0 && list[dmm.next_step - 1].cluster_waits;
      if (waits && !dmm.released && !release_cluster(d)) return;
      dmm.released = false;
      if (dmm.next_step == list.size()) {
        --running_;
        return;
      }
      if (list[dmm.next_step].chunks != 0) break;
    }
    dmm.step = &list[dmm.next_step++];
    if (hierarchical_ && dmm.step->shared_only && dmm.step->no_empty && dmm.step->accesses() != 0) {
      run_shared_step(d, now);
      return;
    }
    index const warps = dmm.step->warps_in(0);
    dmm.unfinished = warps;
    index const first = static_cast<index>(d) * warps_per_dmm_;
    dmm.one_request = dmm.step->global_only && dmm.step->no_empty && dmm.step->chunks == 1 &&
                      dmm.step->accesses() == 1;
    if (dmm.one_request) {
      ports_[0].ready.insert_all(first, warps);
      busy_[0] |= 1;
      return;
    }
    for (index j = 0; j < warps; ++j) {
      warps_[static_cast<std::size_t>(first + j)] = warp_state{d, j};
      arrive(first + j);
    }
  }

  //! Dispatches the ready warps of a port in unit `now`. If no other port is busy (`alone`), also
  //! those of later units, up to the unit in which the first request in flight completes: no warp
  //! becomes ready before it.
  void dispatch_ready(std::size_t number, pipeline_port<W>& p, index now, bool alone) {
    index const base = first_warp(number);
    while (p.ready.any()) {
      index end = now + 1;
      if (alone) end = p.flying == 0 ? INT64_MAX : larger(end, p.in_flight[p.head].time);
      if (p.unit_of(p.free_slot) >= end) return;
      p.last = p.ready.first_from(p.last + 1);
      std::size_t const d = warps_[static_cast<std::size_t>(base + p.last)].dmm;
      if (number == 0 && dmms_[d].one_request) {
        dispatch_one_request_each(d, p, now, end);
      } else {
        p.ready.remove(p.last);
        p.push(p.accept(now, stages_at(number, base + p.last)), base + p.last);
      }
    }
  }

  //! Dispatches warp `p.last` of DMM d and the ready warps after it, before unit `end`, where each
  //! warp makes one request.
  void dispatch_one_request_each(std::size_t d, pipeline_port<W>& p, index now, index end) {
    dmm_state& dmm = dmms_[d];
    index const first = static_cast<index>(d) * warps_per_dmm_;
    auto const* const stages = dmm.step->stages.data();
    index const behind = first + dmm.step->warps_in(0);
    index warp = p.last;
    index completes = 0;
    do {
      p.ready.remove(warp);
      completes = p.accept(now, stages[warp - first]);
      --dmm.unfinished;
      ++warp;
    } while (warp < behind && p.ready.has(warp) && p.unit_of(p.free_slot) < end);
    p.last = warp - 1;
    if (dmm.unfinished != 0) return;
    dmm.unfinished = 1;  // the last one stands for all of them
    warps_[static_cast<std::size_t>(p.last)] = warp_state{d, p.last - first, dmm.step->chunks};
    p.push(completes, p.last);
  }

  //! True if no other port has ready warps or requests in flight.
  [[nodiscard]] bool is_only_busy_port(std::size_t number) const {
    for (std::size_t word = 0; word < busy_.size(); ++word)
      if (busy_[word] != (word == number / 64 ? std::uint64_t{1} << (number % 64) : 0))
        return false;
    return true;
  }

  [[nodiscard]] index finish(index now) {
    for (;;) {
      each_busy_port([&](std::size_t number, pipeline_port<W>& p) {
        while (p.flying != 0 && p.in_flight[p.head].time <= now) {
          index const warp = p.pop();
          if (number < first_peer_port_ || --warps_[static_cast<std::size_t>(warp)].peers == 0)
            arrive(warp);
        }
      });
      while (!starting_.empty()) {
        std::size_t const d = starting_.back();
        starting_.pop_back();
        start_next_step(d, now);
      }
      if (running_ == 0) return now;
      index next = INT64_MAX;
      bool const alone = is_only_busy_port(0);
      each_busy_port([&](std::size_t number, pipeline_port<W>& p) {
        dispatch_ready(number, p, now, alone);
        if (p.ready.any()) next = smaller(next, p.unit_of(p.free_slot));
        if (p.flying != 0) next = smaller(next, p.in_flight[p.head].time);
        if (!p.ready.any() && p.flying == 0)
          busy_[number / 64] &= ~(std::uint64_t{1} << (number % 64));
      });
      now = next;
    }
  }

  //! Calls a function for the ports with ready warps or with requests in flight, in order.
  template <class F>
  MMM_ALWAYS_INLINE void each_busy_port(F f) {
    for (std::size_t word = 0; word < busy_.size(); ++word)
      for (std::uint64_t bits = busy_[word]; bits != 0; bits &= bits - 1) {
        auto const number = word * 64 + static_cast<std::size_t>(__builtin_ctzll(bits));
        f(number, ports_[number]);
      }
  }

  index warps_per_dmm_;
  bool hierarchical_;
  index cluster_ = 1;  //!< DMMs in a cluster
  std::size_t first_peer_port_ = SIZE_MAX;
  std::vector<std::size_t> arrived_{};  //!< DMMs of each cluster that wait at its barrier
  std::vector<pipeline_port<W>> ports_{};
  std::vector<std::uint64_t> busy_{};
  std::vector<warp_state> warps_{};
  std::vector<dmm_state> dmms_{};
  std::vector<std::size_t> starting_{};
  std::vector<index> ready_{};
  std::vector<std::vector<step_record<W>>> const* steps_ = nullptr;
  std::size_t running_ = 0;
};

//! The pipeline of a machine with one memory, fed chunk by chunk.
//!
//! As long as no request is empty, warps are dispatched in cyclic order (dispatch_chunk) and no
//! request has to be stored. An empty request is skipped, which lets its warp overtake others: from
//! that chunk on, the requests of the parallel-for are stored and dispatched one by one at its end.
template <int W>
class streaming_pipeline {
 public:
  using stage_count = typename step_record<W>::stage_count;
  streaming_pipeline(index warps, pipeline_port<W> const& port)
      : ready_(static_cast<std::size_t>(warps)), dispatcher_(1, warps, port, nullptr) {}

  void begin_step() { stored_ = first_ = true; }

  //! Adds the requests of a chunk, `accesses` for each of `warps` warps. Returns true if they have
  //! to be stored.
  [[nodiscard]] bool add_chunk(stage_count const* stages, index warps, index accesses) {
    if (first_) {
      for (index j = 0; j < warps; ++j) ready_[static_cast<std::size_t>(j)] = now_;
      stored_ = first_ = false;
    }
    if (!stored_) {
      int empty = 0;
      for (index k = 0; k < warps * accesses; ++k) empty |= stages[k] == 0 ? 1 : 0;
      stored_ = empty != 0;
    }
    if (stored_) return true;
    end_ =
        larger(end_, dispatch_chunk(dispatcher_.port(0), ready_.data(), stages, warps, accesses));
    return false;
  }

  //! The barrier after a parallel-for; `stored` holds the chunks that had to be stored.
  void end_step(std::vector<std::vector<step_record<W>>> const& stored) {
    if (stored_ && !first_) now_ = dispatcher_.run_rest(stored, ready_, now_);
    now_ = larger(now_, end_);
  }

  //! The time units so far, at a barrier.
  [[nodiscard]] index now() const { return now_; }

 private:
  std::vector<index> ready_;
  dispatcher<W> dispatcher_;
  index now_ = 0;
  index end_ = 0;
  bool stored_ = false;
  bool first_ = true;
};

}  // namespace mmm::detail
