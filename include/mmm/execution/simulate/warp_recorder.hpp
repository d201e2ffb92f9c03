// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/cost/request.hpp>
#include <mmm/execution/simulate/async_copies.hpp>
#include <mmm/execution/simulate/host_memory.hpp>
#include <mmm/execution/simulate/race.hpp>
#include <mmm/execution/simulate/step_record.hpp>
#include <mmm/execution/simulate/trace.hpp>
#include <mmm/index/warp_index.hpp>

#include <cstddef>
#include <vector>

//! Runs the warps of one DMM, or of a machine that is one, and records their requests.
namespace mmm {

//! Observers, which choose what a simulation records besides data and pipelined time. Memory: the
//! data plus O(threads) with `observe_cost`. A program's own observer has the same two members; its
//! `traced` may change at run time, so that one instantiation serves both.
struct observe_cost_t {
  static constexpr bool races = false;
  static constexpr bool traced = false;
};
//! Observes races, too: a cell per word that is used.
struct observe_races_t {
  static constexpr bool races = true;
  static constexpr bool traced = false;
};
//! Observes races and records a trace: an entry per access.
struct observe_all_t {
  static constexpr bool races = true;
  static constexpr bool traced = true;
};
inline constexpr observe_cost_t observe_cost{};
inline constexpr observe_races_t observe_races{};
inline constexpr observe_all_t observe_all{};

namespace detail {

//! The place of an array in a memory.
struct array_place {
  index size;
  index address;  //!< address of its first word
  memory_space space;
  //! accesses may race: false for words that are only read, or meant to be read and written at the
  //! same time
  bool watched = true;
  index owner = -1;  //!< for the part of a distributed array: the DMM that has it
};
//! An array in a simulated memory.
template <class T>
struct array_record : array_place {
  T* data;
};

//! A trace entry without the number of its round, which is not known yet.
struct pending_entry {
  trace_entry entry;
  index step;
  index chunk;
  index access;
};

//! The recorder of one DMM of a simulation.
template <class Width, conflict Shared, conflict Global, class Observe>
class warp_recorder {
  static constexpr int W = Width::max_lanes;

 public:
  using observe_type = Observe;
  using stage_count = typename step_record<W>::stage_count;
  static constexpr int width = W;  //!< maximum number of lanes of a warp
  static constexpr bool hierarchical = Shared != Global;

  explicit warp_recorder(Width const& lanes_of_warp) : width_(lanes_of_warp) {}

  index dmm = 0;
  race_detector<Width>* races = nullptr;
  std::vector<pending_entry> pending{};
  async_copies<> copies{};

  //! The recorder whose warp is running on this host thread; null between parallel-fors.
  [[nodiscard]] MMM_ALWAYS_INLINE static warp_recorder* running() { return running_; }
  //! The recorder whose warp is running on this host thread; std::logic_error if none is.
  [[nodiscard]] MMM_ALWAYS_INLINE static warp_recorder& here() {
    if (running_ == nullptr) [[unlikely]]
      throw_logic_error(
          failure_text("mmm: a warp-wide access outside the body of a parallel-for (each)"));
    return *running_;
  }

  //! Runs a parallel-for: items `first, first + 1, …` of chunks that begin `stride` items apart, up
  //! to `threads` of each. `number` counts the parallel-fors since the last machine-wide barrier.
  //! Calls `after_chunk(warps)`, which may drop the requests.
  template <class Body, class AfterChunk>
  void run(index items, index first, index stride, index threads, index number, Body const& body,
           AfterChunk after_chunk) {
    if (running_ != nullptr)
      throw_logic_error(failure_text("mmm: a parallel-for (each) inside the body of another one"));
    step.chunks = step.warps = step.last_warps = 0;
    step.space.clear();
    step.peer_stages.clear();
    known_ = false;
    has_registers = false;
    step_number_ = number;
    used_ = 0;
    items_begin = first;
    chunk_stride = stride;
    struct scope {
      ~scope() { running_ = nullptr; }
    } const leave{};
    running_ = this;
    index const w = width_.width();
    for (; first < items; first += stride) {
      index const count = smaller(threads, items - first);
      index const warps = ceil_divide(count, w);
      if (step.chunks == 0) step.warps = warps;
      step.last_warps = warps;
      chunk_ = step.chunks++;
      for (index thread = 0; thread < count; thread += w) {
        first_item = first + thread;
        first_thread = thread;
        lanes = static_cast<int>(smaller(w, count - thread));
        access_ = 0;
        if constexpr (Observe::races) races->begin_warp(first_item, first_thread);
        body(warp_index<W>(first_item, 1));
        if (known_ && access_ != step.accesses()) reject_mismatch();
        known_ = true;
      }
      after_chunk(warps);
      if (items - first <= stride) break;
    }
  }

  //! The number of requests recorded in `step.stages` since they were last dropped.
  [[nodiscard]] std::size_t noted() const { return used_; }
  void drop_requests() { used_ = 0; }
  //! Moves the record of a finished parallel-for out.
  [[nodiscard]] step_record<W> take() {
    step_record<W> record;
    record.chunks = step.chunks;
    record.warps = step.warps;
    record.last_warps = step.last_warps;
    record.space.swap(step.space);
    record.cluster = step.cluster;
    record.peer_stages.swap(step.peer_stages);
    if (used_ < step.stages.size() / 2) {  // leaves the memory to the next parallel-for
      auto const* const first = step.stages.data();
      record.stages.assign(first, first + used_);
    } else {
      step.stages.resize(used_);
      record.stages.swap(step.stages);
    }
    used_ = 0;
    return record;
  }

  //! Records a request of the first `lanes` lanes. std::out_of_range if an offset is outside [0,
  //! size).
  template <class T>
  MMM_ALWAYS_INLINE void request(access_kind op, array_record<T> const& place,
                                 warp_index<W> const& offsets) {
    index const size = place.size;
    index const address = place.address;
    memory_space const space = place.space;
    index stages = 0;
    if (offsets.affine()) {
      index const last = offsets.base() + offsets.stride() * (lanes - 1);
      if (static_cast<std::uint64_t>(offsets.base()) >= static_cast<std::uint64_t>(size) ||
          static_cast<std::uint64_t>(last) >= static_cast<std::uint64_t>(size)) [[unlikely]]
        reject_outside(
            op, address, size, [&](int t) { return offsets[t]; }, [](int) { return true; });
      stages = affine_stages(op, space, address + offsets.base(), offsets.stride(), lanes);
    } else {
      index const* const offset = offsets.lanes();
      index outside = 0;  // negative as soon as an offset is negative or more than size - 1
      for (int t = 0; t < lanes; ++t) outside |= offset[t] | (size - 1 - offset[t]);
      if (outside < 0) [[unlikely]]
        reject_outside(
            op, address, size, [&](int t) { return offset[t]; }, [](int) { return true; });
      fetch(place, lanes, offsets, [](int) MMM_INLINED_HERE { return true; });
      stages =
          any_stages(op, space, lanes, [&](int t) MMM_INLINED_HERE { return address + offset[t]; });
    }
    note(op, space, stages);
    observe<1>(op, place, offsets, [](int) MMM_INLINED_HERE { return true; });
  }

  //! Records a request of the lanes of a condition, which has no lane from `lanes` on.
  template <class T>
  MMM_ALWAYS_INLINE void request_if(access_kind op, array_record<T> const& place,
                                    warp_index<W> const& offsets, warp_mask<W> const& active) {
    index const size = place.size;
    index const address = place.address;
    memory_space const space = place.space;
    index stages = 0;
    auto const run = active.run();
    if (offsets.affine() && run.count > 0) {
      index const first = offsets.base() + offsets.stride() * run.first;
      index const last = first + offsets.stride() * (run.count - 1);
      if ((first | last | (size - 1 - first) | (size - 1 - last)) < 0) [[unlikely]]
        reject_outside(
            op, address, size, [&](int t) { return offsets[t]; }, [&](int t) { return active[t]; });
      stages = affine_stages(op, space, address + first, offsets.stride(), run.count);
    } else if (run.count != 0) {
      index addresses[W];
      int count = 0;
      index outside = 0;
      for (int t = 0; t < lanes; ++t) {
        index const offset = offsets[t];
        addresses[count] = address + offset;
        outside |= active[t] ? offset | (size - 1 - offset) : 0;
        count += active[t] ? 1 : 0;
      }
      if (outside < 0) [[unlikely]]
        reject_outside(
            op, address, size, [&](int t) { return offsets[t]; }, [&](int t) { return active[t]; });
      fetch(place, lanes, offsets, [&](int t) MMM_INLINED_HERE { return active[t]; });
      stages = any_stages(op, space, count, [&](int t) MMM_INLINED_HERE { return addresses[t]; });
    }
    note(op, space, stages);
    observe<1>(op, place, offsets, [&](int t) MMM_INLINED_HERE { return active[t]; });
  }

  //! Records a request of the words `V e … V e + V - 1` of the lanes of a condition, which has no
  //! lane from `lanes` on. They are served in the order of the lanes, w at a time, each time as a
  //! request of its own.
  template <index V>
  void wide_request(access_kind op, array_place const& place, warp_index<W> const& first_words,
                    warp_mask<W> const& active) {
    index const size = place.size;
    index const address = place.address;
    memory_space const space = place.space;
    auto const word = [&](int q) {
      return first_words[q / static_cast<int>(V)] + q % static_cast<int>(V);
    };
    for (int t = 0; t < lanes; ++t)
      if (active[t] && (first_words[t] < 0 || first_words[t] > size - V)) [[unlikely]]
        reject_outside(
            op, address, size,
            [&](int u) { return first_words[u] < 0 ? first_words[u] : first_words[u] + V - 1; },
            [&](int u) { return active[u]; });
    bool const in_a_row =
        first_words.affine() && first_words.stride() == V && active.prefix_length() == lanes;
    int const all = lanes * static_cast<int>(V);
    index stages = 0;
    int const w = static_cast<int>(width_.width());
    for (int first = 0; first < all; first += w) {
      int const end = first + w < all ? first + w : all;
      if (in_a_row) {
        stages += affine_stages(op, space, address + first_words.base() + first, 1, end - first);
        continue;
      }
      index addresses[W];
      int count = 0;
      for (int q = first; q < end; ++q)
        if (active[q / static_cast<int>(V)]) addresses[count++] = address + word(q);
      stages += any_stages(op, space, count, [&](int t) MMM_INLINED_HERE { return addresses[t]; });
    }
    note(op, space, stages);
    observe<V>(op, place, first_words, [&](int t) MMM_INLINED_HERE { return active[t]; });
  }

  //! Records a request of the lanes of a condition to the words `offset[t]` of the parts of a
  //! distributed array that the DMMs of ranks `rank[t]` have. `part[r]` is the part of rank r.
  template <class T>
  void peer_request(access_kind op, array_record<T> const* part, warp_index<W> const& rank,
                    warp_index<W> const& offset, warp_mask<W> const& active) {
    for (int t = 0; t < lanes; ++t) {
      if (!active[t]) continue;
      if (rank[t] < 0 || rank[t] >= step.cluster) [[unlikely]]
        throw_out_of_range(failure_text("mmm: item ", first_item + t, " ", verb(op),
                                        "s a word of rank ", rank[t], " of a cluster of ",
                                        step.cluster, " DMMs"));
      if (offset[t] < 0 || offset[t] >= part[0].size) [[unlikely]]
        reject_outside(
            op, part[0].address, part[0].size, [&](int u) { return offset[u]; },
            [&](int u) { return active[u]; });
    }
    index all = 0;
    for (index r = 0; r < step.cluster; ++r) {
      index addresses[W];
      int count = 0;
      for (int t = 0; t < lanes; ++t)
        if (active[t] && rank[t] == r) addresses[count++] = part[r].address + offset[t];
      index const stages = any_stages(op, memory_space::peer, count,
                                      [&](int t) MMM_INLINED_HERE { return addresses[t]; });
      step.peer_stages.push_back(static_cast<stage_count>(stages));
      all += stages;
    }
    note(op, memory_space::peer, all);
    for (index r = 0; r < step.cluster; ++r)
      observe<1>(
          op, part[r], offset, [&](int t) MMM_INLINED_HERE { return active[t] && rank[t] == r; },
          true);
  }

  // The running parallel-for.
  index items_begin = 0;   //!< its first item
  index chunk_stride = 0;  //!< distance of a thread's item from its next one
  // The running warp.
  index first_item = 0;
  index first_thread = 0;
  int lanes = 0;
  bool has_registers = false;  //!< the items have registers: see thread_items
  index first_in_cluster = 0;  //!< the number of the DMM's first thread in its cluster
  step_record<W> step{};

 private:
  [[nodiscard]] MMM_ALWAYS_INLINE index affine_stages(access_kind op, memory_space space,
                                                      index first, index stride, int count) const {
    if (!hierarchical || space == memory_space::global)
      return op == access_kind::update
                 ? count_affine_stages<of_updates(Global)>(width_, first, stride, count)
                 : count_affine_stages<Global>(width_, first, stride, count);
    return op == access_kind::update
               ? count_affine_stages<of_updates(Shared)>(width_, first, stride, count)
               : count_affine_stages<Shared>(width_, first, stride, count);
  }
  template <class Offset>
  [[nodiscard]] MMM_ALWAYS_INLINE index any_stages(access_kind op, memory_space space, int count,
                                                   Offset offset) {
    if (!hierarchical || space == memory_space::global)
      return op == access_kind::update
                 ? request_amount<of_updates(Global)>(width_, count, offset, table_)
                 : request_amount<Global>(width_, count, offset, table_);
    return op == access_kind::update
               ? request_amount<of_updates(Shared)>(width_, count, offset, table_)
               : request_amount<Shared>(width_, count, offset, table_);
  }

  MMM_ALWAYS_INLINE void note(access_kind op, memory_space space, index stages) {
    auto const code = static_cast<std::uint8_t>(static_cast<int>(op) * 4 + static_cast<int>(space));
    if (known_) [[likely]] {
      if (access_ >= step.accesses() || codes_[static_cast<std::size_t>(access_)] != code)
          [[unlikely]]
        reject_mismatch();
    } else {
      add_access(space, code);
    }
    ++access_;
    if (used_ == step.stages.size()) [[unlikely]]
      step.stages.resize(used_ + used_ / 2 + 256);
    step.stages[used_++] = static_cast<stage_count>(stages);
  }

  [[gnu::noinline]] void add_access(memory_space space, std::uint8_t code) {
    if (access_ == 0) codes_.clear();
    codes_.push_back(code);
    step.space.push_back(space);
  }

  //! Fetches the words of the active lanes while their stages are counted.
  template <class T, class Active>
  MMM_ALWAYS_INLINE void fetch(array_record<T> const& place, int count,
                               warp_index<W> const& offsets, Active active) const {
    constexpr index nearer_cache = index{1} << 15;  // bytes
    if (place.size < nearer_cache / static_cast<index>(sizeof(T))) return;
    for (int t = 0; t < count; ++t)
      if (active(t)) prefetch(place.data + offsets[t]);
  }

  //! Passes V words of every active lane to the race detector and the trace; `peer`: of a DMM that
  //! may be another one.
  template <index V, class Active>
  MMM_ALWAYS_INLINE void observe([[maybe_unused]] access_kind op,
                                 [[maybe_unused]] array_place const& place,
                                 [[maybe_unused]] warp_index<W> const& offsets,
                                 [[maybe_unused]] Active active,
                                 [[maybe_unused]] bool peer = false) {
    if constexpr (Observe::races) {
      if (place.owner >= 0) {
        races->use_distributed(
            place.owner, lanes, V,
            [&](int t) MMM_INLINED_HERE { return place.address + offsets[t]; }, active, op);
      } else if (place.watched) {
        auto const use = [&](auto address, bool in_a_row, bool scattered) MMM_INLINED_HERE {
          races->use(place.space, lanes, V, address, in_a_row, scattered, active, op,
                     hierarchical && place.space == memory_space::global);
        };
        if (offsets.affine())
          use([first = place.address + offsets.base(), by = offsets.stride()](int t)
                  MMM_INLINED_HERE { return first + by * t; },
              V == 1 && offsets.stride() == 1, false);
        else
          use([first = place.address, offset = offsets.lanes()](int t)
                  MMM_INLINED_HERE { return first + offset[t]; },
              false, true);
      }
    }
    if (Observe::traced)
      for (int t = 0; t < lanes; ++t) {
        if (!active(t)) continue;
        index const first = place.address + offsets[t];
        for (index word = first; word < first + V; ++word)
          pending.push_back(
              {{0, word,
                static_cast<std::uint32_t>((peer ? first_in_cluster : index{0}) + first_thread + t),
                static_cast<std::uint16_t>(peer ? place.owner : dmm),
                peer ? memory_space::peer : place.space, op},
               step_number_,
               chunk_,
               access_ - 1});
      }
  }

  template <class Offset, class Active>
  [[noreturn, gnu::noinline]] void reject_outside(access_kind op, index address, index size,
                                                  Offset offset, Active active) {
    int t = 0;
    while (t < lanes - 1 && (!active(t) || (offset(t) >= 0 && offset(t) < size))) ++t;
    throw_out_of_range(failure_text("mmm: item ", first_item + t, " ", verb(op), "s element ",
                                    offset(t), " of an array of ", size, " words (address ",
                                    address + offset(t), ")"));
  }
  [[noreturn, gnu::noinline]] void reject_mismatch() const {
    throw_logic_error(
        failure_text("mmm: all warps of a step must make the same number of reads and writes "
                     "of the same memories "
                     "in the same order; the warp of item ",
                     first_item, " differs from the first one at access ", access_,
                     " (load_if and store_if are for lanes that access nothing)"));
  }

  static inline constinit thread_local warp_recorder* running_ = nullptr;
  [[no_unique_address]] Width width_;
  unit_table<W> table_{};
  std::vector<std::uint8_t> codes_{};
  std::size_t used_ = 0;
  index access_ = 0;
  index chunk_ = 0;
  index step_number_ = 0;
  bool known_ = false;
};

}  // namespace detail
}  // namespace mmm
