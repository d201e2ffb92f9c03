// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/simulate/warp_recorder.hpp>

#include <cstddef>
#include <vector>

//! Pipelined time (docs/model.md, "Pipelined time"): the asynchronous DMM and UMM with barrier
//! synchronization of Nakano 2012b, whose warps are dispatched in turn here. Units
//! are counted from 0: a warp whose request's last stage is accepted in unit u is ready again in
//! unit u + l, and a program whose last warp is ready in unit t takes t units.
namespace mmm::detail {

//! The set of ready warps, searched in cyclic order. Time: O(1) for a change, O(warps / 4096 + 1)
//! for a search.
//! \tparam W as that of the dispatcher: only code that dispatches compiles it.
template <int W>
class ready_set {
 public:
  void resize(index warps) {
    words_.assign(static_cast<std::size_t>(warps / 64 + 1), 0);
    summary_.assign(words_.size() / 64 + 1, 0);
  }
  [[nodiscard]] bool any() const { return count_ != 0; }
  void insert(index warp) {
    auto const w = static_cast<std::size_t>(warp);
    words_[w / 64] |= std::uint64_t{1} << (w % 64);
    summary_[w / 4096] |= std::uint64_t{1} << (w / 64 % 64);
    ++count_;
  }
  //! Inserts `count` warps from `first` on, none of which is in the set.
  void insert_all(index first, index count) {
    for (index w = first, end = first + count; w < end;) {
      index const of_word = smaller(64 - w % 64, end - w);
      words_[static_cast<std::size_t>(w / 64)] |= (~std::uint64_t{0} >> (64 - of_word)) << (w % 64);
      summary_[static_cast<std::size_t>(w / 4096)] |= std::uint64_t{1} << (w / 64 % 64);
      w += of_word;
    }
    count_ += count;
  }
  //! The first warp of the set from `warp` on, cyclically. The set is not empty.
  [[nodiscard]] index first_from(index warp) const {
    index const found = find(static_cast<std::size_t>(warp));
    return found < 0 ? find(0) : found;
  }
  [[nodiscard]] bool has(index warp) const {
    auto const w = static_cast<std::size_t>(warp);
    return ((words_[w / 64] >> (w % 64)) & 1U) != 0;
  }
  void remove(index warp) {
    auto const w = static_cast<std::size_t>(warp);
    words_[w / 64] &= ~(std::uint64_t{1} << (w % 64));
    if (words_[w / 64] == 0) summary_[w / 4096] &= ~(std::uint64_t{1} << (w / 64 % 64));
    --count_;
  }

 private:
  [[nodiscard]] static index lowest(std::uint64_t bits) { return __builtin_ctzll(bits); }
  [[nodiscard]] index find(std::size_t warp) const {
    std::size_t word = warp / 64;
    if (word >= words_.size()) return -1;
    std::uint64_t const here = words_[word] & (~std::uint64_t{0} << (warp % 64));
    if (here != 0) return static_cast<index>(word * 64) + lowest(here);
    ++word;
    for (std::size_t s = word / 64; s < summary_.size(); ++s) {
      std::uint64_t const bits =
          s == word / 64 ? summary_[s] & (~std::uint64_t{0} << (word % 64)) : summary_[s];
      if (bits == 0) continue;
      auto const place = s * 64 + static_cast<std::size_t>(lowest(bits));
      return static_cast<index>(place * 64) + lowest(words_[place]);
    }
    return -1;
  }
  std::vector<std::uint64_t> words_{};
  std::vector<std::uint64_t> summary_{};
  index count_ = 0;
};

//! A port and the requests that it has accepted. They complete in the order in which they were
//! accepted.
//! \tparam W as that of the dispatcher.
template <int W>
struct pipeline_port {
  index per_unit = 1;  //!< stages accepted per time unit
  index latency = 1;
  index free_slot = 0;  //!< the next free slot: unit * per_unit + number within the unit
  index last = -1;      //!< the warp dispatched last
  ready_set<W> ready{};
  struct completion {
    index time;
    index warp;
  };
  std::vector<completion> in_flight{};  //!< a ring buffer buffer
  std::size_t head = 0;
  std::size_t flying = 0;

  pipeline_port(index slots, index l) : per_unit(slots), latency(l) {}
  void resize(index warps) {
    ready.resize(warps);
    in_flight.resize(static_cast<std::size_t>(warps) + 1);
  }
  void push(index time, index warp) {
    std::size_t place = head + flying++;
    if (place >= in_flight.size()) place -= in_flight.size();
    in_flight[place] = {time, warp};
  }
  [[nodiscard]] index pop() {
    index const warp = in_flight[head].warp;
    if (++head == in_flight.size()) head = 0;
    --flying;
    return warp;
  }
  //! The time unit of a slot; most machines have one slot in each unit.
  [[nodiscard]] MMM_ALWAYS_INLINE index unit_of(index slot) const {
    return per_unit == 1 ? slot : slot / per_unit;
  }
  //! Accepts a request of `stages` stages in unit `now` or as soon as a slot is free; returns when
  //! it completes.
  [[nodiscard]] index accept(index now, index stages) {
    index const start = larger(free_slot, now * per_unit);
    free_slot = start + stages;
    return unit_of(free_slot - 1) + latency;
  }
};

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
//! the only one; port 1 + d is DMM d's shared memory. Time: O(requests + events * ports).
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
  };
  struct dmm_state {
    step_record<W> const* step = nullptr;
    std::size_t next_step = 0;
    index unfinished = 0;  //!< warps of the current parallel-for
    //! every warp makes one request in the parallel-for, to the global memory, so that only the
    //! completion of the last request matters
    bool one_request = false;
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

  void start_next_step(std::size_t d, index now) {
    dmm_state& dmm = dmms_[d];
    auto const& list = (*steps_)[d];
    while (dmm.next_step < list.size() && list[dmm.next_step].chunks == 0) ++dmm.next_step;
    if (dmm.next_step == list.size()) {
      --running_;
      return;
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
    index const base = number == 0 ? 0 : static_cast<index>(number - 1) * warps_per_dmm_;
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
        p.push(p.accept(now, warps_[static_cast<std::size_t>(base + p.last)].stages),
               base + p.last);
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
      each_busy_port([&](std::size_t, pipeline_port<W>& p) {
        while (p.flying != 0 && p.in_flight[p.head].time <= now) arrive(p.pop());
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
